// Joints as descriptions. To add one: its struct and one line in the list below (docs/howto/add_a_joint.md).
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "impuls/bodies.h"
#include "impuls/fields.h"
#include "impuls/vec.h"

namespace impuls {

/// Two points held together; leaves three rotations free.
struct BallJoint {
    static constexpr const char* kType = "ball";
    Vec3 anchor{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &BallJoint::anchor,
              Field("the common point, in world coordinates at the start", "m"));
    }
};

/// Turns about an axis common to both bodies; leaves one rotation free.
struct HingeJoint {
    static constexpr const char* kType = "hinge";
    Vec3 anchor{};
    Vec3 axis{1, 0, 0};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &HingeJoint::anchor,
              Field("a point on the axis, in world coordinates at the start", "m"));
        visit("axis", &HingeJoint::axis, Field("along the axis, in world coordinates at the start"));
    }
};

// The family list of joints, one line each.
#define IMPULS_JOINTS(X) \
    X(BallJoint)         \
    X(HingeJoint)        \
    /* end of list */

namespace detail {
template <class, class... Types>
using VariantOf = std::variant<Types...>;
}
#define IMPULS_COMMA_TYPE(Type) , Type
using Joint = detail::VariantOf<void IMPULS_JOINTS(IMPULS_COMMA_TYPE)>;
#undef IMPULS_COMMA_TYPE

/// A joint between two bodies, or with `repeat` a row of them (spacing then moves nothing: use expressions).
struct JointDesc {
    std::string name{};
    std::string a{};
    std::string b{};
    Joint joint{};
    bool collide_connected = false;
    std::optional<Repeat> repeat{};

    template <class V>
    static void visit_fields(V&& visit) {
        visit("name", &JointDesc::name, Field("unique name; left out: joint[number]"));
        visit("a", &JointDesc::a, Field("first body; left out: the world"));
        visit("b", &JointDesc::b, Field("second body; its reaction is reported").required());
        visit("", &JointDesc::joint, Field("kind of joint").required());
        visit("collide_connected", &JointDesc::collide_connected, Field("let the two bodies collide"));
        visit("repeat", &JointDesc::repeat, Field("make several; use {i} in a and b"));
    }
};

}  // namespace impuls
