// Rows of a substep's solves: from contact points and joints to the problem, and impulses back.
#pragma once

#include "steppers/substep/context.h"

namespace impuls::substep {

// Appends the row of point k, without bias and guesses.
void add_contact_row(Substep& s, std::size_t k);
// Rows for all present points, or for those alone that touch or pushed in the displacement phase; in
// backward order on request. Guesses are a share of the last impulses.
enum class Points { All, Touching };
void make_contact_rows(Substep& s, Points which, bool is_backward = false);
// Impulses of the rows go to the points: what they gave in this solve is added to their sums.
void take_contact_impulses(Substep& s);
// Guesses of all rows become 0.
void clear_guesses(Problem& problem);

// Where the rows of a joint go, with its angles and the present velocities.
JointRows rows_for(Substep& s, const IslandJoint& joint, Rows& rows, double h, Phase phase);
// What joints start the substep with: velocities, and what external forces do.
void note_node_starts(Substep& s);
// Impulses of the joints' rows since the last call go to reactions and axes.
void take_joint_impulses(Substep& s);
// The nodes of a joint are held in this substep.
void hold_nodes(Substep& s, const IslandJoint& joint);

// Sweeps of a solve with as many contacts and joints.
int sweeps_for(const Substep& s, std::size_t items);
// Settings of a solve of all rows.
SolveSettings solve_settings(const Substep& s, double h);

}  // namespace impuls::substep
