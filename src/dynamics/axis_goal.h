// The coordinate of a free axis, set: with q and q' given for one axis of joint j, and all its other axes and
// equations kept, b moves rigidly against a together with everything that hangs on it,
//     C(X_b) = 0,  x_k(X_b) = q_k          by Newton steps of limited turn, so that turns count
//     J (v, w)_b = 0,  x_k' = q_k'         by one solve
// each with the least motion. When b's side is held by what cannot move, a's side moves in reverse. Called
// when a world is built, and for commands.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/id_table.h"
#include "dynamics/joint.h"

namespace impuls {

struct JointedWorld {
    const WorldIds& ids;
    const BodySet& bodies;
    const JointSet& joints;
};

// What is to be set.
struct AxisGoal {
    std::optional<double> position{}, velocity{};
    bool is_any() const { return position || velocity; }
};

struct AxisMove {
    std::size_t joint = 0;
    std::vector<std::uint32_t> bodies{};  // that move
    std::vector<Pose> pose{};             // then, of each
    std::vector<Vec3> v{}, w{};
    std::vector<double> angles{};  // of the joint, with turns
};

// Throws InputError where both sides hang together otherwise, where neither can move, where the joint holds
// nothing now, and where the position cannot be reached.
AxisMove find_axis_move(const JointedWorld& s, std::size_t joint, const std::string& axis,
                        const AxisGoal& wanted);
void apply_move(const AxisMove& move, BodySet& bodies, JointSet& joints);

// What descriptions of joints say of their axes, in the order of the joints.
void set_axes_as_described(const WorldIds& ids, std::span<const JointDesc> descriptions, BodySet& bodies,
                           JointSet& joints);

}  // namespace impuls
