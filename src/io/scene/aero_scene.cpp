// A scene from a world of AERO (aero_world.h). Lengths that are left out are those at the start. Rods and
// joints get the stiffness that the report advises for its rods: 1/1000 of the length (of the larger lever)
// under ten times the weight of both bodies, with half the critical damping.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/mass_properties.h"
#include "io/scene/aero_world.h"
#include "math/rotation.h"
#include "scene/body_mass.h"
#include "scene/material_library.h"

namespace impuls {
namespace {

constexpr double kGravity = 9.81, kYield = 1e-3, kHeavy = 10, kDamped = 0.5;

Vec3 point_of(const BodyDesc& body, const Vec3& at) {
    return body.position + rotate(body.orientation, at);
}

class AeroScene {
  public:
    AeroScene(AeroWorld world, const std::string& file, std::vector<Issue>& problems)
        : world_(std::move(world)), file_(file), problems_(problems) {}

    Scene make() {
        finish();
        return std::move(scene_);
    }

  private:
    void problem(int line, const std::string& message) { problems_.push_back({file_, line, 1, {}, message}); }
    const BodyDesc* find(const std::string& name, int line) {
        for (const BodyDesc& body : scene_.bodies)
            if (body.name == name) return &body;
        problem(line, fmt::format("there is no body {}", name));
        return nullptr;
    }
    MassProperties mass_in(const BodyDesc& desc) const {
        const LibraryMaterial* of = find_library_material(desc.material);
        return mass_of(desc, of ? of->material : MaterialDesc{});
    }

