// Rules for single things: ranges come from the fields, shapes from the geometry layer. Rules run only on
// values whose ranges are right, so they may compute with them.
#include "scene/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/mass_properties.h"
#include "geometry/mesh_check.h"
#include "geometry/particle_net.h"
#include "geometry/shape_check.h"
#include "scene/check_fields.h"
#include "scene/leaf.h"

namespace impuls {

namespace {

template <class T>
bool check_ranges(const T& value, const ReportProblem& report) {
    bool ok = true;
    FieldCheck([&](const Path& path, const std::string& message) {
        report(path.text(), message), ok = false;
    }).walk(value, Path{});
    return ok;
}

template <class T, class Rules>
bool check_all(const T& value, const ReportProblem& report, Rules&& rules) {
    bool ok = check_ranges(value, report);
    if (!ok) return false;
    rules([&](const std::string& path, const std::string& message) { report(path, message), ok = false; });
    return ok;
}

bool has_control_characters(const std::string& name) {
    for (const char c : name) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return true;
    }
    return false;
}

void check_name(const std::string& name, const ReportProblem& report) {
    if (has_control_characters(name)) report("/name", "a name may not hold control characters");
}

// What a tensor of inertia must be: moments of a body about its principal axes.
void check_tensor(const BodyDesc& body, const ReportProblem& report) {
    if (!body.inertia) return report("/products_of_inertia", "inertia is missing");
    const Vec3 m = principal_axes(inertia_tensor(*body.inertia, *body.products_of_inertia)).moments;
    const double most = std::max({m.x, m.y, m.z});
    if (!(std::min({m.x, m.y, m.z}) > 0) || 2 * most > (1 + 1e-9) * (m.x + m.y + m.z))
        report(
            "/products_of_inertia",
            fmt::format("no body has this tensor: its principal moments would be {:.6g}, {:.6g} and {:.6g}; "
                        "each must be positive and at most the sum of the others",
                        m.x, m.y, m.z));
}

}  // namespace

// What only rigid bodies have.
static void check_particle_body(const BodyDesc& body, const ReportProblem& report) {
    if (body.kind != BodyKind::Dynamic)
        report("/kind", "a body of particles is dynamic: pin what is to stay");
    if (body.sensor) report("/sensor", "a body of particles is none");
    const char* none = "a body of particles has none";
    if (body.inertia) report("/inertia", none);
    if (body.center_of_mass) report("/center_of_mass", none);
    if (body.spin_axis != Vec3{}) report("/spin_axis", none);
    if (body.surface_velocity != Vec3{}) report("/surface_velocity", none);
    if (body.angular_damping != 0) report("/angular_damping", "a body of particles has linear_damping alone");
}

void check_body_rules(const BodyDesc& body, bool check_shape_too, const ReportProblem& report) {
    check_name(body.name, report);
    const bool dynamic = body.kind == BodyKind::Dynamic;
    if (dynamic &&
        (std::holds_alternative<Plane>(body.shape) || std::holds_alternative<HeightField>(body.shape))) {
        const char* type = std::holds_alternative<Plane>(body.shape) ? "plane" : "height_field";
        report("/shape", std::string("a ") + type + " has no mass: its body must be static or kinematic");
    }
    if (dynamic && std::holds_alternative<Point>(body.shape) && !body.mass) {
        report("", "a dynamic point needs a mass");
    }
    if (is_of_particles(body.shape)) check_particle_body(body, report);
    if (body.motion) {
        if (body.kind != BodyKind::Kinematic) report("/motion", "is for kinematic bodies");
        if (body.velocity != Vec3{} || body.angular_velocity != Vec3{})
            report("/motion", "velocity or angular_velocity is given too: leave them out");
    }
    if (body.mass && body.density) report("/density", "mass is given too: leave one out");
    if (body.products_of_inertia) check_tensor(body, report);
    if (!check_shape_too) return;
    const auto* mesh = std::get_if<Mesh>(&body.shape);
    const bool is_areal = body.contact && std::holds_alternative<ArealContact>(*body.contact);
    if (mesh && is_areal) {  // may be open where its mass does not follow from its shape
        std::vector<ShapeProblem> problems;
        const bool is_given = !dynamic || (body.mass && body.inertia && body.center_of_mass);
        is_given ? check_sheet(*mesh, problems) : check_mesh(*mesh, problems);
        for (const ShapeProblem& problem : problems)
            report("/shape" + problem.path,
                   problem.message + (problem.message.find("open") == std::string::npos
                                          ? ""
                                          : " (it may be, with mass, inertia and center_of_mass)"));
        return;
    }
    for (const ShapeProblem& problem : check_shape(body.shape))
        report("/shape" + problem.path, problem.message);
    if (body.visual.empty()) return;
    for (const ShapeProblem& problem : check_shape(Compound{body.visual}))
        report("/visual" + problem.path.substr(std::min(problem.path.size(), std::string("/parts").size())),
               problem.message);
}

