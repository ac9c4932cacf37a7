// Joints of a world. A joint is held by two frames J, one fixed in each body, that coincide at the start;
// its own file (dynamics/joints/<name>.cpp) says where that frame is and which rows it makes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "constraints/problem.h"
#include "dynamics/body_set.h"
#include "impuls/frame.h"
#include "impuls/joints.h"

namespace impuls {

// What a joint sees of its two bodies, all in world coordinates.
struct JointGeometry {
    Pose X_WJa, X_WJb;  // the joint's frame as carried by a and by b
    Vec3 ra, rb;        // from the bodies' centres of mass to the frames' origins
};

// Adds the row d . (velocity of b's point - velocity of a's point), error d . (p_b - p_a).
void add_point_row(JointBlock& block, const JointGeometry& g, const Vec3& direction);
// Adds the row axis . (w_b - w_a) with the given angle as error.
void add_angular_row(JointBlock& block, const Vec3& axis, double error);

// Each joint of the family list supplies these two functions.
#define IMPULS_DECLARE_JOINT(Type)      \
    Pose joint_frame(const Type& desc); \
    void add_rows(const Type& desc, const JointGeometry& g, JointBlock& block);
IMPULS_JOINTS(IMPULS_DECLARE_JOINT)
#undef IMPULS_DECLARE_JOINT

struct JointSet {
    std::uint64_t next_uid = 1;
    std::vector<std::uint64_t> uid{};
    std::vector<Joint> joint{};
    std::vector<std::uint64_t> uid_a{}, uid_b{};  // 0: the world
    std::vector<std::uint32_t> a{}, b{};          // body numbers now; kNoBody: the world
    std::vector<Pose> X_AJ{}, X_BJ{};             // in the bodies' principal frames
    std::vector<std::uint8_t> collide_connected{};
    // State: impulses of the last substep (warm start) and their sums over the last step.
    std::vector<std::array<double, kMaxRows>> impulse{};
    std::vector<JointReaction> reaction{};

    std::size_t size() const { return uid.size(); }
    void add(const JointDesc& desc, const BodySet& bodies, std::uint32_t body_a, std::uint32_t body_b);
    void remove(std::size_t j);
    // Finds the body numbers again after bodies were added or removed.
    void update_numbers(const BodySet& bodies);
};

JointGeometry geometry_of(const JointSet& joints, std::size_t j, const Pose& X_WA, const Pose& X_WB);

// The rows of joint j with its bodies at the given poses; a world-anchored joint passes a pose of identity.
void make_rows(const JointSet& joints, std::size_t j, const Pose& X_WA, const Pose& X_WB, JointBlock& block);

// Length of the error over the linear rows of a block, m.
double linear_error(const JointBlock& block);

// What the block's impulses do to b: force times time, and torque times time about the joint's frame on b.
void add_reaction(const JointBlock& block, const Vec3& rb, JointReaction& sum);

}  // namespace impuls
