// Fast and thin: nothing passes through anything, and nothing is hit that is only passed by.
#include <gtest/gtest.h>

#include <cmath>

#include "impuls/scene.h"
#include "impuls/world.h"
#include "support/solid_meshes.h"

namespace impuls {
namespace {

BodyDesc thing(const char* name, const Shape& shape, const Vec3& at, const Vec3& v = {}) {
    BodyDesc b;
    b.name = name, b.shape = shape, b.position = at, b.velocity = v;
    return b;
}

Scene still_scene() {
    Scene scene;
    scene.settings.gravity = {};
    scene.settings.dt = 1.0 / 60;
    return scene;
}

BodyDesc plate() {
    BodyDesc b = thing("plate", Box{{0.01, 2, 2}}, {0, 0, 0});
    b.kind = BodyKind::Static;
    return b;
}

Convex octahedron(double r) {
    return {{{r, 0, 0}, {-r, 0, 0}, {0, r, 0}, {0, -r, 0}, {0, 0, r}, {0, 0, -r}}};
}

Mesh sheet() {  // closed, 1 cm thick
    Mesh m;
    for (int k = 0; k < 8; ++k)
        m.vertices.push_back({k & 1 ? 0.005 : -0.005, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0});
    m.triangles = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                   2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    return m;
}

// Every shape of 1 cm at 1000 m/s (16.7 m a step) against a plate of 1 cm, from many distances and angles.
TEST(Bullet, does_not_pass_a_plate) {
    const Shape shapes[] = {Sphere{0.005},         Box{{0.01, 0.01, 0.01}},          Capsule{0.003, 0.004},
                            Cylinder{0.005, 0.01}, Ellipsoid{{0.005, 0.004, 0.003}}, octahedron(0.005),
                            Cone{0.005, 0.01}};
    for (const bool is_mesh : {false, true})
        for (const Shape& shape : shapes)
            for (int k = 0; k < 5; ++k) {
                Scene scene = still_scene();
                scene.bodies.push_back(plate());
                if (is_mesh) scene.bodies[0].shape = sheet();
                const double angle = 0.2 * k;
                const Vec3 way{std::cos(angle), std::sin(angle), 0};
                scene.bodies.push_back(thing("bullet", shape, way * (-3.37 - 5.1 * k), way * 1000));
                scene.bodies[1].angular_velocity = {30, 50, -20};
                World world(scene);
                const double energy = world.frame().energy.total;
                for (int step = 0; step < 12; ++step) {
                    ASSERT_TRUE(world.step().ok);
                    ASSERT_LE(world.frame().energy.total, energy * (1 + 1e-9))
                        << shape.index() << " case " << k;
                    ASSERT_LT(world.frame().positions[1].x, 0) << "shape " << shape.index() << " case " << k;
                }
            }
}

// Two spheres, the centres off by a part of the diameter: along the normal they stop (restitution 0), across
// it friction turns sliding into rolling on each other, which leaves 5/7 of the velocity.
TEST(Bullet, meets_another_bullet) {
    for (int k = 0; k < 8; ++k) {
        Scene scene = still_scene();
        const double away = 1.3 + 3.7 * k, off = 0.0005 * k, sine = off / 0.01,
                     cosine = std::sqrt(1 - sine * sine);
        scene.bodies.push_back(thing("a", Sphere{0.005}, {-away, 0, 0}, {1000, 0, 0}));
        scene.bodies.push_back(thing("b", Sphere{0.005}, {away, off, 0}, {-1000, 0, 0}));
        World world(scene);
        for (int step = 0; step < 4; ++step) {
            ASSERT_TRUE(world.step().ok);
            if (step == 0) continue;
            EXPECT_LT(length(world.frame().velocities[0] - Vec3{sine, -cosine, 0} * (5.0 / 7 * 1000 * sine)),
                      1)
                << k;
        }
        EXPECT_LT(length(world.frame().linear_momentum), 1e-12);
    }
}

// Cubes of edge a face to face, the centres off by d: nothing rebounds and nothing slides, so they turn as
// one about their common centre with the angular momentum they brought, m v d, and the inertia 2 m (a^2/6 +
// (a^2 + d^2)/4).
TEST(Bullet, cubes_turn_as_one) {
    constexpr double a = 0.01, v = 1000;
    for (int k = 0; k < 5; ++k) {
        Scene scene = still_scene();
        const double away = 1.3 + 3.7 * k, d = 0.0005 * k;
        scene.bodies.push_back(thing("a", Box{{a, a, a}}, {-away, 0, 0}, {v, 0, 0}));
        scene.bodies.push_back(thing("b", Box{{a, a, a}}, {away, d, 0}, {-v, 0, 0}));
        World world(scene);
        const double w = v * d / (a * a / 3 + (a * a + d * d) / 2);
        for (int step = 0; step < 4; ++step) {
            ASSERT_TRUE(world.step().ok);
            if (step == 0) continue;
            EXPECT_NEAR(world.frame().angular_velocities[0].z, w, 0.01 * w + 1e-6) << k;
            EXPECT_NEAR(world.frame().angular_velocities[1].z, w, 0.01 * w + 1e-6) << k;
        }
        EXPECT_LT(length(world.frame().velocities[0] + world.frame().velocities[1]), 1e-9 * v) << k;
    }
}

// A miss by two radii is a miss: not a bit of velocity is lost, however wide a margin the speed would ask
// for.
TEST(Bullet, passes_by_without_touching) {
    for (int k = 0; k < 10; ++k) {
        Scene scene = still_scene();
        BodyDesc post = thing("post", Box{{0.01, 0.01, 2}}, {0, 0.5 * k, 0});
        post.kind = BodyKind::Static;
        scene.bodies.push_back(post);
        scene.bodies.push_back(thing("bullet", Sphere{0.005}, {-4.3 - k, 0.5 * k + 0.02, 0}, {1000, 0, 0}));
        World world(scene);
        for (int step = 0; step < 6; ++step) world.step();
        EXPECT_EQ(world.frame().velocities[1], (Vec3{1000, 0, 0})) << k;
    }
}

// A heavy plate of 5 cm that is a distance field, and bullets of 16.7 m a step.
TEST(Bullet, does_not_pass_a_solid_mesh) {
    const Shape shapes[] = {Sphere{0.02}, Box{{0.04, 0.04, 0.04}}, Capsule{0.01, 0.03}, octahedron(0.02)};
    for (const Shape& shape : shapes)
        for (int k = 0; k < 4; ++k) {
            Scene scene = still_scene();
            scene.bodies.push_back(thing("plate", meshes::as_mesh(meshes::box({0.05, 1, 1}, 4)), {}));
            scene.bodies[0].mass = 1e6;
            const double angle = 0.2 * k;
            const Vec3 way{std::cos(angle), std::sin(angle), 0};
            scene.bodies.push_back(thing("bullet", shape, way * (-3.37 - 5.1 * k), way * 1000));
            scene.bodies[1].angular_velocity = {30, 50, -20};
            World world(scene);
            for (int step = 0; step < 6; ++step) {
                ASSERT_TRUE(world.step().ok);
                ASSERT_LT(world.frame().positions[1].x, 0) << "shape " << shape.index() << " case " << k;
            }
            EXPECT_LT(world.frame().velocities[1].x, 1) << "shape " << shape.index() << " case " << k;
        }
}

// Through the hole of a ring, and past it, without losing a bit of velocity.
TEST(Bullet, passes_through_the_hole_of_a_solid_mesh) {
    for (const double at : {0.0, 0.5, 1.3}) {
        Scene scene = still_scene();
        scene.bodies.push_back(thing("ring", meshes::as_mesh(meshes::torus(1, 0.2, 24, 12)), {}));
        scene.bodies.push_back(thing("bullet", Sphere{0.02}, {at, -7.3, 0}, {0, 1000, 0}));
        World world(scene);
        for (int step = 0; step < 3; ++step) ASSERT_TRUE(world.step().ok);
        EXPECT_EQ(world.frame().velocities[1], (Vec3{0, 1000, 0})) << at;
    }
}

// Elastic impact of a bullet: reflected with its speed.
TEST(Bullet, rebounds_elastically) {
    Scene scene = still_scene();
    scene.bodies.push_back(plate());
    scene.bodies.push_back(thing("bullet", Sphere{0.005}, {-7.1, 0, 0}, {1000, 0, 0}));
    MaterialDesc rubber;
    rubber.name = "rubber", rubber.restitution = 1, rubber.friction = 0;
    scene.materials.push_back(rubber);
    scene.bodies[0].material = scene.bodies[1].material = "rubber";
    World world(scene);
    for (int step = 0; step < 3; ++step) world.step();
    EXPECT_NEAR(world.frame().velocities[1].x, -1000, 1e-9 * 1000);
}

// A rod that spins fast about its middle strikes a thin post which its ends would jump over.
// Two rods on a ball joint, shot at from many distances: it is struck, and momentum stays.
TEST(Bullet, strikes_a_mechanism) {
    for (int k = 0; k < 10; ++k) {
        Scene scene = still_scene();
        scene.bodies.push_back(thing("left", Box{{1, 0.1, 0.1}}, {-0.5, 0, 0}, {0.5, 1, 0}));
        scene.bodies.push_back(thing("right", Box{{1, 0.1, 0.1}}, {0.5, 0, 0}, {0.5, 1, 0}));
        scene.bodies.push_back(thing("bullet", Sphere{0.05}, {0.8, 0.03, 3 + 0.29 * k}, {0, 0, -100}));
        for (BodyDesc& b : scene.bodies) b.mass = b.name == "bullet" ? 0.02 : 1;
        JointDesc joint;
        joint.a = "left", joint.b = "right", joint.joint = BallJoint{};
        scene.joints.push_back(joint);
        World world(scene);
        const Frame first = world.frame();
        for (int step = 0; step < 10; ++step) {
            ASSERT_TRUE(world.step().ok);
            const Frame& now = world.frame();
            ASSERT_LE(length(now.linear_momentum - first.linear_momentum), 1e-12 * 2) << k << ' ' << step;
            ASSERT_LE(length(now.angular_momentum - first.angular_momentum), 1e-12 * 2) << k << ' ' << step;
            ASSERT_LE(now.energy.total, first.energy.total * (1 + 1e-9)) << k << ' ' << step;
        }
        EXPECT_LT(world.velocity(world.find_body("right")).z, -0.5) << k;
    }
}

TEST(Bullet, rotation_alone_strikes) {
    Scene scene = still_scene();
    BodyDesc post = thing("post", Box{{0.01, 0.01, 2}}, {0.4, 0.02, 0});
    post.kind = BodyKind::Static;
    scene.bodies.push_back(post);
    scene.bodies.push_back(thing("rod", Box{{1, 0.01, 0.01}}, {0, -0.2, 0}));
    scene.bodies[1].angular_velocity = {0, 0, 400};
    World world(scene);
    const double energy = world.frame().energy.total;
    world.step();
    EXPECT_LT(world.frame().angular_velocities[1].z, 350);
    for (int step = 0; step < 60; ++step) {
        world.step();
        ASSERT_LE(world.frame().energy.total, energy * (1 + 1e-9)) << step;
    }
}

}  // namespace
}  // namespace impuls