namespace {

void check_axis_rules(const AxisDesc& axis, const ReportProblem& report) {
    if (axis.lower && axis.upper && *axis.lower > *axis.upper) report("/upper", "is below lower");
    if (axis.speed && axis.target) report("/target", "speed is given too: leave one out");
}

// Vectors of a joint or force without a unit are directions.
template <class Family>
void check_directions(const Family& kinds, const ReportProblem& report) {
    std::visit(
        [&](const auto& j) {
            std::decay_t<decltype(j)>::visit_fields([&](const char* name, auto member, const Field& field) {
                if constexpr (std::is_same_v<std::decay_t<decltype(j.*member)>, Vec3>)
                    if (*field.unit == 0 && j.*member == Vec3{})
                        report(std::string("/") + name, "a direction of length zero");
            });
        },
        kinds);
}

// What the fields of one kind of joint must be together.
template <class AnyJoint>
void check_kind(const AnyJoint&, const ReportProblem&) {}

void check_kind(const Rotation1Joint& joint, const ReportProblem& report) {
    const double sine = length(cross(normalized(joint.axis_a), normalized(joint.axis_b)));
    if (!joint.angle && sine < 0.01) report("/axis_b", "is parallel to axis_a: that is rotation_2");
}

void check_kind(const RailJoint& joint, const ReportProblem& report) {
    const std::size_t least = joint.closed ? 3 : 2, n = joint.points.size();
    if (n < least) report("/points", "a curve needs at least " + std::to_string(least));
    for (std::size_t k = 1; k < n + joint.closed; ++k)
        if (joint.points[k % n] == joint.points[k - 1])
            report("/points/" + std::to_string(k % n), "is the point before it again");
}

void check_kind(const PointOnEllipsoidJoint& joint, const ReportProblem& report) {
    const int given = joint.radius_x.has_value() + joint.radius_y.has_value() + joint.radius_z.has_value();
    if (given < 2) report("", "at least two of radius_x, radius_y and radius_z are needed");
}

void check_kind(const PointOnTorusJoint& joint, const ReportProblem& report) {
    if (joint.tube >= joint.radius) report("/tube", "is not below radius");
}

void check_kind(const FollowerJoint& joint, const ReportProblem& report) {
    if (!joint.max_force && !joint.max_torque) report("", "max_force or max_torque is needed");
}

// Copies of what has no place of its own.
void check_repeat_of(const Repeat& repeat, const char* moves_nothing, const ReportProblem& report) {
    if (repeat.spacing != Vec3{}) report("/repeat/spacing", moves_nothing);
    if (repeat.jitter != 0) report("/repeat/jitter", moves_nothing);
    if (repeat.random_orientation) report("/repeat/random_orientation", moves_nothing);
}

}  // namespace

bool check_axis(const AxisDesc& axis, const ReportProblem& report) {
    return check_all(axis, report, [&](const ReportProblem& r) { check_axis_rules(axis, r); });
}

