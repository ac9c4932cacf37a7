// Example scenes of sliding, rolling and bouncing.
#include <vector>

#include "scenes/example.h"

namespace impuls {
namespace {

TEST(Example, Incline) {
    World world = open_example("incline");
    const double t = 25 * kPi / 180, s = 0.4;
    const Vec3 down{std::cos(t), -std::sin(t), 0}, up{std::sin(t), std::cos(t), 0};
    run_to_end(world);
    const auto expect = [&](const char* name, double mu, double z) {
        const double a = std::max(0.0, kG * (std::sin(t) - mu * std::cos(t))), time = world.time();
        const Vec3 p = position(world, name) - Vec3{0, 0, z};
        EXPECT_NEAR(dot(p, down), a * time * time / 2, 1e-3 * a + 1e-6) << name;
        EXPECT_NEAR(dot(p, up), s / 2, 1e-3 * s) << name;
        EXPECT_NEAR(length(velocity(world, name)), a * time, 1e-3 * a * time + 1e-9) << name;
        const Vec3 force = force_between(world, "slope", name);
        const double weight = mass(world, name) * kG;
        EXPECT_NEAR(dot(force, up), weight * std::cos(t), 1e-3 * weight) << name;
        EXPECT_NEAR(-dot(force, down), weight * std::min(std::sin(t), mu * std::cos(t)), 1e-3 * weight)
            << name;
    };
    expect("ice", 0.1, -1);
    expect("wood", 0.4, 0);
    expect("rubber", 0.6, 1);
}

TEST(Example, RollingRace) {
    World world = open_example("rolling-race");
    const double t = 15 * kPi / 180, r = 0.25;
    // Capsule of length 2 r: volumes of cylinder and caps are as 2 : 4/3.
    const double capsule = (2.0 * 0.5 + 4.0 / 3 * 0.4) / (2.0 + 4.0 / 3);
    run_to_end(world);
    const auto expect = [&](const char* name, double k) {
        const double a = kG * std::sin(t) / (1 + k), time = world.time();
        EXPECT_NEAR(length(velocity(world, name)), a * time, 1e-4 * a * time) << name;
        const double w = length(world.angular_velocity(world.find_body(name)));
        EXPECT_NEAR(w * r, k > 0 ? a * time : 0, 1e-4 * a * time) << name;
        const Vec3 p = position(world, name);
        EXPECT_NEAR(p.x * std::cos(t) - p.y * std::sin(t), a * time * time / 2, 1e-3 * a) << name;
    };
    expect("box", 0);
    expect("ball", 0.4);
    expect("capsule", capsule);
    expect("hollow", 2.0 / 3);
    EXPECT_GT(position(world, "box").x, position(world, "ball").x);
    EXPECT_GT(position(world, "ball").x, position(world, "capsule").x);
    EXPECT_GT(position(world, "capsule").x, position(world, "hollow").x);
}

// The height a ball could reach, y + v^2/2g, is h e^(2n) after n bounces.
TEST(Example, BouncingBalls) {
    World world = open_example("bouncing-balls");
    const double r = 0.1, h = 1;
    std::vector<int> bounces(5);
    std::vector<double> last(5);
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        for (int k = 0; k < 5; ++k) {
            const double e = 0.2 * (k + 1), v = velocity(world, numbered("balls", k)).y;
            const double y = position(world, numbered("balls", k)).y - r;
            bounces[k] += v > 0 && last[k] < 0;
            last[k] = v;
            const double apex = h * std::pow(e, 2 * bounces[k]);
            // Bounces so quick that several may fall into one step are not counted.
            if (bounces[k] == 0 || std::sqrt(2 * apex / kG) < 4 * world.dt()) continue;
            ASSERT_NEAR(y + v * v / (2 * kG), apex, 1e-3 * apex) << "e = " << e << ", bounce " << bounces[k];
        }
    }
    EXPECT_GE(bounces[4], 5);
    for (int k = 0; k < 4; ++k) {
        const double weight = mass(world, numbered("balls", k)) * kG;
        EXPECT_NEAR(force_between(world, "floor", numbered("balls", k)).y, weight, 1e-6 * weight) << k;
        EXPECT_LT(length(velocity(world, numbered("balls", k))), 1e-9);
    }
}

TEST(Example, Billiards) {
    World world = open_example("billiards");
    const double m = 0.17, v = 4, r = 0.0286;
    run_to_end(world);
    EXPECT_LT(length(world.frame().linear_momentum - Vec3{m * v, 0, 0}), 1e-9 * m * v);
    EXPECT_NEAR(world.frame().energy.kinetic, m * v * v / 2, 1e-9 * m * v * v / 2);
    std::vector<std::string> names{"cue"};
    for (int k = 0; k < 15; ++k) names.push_back(numbered("rack", k));
    int moving = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
        moving += length(velocity(world, names[i])) > 1e-3 * v;
        EXPECT_NEAR(position(world, names[i]).y, 0, 1e-3 * r) << names[i];
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_GT(length(position(world, names[i]) - position(world, names[j])), 2 * r * 0.999);
    }
    EXPECT_GE(moving, 12);
}

// Slipping with mu g up to the speed of the belt, then riding.
TEST(Example, Conveyor) {
    World world = open_example("conveyor");
    const double v = 2, mu = 0.25, slipping = v / (mu * kG);
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        const double t = world.time();
        for (int k = 0; k < 5; ++k) {
            const std::string name = numbered("parcels", k);
            ASSERT_NEAR(velocity(world, name).x, std::min(v, mu * kG * t), 1e-3 * v) << t;
            const double slip = t < slipping ? v * t - mu * kG * t * t / 2 : v * slipping / 2;
            ASSERT_NEAR(position(world, name).x, v * t - slip, 1e-3 * v);
            const double drag = t < 0.9 * slipping ? mu * (k + 1) * kG : 0;
            if (t < 0.9 * slipping || t > 1.1 * slipping) {
                ASSERT_NEAR(force_between(world, "belt", name).x, drag, 1e-3 * (k + 1) * kG) << t;
            }
        }
        ASSERT_NEAR(position(world, "belt").x, -2 + v * t, 1e-9);
    }
}

// Friction adds up from box to box: every interface carries mu times the floor's load under the boxes ahead,
// and the blade 4 mu m g.
TEST(Example, Pusher) {
    World world = open_example("pusher");
    const double m = 5, mu = 0.4, v = 0.5, unit = mu * m * kG;
    run_to_end(world);
    EXPECT_NEAR(force_between(world, "blade", "boxes[0]").x, 4 * unit, 1e-2 * unit);
    double floor = 0;
    for (int k = 3; k >= 0; --k) {
        const std::string behind = k == 0 ? "blade" : numbered("boxes", k - 1), box = numbered("boxes", k);
        floor += force_between(world, "floor", box).y;
        EXPECT_NEAR(force_between(world, behind, box).x, mu * floor, 1e-2 * unit) << k;
        EXPECT_NEAR(velocity(world, box).x, v, 1e-4 * v) << k;
    }
    EXPECT_NEAR(floor, 4 * m * kG, 1e-3 * m * kG);
    EXPECT_NEAR(position(world, "blade").x, -0.3 + v * world.time(), 1e-9);
}

}  // namespace
}  // namespace impuls
