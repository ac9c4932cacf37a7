// Forces as descriptions. To add one: its struct and one line in the list below (docs/howto/add_a_force.md).
// A force acts between a point of a and a point of b, or on b alone; points and directions are given in world
// coordinates at the start and are carried along by their bodies from then on. What acts on every body by
// itself, gravity and damping, is part of its description (bodies.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "impuls/bodies.h"
#include "impuls/course.h"
#include "impuls/fields.h"
#include "impuls/vec.h"

namespace impuls {

/// Draws two points together or pushes them apart, along the line between them:
/// k (distance - length) + c d(distance)/dt.
struct SpringForce {
    static constexpr const char* kType = "spring";
    Vec3 anchor_a{};
    Vec3 anchor_b{};
    double stiffness = 0;
    double damping = 0;
    std::optional<double> length{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor_a", &SpringForce::anchor_a,
              Field("point of a, in world coordinates at the start", "m"));
        visit("anchor_b", &SpringForce::anchor_b,
              Field("point of b, in world coordinates at the start", "m"));
        visit("stiffness", &SpringForce::stiffness, Field("force per stretch", "N/m").positive().required());
        visit("damping", &SpringForce::damping, Field("force per rate of stretch", "N s/m").at_least(0));
        visit("length", &SpringForce::length,
              Field("distance at ease; left out: that at the start", "m").at_least(0));
    }
};

/// Resists what changes the distance of two points: c d(distance)/dt.
struct DamperForce {
    static constexpr const char* kType = "damper";
    Vec3 anchor_a{};
    Vec3 anchor_b{};
    double damping = 0;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor_a", &DamperForce::anchor_a,
              Field("point of a, in world coordinates at the start", "m"));
        visit("anchor_b", &DamperForce::anchor_b,
              Field("point of b, in world coordinates at the start", "m"));
        visit("damping", &DamperForce::damping,
              Field("force per rate of stretch", "N s/m").positive().required());
    }
};

/// A stiff spring and damper that holds two points at a distance; with length 0 it holds them together, in
/// all three directions.
struct RodForce {
    static constexpr const char* kType = "rod";
    Vec3 anchor_a{};
    Vec3 anchor_b{};
    double stiffness = 1e6;
    double damping = 0;
    std::optional<double> length{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor_a", &RodForce::anchor_a, Field("point of a, in world coordinates at the start", "m"));
        visit("anchor_b", &RodForce::anchor_b, Field("point of b, in world coordinates at the start", "m"));
        visit("stiffness", &RodForce::stiffness, Field("force per stretch", "N/m").positive());
        visit("damping", &RodForce::damping, Field("force per rate of stretch", "N s/m").at_least(0));
        visit("length", &RodForce::length,
              Field("distance that it holds; left out: that at the start; 0: a joint that yields", "m")
                  .at_least(0));
    }
};

/// Turns b against a about an axis, back to an angle: k (angle - rest) + c d(angle)/dt. The angle counts from
/// the start and is that nearest to rest: after half a turn the spring pulls the other way.
struct TorsionSpringForce {
    static constexpr const char* kType = "torsion_spring";
    Vec3 axis{1, 0, 0};
    double stiffness = 0;
    double damping = 0;
    double rest = 0;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("axis", &TorsionSpringForce::axis, Field("axis fixed in a, in world coordinates at the start"));
        visit("stiffness", &TorsionSpringForce::stiffness,
              Field("torque per angle", "N m/rad").positive().required());
        visit("damping", &TorsionSpringForce::damping,
              Field("torque per rate of turning", "N m s/rad").at_least(0));
        visit("rest", &TorsionSpringForce::rest,
              Field("angle at ease", "rad").between(-3.14159265358979, 3.14159265358979));
    }
};

/// A rope from a point of a over fixed eyes to a point of b: it pulls when its way is longer than its length,
/// and never pushes.
struct CableForce {
    static constexpr const char* kType = "cable";
    Vec3 anchor_a{};
    Vec3 anchor_b{};
    std::vector<Vec3> eyes{};
    double stiffness = 1e6;
    double damping = 0;
    std::optional<double> length{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor_a", &CableForce::anchor_a, Field("point of a, in world coordinates at the start", "m"));
        visit("anchor_b", &CableForce::anchor_b, Field("point of b, in world coordinates at the start", "m"));
        visit("eyes", &CableForce::eyes,
              Field("points of the world that it runs over without friction, from a to b", "m"));
        visit("stiffness", &CableForce::stiffness, Field("force per stretch", "N/m").positive());
        visit("damping", &CableForce::damping,
              Field("force per rate of stretch, while it is stretched", "N s/m").at_least(0));
        visit("length", &CableForce::length,
              Field("its length at ease; left out: its way at the start", "m").at_least(0));
    }
};

/// What a constant force or torque keeps its direction in.
enum class ForceAxes { World, Body };
template <>
struct EnumNames<ForceAxes> {
    static constexpr std::array<const char*, 2> names{"world", "body"};
};

