// Joints as descriptions. To add one: its struct and one line in the list below (docs/howto/add_a_joint.md).
// Those that couple one motion with another are in joint_couplings.h, those that hold rotations alone in
// joint_basis.h, curves and surfaces in joint_paths.h, and what leads a body by hand in joint_guides.h.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "impuls/bodies.h"
#include "impuls/fields.h"
#include "impuls/joint_axis.h"
#include "impuls/joint_basis.h"
#include "impuls/joint_couplings.h"
#include "impuls/joint_guides.h"
#include "impuls/joint_paths.h"
#include "impuls/vec.h"

namespace impuls {

/// Two points held together; leaves three rotations free, which may be limited to a cone and a twist.
struct BallJoint {
    static constexpr const char* kType = "ball";
    Vec3 anchor{};
    Vec3 axis{1, 0, 0};
    std::optional<double> cone{};
    AxisDesc twist{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &BallJoint::anchor,
              Field("the common point, in world coordinates at the start", "m"));
        visit("axis", &BallJoint::axis, Field("axis of cone and twist, in world coordinates at the start"));
        visit("cone", &BallJoint::cone,
              Field("largest angle between the two bodies' axes; left out: any", "rad")
                  .between(0, 3.14159265358979));
        visit("twist", &BallJoint::twist, Field("turn of b about its axis"));
    }
};

/// Turns about an axis common to both bodies; leaves one rotation free.
struct HingeJoint {
    static constexpr const char* kType = "hinge";
    Vec3 anchor{};
    Vec3 axis{1, 0, 0};
    AxisDesc turn{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &HingeJoint::anchor,
              Field("a point on the axis, in world coordinates at the start", "m"));
        visit("axis", &HingeJoint::axis, Field("along the axis, in world coordinates at the start"));
        visit("turn", &HingeJoint::turn, Field("turn of b against a about the axis"));
    }
};

/// Slides along an axis fixed in a; leaves one translation free.
struct SliderJoint {
    static constexpr const char* kType = "slider";
    Vec3 anchor{};
    Vec3 axis{1, 0, 0};
    AxisDesc slide{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &SliderJoint::anchor,
              Field("where reactions are reported, in world coordinates at the start", "m"));
        visit("axis", &SliderJoint::axis, Field("along the axis, in world coordinates at the start"));
        visit("slide", &SliderJoint::slide, Field("way of b against a along the axis"));
    }
};

/// Slides along and turns about the same axis; leaves one translation and one rotation free.
struct CylindricalJoint {
    static constexpr const char* kType = "cylindrical";
    Vec3 anchor{};
    Vec3 axis{1, 0, 0};
    AxisDesc slide{};
    AxisDesc turn{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &CylindricalJoint::anchor,
              Field("a point on the axis, in world coordinates at the start", "m"));
        visit("axis", &CylindricalJoint::axis, Field("along the axis, in world coordinates at the start"));
        visit("slide", &CylindricalJoint::slide, Field("way of b against a along the axis"));
        visit("turn", &CylindricalJoint::turn, Field("turn of b against a about the axis"));
    }
};

/// A cross between two shafts: turns about an axis of a and about one of b, at right angles.
struct UniversalJoint {
    static constexpr const char* kType = "universal";
    Vec3 anchor{};
    Vec3 first_axis{1, 0, 0};
    Vec3 second_axis{0, 1, 0};
    AxisDesc first{};
    AxisDesc second{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &UniversalJoint::anchor,
              Field("the common point, in world coordinates at the start", "m"));
        visit("first_axis", &UniversalJoint::first_axis,
              Field("axis fixed in a, in world coordinates at the start"));
        visit("second_axis", &UniversalJoint::second_axis,
              Field("axis fixed in b; its part along the first is left out"));
        visit("first", &UniversalJoint::first, Field("turn about the axis of a"));
        visit("second", &UniversalJoint::second, Field("turn about the axis of b"));
    }
};

