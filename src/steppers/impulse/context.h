// What the impulse stepper works on beside a substep's own (substep/context.h): impacts, joints that yield,
// stacks that are frozen, and a state to go back to. Scratch structs by topic.
#pragma once

#include <vector>

#include "constraints/snapshot.h"
#include "steppers/substep/context.h"

namespace impuls::impulse {

using namespace substep;

// What a point wants back after an impact.
struct Return {
    double speed = 0;  // m/s (Newton)
    double share = 0;  // of the impulse of compression (Poisson)
};

// A row of joints at one moment.
struct RowMotion {
    double velocity, impulse;
};

// What a touch gave, and the point that reports it.
struct TouchImpulse {
    std::uint32_t point;
    Vec3 impulse;  // N s, on b
};

// Impacts, by contact row unless said otherwise (impacts.cpp, propagation.cpp).
struct ImpactWork {
    std::vector<PointMotion> before{}, compressed_motion{};
    std::vector<Return> returns{};
    std::vector<Vec3> compression{}, compression_torque{};  // impulses
    Snapshot compressed{}, uncompressed{};
    std::vector<RowMotion> rows_before{}, rows_compressed{};  // by row of joints
    std::uint64_t work = 0;                     // rows that solves of impacts updated in this substep
    bool is_spent = false;                      // no more of them: what still approaches comes to rest
    std::vector<std::uint32_t> only_pair{};     // by node: of the points near it
    std::vector<std::uint32_t> struck_pairs{};  // that nothing else is near
    std::vector<TouchImpulse> touch_impulses{};
};

// Joints in a substep (joint_rows.cpp, torn.cpp).
struct JointState {
    bool is_torn = false;      // a joint was torn open in the last displacement phase
    bool is_yielding = false;  // joints give way in this substep
    Snapshot unstrained{};     // the problem before joints were solved
    Rows preview_rows{};
};

// Lengths of substeps of islands with joints (pace.cpp).
struct Try {
    double h = 0, open = 0;  // s; relative error of the joints
};
struct PaceState {
    bool is_stalled = false;  // joints did not close in the last substep
    bool may_retake = true;   // shorter substeps may still help
    Try first_try{};          // of the present substep; open: 0 when there was none
    double preview_h = 0;
};

// A part of the problem while a layer is solved with the bodies below it frozen (freeze.cpp).
struct FreezeWork {
    Problem part{};
    std::vector<std::uint32_t> part_contacts{}, part_blocks{};  // which of the problem's they are
    std::vector<std::uint32_t> row_of_point{};
    std::vector<double> frozen_rows{};  // by row of joints: what frozen bodies gave in this substep
};

// The state before a substep (memory.cpp).
struct Memory {
    std::vector<Pose> poses{};
    std::vector<NodeMotion> nodes{};
    std::vector<Vec3> v{}, w{};
    std::vector<SubstepPoint> points{};
    std::vector<std::uint32_t> point_pair{};
    std::vector<double> margins{};  // by pair
    std::vector<double> link_impulses{};
    std::vector<double> depths{}, depths_now{};  // by pair
    JointMemory joints{};
};

struct Scratch {
    substep::Scratch substep{};
    ImpactWork impacts{};
    JointState joint_state{};
    PaceState pace{};
    FreezeWork freeze{};
    Memory memory{};
    std::vector<Vec3> saved_v{}, saved_w{};  // velocities while positions are corrected
};

struct Impulse : Substep {
    ImpactWork& impacts;
    JointState& joint_state;
    PaceState& pace;
    FreezeWork& freeze;
    Memory& memory;
    std::vector<Vec3>&saved_v, &saved_w;

    Impulse(const WorldView& the_view, Island& the_island, Scratch& scratch, Results& the_results,
            Outcome& the_outcome)
        : Substep(the_view, the_island, scratch.substep, the_results, the_outcome),
          impacts(scratch.impacts),
          joint_state(scratch.joint_state),
          pace(scratch.pace),
          freeze(scratch.freeze),
          memory(scratch.memory),
          saved_v(scratch.saved_v),
          saved_w(scratch.saved_w) {}
    bool has_joints() const { return !island.joints.empty(); }
};

}  // namespace impuls::impulse
