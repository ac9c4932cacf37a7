// Example scenes of bodies on joints.
#include <vector>

#include "scenes/example.h"

namespace impuls {
namespace {

// It moves, keeps its energy, and comes back to where it was let go.
TEST(Example, Bricard) {
    World world = open_example("bricard");
    const double first = world.frame().energy.total, start = position(world, "rod3").y;
    double lowest = start, highest = -10;
    while (world.time() < 10 - 0.5 * world.dt()) {
        ASSERT_TRUE(world.step().ok);
        ASSERT_NEAR(world.frame().energy.total, first, 0.003 * 5 * kG);
        const double y = position(world, "rod3").y;
        lowest = std::min(lowest, y);
        if (lowest < start - 0.1 && y > lowest + 0.05) highest = std::max(highest, y);
    }
    EXPECT_LT(lowest, start - 0.1);
    EXPECT_NEAR(highest, start, 1e-3);
}

// Parallelograms stay parallelograms through their stretched positions.
TEST(Example, FourBars) {
    World world = open_example("four-bars");
    const double first = world.frame().energy.total;
    while (world.time() < (kIsSlowBuild ? 2 : 10) - 0.5 * world.dt()) {
        ASSERT_TRUE(world.step().ok);
        ASSERT_NEAR(world.frame().energy.total, first, 0.003 * 3.5 * kG) << world.time();
        const Vec3 lean = position(world, "uprights[0]");
        for (int k = 1; k <= 2; ++k)
            ASSERT_LT(length(position(world, numbered("uprights", k)) - Vec3{1.0 * k, 0, 0} - lean), 2e-3)
                << world.time();
    }
}

// The last ball takes all: momentum at the end of the run, energy of the raise, and after a whole swing back
// the first ball is up again.
// As many balls leave as come, within 0.1 %: in velocity and in the height they could reach.
TEST(Example, NewtonsCradle) {
    const double l = 1, r = 0.1, raise = kPi / 6;
    const double share = 1 + 0.4 * r * r / (l * l);  // of the ball's own rotation
    const double fastest = std::sqrt(2 * kG * l * (1 - std::cos(raise)) / share);
    for (const int raised : {1, 2, 3}) {
        World world = open_example("newtons-cradle", {{"variables.raised", std::to_string(raised)}});
        run_to_end(world);
        for (int k = 0; k < 5; ++k) {
            const std::string name = numbered("balls", k);
            const double height = position(world, name).y + l, speed = length(velocity(world, name));
            const double reach = 0.5 * share * speed * speed / kG + height;
            const double expected = k >= 5 - raised ? l * (1 - std::cos(raise)) : 0;
            EXPECT_NEAR(reach, expected, 1e-3 * l * (1 - std::cos(raise))) << raised << " raised, ball " << k;
            if (expected == 0) {
                EXPECT_LT(speed, 1e-3 * fastest) << raised << " raised, ball " << k;
            }
        }
        if (kIsSlowBuild || raised != 2) continue;
        double lowest = 0, outmost = 0;
        while (world.time() < 2.6) {
            ASSERT_NO_FATAL_FAILURE(step(world));
            outmost = std::max(outmost, position(world, "balls[4]").x - 4 * 2 * r);
            lowest = std::min(lowest, position(world, "balls[0]").x);
        }
        EXPECT_NEAR(outmost, l * std::sin(raise), 0.01 * l);
        EXPECT_NEAR(lowest, -l * std::sin(raise), 0.02 * l);
    }
}

TEST(Example, Pendulum) {
    World world = open_example("pendulum");
    const double l = 1, r = 0.08, reduced = l + 0.4 * r * r / l;
    const double start = world.frame().energy.total;
    std::vector<Crossings> crossings(4);
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        for (int k = 0; k < 4; ++k) crossings[k].add(world.time(), position(world, numbered("bobs", k)).x);
    }
    for (int k = 0; k < 4; ++k) {
        const double amplitude = (20 + 50 * k) * kPi / 180;
        const double period = 4 * std::sqrt(reduced / kG) * std::comp_ellint_1(std::sin(amplitude / 2));
        ASSERT_GE(crossings[k].times.size(), 3u);
        EXPECT_NEAR(crossings[k].times[0], period / 4, 1e-3 * period);
        EXPECT_NEAR(crossings[k].times[2] - crossings[k].times[0], period, 2e-4 * period);
    }
    EXPECT_NEAR(world.frame().energy.total, start, 1e-4 * 4 * kG * l);
    EXPECT_LT(world.frame().max_joint_error, 1e-4 * l);
}

// Solves a x = b by elimination (a: symmetric, positive definite).
std::vector<double> solved(std::vector<std::vector<double>> a, std::vector<double> b) {
    const std::size_t n = b.size();
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = k + 1; i < n; ++i) {
            const double f = a[i][k] / a[k][k];
            for (std::size_t j = k; j < n; ++j) a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
    return b;
}

// Angular accelerations of n rods held out straight and let go; moment: of a rod about its centre.
std::vector<double> first_accelerations(int n, double m, double l, double moment) {
    std::vector<std::vector<double>> matrix(n, std::vector<double>(n));
    std::vector<double> q(n);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) matrix[i][j] = m * l * l * (n - std::max(i, j) - 0.5);
        matrix[i][i] = moment + m * l * l * (n - i - 0.75);
        q[i] = -m * kG * l * (n - i - 0.5);
    }
    return solved(matrix, q);
}