/// A wheel: steered about an axis of a, spins about an axis of b, and may be sprung along the first.
struct Hinge2Joint {
    static constexpr const char* kType = "hinge2";
    Vec3 anchor{};
    Vec3 steer_axis{0, 1, 0};
    Vec3 spin_axis{0, 0, 1};
    AxisDesc steer{};
    AxisDesc spin{};
    std::optional<AxisDesc> suspension{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &Hinge2Joint::anchor,
              Field("the middle of the wheel, in world coordinates at the start", "m"));
        visit("steer_axis", &Hinge2Joint::steer_axis,
              Field("axis fixed in a, in world coordinates at the start"));
        visit("spin_axis", &Hinge2Joint::spin_axis,
              Field("axis fixed in b, in world coordinates at the start"));
        visit("steer", &Hinge2Joint::steer, Field("turn about the axis of a"));
        visit("spin", &Hinge2Joint::spin, Field("turn about the axis of b"));
        visit("suspension", &Hinge2Joint::suspension, Field("way along the axis of a; left out: none"));
    }
};

/// Holds b to a as if they were one; leaves nothing free.
struct FixedJoint {
    static constexpr const char* kType = "fixed";
    Vec3 anchor{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &FixedJoint::anchor,
              Field("where reactions are reported, in world coordinates at the start", "m"));
    }
};

/// b slides in a plane fixed in a and turns about its normal; leaves two translations and one rotation free.
struct PlanarJoint {
    static constexpr const char* kType = "planar";
    Vec3 anchor{};
    Vec3 normal{0, 1, 0};
    AxisDesc turn{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &PlanarJoint::anchor,
              Field("a point of the plane, in world coordinates at the start", "m"));
        visit("normal", &PlanarJoint::normal,
              Field("normal of the plane, in world coordinates at the start"));
        visit("turn", &PlanarJoint::turn, Field("turn of b against a about the normal"));
    }
};

/// Two points at a distance: a rod, or with `length` a rope (upper) or a spring (stiffness, rest).
struct DistanceJoint {
    static constexpr const char* kType = "distance";
    Vec3 anchor_a{};
    Vec3 anchor_b{};
    std::optional<AxisDesc> length{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor_a", &DistanceJoint::anchor_a,
              Field("point of a, in world coordinates at the start", "m"));
        visit("anchor_b", &DistanceJoint::anchor_b,
              Field("point of b, in world coordinates at the start", "m"));
        visit("length", &DistanceJoint::length,
              Field("what acts along the distance, which counts from 0; left out: a rod"));
    }
};

/// A point of b slides along a line fixed in a; leaves one translation and three rotations free.
struct PointOnLineJoint {
    static constexpr const char* kType = "point_on_line";
    Vec3 anchor{};
    Vec3 axis{1, 0, 0};
    AxisDesc slide{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &PointOnLineJoint::anchor,
              Field("the point, in world coordinates at the start", "m"));
        visit("axis", &PointOnLineJoint::axis, Field("along the line, in world coordinates at the start"));
        visit("slide", &PointOnLineJoint::slide, Field("way of the point along the line"));
    }
};

/// A point of b stays in a plane fixed in a; leaves all free but one translation.
struct PointOnPlaneJoint {
    static constexpr const char* kType = "point_on_plane";
    Vec3 anchor{};
    Vec3 normal{0, 1, 0};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &PointOnPlaneJoint::anchor,
              Field("the point, in world coordinates at the start", "m"));
        visit("normal", &PointOnPlaneJoint::normal,
              Field("normal of the plane, in world coordinates at the start"));
    }
};

// The family list of joints, one line each.
#define IMPULS_JOINTS(X)     \
    X(BallJoint)             \
    X(HingeJoint)            \
    X(SliderJoint)           \
    X(CylindricalJoint)      \
    X(UniversalJoint)        \
    X(Hinge2Joint)           \
    X(FixedJoint)            \
    X(PlanarJoint)           \
    X(DistanceJoint)         \
    X(PointOnLineJoint)      \
    X(PointOnPlaneJoint)     \
    X(ScrewJoint)            \
    X(GearJoint)             \
    X(RackAndPinionJoint)    \
    X(PulleyJoint)           \
    X(SixDofJoint)           \
    X(Rotation3Joint)        \
    X(Rotation2Joint)        \
    X(Rotation1Joint)        \
    X(RailJoint)             \
    X(PointOnEllipsoidJoint) \
    X(PointOnTorusJoint)     \
    X(FollowerJoint)         \
    X(DragJoint)             \
    /* end of list */

