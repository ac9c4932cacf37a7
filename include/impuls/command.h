// One change to a running world. Applications, scene timelines and replay use the same commands; a command
// takes effect at the start of the next step, and is refused whole or applied whole. Put and Remove are for
// everything that has a name in a scene; the others set what it does now.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "impuls/bodies.h"
#include "impuls/fields.h"
#include "impuls/forces.h"
#include "impuls/joints.h"
#include "impuls/materials.h"
#include "impuls/settings.h"
#include "impuls/vec.h"

namespace impuls {

/// Puts descriptions into the world, as a scene has them, one each (without repeat): what is new is added,
/// what has the name of something (contacts: of a pair of materials) replaces it. A body that is replaced
/// keeps its pose and velocity, unless `move` says to take those of the description; its joints and forces
/// stay. Where axes of joints start is for scenes alone.
struct Put {
    static constexpr const char* kType = "put";
    std::vector<MaterialDesc> materials{};
    std::vector<ContactDesc> contacts{};
    std::vector<BodyDesc> bodies{};
    std::vector<JointDesc> joints{};
    std::vector<ForceDesc> forces{};
    bool move = false;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("materials", &Put::materials, Field("materials; masses of bodies that are there stay"));
        visit("contacts", &Put::contacts, Field("what holds between two materials"));
        visit("bodies", &Put::bodies, Field("bodies, with names"));
        visit("joints", &Put::joints, Field("joints, with names"));
        visit("forces", &Put::forces, Field("forces, with names"));
        visit("move", &Put::move,
              Field("bodies that are replaced take pose and velocity of their description"));
    }
};

/// A pair of materials, in either order.
struct MaterialPair {
    std::string a{};
    std::string b{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("a", &MaterialPair::a, Field("name of a material").required());
        visit("b", &MaterialPair::b, Field("name of the other material, or the same").required());
    }
};

/// Removes things by name; with a body go its joints and forces.
struct Remove {
    static constexpr const char* kType = "remove";
    std::vector<std::string> bodies{};
    std::vector<std::string> joints{};
    std::vector<std::string> forces{};
    std::vector<MaterialPair> contacts{};
    std::vector<std::string> materials{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("bodies", &Remove::bodies, Field("names of bodies; their joints and forces go with them"));
        visit("joints", &Remove::joints, Field("names of joints"));
        visit("forces", &Remove::forces, Field("names of forces"));
        visit("contacts", &Remove::contacts,
              Field("pairs of materials, which then touch as each of them says"));
        visit("materials", &Remove::materials, Field("names of materials that nothing is made of"));
    }
};

/// Sets what is given, leaves the rest.
struct SetBody {
    static constexpr const char* kType = "set_body";
    std::string body{};
    std::optional<Vec3> position{};
    std::optional<Quat> orientation{};
    std::optional<Vec3> velocity{};
    std::optional<Vec3> angular_velocity{};
    std::optional<Vec3> surface_velocity{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("body", &SetBody::body, Field("name of the body").required());
        visit("position", &SetBody::position, Field("new origin", "m"));
        visit("orientation", &SetBody::orientation, Field("new rotation"));
        visit("velocity", &SetBody::velocity, Field("new velocity of the centre of mass", "m/s"));
        visit("angular_velocity", &SetBody::angular_velocity, Field("new angular velocity", "rad/s"));
        visit("surface_velocity", &SetBody::surface_velocity,
              Field("how the surface now runs over the body, in the body's frame", "m/s"));
    }
};

/// The force and torque at the centre of mass that every body has beside those of the scene, in world
/// coordinates, held until set again. With a point the force acts there: what it turns by when the command
/// is applied is added to the torque, and held with it.
struct SetForce {
    static constexpr const char* kType = "set_force";
    std::string body{};
    Vec3 force{};
    Vec3 torque{};
    std::optional<Vec3> point{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("body", &SetForce::body, Field("name of the body").required());
        visit("force", &SetForce::force, Field("force, held until set again", "N"));
        visit("torque", &SetForce::torque, Field("torque, held until set again", "N m"));
        visit("point", &SetForce::point,
              Field("where the force acts when it is set; left out: centre of mass", "m"));
    }
};

