// Laws of mechanics for bodies of particles, against closed forms and independent integration.
#include <array>
#include <cmath>
#include <numbers>

#include "particle_worlds.h"

namespace impuls {
namespace {

constexpr double kG = 9.81;

double mean_by_squaring(double a, double b) {  // Gauss: arithmetic-geometric mean
    for (int k = 0; k < 20; ++k) {
        const double mean = 0.5 * (a + b);
        b = std::sqrt(a * b);
        a = mean;
    }
    return a;
}

// Let go at a right angle: T = 2 pi sqrt(l/g) / agm(1, cos(angle/2)).
TEST(ParticleLaws, pendulum_has_its_period) {
    Particles two;
    two.points = {{0, 0, 0}, {1, 0, 0}};
    two.links = {0, 1};
    two.pins = {0};
    World world(scene_with({soft_body("pendulum", two, 2)}));
    const double period =
        2 * std::numbers::pi * std::sqrt(1 / kG) / mean_by_squaring(1, std::cos(std::numbers::pi / 4));
    // It is at rest again after whole periods: when v_x changes its sign from - to + on the far side.
    std::vector<double> ends;
    double before = 0;
    while (ends.size() < 3 && world.time() < 10) {
        ASSERT_TRUE(world.step().ok);
        const ParticleState bob = particles_of(world, 0)[1];
        EXPECT_NEAR(length(bob.position), 1, 1e-6);
        if (before > 0 && bob.velocity.y <= 0 && bob.position.x > 0)
            ends.push_back(world.time() - world.dt() * bob.velocity.y / (bob.velocity.y - before));
        before = bob.velocity.y;
    }
    ASSERT_EQ(ends.size(), 3u);
    for (std::size_t k = 0; k < ends.size(); ++k)
        EXPECT_NEAR(ends[k], static_cast<double>(k + 1) * period, 1e-4 * period * static_cast<double>(k + 1));
}

// The double pendulum in its angles, by RK4 with tiny steps.
TEST(ParticleLaws, double_pendulum_follows_its_equations) {
    Particles three;
    three.points = {{0, 0, 0}, {1, 0, 0}, {1, -0.5, 0}};
    three.masses = {1, 1, 2};
    three.links = {0, 1, 1, 2};
    three.pins = {0};
    Scene scene = scene_with({soft_body("pendulum", three, 4)});
    scene.settings.dt = 0.002;
    World world(scene);
    using State = std::array<double, 4>;  // angles from the vertical, their rates
    const double m1 = 1, m2 = 2, l1 = 1, l2 = 0.5;
    const auto rate = [&](const State& y) {
        const double d = y[0] - y[1], s = std::sin(d), c = std::cos(d);
        const double a11 = (m1 + m2) * l1, a12 = m2 * l2 * c, a21 = l1 * c, a22 = l2;
        const double b1 = -m2 * l2 * y[3] * y[3] * s - (m1 + m2) * kG * std::sin(y[0]);
        const double b2 = l1 * y[2] * y[2] * s - kG * std::sin(y[1]);
        const double det = a11 * a22 - a12 * a21;
        return State{y[2], y[3], (b1 * a22 - a12 * b2) / det, (a11 * b2 - a21 * b1) / det};
    };
    State y{std::numbers::pi / 2, 0, 0, 0};
    const double h = 1e-4;
    for (int k = 0; k < 10000; ++k) {
        const auto at = [&](const State& slope, double share) {
            State z = y;
            for (std::size_t i = 0; i < 4; ++i) z[i] += share * slope[i];
            return z;
        };
        const State k1 = rate(y), k2 = rate(at(k1, h / 2)), k3 = rate(at(k2, h / 2)), k4 = rate(at(k3, h));
        for (std::size_t i = 0; i < 4; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
    advance(world, 1);
    const auto p = particles_of(world, 0);
    const Vec3 first{l1 * std::sin(y[0]), -l1 * std::cos(y[0]), 0};
    const Vec3 second = first + Vec3{l2 * std::sin(y[1]), -l2 * std::cos(y[1]), 0};
    EXPECT_LT(length(p[1].position - first), 1e-3);
    EXPECT_LT(length(p[2].position - second), 2e-3);
}

// A chain of n equal links between points at one height: the horizontal pull is the same everywhere, so
// slopes grow by the same amount from link to link, and their sum of cosines is the span.
TEST(ParticleLaws, rope_hangs_as_a_catenary) {
    constexpr int kPieces = 20;
    const double span = 2, whole = 3, piece = whole / kPieces;
    Rope rope{.from = {-1, 0, 0}, .to = {1, 0, 0}, .length = whole, .pieces = kPieces, .pins = {0, -1}};
    BodyDesc body = soft_body("rope", rope, 1);
    body.linear_damping = 3;
    World world(scene_with({body}));
    advance(world, 8);
    double low = 0, high = 100;  // growth of the slope
    const auto slope = [&](int k, double growth) { return (k - 0.5 * (kPieces - 1)) * growth; };
    for (int k = 0; k < 100; ++k) {
        const double middle = 0.5 * (low + high);
        double reach = 0;
        for (int i = 0; i < kPieces; ++i) reach += piece / std::hypot(1, slope(i, middle));
        (reach > span ? low : high) = middle;
    }
    Vec3 at{-1, 0, 0};
    const auto p = particles_of(world, 0);
    ASSERT_EQ(p.size(), kPieces + 1u);
    for (int i = 0; i < kPieces; ++i) {
        const double t = slope(i, low);
        at += Vec3{piece / std::hypot(1, t), piece * t / std::hypot(1, t), 0};
        EXPECT_LT(length(p[static_cast<std::size_t>(i) + 1].position - at), 2e-3 * whole) << i;
    }
}

// Hooke: a weight on a thread that yields, c = 1/(EA): longer by c F l.
TEST(ParticleLaws, thread_stretches_as_hooke_says) {
    Particles thread;
    thread.points = {{0, 0, 0}, {0, -0.5, 0}, {0, -1, 0}};
    thread.masses = {0.001, 0.001, 2};
    thread.links = {0, 1, 1, 2};
    thread.compliance = 1e-3;
    thread.pins = {0};
    BodyDesc body = soft_body("thread", thread, 2.002);
    body.linear_damping = 20;
    World world(scene_with({body}));
    advance(world, 6);
    const auto p = particles_of(world, 0);
    const double upper = 0.5 * (1 + 1e-3 * 2.001 * kG), lower = 0.5 * (1 + 1e-3 * 2 * kG);
    EXPECT_NEAR(p[1].position.y, -upper, 1e-6);
    EXPECT_NEAR(p[2].position.y, -upper - lower, 1e-6);
    const double elastic = 0.5 * (2.001 * kG) * (upper - 0.5) + 0.5 * (2 * kG) * (lower - 0.5);
    EXPECT_NEAR(world.frame().particle_bodies.at(0).elastic, elastic, 1e-4 * elastic);
}

// Without damping a spring of particles keeps its energy.
TEST(ParticleLaws, yielding_links_keep_energy) {
    Particles thread;
    thread.points = {{0, 0, 0}, {0.7, 0, 0}, {1.4, 0.1, 0}};
    thread.masses = {1, 1, 1};
    thread.links = {0, 1, 1, 2};
    thread.compliance = 1e-2;
    thread.pins = {0};
    World world(scene_with({soft_body("thread", thread, 3)}));
    const double first = world.frame().energy.total;
    for (int k = 0; k < 200; ++k) {
        ASSERT_TRUE(world.step().ok);
        EXPECT_NEAR(world.frame().energy.total, first, 0.05);
    }
}

// A ball thrown into a free net: what the ball loses the net gets.
TEST(ParticleLaws, momentum_stays) {
    Sheet sheet{.width = 1, .depth = 1, .columns = 4, .rows = 4, .radius = 0.01, .pins = {}};
    BodyDesc ball = soft_body("ball", Sphere{0.2}, 1, {0.05, 0.3, 0.07});
    ball.velocity = {0.3, -3, 0.1};
    ball.angular_velocity = {1, 2, 3};
    World world(scene_with({soft_body("sheet", sheet, 0.5), ball}, {}));
    const Vec3 p = world.frame().linear_momentum, l = world.frame().angular_momentum;
    bool has_touched = false;
    for (int k = 0; k < 60; ++k) {
        ASSERT_TRUE(world.step().ok);
        has_touched |= !world.frame().contacts.empty();
        EXPECT_LT(length(world.frame().linear_momentum - p), 1e-12 * length(p));
    }
    EXPECT_TRUE(has_touched);
    EXPECT_LT(length(world.frame().angular_momentum - l), 1e-9 * length(l));
    EXPECT_GT(world.velocity(world.find_body("ball")).y, -2.5) << "it gave some";
}

// A valley of two triangles, of which one corner is free and held by its links: the ball lies on the
// triangles alone, far from all particles, and each of them pushes it with half of its weight, along its
// normal.
TEST(ParticleLaws, ball_comes_to_rest_on_two_triangles) {
    Particles sheet;
    sheet.radius = 0.01;
    sheet.points = {{-0.5, 0, -0.5}, {0.5, 0.3, -0.5}, {0.5, 0, 0.5}, {-0.5, 0.3, 0.5}, {-1.5, 0.9, 1.5}};
    sheet.masses = {0.1, 0.1, 0.1, 0.1, 0.1};
    sheet.links = {0, 1, 1, 2, 2, 3, 3, 0, 0, 2, 3, 4};
    sheet.triangles = {0, 2, 1, 0, 3, 2};
    sheet.pins = {0, 1, 2, 4};
    BodyDesc net = soft_body("net", sheet, 0.5), ball = soft_body("ball", Sphere{0.15}, 1, {0, 0.4, 0});
    ball.linear_damping = ball.angular_damping = 3;
    World world(scene_with({net, ball}));
    advance(world, 4);
    EXPECT_LT(length(world.velocity(world.find_body("ball"))), 1e-3);
    // The slope of a triangle: 0.3 over the distance of its corner from the diagonal.
    const double cosine = 1 / std::hypot(1, 0.3 / std::sqrt(0.5)), touch = (0.15 + 0.01) / cosine;
    EXPECT_LT(length(world.pose(world.find_body("ball")).position - Vec3{0, touch, 0}), 2e-3);
    Vec3 sum;
    int faces = 0;
    for (const Contact& contact : world.frame().contacts) {
        if (length(contact.force) < 0.01) continue;
        const Vec3 push = contact.b == 1 ? contact.force : -contact.force;
        EXPECT_NEAR(push.y, 0.5 * kG, 0.02 * kG);
        sum += push;
        ++faces;
    }
    EXPECT_EQ(faces, 2);
    EXPECT_LT(length(sum - Vec3{0, kG, 0}), 0.01 * kG);
    EXPECT_LT(world.frame().particle_bodies.at(0).stretch, 1e-4);
    EXPECT_LT(length(particles_of(world, 0)[3].position - sheet.points[3]), 1e-3);
}

// A rope that lies on the floor is carried by it, and one of two halves over a box slides off the heavier
// way.
TEST(ParticleLaws, floor_carries_a_rope) {
    Rope rope{.from = {-1, 0.3, 0}, .to = {1, 0.6, 0}, .pieces = 12, .radius = 0.02, .pins = {}};
    World world(scene_with({soft_body("rope", rope, 2), floor_at(0)}));
    advance(world, 4);
    double carried = 0;
    for (const Contact& contact : world.frame().contacts) carried += std::abs(contact.force.y);
    EXPECT_NEAR(carried, 2 * kG, 0.02 * 2 * kG);
    for (const ParticleState& p : particles_of(world, 0)) EXPECT_NEAR(p.position.y, 0.02, 1e-4);
}

// A weight on a rope from a hook: the hook bears both.
TEST(ParticleLaws, joints_hold_particles) {
    Rope rope{.from = {0, 0, 0}, .to = {0, -1, 0}, .pieces = 8, .pins = {}};
    BodyDesc weight = soft_body("weight", Box{{0.2, 0.2, 0.2}}, 3, {0, -1.1, 0});
    Scene scene = scene_with({soft_body("rope", rope, 0.5), weight});
    JointDesc hook, hitch;
    hook.name = "hook", hook.b = "rope", hook.joint = BallJoint{{0, 0, 0}};
    hitch.name = "hitch", hitch.a = "rope", hitch.b = "weight", hitch.joint = BallJoint{{0, -1, 0}};
    scene.joints = {hook, hitch};
    World world(scene);
    advance(world, 0.5);
    EXPECT_NEAR(world.frame().joints[0].force.y, 3.5 * kG, 1e-3 * kG);
    EXPECT_NEAR(world.frame().joints[1].force.y, 3 * kG, 1e-3 * kG);
    EXPECT_NEAR(world.pose(world.find_body("weight")).position.y, -1.1, 1e-5);
}

}  // namespace
}  // namespace impuls
