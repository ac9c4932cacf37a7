// Motion of an island's nodes in a substep: kicks are the steppers' own, drift is shared.
#pragma once

#include "dynamics/common_motion.h"
#include "steppers/substep/context.h"

namespace impuls::substep {

// Inverse inertia in the world frame, at the present orientations.
void update_inertia(Substep& s);
// Notes the motion at the start of the substep; nothing has touched the nodes yet.
void begin_substep(Substep& s);
// Where a held body gets within h with the velocity it has now.
Pose drifted(const Substep& s, std::size_t k, double h);
// Moves all nodes: x += h v.
void drift(Substep& s, double h);
// Bodies with a script: where they are now, and the velocities that carry them to where they are h later. The
// drift leaves them there, with their true velocities of then.
void aim_scripted(Substep& s, double h);
// Velocity of a body that this way (m) is missing of, for which forces have given it speed.
void return_work(Substep& s, std::uint32_t k, const Vec3& missing);
// Displacements (below), all made smaller so that no body rotates by more than kMostPull.
void limit_displacements(Substep& s);
// Moves a node by its displacement (v, w for unit time), which is then done.
void displace(Substep& s, std::size_t k);
// How long a node moves on after its swept impact, s.
double time_after_impact(const Substep& s, std::size_t k, double h);
// Sets the failure when a body is lost.
void check_finite(Substep& s, const char* stage);
// Velocities go back to the island's nodes.
void store_velocities(Substep& s);

// Angular momentum of node k about its centre.
Vec3 angular_momentum_of(const Substep& s, std::size_t k);
// The rigid motion with the momenta of all dynamic nodes.
CommonMotion common_motion(const Substep& s);
// Nothing fixed holds or touched the island in this substep: its momenta are its own.
bool is_free(const Substep& s);

}  // namespace impuls::substep