void check_joint_rules(const JointDesc& joint, const ReportProblem& report) {
    check_name(joint.name, report);
    if (joint.a == joint.b) report("/b", "joins '" + joint.b + "' to itself");
    if (!joint.frame.empty() && !has_frame(joint.joint)) report("/frame", "this kind of joint has none");
    if (!joint.frame.empty() && (joint.frame == joint.a || joint.frame == joint.b))
        report("/frame", "is one of the two bodies that it carries");
    if (joint.at_a && joint.a.empty()) report("/at_a", "the world is where it is: name a body a");
    // Their coordinates count turns and ways from the start, where nothing is open.
    if (joint.at_a && has_frame(joint.joint)) report("/at_a", "not for joints with a frame");
    if (joint.at_b && has_frame(joint.joint)) report("/at_b", "not for joints with a frame");
    check_directions(joint.joint, report);
    std::visit([&](const auto& kind) { check_kind(kind, report); }, joint.joint);
    visit_axes(joint.joint, [&](const char* name, const AxisDesc& axis) {
        check_axis_rules(axis, [&](const std::string& path, const std::string& message) {
            report(std::string("/") + name + path, message);
        });
    });
    if (joint.repeat)
        check_repeat_of(*joint.repeat, "moves nothing in a joint: use expressions of i", report);
}

void check_force_rules(const ForceDesc& force, const ReportProblem& report) {
    check_name(force.name, report);
    if (force.a == force.b) report("/b", "acts between '" + force.b + "' and itself");
    if (force.until && *force.until <= force.from) report("/until", "is not after from");
    if (force.a.empty() && std::holds_alternative<AttractionForce>(force.force))
        report("/a", "attraction is between two bodies: name both");
    check_directions(force.force, report);
    if (force.repeat)
        check_repeat_of(*force.repeat, "moves nothing in a force: use expressions of i", report);
}

std::string particle_end_problem(const JointDesc& joint) {
    if (std::holds_alternative<BallJoint>(joint.joint) || std::holds_alternative<DistanceJoint>(joint.joint))
        return {};
    return "holds a particle, which does not turn: only ball and distance can";
}

std::string particle_end_problem(const ForceDesc& force) {
    if (!std::holds_alternative<TorqueForce>(force.force) &&
        !std::holds_alternative<TorsionSpringForce>(force.force))
        return {};
    return "turns a particle, which cannot turn";
}

void check_material_rules(const MaterialDesc& material, const ReportProblem& report) {
    check_name(material.name, report);
    if (material.static_friction.value_or(material.friction) < material.friction)
        report("/static_friction", "is below friction");
}

std::string layer_problem(const ArealContact& contact, std::initializer_list<const MaterialDesc*> of) {
    if (contact.stiffness > 0) return {};
    bool is_elastic = false;
    for (const MaterialDesc* material : of) {
        if (!material->youngs_modulus) continue;
        is_elastic = true;
        if (material->poisson_ratio > kMostLayerPoisson)
            return fmt::format(
                "a layer of '{}' is as good as rigid: its poisson_ratio is {}, and at most {} here",
                material->name, material->poisson_ratio, kMostLayerPoisson);
    }
    return is_elastic ? "" : "a layer needs a material with youngs_modulus";
}

void check_contact_rules(const ContactDesc& contact, const ReportProblem& report) {
    if (contact.static_friction && *contact.static_friction < contact.friction.value_or(0))
        report("/static_friction", "is below friction");
    const auto* areal = contact.contact ? std::get_if<ArealContact>(&*contact.contact) : nullptr;
    if (areal && !(areal->layer > 0) && !(areal->stiffness > 0))
        report("/contact", "areal contact needs a layer, or a stiffness");
}

bool is_same_pair(const ContactDesc& x, const ContactDesc& y) {
    return (x.a == y.a && x.b == y.b) || (x.a == y.b && x.b == y.a);
}

void check_repeat(const Repeat& repeat, const ReportProblem& report) {
    for (int k = 0; k < 3; ++k) {
        if (repeat.count[k] == std::floor(repeat.count[k])) continue;
        report("/repeat/count/" + std::to_string(k), json_text(repeat.count[k]) + " is not a whole number");
    }
}

bool check_material(const MaterialDesc& material, const ReportProblem& report) {
    return check_all(material, report, [&](const ReportProblem& r) { check_material_rules(material, r); });
}

bool check_contact(const ContactDesc& contact, const ReportProblem& report) {
    return check_all(contact, report, [&](const ReportProblem& r) { check_contact_rules(contact, r); });
}

}  // namespace impuls
