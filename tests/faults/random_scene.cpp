// Makes worlds at random (random_scene.h). Lengths, masses and speeds are drawn relative to one size of the
// scene, so that every scale occurs.
#include "faults/random_scene.h"

#include <cmath>

#include "base/rng.h"
#include "faults/drives.h"
#include "support/solid_meshes.h"

namespace impuls::faults {

namespace {

template <class Value, std::size_t n>
Value one_of(Rng& rng, const Value (&values)[n]) {
    return values[rng.next() % n];
}

Vec3 unit_vector(Rng& rng) {
    return rotate(rng.rotation(), {1, 0, 0});
}

Shape random_shape(Rng& rng, double size) {
    const auto length = [&] { return size * rng.uniform(0.3, 1); };
    switch (rng.next() % 9) {
        case 0:
            return Sphere{0.5 * length()};
        case 1:
            return Box{{length(), length(), length()}};
        case 2:
            return Capsule{0.3 * length(), length()};
        case 3:
            return Cylinder{0.5 * length(), length()};
        case 4:
            return Cone{0.5 * length(), length()};
        case 5:
            return Ellipsoid{{0.5 * length(), 0.5 * length(), 0.5 * length()}};
        case 6: {
            Convex hull;
            for (int k = 0; k < 12; ++k) {
                const double radius = 0.5 * length();  // one draw a statement: operands have no order
                hull.points.push_back(unit_vector(rng) * radius);
            }
            return hull;
        }
        case 7: {
            Compound pair;
            pair.parts.push_back({{-0.25 * size, 0, 0}, {}, Box{{length(), 0.3 * size, 0.3 * size}}});
            pair.parts.push_back({{0.25 * size, 0, 0}, rng.rotation(), Sphere{0.2 * size}});
            return pair;
        }
        default: {
            Mesh solid = meshes::as_mesh(
                meshes::moved(meshes::l_shape(0.33 * size, 0.4 * size), {-0.5 * size, -0.5 * size, 0}));
            solid.field_cells = 16;
            return solid;
        }
    }
}

BodyDesc wall(const std::string& name, const Vec3& position, const Quat& orientation) {
    BodyDesc body;
    body.name = name, body.kind = BodyKind::Static, body.shape = Plane{}, body.material = "m";
    body.position = position, body.orientation = orientation;
    return body;
}

// Six planes that face inwards.
void add_box(Scene& scene, double half) {
    const double quarter = std::sqrt(0.5);
    scene.bodies.push_back(wall("below", {0, -half, 0}, {}));
    scene.bodies.push_back(wall("above", {0, half, 0}, {0, 1, 0, 0}));
    scene.bodies.push_back(wall("left", {-half, 0, 0}, {quarter, 0, 0, -quarter}));
    scene.bodies.push_back(wall("right", {half, 0, 0}, {quarter, 0, 0, quarter}));
    scene.bodies.push_back(wall("back", {0, 0, -half}, {quarter, quarter, 0, 0}));
    scene.bodies.push_back(wall("front", {0, 0, half}, {quarter, -quarter, 0, 0}));
}

Joint random_joint(Rng& rng, const Vec3& anchor, const Vec3& from, const Vec3& to) {
    const Vec3 axis = unit_vector(rng), other = normalized(cross(axis, unit_vector(rng)));
    switch (rng.next() % 12) {
        case 0:
            return BallJoint{.anchor = anchor};
        case 1:
            return HingeJoint{.anchor = anchor, .axis = axis};
        case 2:
            return HingeJoint{.anchor = anchor, .axis = axis, .turn = {.lower = -0.5, .upper = 0.7}};
        case 3:
            return SliderJoint{.anchor = anchor, .axis = axis};
        case 4:
            return FixedJoint{.anchor = anchor};
        case 5:
            return DistanceJoint{.anchor_a = from, .anchor_b = to};
        case 6:
            return PointOnPlaneJoint{.anchor = anchor, .normal = axis};
        case 7:
            return PointOnLineJoint{.anchor = anchor, .axis = axis};
        case 8:
            return PlanarJoint{.anchor = anchor, .normal = axis};
        case 9:
            return CylindricalJoint{.anchor = anchor, .axis = axis};
        case 10:
            return Rotation1Joint{.axis_a = axis, .axis_b = other};
        default:
            return BallJoint{.anchor = anchor, .cone = 0.6};
    }
}

// A row; the first hangs from the world, from a point `reach` above it.
void add_joints(Scene& scene, Rng& rng, std::size_t first, bool hangs, double reach) {
    for (std::size_t k = first; k < scene.bodies.size(); ++k) {
        const bool to_world = k == first && hangs;
        if ((k == first && !hangs) || (!to_world && rng.uniform() < 0.2)) continue;
        JointDesc joint;
        joint.name = "j" + std::to_string(k - first);
        const Vec3 to = scene.bodies[k].position;
        const Vec3 from = to_world ? to + Vec3{0, reach, 0} : scene.bodies[k - 1].position;
        if (!to_world) joint.a = scene.bodies[k - 1].name;
        joint.b = scene.bodies[k].name;
        joint.joint = random_joint(rng, 0.5 * (from + to), from, to);
        scene.joints.push_back(joint);
    }
}

}  // namespace

Scene random_scene(std::uint64_t seed) {
    Rng rng(seed, 0);
    Scene scene;
    scene.title = "Random world " + std::to_string(seed);
    const double size = std::pow(10, rng.uniform(-2, 0.5));
    const bool weightless = rng.uniform() < 0.25, jointed = rng.uniform() < 0.5,
               floor = !jointed || rng.uniform() < 0.5;
    scene.settings.gravity = weightless ? Vec3{} : Vec3{0, -9.81, 0};
    scene.settings.dt = 1 / one_of(rng, {30.0, 60.0, 60.0, 100.0, 240.0, 1000.0});
    MaterialDesc material;
    material.name = "m";
    material.friction = one_of(rng, {0.0, 0.3, 1.0, rng.uniform()});
    material.restitution = one_of(rng, {0.0, 0.5, 0.9, 1.0, rng.uniform()});
    scene.materials.push_back(material);
    const auto count = static_cast<int>(1 + rng.next() % 12);
    const double speed = std::sqrt(9.81 * size) * one_of(rng, {weightless ? 1.0 : 0.0, 0.3, 1.0, 3.0});
    const double heaviest = one_of(rng, {1.0, 10.0, 1000.0});
    const double spacing = 2.2 * size;  // more than any bounding sphere's diameter
    if (weightless)
        add_box(scene, 4 * spacing);
    else if (floor)
        scene.bodies.push_back(wall("floor", {0, -1.2 * size, 0}, {}));
    const std::size_t first = scene.bodies.size();
    for (int k = 0; k < count; ++k) {
        BodyDesc body;
        body.name = "b" + std::to_string(k);
        body.material = "m";
        body.shape = random_shape(rng, size * (rng.uniform() < 0.5 ? 1 : rng.uniform(0.3, 1)));
        body.mass = std::pow(heaviest, rng.uniform());
        body.orientation = rng.rotation();
        body.position = jointed ? Vec3{(k - 0.5 * count) * 0.55 * spacing, 0.9 * spacing * (k % 2), 0.0}
                                : Vec3{(k % 2) * spacing, (k / 4) * spacing, (k / 2 % 2) * spacing};
        const double v = speed * rng.uniform();
        body.velocity = unit_vector(rng) * v;
        const double w = speed / size * rng.uniform();
        body.angular_velocity = unit_vector(rng) * w;
        scene.bodies.push_back(body);
    }
    if (jointed) add_joints(scene, rng, first, !weightless && !floor, size);
    return scene;
}

}  // namespace impuls::faults
