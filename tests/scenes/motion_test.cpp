// Example scenes of bodies that fly and turn freely.
#include <algorithm>

#include "scenes/example.h"

namespace impuls {
namespace {

TEST(Example, FreeFall) {
    World world = open_example("free-fall");
    const double c = 2.5;
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        const double t = world.time();
        EXPECT_NEAR(position(world, "lead").y, 20 - kG * t * t / 2, 1e-10);
        EXPECT_NEAR(position(world, "cork").y, 20 - kG * t * t / 2, 1e-10);
        EXPECT_NEAR(position(world, "moon").y, 20 - kG / 6 * t * t / 2, 1e-10);
        EXPECT_NEAR(velocity(world, "feather").y, -kG / c * (1 - std::exp(-c * t)), kG * world.dt());
    }
    EXPECT_GT(mass(world, "lead"), 50 * mass(world, "cork"));
}

// Parabolas up to landing; then rolling at 5/7 of the horizontal speed. The landing is known up to a substep.
TEST(Example, Projectile) {
    World world = open_example("projectile");
    const double v = 20, r = 0.6, h = world.dt() / static_cast<double>(world.method().rows().substeps);
    const double early =
        0.5 * v * h / (2 * r);  // the impact is felt up to v h above the ground: a longer lever
    const auto flight = [&](double a) { return 2 * v * std::sin(a) / kG; };
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        for (int k = 0; k < 5; ++k) {
            const double a = (k + 1) * kPi / 12, t = world.time(), landed = t - flight(a);
            const Vec3 p = position(world, numbered("balls", k)), u = velocity(world, numbered("balls", k));
            if (landed < 0) {
                EXPECT_NEAR(p.x, v * std::cos(a) * t, 1e-9);
                EXPECT_NEAR(p.y, r + v * std::sin(a) * t - kG * t * t / 2, 1e-9);
            } else if (landed > 2 * world.dt()) {
                const double range = v * v * std::sin(2 * a) / kG;
                EXPECT_NEAR(u.x, 5.0 / 7 * v * std::cos(a), early * v);
                EXPECT_NEAR(p.x, range + 5.0 / 7 * v * std::cos(a) * landed, 2 * v * (h + early * landed));
                EXPECT_NEAR(p.y, r, 1e-3 * r);
            }
        }
    }
}

// Moments of a capsule of density rho about its centre: along its axis and across.
struct CapsuleMass {
    double mass, along, across;
    CapsuleMass(double rho, double r, double l) {
        const double c = rho * kPi * r * r * l, s = rho * 4 / 3 * kPi * r * r * r;
        mass = c + s;
        along = c * r * r / 2 + s * 0.4 * r * r;
        across = c * (3 * r * r + l * l) / 12 + s * (0.4 * r * r + 0.375 * r * l + l * l / 4);
    }
};

// The rate about the middle axis changes sign every half period (Landau and Lifshitz, Mechanics, section 37).
TEST(Example, Dzhanibekov) {
    World world = open_example("dzhanibekov");
    const CapsuleMass bar(7850, 0.03, 0.4), stem(7850, 0.03, 0.2);
    const double center = -0.13 * stem.mass / (bar.mass + stem.mass);
    const double offset = bar.mass * center * center + stem.mass * (0.13 + center) * (0.13 + center);
    const double a = bar.along + stem.across + offset, b = bar.across + stem.along,
                 c = bar.across + stem.across + offset;
    ASSERT_LT(a, b);
    ASSERT_LT(b, c);
    const Vec3 w{0.01, 6, 0.01};
    const double e2 = a * w.x * w.x + b * w.y * w.y + c * w.z * w.z;
    const double l2 = a * a * w.x * w.x + b * b * w.y * w.y + c * c * w.z * w.z;
    ASSERT_GT(l2, e2 * b);
    const double base = (c - b) * (l2 - e2 * a), k = std::sqrt((b - a) * (e2 * c - l2) / base);
    const double period = 4 * std::comp_ellint_1(k) * std::sqrt(a * b * c / base);

    EXPECT_NEAR(world.frame().energy.kinetic, e2 / 2, 1e-12 * e2);
    Crossings flips;
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        const BodyId id = world.find_body("handle");
        flips.add(world.time(), rotate_inverse(world.pose(id).orientation, world.angular_velocity(id)).y);
    }
    ASSERT_GE(flips.times.size(), 3u);
    EXPECT_NEAR(flips.times[2] - flips.times[0], period, 1e-3 * period);
    EXPECT_NEAR(world.frame().energy.kinetic, e2 / 2, 1e-6 * e2);
    EXPECT_NEAR(length(world.frame().angular_momentum), std::sqrt(l2), 1e-6 * std::sqrt(l2));
}