TEST(Example, PendulumChain) {
    const int n = 12;
    const double l = 0.3, r = 0.03, straight = l - 2 * r;
    // A capsule of 1 kg about its middle.
    const double cylinder = straight / (straight + 4.0 / 3 * r), caps = 1 - cylinder;
    const double moment = cylinder * (3 * r * r + straight * straight) / 12 +
                          caps * (0.4 * r * r + 0.375 * r * straight + straight * straight / 4);
    World world = open_example("pendulum-chain");
    const double start = world.frame().energy.total, scale = n * kG * n * l / 2;
    ASSERT_NO_FATAL_FAILURE(step(world));
    const std::vector<double> a = first_accelerations(n, 1, l, moment);
    double end = 0;  // vertical acceleration of the end of rod k
    for (int k = 0; k < n; ++k) {
        const double middle = end + 0.5 * l * a[k];
        end += l * a[k];
        EXPECT_NEAR(velocity(world, numbered("rods", k)).y, middle * world.dt(), 2e-3 * kG * world.dt()) << k;
    }
    double most_kinetic = 0;
    const double until = kIsSlowBuild ? 0.3 : duration(world);
    while (world.time() < until) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        ASSERT_NEAR(world.frame().energy.total, start, 2e-3 * scale) << world.time();
        ASSERT_LT(world.frame().max_joint_error, 1e-3 * l);
        most_kinetic = std::max(most_kinetic, world.frame().energy.kinetic);
    }
    if (!kIsSlowBuild) {
        EXPECT_GT(most_kinetic, 0.7 * scale);
        EXPECT_LT(most_kinetic, 1.01 * scale);
    }
}

