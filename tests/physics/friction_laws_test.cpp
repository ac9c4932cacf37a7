// Friction: cone, pyramid and box; static and dynamic; rolling and torsional; running surfaces.
#include "physics/contact_scenes.h"

namespace impuls {
namespace {

constexpr double kMu = 0.5;

MaterialDesc rough(double friction = kMu) {
    MaterialDesc m;
    m.friction = friction;
    return m;
}

// Whether a block on a slope still stands after a while.
bool sticks(const MethodDesc& method, double tangent, double azimuth) {
    Scene scene = scene_of(rough(), true, sloping(std::atan(tangent), azimuth));
    scene.settings.method = method;
    scene.bodies.push_back(body_of("block", Box{{1, 0.2, 1}}, {0, 0.1, 0}));
    World world(scene);
    run(world, 0.1);
    return length(velocity_of(world, "block")) < 1e-6;
}

// Tangent of the steepest slope that holds.
double threshold(const MethodDesc& method, double azimuth) {
    double low = 0.5 * kMu, high = 2 * kMu;
    while (high - low > 1e-3 * kMu) {
        const double middle = 0.5 * (low + high);
        (sticks(method, middle, azimuth) ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

// The regular polygon's reach along an azimuth, relative to its corners, which are at multiples of 2 pi / eta
// from the first tangent: t1 = n x (axis that n is least along) = y x x = -z.
double polygon_reach(int eta, double azimuth) {
    const double sector = 2 * kPi / eta;
    const double from_corner = std::fmod(azimuth + kPi / 2 + 4 * kPi, sector);
    return std::cos(kPi / eta) / std::cos(from_corner - kPi / eta);
}

TEST(SpecConstraints, T6_friction_pyramid) {
    for (const int eta : {4, 6, 8}) {
        const MethodDesc method =
            parse_method("default+friction=pyramid+friction_directions=" + std::to_string(eta));
        for (int k = 0; k < (is_long() ? 36 : 5); ++k) {
            const double azimuth = is_long() ? k * kPi / 18 : 0.1 + 0.37 * k;
            EXPECT_TRUE(sticks(method, 0.99 * kMu * std::cos(kPi / eta), azimuth)) << eta << " " << azimuth;
            EXPECT_FALSE(sticks(method, 1.01 * kMu, azimuth)) << eta << " " << azimuth;
            const double expected = kMu * polygon_reach(eta, azimuth);
            EXPECT_NEAR(threshold(method, azimuth), expected, 0.02 * expected) << eta << " " << azimuth;
        }
    }
}

TEST(FrictionLaws, box_is_circumscribed) {
    const MethodDesc method = parse_method("default+friction=box");
    for (const double azimuth : {0.0, 0.4, kPi / 4, 1.2, kPi / 2}) {
        const double expected = kMu / std::max(std::abs(std::cos(azimuth)), std::abs(std::sin(azimuth)));
        EXPECT_NEAR(threshold(method, azimuth), expected, 0.01 * expected) << azimuth;
    }
}

TEST(FrictionLaws, cone_is_isotropic) {
    for (int k = 0; k < 6; ++k) {
        const double azimuth = 0.05 + 0.3 * k;
        EXPECT_NEAR(threshold({}, azimuth), kMu, 0.01 * kMu) << azimuth;
        Scene scene = scene_of(rough(), true);
        scene.bodies.push_back(body_of("block", Box{{1, 0.2, 1}}, {0, 0.1, 0}));
        scene.bodies.back().velocity = {3 * std::cos(azimuth), 0, 3 * std::sin(azimuth)};
        World world(scene);
        run(world, 0.3);
        const double left = 3 - kMu * kG * 0.3;
        EXPECT_NEAR(velocity_of(world, "block").x, left * std::cos(azimuth), 0.01 * left);
        EXPECT_NEAR(velocity_of(world, "block").z, left * std::sin(azimuth), 0.01 * left);
        EXPECT_NEAR(std::hypot(force_on(world, "block").x, force_on(world, "block").z),
                    kMu * force_on(world, "block").y, 1e-6 * kG * 200);
    }
}

// Sticks up to mu_s m g; once it slides the force that is left is mu_d m g, also below mu_s m g.
TEST(FrictionLaws, static_friction_holds_more_than_dynamic) {
    MaterialDesc m = rough(0.3);
    m.static_friction = 0.5;
    Scene scene = scene_of(m, true);
    scene.bodies.push_back(body_of("block", Box{{1, 0.2, 1}}, {0, 0.1, 0}));
    scene.bodies.back().mass = 2;
    World world(scene);
    const double weight = 2 * kG;
    const auto pull = [&](double share) { world.apply(SetForce{"block", {share * weight, 0, 0}, {}}); };
    const auto speed = [&] { return velocity_of(world, "block").x; };
    pull(0.49);
    run(world, 0.5);
    EXPECT_NEAR(speed(), 0, 1e-9);
    EXPECT_NEAR(force_on(world, "block").x, -0.49 * weight, 1e-6 * weight);
    pull(0.51);
    run(world, 1);
    EXPECT_NEAR(speed(), (0.51 - 0.3) * kG * 0.5, 0.01 * kG * 0.5);
    EXPECT_NEAR(force_on(world, "block").x, -0.3 * weight, 1e-6 * weight);
    const double before = speed();
    pull(0.4);  // between both: goes on sliding
    run(world, 1.5);
    EXPECT_NEAR(speed() - before, (0.4 - 0.3) * kG * 0.5, 1e-3 * kG * 0.5);
    pull(0);
    run(world, 3);
    EXPECT_NEAR(speed(), 0, 1e-9);
    pull(0.4);  // the same force does not move it again
    run(world, 3.5);
    EXPECT_NEAR(speed(), 0, 1e-9);
}

// A block drawn at speed v by a spring k: it sticks until the force is mu_s m g. Then the force oscillates
// about mu_d m g, from y = (mu_s - mu_d) m g and dy/dt = k v on, so with the amplitude A = sqrt(y^2 + k m
// v^2), until the block stops at -y.
TEST(FrictionLaws, stick_and_slip) {
    MaterialDesc m = rough(0.3);
    m.static_friction = 0.5;
    Scene scene = scene_of(m, true);
    scene.settings.dt = 0.001;
    scene.bodies.push_back(body_of("block", Box{{1, 0.2, 1}}, {0, 0.1, 0}));
    scene.bodies.back().mass = 1;
    World world(scene);
    const double stiffness = 100, drive = 0.05;
    double highest = 0, lowest = kG, force = 0;
    int slips = 0;
    bool was_moving = false;
    while (world.time() < 3.5) {  // slips at 1.0 s, and then every 0.8 s + pi sqrt(m/k)
        const double x = world.pose(world.find_body("block")).position.x;
        force = stiffness * (drive * world.time() - x);
        world.apply(SetForce{"block", {force, 0, 0}, {}});
        ASSERT_TRUE(world.step().ok);
        const bool is_moving = velocity_of(world, "block").x > 1e-6;
        slips += is_moving && !was_moving;
        was_moving = is_moving;
        highest = std::max(highest, force);
        if (slips > 0) lowest = std::min(lowest, force);
    }
    EXPECT_GE(slips, 3);
    const double amplitude = std::sqrt(0.2 * kG * 0.2 * kG + stiffness * drive * drive);
    EXPECT_NEAR(highest, 0.3 * kG + amplitude, 0.01 * kG);
    EXPECT_NEAR(lowest, 0.3 * kG - amplitude, 0.01 * kG);
}

// Rolling: m a = -F, I a/R = F R - r N, so a = -5/7 g r/R.
TEST(FrictionLaws, rolling_sphere_slows_down) {
    MaterialDesc m = rough();
    m.rolling_friction = 0.01;
    Scene scene = scene_of(m, true);
    scene.bodies.push_back(body_of("ball", Sphere{0.2}, {0, 0.2, 0}));
    scene.bodies.back().velocity = {1, 0, 0};
    scene.bodies.back().angular_velocity = {0, 0, -5};
    World world(scene);
    run(world, 1);
    const double a = 5.0 / 7 * kG * 0.01 / 0.2;
    EXPECT_NEAR(velocity_of(world, "ball").x, 1 - a, 1e-6);
    EXPECT_NEAR(spin_of(world, "ball").z, -(1 - a) / 0.2, 1e-5);
    run(world, 1 / a + 0.1);
    EXPECT_LT(length(velocity_of(world, "ball")), 1e-9);
}

TEST(FrictionLaws, rolling_friction_holds_a_sphere_on_a_slope) {
    for (const double share : {0.98, 1.02}) {
        MaterialDesc m = rough();
        m.rolling_friction = 0.02;
        Scene scene = scene_of(m, true, sloping(std::atan(share * 0.02 / 0.2), 0.3));
        scene.bodies.push_back(body_of("ball", Sphere{0.2}, {0, 0.2, 0}));
        World world(scene);
        run(world, 1);
        if (share < 1) {
            EXPECT_LT(length(velocity_of(world, "ball")), 1e-7);
        } else {
            const double angle = std::atan(share * 0.1);
            const double a = 5.0 / 7 * kG * (std::sin(angle) - 0.1 * std::cos(angle));
            EXPECT_NEAR(length(velocity_of(world, "ball")), a, 1e-3 * a);
        }
    }
}

// I dw/dt = -r N: a solid sphere slows by 5/2 g r / R^2.
TEST(FrictionLaws, spinning_sphere_slows_down) {
    MaterialDesc m = rough();
    m.torsional_friction = 0.005;
    Scene scene = scene_of(m, true);
    scene.bodies.push_back(body_of("ball", Sphere{0.2}, {0, 0.2, 0}));
    scene.bodies.back().angular_velocity = {0, 8, 0};
    World world(scene);
    run(world, 1);
    const double rate = 2.5 * kG * 0.005 / (0.2 * 0.2);
    EXPECT_NEAR(spin_of(world, "ball").y, 8 - rate, 1e-6);
    run(world, 8 / rate + 0.1);
    EXPECT_LT(length(spin_of(world, "ball")), 1e-9);
}

// A face resists spinning by its friction alone: the coefficient of a patch is not added.
TEST(FrictionLaws, torsion_of_a_face_follows_from_its_friction) {
    const auto spin_after = [](double torsion) {
        MaterialDesc m = rough();
        m.torsional_friction = torsion;
        Scene scene = scene_of(m, true);
        scene.bodies.push_back(body_of("box", Box{{1, 0.2, 1}}, {0, 0.1, 0}));
        scene.bodies.back().angular_velocity = {0, 5, 0};
        World world(scene);
        run(world, 0.2);
        return spin_of(world, "box").y;
    };
    EXPECT_EQ(spin_after(0), spin_after(0.1));
    // A square of 1 m: points are (sqrt 2 + ln(1 + sqrt 2))/6 from its centre on average; I = m/6.
    const double lever = (std::sqrt(2.0) + std::log(1 + std::sqrt(2.0))) / 6;
    EXPECT_NEAR(spin_after(0), 5 - 6 * kMu * kG * lever * 0.2, 0.01);
}

// A box on a static belt: mu g until it runs with the belt; then no force. The belt feels the opposite.
TEST(FrictionLaws, running_surface_takes_a_box_along) {
    Scene scene = scene_of(rough(0.25), false);
    BodyDesc belt = body_of("belt", Box{{20, 0.2, 20}}, {0, -0.1, 0}, BodyKind::Static);
    belt.orientation = normalized(Quat{std::cos(0.35), 0, std::sin(0.35), 0});
    belt.surface_velocity = {2, 5, 0};  // what is along the normal does nothing
    scene.bodies.push_back(belt);
    scene.bodies.push_back(body_of("box", Box{{0.3, 0.3, 0.3}}, {0, 0.15, 0}));
    scene.bodies.back().mass = 3;
    World world(scene);
    const Vec3 along = rotate(belt.orientation, Vec3{1, 0, 0});
    run(world, 0.5);
    EXPECT_NEAR(dot(velocity_of(world, "box"), along), 0.25 * kG * 0.5, 1e-6);
    EXPECT_NEAR(dot(force_on(world, "box"), along), 0.25 * 3 * kG, 1e-6);
    EXPECT_NEAR(dot(force_on(world, "belt"), along), -0.25 * 3 * kG, 1e-6);
    run(world, 2);
    EXPECT_LT(length(velocity_of(world, "box") - along * 2), 1e-6);
    EXPECT_LT(length(force_on(world, "box") - Vec3{0, 3 * kG, 0}), 1e-6);
}

}  // namespace
}  // namespace impuls
