// Joints of a world. A joint is held by frames, one fixed in each of its bodies; its own file
// (dynamics/joints/<name>.cpp) says where they are at the start and which rows it makes (joint_rows.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/assert.h"
#include "constraints/problem.h"
#include "dynamics/body_set.h"
#include "dynamics/joint_rows.h"
#include "impuls/frame.h"
#include "impuls/joints.h"
#include "math/spline.h"

namespace impuls {

// Each joint of the family list supplies these two functions.
#define IMPULS_DECLARE_JOINT(Type)              \
    JointFrames joint_frames(const Type& desc); \
    void add_rows(const Type& desc, const JointGeometry& g, JointRows& out);
IMPULS_JOINTS(IMPULS_DECLARE_JOINT)
#undef IMPULS_DECLARE_JOINT
Spline curve_of(const RailJoint& desc);

// Numbers of several joints one behind the other.
struct JointNumbers {
    std::vector<std::uint32_t> start{0};  // of each joint's numbers, and one end
    std::vector<double> value{};

    std::span<double> of(std::size_t j) {
        IMPULS_ASSERT(j + 1 < start.size() && start[j] <= start[j + 1] && start[j + 1] <= value.size());
        return {value.data() + start[j], value.data() + start[j + 1]};
    }
    std::span<const double> of(std::size_t j) const {
        IMPULS_ASSERT(j + 1 < start.size() && start[j] <= start[j + 1] && start[j + 1] <= value.size());
        return {value.data() + start[j], value.data() + start[j + 1]};
    }
    void add(std::size_t count);
    void remove(std::span<const std::uint8_t> is_dead);
    // Joint j now has `count` zeros.
    void reset(std::size_t j, std::size_t count);
};

// Which bodies a joint connects.
struct JointEnds {
    std::vector<std::uint64_t> uid_a{}, uid_b{}, uid_c{};  // 0: the world
    std::vector<std::uint32_t> a{}, b{}, c{};              // body numbers now; kNoBody: the world
    std::vector<std::uint32_t> part_a{}, part_b{};         // particles of theirs; kNoPart: the body itself
};

// Where it is held and what it bears; constant.
struct JointModel {
    std::vector<Pose> X_AJ{}, X_BJ{}, X_CA{}, X_CB{};  // in the bodies' principal frames
    std::vector<Spline> curve{};                       // of rails
    std::vector<std::uint8_t> collide_connected{};
    std::vector<double> break_force{}, break_torque{};  // infinite: never
    std::vector<std::uint8_t> is_curved{};              // see JointRows::bend
};

// What commands and steps change.
struct JointState {
    std::vector<Joint> joint{};              // with what acts along its axes
    std::vector<std::uint8_t> is_plain{};    // nothing acts along its axes now
    std::vector<std::uint8_t> is_passive{};  // nothing that stores or gives energy does
    std::vector<std::uint8_t> is_timed{};    // something along its axes changes with time
    std::vector<std::uint8_t> is_enabled{}, is_broken{};
    std::vector<double>
        pace{};  // s: longest substep that it converges with (steppers/articulated/pace.h); 0: any
    JointNumbers impulse{};     // of the last substep (warm start)
    JointNumbers angle{};       // with full rotations
    JointNumbers axis_force{};  // mean over the last step, as is the reaction
    std::vector<JointReaction> reaction{};
};

struct JointSet : JointEnds, JointModel, JointState {
    std::uint64_t next_uid = 1;
    std::vector<std::uint64_t> uid{};

    std::size_t size() const { return uid.size(); }
    bool holds(std::size_t j) const { return is_enabled[j] && !is_broken[j]; }
    // `body_c` is the frame of joints that have one.
    void add(const JointDesc& desc, const BodySet& bodies, std::uint32_t body_a, std::uint32_t body_b,
             std::uint32_t body_c = kNoBody);
    // Removes the entries that are flagged; later ones move down.
    void remove(std::span<const std::uint8_t> is_dead);
    // After the principal frame of a body moved within it, by the pose of the old one in the new one.
    void move_frames(std::size_t j, std::uint32_t body, const Pose& X_new_old);
    std::span<double> impulses_of(std::size_t j) { return impulse.of(j); }
    std::span<const double> impulses_of(std::size_t j) const { return impulse.of(j); }
    // Impulses, forces and reaction become 0.
    void forget(std::size_t j);
    // After its axes were changed: as many impulses as it has rows now, all 0.
    void count_rows(std::size_t j);
    // Finds the body numbers again after bodies were added or removed.
    void update_numbers(const BodySet& bodies);
};

// Where the bodies of a joint are; the world is at the identity.
struct JointPoses {
    Pose a{}, b{}, c{};
};
JointPoses poses_of(const JointSet& joints, std::size_t j, const BodySet& bodies);

JointGeometry geometry_of(const JointSet& joints, std::size_t j, const JointPoses& poses);

// Appends the rows of joint j with its bodies at the given poses.
void make_rows(const JointSet& joints, std::size_t j, const JointPoses& poses, JointRows& out);

// Length of the error over the linear rows, m.
double linear_error(const Rows& rows);

// What an impulse of a row does to node b: force times time, and torque times time about a point rb from its
// centre.
void add_reaction(const Rows& rows, const Row& row, double impulse, std::uint32_t b, const Vec3& rb,
                  JointReaction& sum);

}  // namespace impuls
