// Joints of a world. A joint is held by two frames J, one fixed in each body, that coincide at the start;
// its own file (dynamics/joints/<name>.cpp) says where that frame is and which rows it makes.
#pragma once

#include <cstdint>
#include <span>
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

// Which of a substep's two solves rows are made for (world/step_impulse.cpp).
enum class Phase { Displacement, Velocity };

// Where a joint puts its rows. The equations come first, in one block; what acts along free axes follows.
struct JointRows {
    Rows& rows;
    std::uint32_t a = 0, b = 0;  // nodes
    Phase phase = Phase::Velocity;
    double h = 0;                       // s, of the substep
    double recovery = 1;                // share of the error that a displacement removes
    std::span<const double> carried{};  // while solving velocities: impulses of the displacement, by row
};

// Adds the row d . (velocity of b's point - velocity of a's point), error d . (p_b - p_a).
void add_point_row(JointRows& out, const JointGeometry& g, const Vec3& direction);
// The same along each world axis: the two points coincide.
void add_point_rows(JointRows& out, const JointGeometry& g);
// Adds the row axis . (w_b - w_a) with the given angle as error.
void add_angular_row(JointRows& out, const Vec3& axis, double error);

// An orientation whose x-axis is along the given direction (of any length but 0).
Quat along_x(const Vec3& direction);

// Each joint of the family list supplies these two functions.
#define IMPULS_DECLARE_JOINT(Type)      \
    Pose joint_frame(const Type& desc); \
    void add_rows(const Type& desc, const JointGeometry& g, JointRows& out);
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
    // State: impulses of the last substep (warm start), joint by joint, and their sums over the last step.
    std::vector<std::uint32_t> row_start{0};  // of each joint's rows, and one end
    std::vector<double> impulse{};
    std::vector<JointReaction> reaction{};

    std::size_t size() const { return uid.size(); }
    void add(const JointDesc& desc, const BodySet& bodies, std::uint32_t body_a, std::uint32_t body_b);
    void remove(std::size_t j);
    std::span<double> impulses_of(std::size_t j) {
        return {impulse.data() + row_start[j], impulse.data() + row_start[j + 1]};
    }
    std::span<const double> impulses_of(std::size_t j) const {
        return {impulse.data() + row_start[j], impulse.data() + row_start[j + 1]};
    }
    // Impulses and reaction become 0.
    void forget(std::size_t j);
    // Finds the body numbers again after bodies were added or removed.
    void update_numbers(const BodySet& bodies);
};

JointGeometry geometry_of(const JointSet& joints, std::size_t j, const Pose& X_WA, const Pose& X_WB);

// Appends the rows of joint j with its bodies at the given poses; a world-anchored joint passes a pose of
// identity.
void make_rows(const JointSet& joints, std::size_t j, const Pose& X_WA, const Pose& X_WB, JointRows& out);

// Length of the error over the linear rows, m.
double linear_error(const Rows& rows);

// What an impulse of a row does to node b: force times time, and torque times time about a point rb from its
// centre.
void add_reaction(const Rows& rows, const Row& row, double impulse, std::uint32_t b, const Vec3& rb,
                  JointReaction& sum);

}  // namespace impuls
