// Worlds that touch over areas: rest, frequency, bounces and slopes against closed forms, the integrators,
// who advances them under every preset, what frames tell, and what is refused (spec: areal-contact 3.4,
// T11-T16).
#include "scene_of.h"

namespace impuls::at_force_level {
namespace {

constexpr double kPi = 3.141592653589793, kStiff = 2e7;

// A ball of mass 1 on a floor with a layer, without friction or loss unless the test says so.
Scene ball_on_layer(double height, const std::string& extra = "", double radius = 0.1) {
    Scene scene = scene_of(extra, 0.005);
    scene.materials[0].restitution = 1;
    ArealContact layer;
    layer.stiffness = kStiff;
    layer.resolution = 0.005;
    add_floor(scene).contact = layer;
    add(scene, "ball", Sphere{radius}, {0, height, 0});
    return scene;
}

// pi k (R d^2 - d^3 / 3) = m g.
double depth_at_rest(double radius, double weight) {
    double d = std::sqrt(weight / (kPi * kStiff * radius));
    for (int k = 0; k < 20; ++k) d = std::sqrt((weight / (kPi * kStiff) + d * d * d / 3) / radius);
    return d;
}

TEST(SpecAreal, T7_a_ball_rests_and_swings_as_it_should) {
    const double d = depth_at_rest(0.1, kG);
    Scene fine = ball_on_layer(0.1 - d);
    std::get<ArealContact>(*fine.bodies[0].contact).resolution = 0.0025;  // a sixth of the contact's radius
    Watched w(fine);
    w.run(0.2);
    EXPECT_NEAR((0.1 - w.at("ball").y) / d, 1, 0.01);
    ASSERT_EQ(w.world.frame().patches.size(), 1u);
    const ContactPatch patch = w.world.frame().patches[0];
    EXPECT_NEAR(patch.force.y / kG, 1, 0.02);
    EXPECT_NEAR(patch.area / (kPi * 2 * 0.1 * d), 1, 0.02);
    EXPECT_NEAR(patch.pressure / (kStiff * d), 1, 0.1);
    EXPECT_FALSE(w.world.frame().pressed.empty());
    // Small swings about it: w^2 = pi k (2 R d - d^2) / m.
    Scene scene = ball_on_layer(0.1 - d);
    scene.settings.dt = 1e-4;
    scene.bodies[1].velocity = {0, 0.02 * d * std::sqrt(2 * kPi * kStiff * 0.1 * d), 0};
    Watched swing(scene);
    double before = 0, mean = 0, first = 0, last = 0;
    int crossings = 0, n = 0;
    for (; n < 2000; ++n) {
        mean += swing.at("ball").y;
        ASSERT_NO_FATAL_FAILURE(swing.step());
    }
    mean /= n;
    for (n = 0; n < 3000; ++n) {
        const double y = swing.at("ball").y - mean;
        if (n > 0 && before < 0 && y >= 0) {
            last = swing.world.time() - 1e-4 * y / (y - before);
            if (crossings++ == 0) first = last;
        }
        before = y;
        ASSERT_NO_FATAL_FAILURE(swing.step());
    }
    const double period = (last - first) / (crossings - 1);
    EXPECT_NEAR(2 * kPi / period / std::sqrt(kPi * kStiff * (2 * 0.1 * d - d * d)), 1, 0.02);
}

// Undamped, it comes back as high as it fell from, again and again.
TEST(SpecAreal, T11_bounces_keep_their_height) {
    Watched w(ball_on_layer(0.15, "+tolerance=1e-9"));
    const double energy = w.world.frame().energy.total;
    const int bounces = is_long() ? 100 : 10;
    double highest = 0, before = 0;
    int tops = 0;
    while (tops < bounces) {
        ASSERT_NO_FATAL_FAILURE(w.step());
        const double v = w.v("ball").y;
        if (before > 0 && v <= 0) ++tops, highest = w.at("ball").y + before * before / (2 * kG);
        before = v;
        ASSERT_LT(w.world.time(), 30);
    }
    EXPECT_NEAR(highest, 0.15, 0.01 * 0.05);
    EXPECT_NEAR(w.world.frame().energy.total, energy, 0.01 * kG * 0.05);
}

// Hunt and Crossley's dissipation from a restitution; areal damping takes more the larger it is.
TEST(SpecAreal, T12_damping_lowers_the_rebound) {
    const auto rebound = [](double restitution, double damping) {
        Scene scene = ball_on_layer(0.12);
        scene.materials[0].restitution = restitution;
        std::get<ArealContact>(*scene.bodies[0].contact).damping = damping;
        Watched w(scene);
        double before = -1;
        while (before < 0 || w.v("ball").y > 0) {
            w.step();
            before = w.v("ball").y > 0 ? 1 : before;
            if (w.world.time() > 1) break;
        }
        return std::sqrt((w.at("ball").y - 0.1) / 0.02);
    };
    EXPECT_NEAR(rebound(1, 0), 1, 0.01);
    const double half = rebound(0.5, 0);
    EXPECT_LT(half, 0.8);
    EXPECT_GT(half, 0.2);
    double last = 1;
    for (const double damping : {1e4, 3e4, 1e5}) {
        const double e = rebound(1, damping);
        EXPECT_LT(e, last) << damping;
        last = e;
    }
}

// Below the angle of friction it creeps at v_r tan a / mu, and above it slides: within 1 % of tan a = mu.
TEST(SpecAreal, T13_a_block_on_a_slope) {
    for (const double slope : {0.3, 0.495, 0.505}) {
        Scene scene = scene_of("+slip_speed=0.001", 0.005);
        scene.materials[0].friction = 0.5;
        const double angle = std::atan(slope);
        scene.settings.gravity = {kG * std::sin(angle), -kG * std::cos(angle), 0};
        ArealContact layer;
        layer.stiffness = kStiff;
        add_floor(scene).contact = layer;
        add(scene, "block", Box{{0.2, 0.1, 0.2}}, {0, 0.05, 0});
        Watched w(scene);
        w.run(0.5);
        const double creep = 0.001 * slope / 0.5;
        if (slope < 0.5)
            EXPECT_NEAR(w.v("block").x / creep, 1, 0.05) << slope;
        else
            EXPECT_GT(w.v("block").x, 10 * creep) << slope;
    }
}

// Implicit integrators go on with steps that explicit ones cannot take; their Jacobian has the exact tangent.
TEST(SpecAreal, T16_implicit_integrators_take_long_steps) {
    const double d = depth_at_rest(0.1, kG);
    const auto rests = [&](const std::string& extra, double dt) {
        Scene scene = ball_on_layer(0.1 - 0.5 * d, extra);
        scene.settings.dt = dt;
        scene.materials[0].restitution = 0.2;
        Watched w(scene);
        std::uint32_t retries = 0, steps = 0;
        for (int k = 0; k < static_cast<int>(0.2 / dt); ++k) {
            w.step();
            for (const Outcome& o : w.world.outcomes()) retries += o.retries, steps += o.substeps;
        }
        EXPECT_LE(retries, 0.1 * steps + 2) << extra;
        return (0.1 - w.at("ball").y) / d;
    };
    EXPECT_NEAR(rests("", 0.005), 1, 0.01);
    EXPECT_NEAR(rests("+integrator=rosenbrock+tolerance=1e-6", 0.005), 1, 0.01);
    EXPECT_NEAR(rests("+integrator=midpoint+substeps=1", 0.002), 1, 0.01);
}

// Under every preset its island is advanced at force level, and others as the preset says.
TEST(ArealWorld, EveryPresetLeavesItToForceLevel) {
    for (const Method& preset : method_presets()) {
        Scene scene = ball_on_layer(0.0999);
        scene.settings.method = {};
        scene.settings.method.preset = preset.preset;
        scene.settings.method.sleep = Switch::Off;
        scene.materials.push_back(scene.materials[0]);
        scene.materials[1].name = "plain";
        BodyDesc table = scene.bodies[0];
        table.name = "table", table.shape = Box{{1, 0.2, 1}}, table.position = {5, 0, 0},
        table.contact.reset();
        table.material = "plain";
        scene.bodies[0].shape = Box{{1, 0.2, 1}}, scene.bodies[0].position = {0, -0.1, 0};
        scene.bodies.push_back(table);
        BodyDesc other = scene.bodies[1];
        other.name = "other", other.position = {5, 0.1999, 0}, other.material = "plain";
        scene.bodies.push_back(other);
        World world(scene);
        for (int k = 0; k < 20; ++k) ASSERT_TRUE(world.step().ok);
        ASSERT_EQ(world.outcomes().size(), 2u) << preset.preset;
        EXPECT_EQ(world.outcomes()[0].stepper, IslandStepper::ForceLevel) << preset.preset;
        if (!preset.is<ForceMethod>()) {
            EXPECT_NE(world.outcomes()[1].stepper, IslandStepper::ForceLevel) << preset.preset;
            EXPECT_EQ(world.outcomes()[0].refused[static_cast<std::size_t>(IslandStepper::Blocks)],
                      Refusal::HasAreas);
        }
        EXPECT_NEAR(world.pose(world.find_body("ball")).position.y, 0.1, 2e-3) << preset.preset;
    }
}

TEST(ArealWorld, WhatCannotBeIsRefused) {
    const auto message = [](const Scene& scene) {
        try {
            World world(scene);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    Scene scene = ball_on_layer(0.1);
    auto& layer = std::get<ArealContact>(*scene.bodies[0].contact);
    layer.stiffness = 0;
    EXPECT_NE(message(scene).find("needs a layer"), std::string::npos);
    layer.layer = 0.01;
    EXPECT_NE(message(scene).find("youngs_modulus"), std::string::npos);
    scene.materials[0].youngs_modulus = 1e7;
    EXPECT_EQ(message(scene), "");
    scene.materials[0].poisson_ratio = 0.48;
    EXPECT_NE(message(scene).find("at most 0.45"), std::string::npos);
    // A pair of materials likewise.
    scene.bodies[0].contact.reset();
    scene.contacts.push_back({});
    scene.contacts[0].a = scene.contacts[0].b = "m";
    scene.contacts[0].contact = layer;
    EXPECT_NE(message(scene).find("/contacts/0/contact"), std::string::npos);
}

// A sheet with mass and inertia given: open, and yet it moves and touches.
TEST(ArealWorld, OpenMeshesMayMove) {
    Scene scene = ball_on_layer(0.3);
    Mesh sheet;
    sheet.vertices = {{-0.1, 0, -0.1}, {0.1, 0, -0.1}, {0.1, 0, 0.1}, {-0.1, 0, 0.1}};
    sheet.triangles = {0, 1, 2, 0, 2, 3};  // looks down
    BodyDesc& body = scene.bodies[1];
    body.shape = sheet;
    body.position = {0, 1e-5, 0};
    ArealContact layer;
    layer.stiffness = kStiff;
    body.contact = layer;
    EXPECT_THROW(World{scene}, InputError) << "without inertia";
    body.inertia = Vec3{0.01, 0.02, 0.01};
    body.center_of_mass = Vec3{};
    scene.materials[0].restitution = 0.3;
    Watched w(scene);
    w.run(0.5);
    // Both have a layer: half as stiff. The depth of a flat punch: m g / (k A).
    EXPECT_NEAR(-w.at("ball").y / (kG / (0.5 * kStiff * 0.04)), 1, 0.01);
}

// The same bits whatever is dropped, recorded or looked at.
TEST(ArealWorld, CachesChangeNothing) {
    Scene scene = ball_on_layer(0.11);
    scene.materials[0].friction = 0.4;
    scene.bodies[1].velocity = {0.3, 0, 0.1};
    World a(scene), b(scene);
    for (int k = 0; k < 40; ++k) {
        ASSERT_TRUE(a.step().ok);
        b.drop_caches();
        b.frame();
        ASSERT_TRUE(b.step().ok);
        ASSERT_EQ(a.state_hash(), b.state_hash()) << k;
    }
}

TEST(ArealWorld, WarnsOfDepthsBeyondTheLayer) {
    Scene scene = ball_on_layer(0.0999);
    auto& layer = std::get<ArealContact>(*scene.bodies[0].contact);
    scene.materials[0].youngs_modulus = 1e4, scene.materials[0].restitution = 0.1;
    layer.stiffness = 0, layer.layer = 1e-4;
    scene.bodies[1].mass = 100;
    Watched w(scene);
    w.run(0.3);
    bool is_told = false;
    for (const Warning& warning : w.world.warnings()) is_told |= warning.kind == WarningKind::LayerDepth;
    EXPECT_TRUE(is_told);
}

}  // namespace
}  // namespace impuls::at_force_level