    // One body of several parts, each with its own material, along the principal axes of the whole.
    void finish_composed(AeroBody& body) {
        double mass = 0;
        Vec3 center;
        std::vector<MassProperties> of;
        for (const AeroBody& part : body.parts) {
            of.push_back(mass_in(part.desc));
            mass += of.back().mass;
            center += point_of(part.desc, of.back().center) * of.back().mass;
        }
        if (!(mass > 0)) return problem(body.line, "the composed body has no parts with mass");
        center = center / mass;
        Mat3 inertia{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
        for (std::size_t k = 0; k < of.size(); ++k) {
            const Mat3 r = to_matrix(body.parts[k].desc.orientation), part = r * of[k].inertia * transpose(r);
            const Vec3 d = point_of(body.parts[k].desc, of[k].center) - center;
            const double m = of[k].mass, square = dot(d, d);
            inertia.c0 = inertia.c0 + part.c0 + (Vec3{square, 0, 0} - d * d.x) * m;
            inertia.c1 = inertia.c1 + part.c1 + (Vec3{0, square, 0} - d * d.y) * m;
            inertia.c2 = inertia.c2 + part.c2 + (Vec3{0, 0, square} - d * d.z) * m;
        }
        const PrincipalAxes axes = principal_axes(inertia);
        const Pose frame{center, axes.rotation};
        Compound shape;
        for (const AeroBody& part : body.parts) {
            CompoundPart& one = shape.parts.emplace_back();
            const Pose X = inverse(frame) * Pose{part.desc.position, part.desc.orientation};
            one.position = X.position, one.orientation = X.orientation;
            if (const auto* sphere = std::get_if<Sphere>(&part.desc.shape)) one.shape = *sphere;
            if (const auto* box = std::get_if<Box>(&part.desc.shape)) one.shape = *box;
            if (const auto* cylinder = std::get_if<Cylinder>(&part.desc.shape)) one.shape = *cylinder;
        }
        body.desc.shape = shape;
        body.desc.position = center, body.desc.orientation = axes.rotation;
        body.desc.mass = mass, body.desc.inertia = axes.moments, body.desc.center_of_mass = Vec3{};
        body.desc.material = body.parts.front().desc.material;
        for (const AeroBody& part : body.parts)
            if (part.desc.material != body.desc.material)
                world_.left_out.insert("different surfaces of parts");
    }

    void add_link(const AeroLink& link, std::size_t number) {
        const BodyDesc *a = find(link.a, link.line), *b = find(link.b, link.line);
        if (!a || !b) return;
        if (a == b) return problem(link.line, "links a body to itself");
        ForceDesc& force = scene_.forces.emplace_back();
        force.name = fmt::format("V{}", number);
        force.a = link.a, force.b = link.b;
        const Vec3 at_a = point_of(*a, link.at_a), at_b = point_of(*b, link.at_b);
        if (link.type == "spring") {
            SpringForce spring;
            spring.anchor_a = at_a, spring.anchor_b = at_b, spring.stiffness = link.numbers[0];
            if (link.numbers.size() > 1) spring.length = link.numbers[1];
            force.force = spring;
        } else if (link.type == "damper") {
            force.force = DamperForce{at_a, at_b, link.numbers[0]};
        } else {
            RodForce rod;
            rod.anchor_a = at_a, rod.anchor_b = at_b;
            const double now = length(at_b - at_a);
            if (link.type == "joint") rod.length = 0;
            if (!link.numbers.empty()) rod.length = link.numbers[0];
            const double lever =
                std::max({now, rod.length.value_or(now), length(link.at_a), length(link.at_b)});
            double mass = 0, inverse_mass = 0;
            for (const BodyDesc* body : {a, b}) {
                if (body->kind != BodyKind::Dynamic) continue;
                const double m = mass_in(*body).mass;
                mass += m, inverse_mass += 1 / m;
            }
            if (!(mass > 0)) return problem(link.line, "neither of the bodies can move");
            rod.stiffness = kHeavy * mass * kGravity / (kYield * (lever > 0 ? lever : 1));
            rod.damping = 2 * kDamped * std::sqrt(rod.stiffness / inverse_mass);
            force.force = rod;
        }
    }

    void finish() {
        for (AeroBody& body : world_.bodies) {
            if (body.is_composed) finish_composed(body);
            scene_.bodies.push_back(body.desc);
        }
        for (std::size_t k = 0; k < world_.links.size(); ++k) add_link(world_.links[k], k + 1);
        for (std::size_t k = 0; k < world_.forces.size(); ++k) {
            const AeroForce& of = world_.forces[k];
            const BodyDesc* body = find(of.body, of.line);
            const BodyDesc* target = of.type == "guided" ? find(of.target, of.line) : body;
            if (!body || !target) continue;
            ForceDesc& force = scene_.forces.emplace_back();
            force.name = fmt::format("F{}", k + 1);
            force.b = of.body;
            force.from = of.from - world_.start, force.until = of.until - world_.start;
            const Vec3 at = point_of(*body, of.at);
            if (of.type == "guided") {
                force.a = of.target;
                force.force = PullForce{point_of(*target, of.at_target), at, of.strength};
            } else {
                force.force =
                    ConstantForce{at, of.vector, of.type == "local" ? ForceAxes::Body : ForceAxes::World};
            }
        }
        scene_.settings.gravity = world_.gravity;
        scene_.settings.seed = world_.seed;
        scene_.title = "World of AERO";
        scene_.description = fmt::format("Read from {}.", file_);
        for (const std::string& what : world_.left_out)
            scene_.description += fmt::format(" Left out: {}.", what);
        if (world_.later_states > 0)
            scene_.description += fmt::format(" Left out: {} later states.", world_.later_states);
        if (world_.start != 0)
            scene_.description += fmt::format(" It began at {} s, which is 0 here.", world_.start);
        scene_.settings.method = parse_method("aero");
    }

    AeroWorld world_;
    const std::string& file_;
    std::vector<Issue>& problems_;
    Scene scene_{};
};

}  // namespace

Scene scene_of(AeroWorld world, const std::string& file, std::vector<Issue>& problems) {
    return AeroScene(std::move(world), file, problems).make();
}

}  // namespace impuls