struct ApplyImpulse {
    static constexpr const char* kType = "apply_impulse";
    std::string body{};
    Vec3 impulse{};
    Vec3 angular_impulse{};
    std::optional<Vec3> point{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("body", &ApplyImpulse::body, Field("name of the body").required());
        visit("impulse", &ApplyImpulse::impulse, Field("linear impulse", "N s"));
        visit("angular_impulse", &ApplyImpulse::angular_impulse, Field("angular impulse", "N m s"));
        visit("point", &ApplyImpulse::point, Field("where it acts; left out: centre of mass", "m"));
    }
};

/// A passive body is kept where it is, but neither moved nor touched; its joints hold nothing.
struct SetActive {
    static constexpr const char* kType = "set_active";
    std::string body{};
    bool active = true;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("body", &SetActive::body, Field("name of the body").required());
        visit("active", &SetActive::active, Field("false: the body becomes passive"));
    }
};

/// A joint that is not enabled holds nothing; it keeps its frames.
struct SetJoint {
    static constexpr const char* kType = "set_joint";
    std::string joint{};
    bool enabled = true;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("joint", &SetJoint::joint, Field("name of the joint").required());
        visit("enabled", &SetJoint::enabled, Field("false: it holds nothing"));
    }
};

/// Changes what acts along one axis of a joint, and its coordinate and rate: sets what is given, leaves the
/// rest. With a new position b moves, and all that is joined to it but through this joint (a's side, where
/// b's is held by what cannot move); refused where both sides hang together otherwise.
struct SetAxis {
    static constexpr const char* kType = "set_axis";
    std::string joint{};
    std::string axis{};
    bool clear = false;
    std::optional<double> lower{}, upper{}, restitution{}, rate{}, friction{}, stiffness{}, damping{};
    std::optional<double> position{}, velocity{};
    std::optional<Course> speed{}, target{}, max_force{}, rest{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("joint", &SetAxis::joint, Field("name of the joint").required());
        visit("axis", &SetAxis::axis, Field("name of the axis, e.g. turn").required());
        visit("clear", &SetAxis::clear, Field("first the axis becomes free"));
        visit_values(
            [&](const char* name, auto given, auto, const Field& field) { visit(name, given, field); });
    }
    /// visit(name, member of SetAxis, member of AxisDesc, field) for every value.
    template <class V>
    static void visit_values(V&& visit) {
        AxisDesc::visit_fields([&](const char* name, auto member, const Field& field) {
            if constexpr (std::is_same_v<decltype(member), Course AxisDesc::*> ||
                          std::is_same_v<decltype(member), std::optional<Course> AxisDesc::*>)
                visit(name, given_course(name), member, field);
            else
                visit(name, given(name), member, field);
        });
    }

  private:
    static constexpr std::optional<double> SetAxis::*given(std::string_view name) {
        return name == "lower"         ? &SetAxis::lower
               : name == "upper"       ? &SetAxis::upper
               : name == "restitution" ? &SetAxis::restitution
               : name == "rate"        ? &SetAxis::rate
               : name == "friction"    ? &SetAxis::friction
               : name == "stiffness"   ? &SetAxis::stiffness
               : name == "position"    ? &SetAxis::position
               : name == "velocity"    ? &SetAxis::velocity
                                       : &SetAxis::damping;
    }
    static constexpr std::optional<Course> SetAxis::*given_course(std::string_view name) {
        return name == "speed"       ? &SetAxis::speed
               : name == "target"    ? &SetAxis::target
               : name == "max_force" ? &SetAxis::max_force
                                     : &SetAxis::rest;
    }
};

