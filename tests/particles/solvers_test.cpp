// Worlds of particles by every solver that takes rows, as tests/solvers/nodes_test.cpp has them for problems
// alone: a pendulum, a ball at rest on two triangles, momentum; and events, which are of bodies.
#include <cmath>

#include "particle_worlds.h"

namespace impuls {
namespace {

class EverySolverInAWorld : public testing::TestWithParam<std::size_t> {
  protected:
    Scene with_solver(Scene scene) const {
        scene.settings.method =
            parse_method(std::string("default+solver=") + EnumNames<Solver>::names[GetParam()]);
        return scene;
    }
};
INSTANTIATE_TEST_SUITE_P(All, EverySolverInAWorld,
                         testing::Range(std::size_t{0}, EnumNames<Solver>::names.size()),
                         [](const auto& test) { return std::string(EnumNames<Solver>::names[test.param]); });

// From 90 degrees a quarter of the period is K(sin 45 deg) sqrt(l/g), K = 1.8540746773013719.
TEST_P(EverySolverInAWorld, pendulum_of_a_particle_has_its_period) {
    Particles two;
    two.points = {{0, 0, 0}, {0.8, 0, 0}};
    two.links = {0, 1};
    two.pins = {0};
    Scene scene = with_solver(scene_with({soft_body("pendulum", two, 0.6)}));
    scene.settings.dt = 0.005;
    World world(scene);
    const double quarter = 1.8540746773013719 * std::sqrt(0.8 / 9.81);
    double before = 0.8, crossed = 0;
    while (crossed == 0 && world.time() < 2) {
        ASSERT_TRUE(world.step().ok);
        const Vec3 bob = particles_of(world, 0)[1].position;
        EXPECT_NEAR(length(bob), 0.8, 1e-6);
        if (bob.x <= 0) crossed = world.time() - world.dt() * bob.x / (bob.x - before);
        before = bob.x;
    }
    EXPECT_NEAR(crossed, quarter, 2e-4 * quarter);
    EXPECT_EQ(world.outcomes().at(0).stepper, IslandStepper::Impulse);
}

// The valley of ParticleLaws.ball_comes_to_rest_on_two_triangles, shorter: each face carries half of the
// weight.
TEST_P(EverySolverInAWorld, ball_comes_to_rest_on_two_triangles) {
    Particles sheet;
    sheet.radius = 0.01;
    sheet.points = {{-0.5, 0, -0.5}, {0.5, 0.3, -0.5}, {0.5, 0, 0.5}, {-0.5, 0.3, 0.5}, {-1.5, 0.9, 1.5}};
    sheet.masses = {0.1, 0.1, 0.1, 0.1, 0.1};
    sheet.links = {0, 1, 1, 2, 2, 3, 3, 0, 0, 2, 3, 4};
    sheet.triangles = {0, 2, 1, 0, 3, 2};
    sheet.pins = {0, 1, 2, 4};
    const double cosine = 1 / std::hypot(1, 0.3 / std::sqrt(0.5)), touch = (0.15 + 0.01) / cosine;
    BodyDesc net = soft_body("net", sheet, 0.5),
             ball = soft_body("ball", Sphere{0.15}, 1, {0, touch + 0.02, 0});
    ball.linear_damping = ball.angular_damping = 3;
    World world(with_solver(scene_with({net, ball})));
    advance(world, 2.5);
    EXPECT_LT(length(world.velocity(world.find_body("ball"))), 2e-3);
    EXPECT_LT(length(world.pose(world.find_body("ball")).position - Vec3{0, touch, 0}), 2e-3);
    Vec3 sum;
    for (const Contact& contact : world.frame().contacts)
        sum += contact.b == 1 ? contact.force : -contact.force;
    EXPECT_LT(length(sum - Vec3{0, 9.81, 0}), 0.02 * 9.81);
}

TEST_P(EverySolverInAWorld, momentum_of_a_free_net_and_a_ball_stays) {
    Particles net = hammock();
    net.pins = {};
    BodyDesc ball = soft_body("ball", Sphere{0.2}, 1, {0.05, 0.25, 0.02});
    ball.velocity = {0.3, -3, 0.1};
    ball.angular_velocity = {1, 2, 3};
    World world(with_solver(scene_with({soft_body("net", net, 0.8), ball}, {})));
    const Vec3 p = world.frame().linear_momentum, l = world.frame().angular_momentum;
    bool has_touched = false;
    for (int k = 0; k < 20; ++k) {
        ASSERT_TRUE(world.step().ok);
        has_touched |= !world.frame().contacts.empty();
        EXPECT_LT(length(world.frame().linear_momentum - p), 1e-12 * length(p));
    }
    EXPECT_TRUE(has_touched);
    EXPECT_LT(length(world.frame().angular_momentum - l), 1e-9 * length(l));
}

// Its particles land one after the other, and leave the ledge likewise: the rope touches once and ceases
// once.
TEST(ParticleEvents, are_of_bodies) {
    const Rope rope{.from = {-0.5, 0.3, 0}, .to = {0.5, 0.6, 0}, .pieces = 10, .radius = 0.02, .pins = {}};
    World world(scene_with({soft_body("rope", rope, 1), floor_at(0)}));
    const BodyId id = world.find_body("rope"), floor = world.find_body("floor");
    int begun = 0, ended = 0;
    const auto count = [&](double until) {
        while (world.time() < until - 1e-9) {
            ASSERT_TRUE(world.step().ok);
            for (const Event& e : world.frame().events) {
                const auto& bodies = world.frame().bodies;
                const bool is_theirs = (bodies.at(e.a) == id && bodies.at(e.b) == floor) ||
                                       (bodies.at(e.a) == floor && bodies.at(e.b) == id);
                EXPECT_TRUE(is_theirs);
                begun += e.kind == EventKind::TouchBegin;
                ended += e.kind == EventKind::TouchEnd;
            }
        }
    };
    count(1);
    EXPECT_EQ(begun - ended, 1) << "it lies there";
    EXPECT_LE(begun, 3) << "eleven particles landed";
    EXPECT_EQ(world.outcomes().size(), 1u) << "one island";
    begun = ended = 0;
    world.apply(ApplyImpulse{"rope", {0, 3, 0}, {}, {}});
    count(1.2);
    EXPECT_EQ(begun, 0);
    EXPECT_EQ(ended, 1);
}

// Two ropes that cross are one island of two objects; one alone in the air is one, too, and a body beside it
// another.
TEST(ParticleIslands, are_of_bodies) {
    const Rope low{.from = {-0.5, 0, 0}, .to = {0.5, 0, 0}, .pieces = 6, .radius = 0.02, .pins = {0, -1}};
    const Rope over{.from = {0, 0.06, -0.5}, .to = {0, 0.06, 0.5}, .pieces = 6, .radius = 0.02, .pins = {}};
    const Rope far{.from = {5, 0, 0}, .to = {6, 0, 0}, .pieces = 6, .radius = 0.02, .pins = {0}};
    World world(scene_with({soft_body("low", low, 1), soft_body("over", over, 1), soft_body("far", far, 1)}));
    advance(world, 0.3);
    ASSERT_EQ(world.outcomes().size(), 2u);
    EXPECT_EQ(world.outcomes()[0].bodies, 2u);
    EXPECT_EQ(world.outcomes()[1].bodies, 1u);
}

}  // namespace
}  // namespace impuls
