// What the impulse and the velocity stepper work on in a substep: an island's nodes as a solver's Problem,
// its contact points, its joints' rows. Scratch structs by topic, owned by the workspace and used island
// after island; Substep holds references to them, so that stages are free functions over it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "collision/distance/closest.h"
#include "collision/manifold.h"
#include "constraints/problem.h"
#include "dynamics/contact.h"
#include "dynamics/joint.h"
#include "solvers/solver.h"
#include "steppers/forces.h"
#include "steppers/island.h"
#include "steppers/results.h"
#include "steppers/seams.h"
#include "steppers/substep/layer_work.h"

namespace impuls::substep {

// A node in a substep; place k belongs to node k of the island.
struct NodeMotion {
    Pose start_pose{};  // at the start of the substep
    Vec3 start_v{}, start_w{};
    Quat middle{};             // orientation half a substep later
    bool is_held = false;      // something pushed or holds it in this substep
    bool is_flown = false;     // it is where the substep ends, with the velocity of then
    double lead = 0;           // s of the substep that pass before a swept impact; 0: none
    Vec3 lead_v{}, lead_w{};   // velocities until then
    std::uint32_t met_in = 0;  // pair of that impact
    double allowed = 0;        // time of the substep up to which it moves without passing through anything
};

// Contact points of the island, pair by pair in the order of the island's pairs.
struct ContactWork {
    std::vector<SubstepPoint> points{}, old_points{};
    std::vector<std::uint32_t> point_pair{}, old_start{};
    std::vector<std::uint32_t> row_point{};  // of each contact row of the problem
    std::vector<std::uint8_t> is_late{};     // by point: its impact is left to the next substep
    Seams seams{};
    std::vector<Manifold> found{}, corrected{};  // of one pair; at a seam
};

// Rows of the island's joints. `carried` are the impulses since the substep began, by row.
struct JointWork {
    std::vector<std::uint32_t> first_block{};  // in the problem, by joint
    std::size_t end_block = 0;                 // of all joints
    std::vector<double> carried{};
    std::vector<double> approach{};  // speeds of impact on limits
    std::vector<NodeStart> node_starts{};
    AxisLog axis_log{};
};

// Rows of stiff links between particles.
struct LinkWork {
    std::size_t first_row = 0;      // in the problem
    std::vector<double> carried{};  // impulses since the substep began
};

// Places where fast pairs meet within the substep.
struct Meeting {
    double time;
    std::uint32_t pair;
    Closest points;
};
struct SweepWork {
    std::vector<Meeting> meetings{};
    std::vector<Manifold> manifolds{};
    std::size_t looks = 0;  // at distances and depths of moving pairs, in this step
};

struct Scratch {
    Problem problem{};
    std::unique_ptr<ProblemSolver> solver{};
    Solver solver_kind{};
    std::vector<NodeMotion> nodes{};
    ContactWork contacts{};
    JointWork joints{};
    LinkWork links{};
    SweepWork sweeps{};
    LayerWork layers{};
    ForceWork forces{};
};

struct Substep {
    const WorldView& view;
    Island& island;
    Problem& problem;
    ProblemSolver& solver;
    std::vector<NodeMotion>& nodes;
    ContactWork& contacts;
    JointWork& joints;
    LinkWork& links;
    SweepWork& sweeps;
    LayerWork& layers;
    ForceWork& forces;
    Results& results;
    Outcome& outcome;
    double stretch = 1;  // length of this substep relative to the usual one
    double elapsed = 0;  // s, of the step before this substep

    // Loads the island: velocities and masses into the problem, points of the last step into the contacts.
    Substep(const WorldView& view, Island& island, Scratch& scratch, Results& results, Outcome& outcome);

    bool has_failed() const { return !results.failure.empty(); }
    // Notes what a solve took.
    void note(const SolveResult& result);
    // Solves the problem, or a part of it, and notes what it took.
    SolveResult solve(Problem& part, const SolveSettings& settings);
    SolveResult solve(const SolveSettings& settings) { return solve(problem, settings); }
};

}  // namespace impuls::substep
