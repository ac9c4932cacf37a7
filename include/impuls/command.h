// One change to a running world. Applications, scene timelines and replay use the same commands; a command
// takes effect at the start of the next step, and is refused whole or applied whole.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "impuls/bodies.h"
#include "impuls/fields.h"
#include "impuls/forces.h"
#include "impuls/joints.h"
#include "impuls/materials.h"
#include "impuls/vec.h"

namespace impuls {

struct AddBody {
    static constexpr const char* kType = "add_body";
    BodyDesc body{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("body", &AddBody::body, Field("the new body (without repeat)").required());
    }
};

struct RemoveBody {
    static constexpr const char* kType = "remove_body";
    std::string body{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("body", &RemoveBody::body, Field("name of the body; its joints go with it").required());
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
/// coordinates, held until set again.
struct SetForce {
    static constexpr const char* kType = "set_force";
    std::string body{};
    Vec3 force{};
    Vec3 torque{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("body", &SetForce::body, Field("name of the body").required());
        visit("force", &SetForce::force, Field("force, held until set again", "N"));
        visit("torque", &SetForce::torque, Field("torque, held until set again", "N m"));
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

struct AddJoint {
    static constexpr const char* kType = "add_joint";
    JointDesc joint{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("joint", &AddJoint::joint, Field("the new joint (without repeat)").required());
    }
};

struct RemoveJoint {
    static constexpr const char* kType = "remove_joint";
    std::string joint{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("joint", &RemoveJoint::joint, Field("name of the joint").required());
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

/// Changes what acts along one axis of a joint: sets what is given, leaves the rest.
struct SetAxis {
    static constexpr const char* kType = "set_axis";
    std::string joint{};
    std::string axis{};
    bool clear = false;
    std::optional<double> lower{}, upper{}, restitution{}, rate{}, friction{}, stiffness{}, damping{};
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
                                       : &SetAxis::damping;
    }
    static constexpr std::optional<Course> SetAxis::*given_course(std::string_view name) {
        return name == "speed"       ? &SetAxis::speed
               : name == "target"    ? &SetAxis::target
               : name == "max_force" ? &SetAxis::max_force
                                     : &SetAxis::rest;
    }
};

struct SetGravity {
    static constexpr const char* kType = "set_gravity";
    Vec3 gravity{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("gravity", &SetGravity::gravity, Field("acceleration of gravity", "m/s^2").required());
    }
};

/// Replaces the material of that name, for contacts from now on (masses stay).
struct SetMaterial {
    static constexpr const char* kType = "set_material";
    MaterialDesc material{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("material", &SetMaterial::material, Field("the new values").required());
    }
};

/// Replaces the entry for that pair of materials in the scene's `contacts`, or adds it.
struct SetContact {
    static constexpr const char* kType = "set_contact";
    ContactDesc contact{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("contact", &SetContact::contact, Field("the new values").required());
    }
};

struct AddForce {
    static constexpr const char* kType = "add_force";
    ForceDesc force{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("force", &AddForce::force, Field("the new force (without repeat)").required());
    }
};

struct RemoveForce {
    static constexpr const char* kType = "remove_force";
    std::string name{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("name", &RemoveForce::name, Field("name of the force").required());
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

/// The family list of commands.
using Command =
    std::variant<AddBody, RemoveBody, SetBody, SetForce, ApplyImpulse, SetActive, AddJoint, RemoveJoint,
                 SetJoint, SetAxis, SetGravity, SetMaterial, SetContact, AddForce, RemoveForce, EnableForce>;

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