namespace detail {
template <class, class... Types>
using VariantOf = std::variant<Types...>;
}
#define IMPULS_COMMA_TYPE(Type) , Type
using Joint = detail::VariantOf<void IMPULS_JOINTS(IMPULS_COMMA_TYPE)>;
#undef IMPULS_COMMA_TYPE

/// Whether a third body carries the bearings of this kind of joint.
inline bool has_frame(const Joint& joint) {
    return std::visit(
        [](const auto& j) {
            return requires {
                j.kHasFrame;
            };
        },
        joint);
}

/// Whether this kind of joint gives energy by itself; axes with motors, servos or springs do so as well.
inline bool can_drive(const Joint& joint) {
    return std::visit(
        [](const auto& j) {
            return requires {
                j.kDrives;
            };
        },
        joint);
}

/// visit(name, axis) for every axis of a joint that is free, in the order of its fields.
template <class AnyJoint, class Visit>
void visit_axes(AnyJoint& joint, Visit&& visit) {
    std::visit(
        [&](auto& j) {
            std::decay_t<decltype(j)>::visit_fields([&](const char* name, auto member, const Field&) {
                using Member = std::decay_t<decltype(j.*member)>;
                if constexpr (std::is_same_v<Member, AxisDesc>) visit(name, j.*member);
                if constexpr (std::is_same_v<Member, std::optional<AxisDesc>>)
                    if (j.*member) visit(name, *(j.*member));
            });
        },
        joint);
}

inline std::size_t axis_count(const Joint& joint) {
    std::size_t count = 0;
    visit_axes(joint, [&](const char*, const AxisDesc&) { ++count; });
    return count;
}

/// A place for a body, instead of where it is at the start.
struct Placement {
    Vec3 position{};
    Quat orientation{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("position", &Placement::position, Field("origin of the body's frame", "m"));
        visit("orientation", &Placement::orientation, Field("rotation of the body's frame"));
    }
};

/// A joint between two bodies, or with `repeat` a row of them (spacing then moves nothing: use expressions).
struct JointDesc {
    std::string name{};
    std::string a{};
    std::string b{};
    std::string frame{};
    Joint joint{};
    std::optional<Placement> at_a{};
    std::optional<Placement> at_b{};
    bool enabled = true;
    bool collide_connected = false;
    std::optional<double> break_force{};
    std::optional<double> break_torque{};
    std::optional<Repeat> repeat{};

    template <class V>
    static void visit_fields(V&& visit) {
        visit("name", &JointDesc::name, Field("unique name; left out: joint[number]"));
        visit("a", &JointDesc::a, Field("first body; left out: the world"));
        visit("b", &JointDesc::b, Field("second body; its reaction is reported").required());
        visit(
            "frame", &JointDesc::frame,
            Field("body that carries the bearings of gear, rack_and_pinion or pulley; left out: the world"));
        visit("", &JointDesc::joint, Field("kind of joint").required());
        visit("at_a", &JointDesc::at_a,
              Field("where a is meant to be for the joint's points and axes; left out: where it is at the "
                    "start"));
        visit("at_b", &JointDesc::at_b,
              Field("where b is meant to be; if it is not there, the joint starts open (impuls assemble)"));
        visit("enabled", &JointDesc::enabled, Field("false: it holds nothing until set_joint"));
        visit("collide_connected", &JointDesc::collide_connected, Field("let the two bodies collide"));
        visit("break_force", &JointDesc::break_force,
              Field("breaks when its force over a step is larger; left out: never", "N").positive());
        visit("break_torque", &JointDesc::break_torque,
              Field("breaks when its torque over a step is larger; left out: never", "N m").positive());
        visit("repeat", &JointDesc::repeat, Field("make several; use {i} in a and b"));
    }
};

}  // namespace impuls