/// Changes settings of the world: sets what is given, leaves the rest. Another time step is a branch.
struct SetSettings {
    static constexpr const char* kType = "set_settings";
    std::optional<Vec3> gravity{};
    std::optional<BroadPhaseKind> broad_phase{};
    std::optional<std::vector<EventKind>> events{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("gravity", &SetSettings::gravity, Field("acceleration of gravity", "m/s^2"));
        visit("broad_phase", &SetSettings::broad_phase,
              Field("how pairs that may touch are found; results do not depend on it"));
        visit("events", &SetSettings::events, Field("kinds of events that frames tell"));
    }
};

/// From now on the world is stepped by this method.
struct SetMethod {
    static constexpr const char* kType = "set_method";
    MethodDesc method{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("method", &SetMethod::method, Field("preset, and changes to it").required());
    }
};

/// A hand: a spring from a point of a dynamic body to a target, critically damped, with a force no larger
/// than max_force. Given again for the same body it moves the target; without a target it lets go.
struct Drag {
    static constexpr const char* kType = "drag";
    std::string body{};
    Vec3 point{};
    std::optional<Vec3> target{};
    double lag = 0.1;
    std::optional<double> max_force{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("body", &Drag::body, Field("name of the body").required());
        visit("point", &Drag::point, Field("where it is held, in the body's frame", "m"));
        visit("target", &Drag::target, Field("where the point is drawn to; left out: let go", "m"));
        visit("lag", &Drag::lag, Field("time in which the body alone would follow", "s").positive());
        visit("max_force", &Drag::max_force, Field("largest force; left out: any", "N").positive());
    }
};

/// A force that is not enabled does nothing.
struct EnableForce {
    static constexpr const char* kType = "enable_force";
    std::string name{};
    bool enabled = true;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("name", &EnableForce::name, Field("name of the force").required());
        visit("enabled", &EnableForce::enabled, Field("false: it does nothing"));
    }
};

/// The family list of single commands.
using Change = std::variant<Put, Remove, SetBody, SetForce, ApplyImpulse, SetActive, SetJoint, SetAxis,
                            EnableForce, SetSettings, SetMethod, Drag>;

/// Several commands as one: all are applied, in order, or none.
struct Batch {
    static constexpr const char* kType = "batch";
    std::vector<Change> commands{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("commands", &Batch::commands, Field("in their order").required());
    }
};

namespace detail {
template <class Changes, class... More>
struct ExtendFamily;
template <class... Types, class... More>
struct ExtendFamily<std::variant<Types...>, More...> {
    using Type = std::variant<Types..., More...>;
};
}  // namespace detail

/// A change, or a batch of them.
using Command = detail::ExtendFamily<Change, Batch>::Type;

/// visit(change) for every change of a command, in order.
template <class Visit>
void visit_changes(const Command& command, Visit&& visit) {
    std::visit(
        [&](const auto& c) {
            if constexpr (std::is_same_v<std::decay_t<decltype(c)>, Batch>) {
                for (const Change& change : c.commands) std::visit(visit, change);
            } else {
                visit(c);
            }
        },
        command);
}
/// The same of commands that may be changed.
template <class Visit>
void visit_changes(Command& command, Visit&& visit) {
    std::visit(
        [&](auto& c) {
            if constexpr (std::is_same_v<std::decay_t<decltype(c)>, Batch>) {
                for (Change& change : c.commands) std::visit(visit, change);
            } else {
                visit(c);
            }
        },
        command);
}

/// A command and the time from which it holds: the first step that starts at or after it, and at which its
/// condition holds; once.
struct TimedCommand {
    double time = 0;
    Command command{};
    std::string when{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("time", &TimedCommand::time,
              Field("simulated time; with `when`: not before it", "s").at_least(0));
        visit("when", &TimedCommand::when,
              Field("condition on quantities, e.g. bodies.ball.position.y < 1; left out: time alone"));
        visit("", &TimedCommand::command, Field("what to do").required());
    }
};

}  // namespace impuls
