// From an expanded scene to the model all engines read (model.h).
#include "bench/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <type_traits>
#include <variant>

#include "geometry/mass_properties.h"
#include "impuls/errors.h"
#include "math/rotation.h"

namespace impuls::bench {
namespace {

struct Prepared {
    Solid solid{};
    MassProperties unit{};  // density 1
    PrincipalAxes axes{};
};

Prepared prepare(const BodyDesc& body) {
    Prepared out;
    out.unit = mass_properties(body.shape, 1);
    if (const auto* sphere = std::get_if<Sphere>(&body.shape)) {
        out.solid.kind = SolidKind::Sphere;
        out.solid.radius = sphere->radius;
    } else if (const auto* box = std::get_if<Box>(&body.shape)) {
        out.solid.kind = SolidKind::Box;
        out.solid.half = box->size * 0.5;
    } else if (!std::holds_alternative<Convex>(body.shape)) {
        throw InputError(
            fmt::format("body '{}': only spheres, boxes and convex hulls are compared", body.name));
    }
    out.axes = principal_axes(out.unit.inertia);
    return out;
}

// The hull's points seen from the principal frame.
std::shared_ptr<const Hull> hull_in(const Pose& X_BP, const BodyDesc& body) {
    std::vector<Vec3> points;
    for (const Vec3& p : std::get<Convex>(body.shape).points) points.push_back(inverse(X_BP) * p);
    HullResult result = convex_hull(points);
    if (!result.ok()) throw InputError(fmt::format("body '{}': {}", body.name, result.error));
    return std::make_shared<Hull>(std::move(result.hull));
}

const MaterialDesc& material_of(const Scene& scene, const std::string& name) {
    for (const MaterialDesc& material : scene.materials)
        if (material.name == name) return material;
    throw InputError(fmt::format("there is no material '{}'", name));
}

using HullCache = std::map<std::vector<double>, std::shared_ptr<const Hull>>;

std::vector<double> key_of(const Convex& convex) {
    std::vector<double> key;
    for (const Vec3& p : convex.points) key.insert(key.end(), {p.x, p.y, p.z});
    return key;
}

ModelBody make_body(const Scene& scene, const BodyDesc& desc, HullCache& hulls) {
    if (desc.inertia || desc.center_of_mass || desc.linear_damping != 0 || desc.angular_damping != 0 ||
        desc.gravity_scale != 1)
        throw InputError(
            fmt::format("body '{}': inertia, centre of mass, damping and gravity scale are not "
                        "compared",
                        desc.name));
    const MaterialDesc& material = material_of(scene, desc.material);
    ModelBody body;
    body.name = desc.name;
    body.is_static = desc.kind != BodyKind::Dynamic;
    if (body.is_static && desc.velocity != Vec3{})
        throw InputError(fmt::format("body '{}': driven bodies may turn, but not move along", desc.name));
    body.collides = desc.collides;
    body.friction = material.friction;
    Prepared p = prepare(desc);
    body.solid = p.solid;
    const bool is_hull = std::holds_alternative<Convex>(desc.shape);
    if (is_hull && !body.is_static) body.X_BP = {p.unit.center, p.axes.rotation};
    if (is_hull) {
        body.solid.kind = SolidKind::Hull;
        auto& hull = hulls[key_of(std::get<Convex>(desc.shape))];
        if (!hull) hull = hull_in(body.X_BP, desc);
        body.solid.hull = hull;
    }
    if (!body.is_static) {
        const double density = desc.density.value_or(material.density);
        const double mass = desc.mass.value_or(density * p.unit.mass);
        body.mass = mass;
        body.moments = p.axes.moments * (mass / p.unit.mass);
    }
    body.X_WB = {desc.position, normalized(desc.orientation)};
    body.X_WP = body.X_WB * body.X_BP;
    body.v = desc.velocity, body.w = desc.angular_velocity;
    return body;
}

// Compounds that nothing moves, part by part with their places; all others as they are.
std::vector<std::pair<Pose, BodyDesc>> parts_of(const BodyDesc& desc) {
    const auto* compound = std::get_if<Compound>(&desc.shape);
    if (!compound || desc.kind == BodyKind::Dynamic) return {{Pose{}, desc}};
    std::vector<std::pair<Pose, BodyDesc>> parts;
    for (const CompoundPart& from : compound->parts) {
        BodyDesc part = desc;
        std::visit([&](const auto& shape) { part.shape = shape; }, from.shape);
        parts.emplace_back(Pose{from.position, normalized(from.orientation)}, part);
    }
    return parts;
}

ModelJoint make_joint(const JointDesc& desc, const Model& model, const std::map<std::string, int>& numbers) {
    const auto* ball = std::get_if<BallJoint>(&desc.joint);
    if (!ball) throw InputError(fmt::format("joint '{}': only ball joints are compared", desc.name));
    ModelJoint joint;
    const auto number = [&](const std::string& name) { return name.empty() ? -1 : numbers.at(name); };
    const auto local = [&](int k) {
        return k < 0 ? ball->anchor : inverse(model.bodies[static_cast<std::size_t>(k)].X_WP) * ball->anchor;
    };
    joint.a = number(desc.a), joint.b = number(desc.b);
    joint.p_W = ball->anchor;
    joint.p_A = local(joint.a), joint.p_B = local(joint.b);
    return joint;
}

ModelSpring make_spring(const ForceDesc& desc, const Model& model,
                        const std::map<std::string, int>& numbers) {
    const auto* force = std::get_if<SpringForce>(&desc.force);
    if (!force || desc.from > 0 || desc.until || !desc.enabled)
        throw InputError(fmt::format("force '{}': only springs that always act are compared", desc.name));
    ModelSpring spring;
    const auto number = [&](const std::string& name) { return name.empty() ? -1 : numbers.at(name); };
    const auto local = [&](int k, const Vec3& p) {
        return k < 0 ? p : inverse(model.bodies[static_cast<std::size_t>(k)].X_WP) * p;
    };
    spring.a = number(desc.a), spring.b = number(desc.b);
    spring.p_A = local(spring.a, force->anchor_a), spring.p_B = local(spring.b, force->anchor_b);
    spring.stiffness = force->stiffness, spring.damping = force->damping;
    spring.length = force->length.value_or(length(force->anchor_b - force->anchor_a));
    return spring;
}

}  // namespace

BodyState ModelBody::driven_to(double time) const {
    const Pose X = Pose{X_WB.position, turned(X_WB.orientation, w * time)} * X_BP;
    return {X, cross(w, X.position - X_WB.position), w};
}

bool Model::has_driven() const {
    return std::any_of(bodies.begin(), bodies.end(), [](const ModelBody& b) { return b.is_driven(); });
}

std::size_t Model::dynamic_count() const {
    std::size_t n = 0;
    for (const ModelBody& body : bodies) n += body.is_static ? 0 : 1;
    return n;
}

bool Model::has_contacts() const {
    for (const ModelBody& body : bodies)
        if (!body.is_static && body.collides) return true;
    return false;
}

bool Model::has_loops() const {
    std::vector<std::size_t> root(bodies.size() + 1);  // the last: the world
    for (std::size_t k = 0; k < root.size(); ++k) root[k] = k;
    const auto find = [&](int body) {
        std::size_t k = body < 0 ? bodies.size() : static_cast<std::size_t>(body);
        while (root[k] != k) k = root[k] = root[root[k]];
        return k;
    };
    for (const ModelJoint& joint : joints) {
        const std::size_t a = find(joint.a), b = find(joint.b);
        if (a == b) return true;
        root[a] = b;
    }
    return false;
}

Model make_model(const Scene& scene) {
    Model model;
    model.scene = scene;
    const Scene flat = expand(scene);
    model.dt = flat.settings.dt;
    model.gravity = flat.settings.gravity;
    HullCache hulls;
    std::map<std::string, int> numbers;
    for (std::size_t k = 0; k < flat.bodies.size(); ++k) {
        const BodyDesc& desc = flat.bodies[k];
        numbers[desc.name] = static_cast<int>(model.bodies.size());
        for (const auto& [X_BC, part] : parts_of(desc)) {
            ModelBody body = make_body(flat, part, hulls);
            body.number = k;
            body.X_BP = X_BC * body.X_BP, body.X_WP = body.X_WB * body.X_BP;
            if (body.is_driven()) body.v = body.driven_to(0).v;
            model.bodies.push_back(body);
        }
    }
    for (const JointDesc& desc : flat.joints) model.joints.push_back(make_joint(desc, model, numbers));
    for (const ForceDesc& desc : flat.forces) model.springs.push_back(make_spring(desc, model, numbers));
    return model;
}

double common_friction(const Model& model) {
    double mu = -1;
    for (const ModelBody& body : model.bodies) {
        if (mu >= 0 && body.friction != mu) return std::numeric_limits<double>::quiet_NaN();
        mu = body.friction;
    }
    return mu;
}

}  // namespace impuls::bench
