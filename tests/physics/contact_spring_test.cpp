// Contacts that yield: compliance in m/N and damping in N s/m of a contact point, against the motion of a
// mass on a spring.
#include "physics/contact_scenes.h"

namespace impuls {
namespace {

constexpr double kMass = 3, kCompliance = 2e-4;  // kg, m/N

Scene soft_scene(const std::string& method, double damping, double scale = 1) {
    MaterialDesc m;
    m.friction = 0.5;
    Scene scene = scene_of(m, true, {0, -kG * scale, 0});
    scene.settings.method = parse_method(method);
    ContactDesc contact;
    contact.a = contact.b = "m";
    contact.compliance = kCompliance, contact.damping = damping;
    scene.contacts = {contact};
    return scene;
}

double height(World& world) {
    return world.pose(world.find_body("b")).position.y;
}

// At rest a point is deeper by compliance times load; a box shares its load among four.
TEST(ContactSpring, sags_by_compliance_times_load) {
    const double critical = 2 * std::sqrt(kMass / kCompliance);
    for (const char* method : {"default", "default+solver=pgs", "default+solver=blocked_pgs",
                               "default+solver=direct", "erleben+shock=off+sleep=off+iterations=100"})
        for (const double scale : {1.0, 0x1p7, 0x1p-7}) {
            for (const int points : {1, 4}) {
                Scene scene = soft_scene(method, critical / points, scale);
                const Shape shape =
                    points == 1 ? Shape{Sphere{0.5 * scale}} : Shape{Box{{scale, scale, scale}}};
                scene.bodies.push_back(body_of("b", shape, {0, 0.5 * scale, 0}));
                scene.bodies.back().mass = kMass;
                World world(scene);
                run(world, 1);
                const double sag = kCompliance * kMass * kG * scale / points;
                EXPECT_NEAR(0.5 * scale - height(world), sag, 1e-6 * sag) << method << " " << points;
                EXPECT_NEAR(force_on(world, "b").y, kMass * kG * scale, 1e-6 * kMass * kG * scale) << method;
            }
        }
}

// About its place at rest it swings at sqrt(1/(c m)); the midpoint rule keeps the swing.
TEST(ContactSpring, swings_like_a_mass_on_a_spring) {
    Scene scene = soft_scene("default", 0);
    scene.settings.dt = 0.001;
    const double sag = kCompliance * kMass * kG;
    scene.bodies.push_back(body_of("b", Sphere{0.5}, {0, 0.5 - 0.5 * sag, 0}));
    scene.bodies.back().mass = kMass;
    World world(scene);
    int crossings = 0;
    double before = 1, first = 0, last = 0, lowest = 1;
    while (world.time() < 1) {
        ASSERT_TRUE(world.step().ok);
        const double x = height(world) - 0.5 + sag;
        if (before < 0 && x >= 0) {
            last = world.time() - world.dt() * x / (x - before);
            if (crossings++ == 0) first = last;
        }
        if (world.time() > 0.9) lowest = std::min(lowest, x);
        before = x;
    }
    EXPECT_NEAR(2 * kPi * (crossings - 1) / (last - first), std::sqrt(1 / (kCompliance * kMass)), 1e-3 * 41);
    EXPECT_NEAR(lowest, -0.5 * sag, 0.01 * sag);
}

// Dropped without damping it comes back to where it was, and the deepest point is that of the energy.
TEST(ContactSpring, bounces_without_loss_when_undamped) {
    Scene scene = soft_scene("default", 0);
    scene.settings.dt = 0.002;
    scene.bodies.push_back(body_of("b", Sphere{0.5}, {0, 0.6, 0}));
    scene.bodies.back().mass = kMass;
    World world(scene);
    double deepest = 0, highest = 0;
    while (world.time() < 2) {
        ASSERT_TRUE(world.step().ok);
        deepest = std::max(deepest, 0.5 - height(world));
        if (world.time() > 1.5) highest = std::max(highest, height(world));
    }
    const double sag = kCompliance * kMass * kG;  // m g (h + d) = d^2 / 2c
    EXPECT_NEAR(deepest, sag + std::sqrt(sag * sag + 2 * sag * 0.1), 0.02 * deepest);
    EXPECT_NEAR(highest, 0.6, 0.005);
}

// Yielding contacts have friction: it slides at g (sin - mu cos), its load being that of the spring.
TEST(ContactSpring, has_friction) {
    Scene scene = soft_scene("default", 2 * std::sqrt(kMass / kCompliance) / 4);
    const double angle = std::atan(0.8);
    scene.settings.gravity = sloping(angle);
    scene.bodies.push_back(
        body_of("b", Box{{1, 0.2, 1}}, {0, 0.1 - kCompliance * kMass * kG * std::cos(angle) / 4, 0}));
    scene.bodies.back().mass = kMass;
    World world(scene);
    run(world, 1);
    const double a = kG * (std::sin(angle) - 0.5 * std::cos(angle));
    EXPECT_NEAR(velocity_of(world, "b").x, a, 1e-2 * a);
}

}  // namespace
}  // namespace impuls