// Discrete catenary: the horizontal force by bisection from the span.
TEST(Example, HangingChain) {
    if (kIsSlowBuild) GTEST_SKIP() << "needs ten simulated seconds to come to rest";
    const int n = 16;
    const double l = 0.15, weight = 0.1 * kG, span = n * l * std::cos(kPi / 3);
    const auto slope = [&](int k, double h) { return (k + 0.5 - 0.5 * n) * weight / h; };
    const auto reach = [&](double h) {
        double x = 0;
        for (int k = 0; k < n; ++k) x += l / std::hypot(1, slope(k, h));
        return x;
    };
    double low = 1e-3 * weight, high = 1e3 * weight;
    for (int k = 0; k < 200; ++k) {
        const double middle = 0.5 * (low + high);
        (reach(middle) < span ? low : high) = middle;
    }
    World world = open_example("hanging-chain");
    run_to_end(world);
    const Frame& frame = world.frame();
    EXPECT_LT(frame.energy.kinetic, 1e-6 * n * weight * l);
    EXPECT_LT(frame.max_joint_error, 1e-6 * l);
    Vec3 joint;  // where rod k begins
    for (int k = 0; k < n; ++k) {
        const double s = slope(k, low), c = 1 / std::hypot(1, s);
        const Vec3 along{l * c, l * c * s, 0};
        EXPECT_LT(length(position(world, numbered("rods", k)) - joint - 0.5 * along), 5e-3 * l) << k;
        joint += along;
        EXPECT_NEAR(frame.joints[k].force.x, -low, 5e-3 * low) << k;
        EXPECT_NEAR(frame.joints[k].force.y, (0.5 * n - k) * weight, 5e-3 * n * weight) << k;
    }
    EXPECT_NEAR(frame.joints[n].force.x, low, 5e-3 * low);
    EXPECT_NEAR(frame.joints[n].force.y, 0.5 * n * weight, 5e-3 * n * weight);
}

// Steady precession: the tilt stays, the axis goes around at the slow root of I1 cos(t) W^2 - I3 s W + m g d
// = 0.
TEST(Example, Gyroscope) {
    const double m = 2, r = 0.25, h = 0.05, d = 0.3, tilt = kPi / 3, spin = 80;
    const double i3 = m * r * r / 2, i1 = m * (3 * r * r + h * h) / 12 + m * d * d;
    const double p = i3 * spin, rest = 4 * i1 * std::cos(tilt) * m * kG * d;
    const double rate = 2 * m * kG * d / (p + std::sqrt(p * p - rest));
    EXPECT_NEAR(rate, m * kG * d / p, 0.1 * rate);  // fast top
    World world = open_example("gyroscope");
    double turned = 0;
    Vec3 last = direction(world, "wheel", {0, 1, 0});
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        const Vec3 now = direction(world, "wheel", {0, 1, 0});
        turned += std::atan2(last.z * now.x - last.x * now.z, last.x * now.x + last.z * now.z);
        last = now;
        ASSERT_NEAR(std::acos(now.y), tilt, 1e-3);
    }
    EXPECT_NEAR(turned / world.time(), rate, 1e-3 * rate);
    const Vec3 force = world.frame().joints[0].force;
    EXPECT_NEAR(force.y, m * kG, 1e-3 * m * kG);
    EXPECT_NEAR(std::hypot(force.x, force.z), m * rate * rate * d * std::sin(tilt), 2e-3 * m * kG);
}

// A pendulum until it meets the wall at its lowest point; from then on energy only gets less.
TEST(Example, WreckingBall) {
    World world = open_example("wrecking-ball");
    const double l = 3, r = 0.35, m = 500, wall_top = 9 * 0.2;
    const double fastest = std::sqrt(2 * kG * l / (1 + 0.4 * r * r / (l * l)));
    double energy = world.frame().energy.total, top_speed = 0;
    const double until = kIsSlowBuild ? 1 : duration(world);
    while (world.time() < until) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        ASSERT_LT(world.frame().energy.total, energy + 1e-4 * m * kG * l) << world.time();
        energy = std::min(energy, world.frame().energy.total);
        top_speed = std::max(top_speed, length(velocity(world, "ball")));
        ASSERT_LT(world.frame().max_joint_error, 1e-4 * l);
    }
    EXPECT_NEAR(top_speed, fastest, 5e-3 * fastest);
    if (kIsSlowBuild) return;
    int fallen = 0;
    for (int k = 0; k < 54; ++k) {
        const Vec3 p = position(world, numbered("bricks", k));
        EXPECT_GT(p.y, 0);
        fallen += p.x > 0.5;
    }
    EXPECT_GE(fallen, 10);
    EXPECT_LT(position(world, "ball").y, wall_top);
}

}  // namespace
}  // namespace impuls