// Every piece between two commands is a line or a parabola; a command holds from the step that begins at its
// time.
TEST(Example, Timeline) {
    World world = open_example("timeline");
    const auto expect_probe = [&](const Vec3& x, const Vec3& v) {
        EXPECT_LT(length(position(world, "probe") - x), 1e-9) << world.time();
        EXPECT_LT(length(velocity(world, "probe") - v), 1e-9) << world.time();
    };
    run_to(world, 1), expect_probe({0, 0, 0}, {0, 0, 0});
    run_to(world, 2), expect_probe({2, 0, 0}, {2, 0, 0});
    run_to(world, 3), expect_probe({4, 1.5, 0}, {2, 3, 0});
    run_to(world, 4), expect_probe({6, 4.5, 0}, {2, 3, 0});
    EXPECT_FALSE(world.find_body("satellite"));
    run_to(world, 5), expect_probe({8, 7.5, 0}, {2, 3, 0});
    ASSERT_TRUE(world.find_body("satellite"));
    EXPECT_LT(length(position(world, "satellite") - Vec3{8, 3, 0}), 1e-9);
    run_to(world, 6), expect_probe({10, 10, 0}, {2, 2, 0});
    run_to(world, 7), expect_probe({0, -0.5, 0}, {0, -1, 0});
    EXPECT_LT(length(world.frame().linear_momentum - Vec3{2, -2 + 1, 0}), 1e-9);
    run_to(world, 8), expect_probe({0, -2, 0}, {0, -2, 0});
    EXPECT_FALSE(world.find_body("satellite"));
    EXPECT_LT(length(world.frame().linear_momentum - Vec3{0, -4, 0}), 1e-9);
}

TEST(Example, Shapes) {
    World world = open_example("shapes");
    const double rho = 1000, r = 0.5;
    double energy = 0.5 * 3 * 0.2 * 0.2;  // of the mass point
    const auto expect = [&](const char* name, double m, double moment) {
        EXPECT_NEAR(mass(world, name), m, 1e-12 * m) << name;
        energy += 0.5 * moment;  // turning with 1 rad/s
    };
    const auto ball = [&](double a, double b, double c) { return rho * 4 / 3 * kPi * a * b * c; };
    const CapsuleMass capsule(rho, 0.3, 0.8);
    const double box = rho * 1 * 0.6 * 0.8, cylinder = rho * kPi * r * r, cone = rho * kPi * r * r * 1.2 / 3,
                 ellipsoid = ball(0.6, 0.3, 0.4), octahedron = rho * 4 / 3 * r * r * r,
                 corner = rho * r * r * r / 6, bell = ball(0.25, 0.25, 0.25),
                 grip = rho * kPi * 0.08 * 0.08 * 0.32;
    expect("sphere", ball(r, r, r), 0.4 * ball(r, r, r) * r * r);
    expect("box", box, box * (1 * 1 + 0.8 * 0.8) / 12);
    expect("capsule", capsule.mass, capsule.along);
    expect("cylinder", cylinder, cylinder * r * r / 2);
    expect("cone", cone, cone * 0.3 * r * r);
    expect("ellipsoid", ellipsoid, ellipsoid * (0.36 + 0.16) / 5);
    expect("octahedron", octahedron, octahedron * r * r / 5);
    expect("mesh", corner, corner * 0.075 * r * r);
    expect("dumbbell", 2 * bell + grip, 2 * bell * (0.4 * 0.0625 + 0.16) + grip * (3 * 0.0064 + 0.1024) / 12);
    EXPECT_NEAR(world.frame().energy.kinetic, energy, 1e-12 * energy);
    run_to_end(world);
    EXPECT_NEAR(world.frame().energy.kinetic, energy, 1e-9 * energy);
    // Symmetric ones have turned by 2 rad; the corner wobbles, but its centre stays.
    const Vec3 front = direction(world, "box", {0, 0, 1});
    EXPECT_NEAR(std::atan2(front.x, front.z), 2, 1e-4);
    const Vec3 center = pose(world, "mesh") * Vec3{r / 4, r / 4, r / 4};
    EXPECT_LT(length(center - Vec3{r / 4, r / 4, 2 + r / 4}), 1e-9);
    EXPECT_NEAR(position(world, "point").x, 2.7 + 0.2 * 2, 1e-12);
}

}  // namespace
}  // namespace impuls
