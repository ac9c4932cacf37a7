// Points on curves and curved surfaces, and joints that lead: motions with a closed form, crossings, laps,
// ends, checkpoints.
#include "spec/joint_world.h"

namespace impuls {
namespace {

std::vector<Vec3> circle(int n, double radius) {
    std::vector<Vec3> points;
    for (int k = 0; k < n; ++k) {
        const double a = 2 * kPi * k / n - 0.5 * kPi;  // from below
        points.push_back({radius * std::cos(a), radius * std::sin(a), 0});
    }
    return points;
}

// A figure eight in the plane z = 0 that crosses itself at the origin.
std::vector<Vec3> eight(int n) {
    std::vector<Vec3> points;
    for (int k = 0; k < n; ++k) {
        const double a = 2 * kPi * k / n;
        points.push_back({2 * std::sin(a), std::sin(2 * a), 0});
    }
    return points;
}

Vec3 place(World& world) {
    return world.pose(world.find_body("b")).position;
}

// Without gravity a bead keeps its speed: the way is v t, lap after lap, straight through the crossing.
TEST(SpecMultibody, rail_that_crosses_itself) {
    for (const bool turns : {true, false}) {
        Scene scene = joint_scene(0.01);
        const auto points = eight(25);  // an odd number: none but the first is in the crossing
        scene.bodies.push_back(block("b", points[0], 1, 0.1));
        scene.bodies[0].velocity = normalized(points[1] - points.back()) * 3;
        scene.joints.push_back(joint_of("j", "", "b", RailJoint{points[0], points, true, turns}));
        World world(scene);
        int crossings = 0;
        double before = 0;
        for (int k = 1; k <= 1500; ++k) {
            step(world);
            const double speed = length(world.velocity(world.find_body("b")));
            ASSERT_NEAR(axis_of(world).position, speed * world.time(), 1e-3 * speed * world.time()) << k;
            ASSERT_LT(world.frame().max_joint_error, 1e-6);
            if (before * place(world).x < 0) ++crossings;
            before = place(world).x;
        }
        EXPECT_GE(crossings, 6);
        EXPECT_NEAR(length(world.velocity(world.find_body("b"))), 3, 0.01);
        if (!turns) {
            EXPECT_LT(length(world.angular_velocity(world.find_body("b"))), 1e-9);
        }
    }
}

// The simple pendulum: T = 4 K(sin(a/2)) sqrt(r/g) by the arithmetic-geometric mean, at 1.5 rad.
TEST(SpecMultibody, rail_as_a_pendulum) {
    const double r = 0.8, a = 1.5;
    double x = 1, y = std::cos(0.5 * a);
    for (int k = 0; k < 6; ++k) {
        const double mean = 0.5 * (x + y);
        y = std::sqrt(x * y), x = mean;
    }
    const double period = 2 * kPi / x * std::sqrt(r / kG);
    Scene scene = joint_scene(0.005, {0, -kG, 0});
    const Vec3 start{r * std::sin(a), -r * std::cos(a), 0};
    scene.bodies.push_back(block("b", start, 2, 0.05));
    scene.joints.push_back(joint_of("j", "", "b", RailJoint{start, circle(48, r), true}));
    World world(scene);
    std::vector<double> times;
    double before = 0;
    for (int k = 0; k < 2000; ++k) {
        step(world);
        const double now = place(world).x;
        if (before > 0 && now <= 0) times.push_back(world.time() - world.dt() * now / (now - before));
        before = now;
    }
    ASSERT_GT(times.size(), 3u);
    EXPECT_NEAR((times.back() - times.front()) / static_cast<double>(times.size() - 1), period,
                1e-3 * period);
}

// Beyond its end an open rail goes on straight; limits along it hold; a motor drives along it.
TEST(SpecMultibody, rail_ends_limits_and_motor) {
    const std::vector<Vec3> points{{0, 0, 0}, {1, 0.5, 0}, {2, 0, 0.5}};
    RailJoint rail{points[0], points};
    Scene scene = joint_scene(0.01);
    scene.bodies.push_back(block("b", points[0], 1, 0.1));
    rail.slide.speed = 2, rail.slide.max_force = 5;
    scene.joints.push_back(joint_of("j", "", "b", rail));
    World driven(scene);
    step(driven, 300);
    EXPECT_NEAR(axis_of(driven).velocity, 2, 1e-6);
    const Vec3 first = place(driven);
    step(driven, 100);
    const Vec3 second = place(driven);
    step(driven, 100);
    EXPECT_NEAR(length(second - first), 2, 1e-6);
    EXPECT_LT(length(cross(second - first, place(driven) - second)), 1e-6);

    rail.slide.upper = 1.5, rail.slide.restitution = 0;
    scene.joints[0].joint = rail;
    World stopped(scene);
    step(stopped, 300);
    EXPECT_NEAR(axis_of(stopped).position, 1.5, 1e-6);
    EXPECT_NEAR(axis_of(stopped).velocity, 0, 1e-9);
}

// A rail on a free body, with a bead that runs it through: momentum is kept, and energy to second order.
TEST(SpecMultibody, rail_in_a_free_body) {
    const auto points = eight(20);
    const auto energy_error = [&](double dt) {
        Scene scene = joint_scene(dt);
        scene.settings.method = parse_method("default+turn=1");  // so large that the substep is dt
        scene.bodies = {block("a", {0, 1, 0}, 4, 2), block("b", points[1], 1, 0.1)};
        scene.bodies[0].velocity = -(points[2] - points[0]) * 0.5;
        scene.bodies[1].velocity = (points[2] - points[0]) * 2;
        scene.joints.push_back(joint_of("j", "a", "b", RailJoint{points[1], points, true}));
        World world(scene);
        step(world);
        const Frame first = world.frame();
        double worst = 0;
        while (world.time() < 4) {
            step(world);
            EXPECT_LT(length(world.frame().linear_momentum - first.linear_momentum), 1e-12);
            EXPECT_LT(length(world.frame().angular_momentum - first.angular_momentum), 1e-11);
            worst = std::max(worst, std::abs(world.frame().energy.kinetic / first.energy.kinetic - 1));
        }
        EXPECT_GT(axis_of(world).position, 9.4);  // more than a lap
        return worst;
    };
    // Of steps so short that none is taken again in shorter ones for its energy.
    const double coarse = energy_error(0.004), fine = energy_error(0.002);
    EXPECT_LT(coarse, 0.01);
    EXPECT_LT(fine, 0.3 * coarse);
}

// A world restored on the way, at any place of a lap, goes on bit for bit as the one it was taken from.
TEST(SpecMultibody, rail_in_checkpoints) {
    const auto points = eight(25);
    Scene scene = joint_scene(0.01);
    scene.bodies.push_back(block("b", points[0], 1, 0.1));
    scene.bodies[0].velocity = normalized(points[1] - points.back()) * 3;
    scene.joints.push_back(joint_of("j", "", "b", RailJoint{points[0], points, true}));
    World world(scene);
    for (int k = 0; k < 40; ++k) {
        step(world, 7);
        World other(scene);
        other.restore(world.checkpoint());
        step(world, 3), step(other, 3);
        ASSERT_EQ(other.state_hash(), world.state_hash()) << k;
        ASSERT_EQ(axis_of(other).position, axis_of(world).position) << k;
    }
    EXPECT_GT(axis_of(world).position, 9.4);
}

// A point on a sphere is the pendulum of that length: on a level circle at w^2 = g / (r cos), with the force
// m g / cos.
TEST(SpecMultibody, sphere_as_a_conical_pendulum) {
    const double r = 2, tilt = 0.6, w = std::sqrt(kG / (r * std::cos(tilt)));
    Scene scene = joint_scene(0.002, {0, -kG, 0});
    const Vec3 start{r * std::sin(tilt), -r * std::cos(tilt), 0};
    scene.bodies.push_back(block("b", start, 1, 0.01));
    scene.bodies[0].velocity = {0, 0, w * start.x};
    scene.joints.push_back(
        joint_of("j", "", "b", PointOnEllipsoidJoint{start, {}, {1, 0, 0}, {0, 1, 0}, r, r, r}));
    World world(scene);
    step(world, 2000);
    EXPECT_NEAR(length(place(world)), r, 1e-7);
    EXPECT_NEAR(place(world).y, start.y, 1e-4);
    EXPECT_NEAR(length(world.velocity(world.find_body("b"))), w * start.x, 1e-4);
    EXPECT_NEAR(length(world.frame().joints[0].force), kG / std::cos(tilt), 1e-3);
}

// Without gravity speed is kept, and so is angular momentum about the axis of a surface of revolution.
TEST(SpecMultibody, torus_and_ellipsoid_keep_spin_about_their_axis) {
    const Vec3 axis = normalized(Vec3{1, 2, 2}), out = normalized(cross(axis, {0, 0, 1}));
    const Joint kinds[] = {
        PointOnTorusJoint{out * 1.3, {}, axis, 1, 0.3},
        PointOnEllipsoidJoint{out * 0.7, {}, axis, out, 1.5, 0.7, 0.7},
        PointOnEllipsoidJoint{out * 0.7, {}, axis, out, {}, 0.7, 0.7},
    };
    for (const Joint& kind : kinds) {
        Scene scene = joint_scene(0.01);
        const Vec3 start = std::visit(
            [](const auto& j) {
                if constexpr (requires { j.anchor; }) return j.anchor;
                return Vec3{};
            },
            kind);
        scene.bodies.push_back(block("b", start, 1, 0.05));
        scene.bodies[0].velocity = axis * 0.8 + cross(axis, out) * 1.1;
        scene.joints.push_back(joint_of("j", "", "b", kind));
        World world(scene);
        const double spin = dot(axis, cross(start, scene.bodies[0].velocity));
        for (int k = 0; k < 1000; ++k) {
            step(world);
            const Vec3 v = world.velocity(world.find_body("b"));
            ASSERT_LT(world.frame().max_joint_error, 1e-6);
            ASSERT_NEAR(dot(axis, cross(place(world), v)), spin, 1e-6);
            ASSERT_NEAR(length(v), length(scene.bodies[0].velocity), 1e-3);
        }
    }
}

// A dragged body is never pulled by more than the force, goes straight, and comes to rest at its goal without
// passing it.
TEST(SpecMultibody, drag_arrives) {
    const double force = 3, mass = 2;
    const Vec3 goal{1, 2, -2};
    Scene scene = joint_scene(0.01);
    scene.bodies.push_back(block("b", {}, mass, 0.1));
    scene.joints.push_back(joint_of("j", "", "b", DragJoint{goal, {}, force}));
    World world(scene);
    double arrived = -1, farthest = 0;
    for (int k = 0; k < 1000; ++k) {
        step(world);
        const double way = dot(place(world), goal) / length(goal);
        farthest = std::max(farthest, way);
        ASSERT_LT(length(place(world) - goal * (way / length(goal))), 1e-9);
        ASSERT_LE(length(world.frame().joints[0].force), force * (1 + 1e-9));
        if (arrived < 0 && way > 0.999 * length(goal)) arrived = world.time();
    }
    EXPECT_LT(farthest, length(goal) * (1 + 1e-6));
    EXPECT_LT(length(place(world) - goal), 1e-9);
    // Full force for a third of the way, half of it for the rest, v^2 = 2 (F/m) s1 = (F/m) s2, less the time
    // for the last thousandth.
    const double a = force / mass, s = length(goal), v = std::sqrt(2 * a * s / 3);
    EXPECT_NEAR(arrived, v / a + v / (0.5 * a) - std::sqrt(2 * 0.001 * s / (0.5 * a)), 0.03);
}

// Held against gravity with more force than its weight, and with less it falls by what is left. What force is
// needed where is known from the second substep on: in the first it is F / sqrt(3) along each axis.
TEST(SpecMultibody, drag_holds_a_weight) {
    for (const double share : {1.5, 0.5}) {
        Scene scene = joint_scene(0.01, {0, -kG, 0});
        scene.bodies.push_back(block("b", {}, 2, 0.1));
        scene.joints.push_back(joint_of("j", "", "b", DragJoint{{}, {}, 2 * kG * share}));
        World world(scene);
        step(world, 100);
        if (share > 1) {
            EXPECT_LT(length(place(world)), 1e-5);
        } else {
            const double late = (1 - 1 / std::sqrt(3.0)) * share * kG * world.dt();
            EXPECT_NEAR(place(world).y, -0.5 * (1 - share) * kG - late, 0.02 * late);
        }
    }
}

}  // namespace
}  // namespace impuls