/// A force at a point of b.
struct ConstantForce {
    static constexpr const char* kType = "constant";
    Vec3 anchor{};
    Vec3 force{};
    ForceAxes axes = ForceAxes::World;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &ConstantForce::anchor,
              Field("point of b where it acts, in world coordinates at the start", "m"));
        visit("force", &ConstantForce::force, Field("in world coordinates at the start", "N").required());
        visit("axes", &ConstantForce::axes, Field("world: it keeps its direction; body: it turns with b"));
    }
};

/// A torque on b.
struct TorqueForce {
    static constexpr const char* kType = "torque";
    Vec3 torque{};
    ForceAxes axes = ForceAxes::World;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("torque", &TorqueForce::torque, Field("in world coordinates at the start", "N m").required());
        visit("axes", &TorqueForce::axes, Field("world: it keeps its direction; body: it turns with b"));
    }
};

/// A force of constant size that draws a point of b towards a point of a, and that one back.
struct PullForce {
    static constexpr const char* kType = "pull";
    Vec3 anchor_a{};
    Vec3 anchor_b{};
    double force = 0;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor_a", &PullForce::anchor_a, Field("point of a, in world coordinates at the start", "m"));
        visit("anchor_b", &PullForce::anchor_b, Field("point of b, in world coordinates at the start", "m"));
        visit("force", &PullForce::force, Field("its size; negative: it pushes", "N").required());
    }
};

/// Resistance of what b moves through: density/2 c_w A |u| u at its centre of mass, u being its velocity
/// relative to the wind and A the area that it shows to it.
struct DragForce {
    static constexpr const char* kType = "drag";
    double coefficient = 0.47;
    double density = 1.2;
    std::optional<double> area{};
    Vec3 wind{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("coefficient", &DragForce::coefficient, Field("c_w; a sphere has 0.47").at_least(0));
        visit("density", &DragForce::density, Field("of air or water", "kg/m^3").at_least(0));
        visit("area", &DragForce::area,
              Field("left out: that of the shape, seen along the motion", "m^2").at_least(0));
        visit("wind", &DragForce::wind, Field("velocity of what it moves through", "m/s"));
    }
};

/// Draws the centres of mass of two bodies together: G m_a m_b / distance^2.
struct AttractionForce {
    static constexpr const char* kType = "attraction";
    double constant = 6.6743e-11;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("constant", &AttractionForce::constant,
              Field("G; negative: they repel each other", "m^3/(kg s^2)"));
    }
};

/// A hand that draws a point of b to a target: stiffness (target - point) - damping d(point)/dt, along that
/// direction no larger than max_force. Commands move the target (Drag).
struct GrabForce {
    static constexpr const char* kType = "grab";
    Vec3 anchor{};
    Vec3 target{};
    double stiffness = 0;
    double damping = 0;
    std::optional<double> max_force{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &GrabForce::anchor,
              Field("point of b where it acts, in world coordinates at the start", "m"));
        visit("target", &GrabForce::target, Field("point of the world that it is drawn to", "m"));
        visit("stiffness", &GrabForce::stiffness, Field("force per distance", "N/m").positive().required());
        visit("damping", &GrabForce::damping, Field("force per velocity", "N s/m").at_least(0));
        visit("max_force", &GrabForce::max_force, Field("largest force; left out: any", "N").positive());
    }
};

// The family list of forces, one line each.
#define IMPULS_FORCES(X)  \
    X(SpringForce)        \
    X(DamperForce)        \
    X(RodForce)           \
    X(TorsionSpringForce) \
    X(CableForce)         \
    X(ConstantForce)      \
    X(TorqueForce)        \
    X(PullForce)          \
    X(DragForce)          \
    X(AttractionForce)    \
    X(GrabForce)          \
    /* end of list */

namespace detail {
template <class, class... Types>
using ForceVariantOf = std::variant<Types...>;
}
#define IMPULS_COMMA_TYPE(Type) , Type
using Force = detail::ForceVariantOf<void IMPULS_FORCES(IMPULS_COMMA_TYPE)>;
#undef IMPULS_COMMA_TYPE

/// A force on b, or between a and b, or with `repeat` a row of them (spacing then moves nothing: use
/// expressions).
struct ForceDesc {
    std::string name{};
    std::string a{};
    std::string b{};
    Force force{};
    Course magnitude{1};
    double from = 0;
    std::optional<double> until{};
    bool enabled = true;
    std::optional<Repeat> repeat{};

    template <class V>
    static void visit_fields(V&& visit) {
        visit("name", &ForceDesc::name, Field("unique name; left out: force[number]"));
        visit("a", &ForceDesc::a, Field("first body; left out: the world"));
        visit("b", &ForceDesc::b, Field("second body, or the only one").required());
        visit("", &ForceDesc::force, Field("kind of force").required());
        visit("magnitude", &ForceDesc::magnitude,
              Field("factor on it, which may change with time: 300*sin(2*pi*t)"));
        visit("from", &ForceDesc::from, Field("time from which it acts", "s").at_least(0));
        visit("until", &ForceDesc::until, Field("time until which it acts; left out: for ever", "s"));
        visit("enabled", &ForceDesc::enabled, Field("false: it does nothing until enable_force"));
        visit("repeat", &ForceDesc::repeat, Field("make several; use {i} in a and b"));
    }
};

}  // namespace impuls
