// Descriptions of joints by which a hand, a script or another body leads b without breaking anything: their
// force is limited, and whatever else holds b is stronger (joints.h has the list; Bender 2014, 3.2.3). The
// hand is body a, mostly a kinematic one that commands move.
#pragma once

#include <optional>

#include "impuls/fields.h"
#include "impuls/vec.h"

namespace impuls {

/// b moves as a does, as far as its force and its torque allow; where b is does not matter.
struct FollowerJoint {
    static constexpr const char* kType = "follower";
    static constexpr bool kDrives = true;
    Vec3 anchor{};
    std::optional<double> max_force{};
    std::optional<double> max_torque{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &FollowerJoint::anchor,
              Field("point of b that has the velocity of a, in world coordinates at the start", "m"));
        visit("max_force", &FollowerJoint::max_force,
              Field("largest force to make the velocities equal; left out: none", "N").at_least(0));
        visit(
            "max_torque", &FollowerJoint::max_torque,
            Field("largest torque to make the angular velocities equal; left out: none", "N m").at_least(0));
    }
};

/// Draws a point of b to a point of a and holds it there, as far as its force allows.
struct DragJoint {
    static constexpr const char* kType = "drag";
    static constexpr bool kDrives = true;
    Vec3 anchor_a{};
    Vec3 anchor_b{};
    double max_force = 1;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor_a", &DragJoint::anchor_a, Field("point of a, in world coordinates at the start", "m"));
        visit("anchor_b", &DragJoint::anchor_b, Field("point of b, in world coordinates at the start", "m"));
        visit("max_force", &DragJoint::max_force, Field("largest force", "N").at_least(0).required());
    }
};

}  // namespace impuls
