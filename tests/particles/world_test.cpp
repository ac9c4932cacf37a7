// Bodies of particles as objects of a world: bits, sleep, commands, frames, and what is refused.
#include <sstream>

#include "impuls/quantity.h"
#include "particle_worlds.h"

namespace impuls {
namespace {

Scene mixed() {
    Sheet sheet{.width = 1, .depth = 1, .columns = 4, .rows = 4, .radius = 0.02, .pins = {0, 4, 20, 24}};
    sheet.compliance = 1e-3;
    Rope rope{.from = {-1, 0.8, 0}, .to = {0.5, 0.9, 0}, .pieces = 8, .radius = 0.02, .pins = {0}};
    BodyDesc ball = soft_body("ball", Sphere{0.2}, 1, {0.1, 0.6, 0});
    return scene_with({soft_body("sheet", sheet, 0.5), soft_body("rope", rope, 0.4), ball,
                       soft_body("box", Box{{0.2, 0.2, 0.2}}, 1, {-0.7, 1.1, 0}), floor_at(-0.5)});
}

std::vector<std::uint64_t> hashes_of(World& world, int steps) {
    std::vector<std::uint64_t> list;
    for (int k = 0; k < steps; ++k) {
        EXPECT_TRUE(world.step().ok);
        list.push_back(world.state_hash());
    }
    return list;
}

TEST(ParticleWorld, has_the_same_bits_on_any_number_of_threads) {
    World one(mixed(), std::make_shared<Executor>(1));
    const auto expected = hashes_of(one, 60);
    for (const int threads : {2, 8}) {
        World many(mixed(), std::make_shared<Executor>(threads));
        EXPECT_EQ(hashes_of(many, 60), expected) << threads;
    }
}

TEST(ParticleWorld, goes_on_from_a_checkpoint) {
    World first(mixed()), second(mixed());
    hashes_of(first, 30);
    second.restore(first.checkpoint());
    ASSERT_EQ(first.state_hash(), second.state_hash());
    EXPECT_EQ(hashes_of(first, 30), hashes_of(second, 30));
}

TEST(ParticleWorld, caches_may_be_dropped) {
    World kept(mixed()), dropped(mixed());
    for (int k = 0; k < 40; ++k) {
        ASSERT_TRUE(kept.step().ok);
        dropped.drop_caches();
        ASSERT_TRUE(dropped.step().ok);
        ASSERT_EQ(kept.state_hash(), dropped.state_hash()) << k;
    }
}

// Lengths, velocities and gravity times 2^k at equal dt: the same bits, rescaled.
TEST(ParticleWorld, is_free_of_scales) {
    const auto scaled = [](double by) {
        Rope rope{.from = {-by, 0.25 * by, 0},
                  .to = {by, 0.5 * by, 0},
                  .length = 2.5 * by,
                  .pieces = 10,
                  .radius = 0.02 * by,
                  .pins = {0}};
        BodyDesc ball = soft_body("ball", Sphere{0.25 * by}, 1, {0.25 * by, 1.5 * by, 0});
        ball.velocity = {0, -by, 0};
        return scene_with({soft_body("rope", rope, 0.5), ball, floor_at(-by)}, {0, -10 * by, 0});
    };
    for (const double by : {128.0, 1 / 128.0}) {
        World other(scaled(by));
        World again(scaled(1));
        for (int k = 0; k < 100; ++k) {
            ASSERT_TRUE(again.step().ok);
            ASSERT_TRUE(other.step().ok);
        }
        const auto& x = again.frame().particles;
        const auto& y = other.frame().particles;
        ASSERT_EQ(x.size(), y.size());
        for (std::size_t k = 0; k < x.size(); ++k) EXPECT_EQ(x[k].position * by, y[k].position) << k;
    }
}

TEST(ParticleWorld, rope_at_rest_falls_asleep_and_wakes) {
    Rope rope{.from = {-0.5, 0.05, 0}, .to = {0.5, 0.05, 0}, .pieces = 6, .radius = 0.05, .pins = {}};
    Scene scene = scene_with({soft_body("rope", rope, 1), floor_at(0)});
    scene.settings.method.sleep = Switch::On;
    World world(scene);
    const BodyId id = world.find_body("rope");
    advance(world, 8);
    ASSERT_TRUE(world.is_asleep(id));
    const auto before = particles_of(world, 0);
    for (const ParticleState& p : before) EXPECT_EQ(p.velocity, Vec3{});
    advance(world, 9);
    EXPECT_EQ(particles_of(world, 0)[3].position, before[3].position);
    world.apply(ApplyImpulse{"rope", {0, 0.3, 0}, {}, Vec3{0.5, 0.05, 0}});
    advance(world, 9.1);
    EXPECT_FALSE(world.is_asleep(id));
    EXPECT_GT(particles_of(world, 0)[6].position.y, 0.06) << "the end that was pushed";
    EXPECT_LT(particles_of(world, 0)[0].position.y, 0.06) << "and not the other";
}

// A rope that swings about a fixed mean does not sleep in mid-air.
TEST(ParticleWorld, what_swings_does_not_sleep) {
    Rope rope{.from = {-1, 0, 0}, .to = {1, 0, 0}, .length = 2.4, .pieces = 10, .pins = {0, -1}};
    Scene scene = scene_with({soft_body("rope", rope, 1)});
    scene.settings.method.sleep = Switch::On;
    World world(scene);
    advance(world, 5);
    EXPECT_FALSE(world.is_asleep(world.find_body("rope")));
}

TEST(ParticleWorld, is_one_object) {
    World world(mixed());
    hashes_of(world, 40);
    const Frame& frame = world.frame();
    ASSERT_EQ(frame.particle_bodies.size(), 2u);
    EXPECT_EQ(frame.particle_bodies[0].count, 25u);
    EXPECT_EQ(frame.particle_bodies[1].first, 25u);
    Vec3 sum;
    for (std::size_t k = 25; k < 34; ++k) sum += frame.particles[k].position;
    EXPECT_LT(length(world.pose(world.find_body("rope")).position + Vec3{-0.25, 0.85, 0} - sum / 9.0), 0.1);
    bool has_touched = false;
    for (const Contact& c : frame.contacts) has_touched |= c.a == 0 || c.b == 0;
    EXPECT_TRUE(has_touched) << "contacts name the body";
    bool is_refused = false;
    for (const Outcome& o : world.outcomes())
        is_refused |= o.refused[static_cast<std::size_t>(IslandStepper::Articulated)] != Refusal::None;
    EXPECT_TRUE(is_refused);
}

TEST(ParticleWorld, other_steppers_leave_it_to_the_impulse_stepper) {
    for (const char* method : {"erleben", "aero", "bender", "accurate"}) {
        Scene scene = mixed();
        scene.settings.method = parse_method(method);
        World world(scene);
        hashes_of(world, 10);
        for (const Outcome& o : world.outcomes()) {
            if (o.first_body == 0) {
                EXPECT_EQ(o.stepper, IslandStepper::Impulse) << method;
            }
        }
    }
}

TEST(ParticleWorld, commands_put_and_remove) {
    World world(scene_with({floor_at(-1)}));
    Rope rope{.from = {0, 0, 0}, .to = {1, 0, 0}, .pieces = 4, .pins = {0}};
    world.apply(Put{.bodies = {soft_body("rope", rope, 1, {0, 2, 0})}});
    hashes_of(world, 20);
    EXPECT_EQ(world.frame().particles.size(), 5u);
    EXPECT_EQ(world.frame().particles[0].position, (Vec3{0, 2, 0}));
    const Vec3 end = world.frame().particles[4].position;
    // Put again with another mass: it stays where it is.
    world.apply(Put{.bodies = {soft_body("rope", rope, 3)}});
    ASSERT_TRUE(world.step().ok);
    EXPECT_LT(length(world.frame().particles[4].position - end), 0.1);
    EXPECT_NEAR(world.mass(world.find_body("rope")), 3, 1e-12);
    World other(scene_with({floor_at(-1)}));
    other.restore(world.checkpoint());
    EXPECT_EQ(hashes_of(other, 5), hashes_of(world, 5));
    world.apply(SetBody{.body = "rope", .velocity = Vec3{0, 5, 0}});
    world.apply(Remove{.bodies = {"rope"}});
    ASSERT_TRUE(world.step().ok);
    EXPECT_TRUE(world.frame().particles.empty());
}

TEST(ParticleWorld, quantities_name_particles) {
    World world(mixed());
    hashes_of(world, 5);
    const auto structure = world.structure();
    double value[3];
    find_quantity("bodies.rope.particle[8].position", *structure, {}).read(world.frame(), value);
    EXPECT_EQ(value[1], world.frame().particles[33].position.y);
    find_quantity("bodies.rope.particle[8].velocity.magnitude", *structure, {}).read(world.frame(), value);
    EXPECT_EQ(value[0], length(world.frame().particles[33].velocity));
    find_quantity("bodies.sheet.elastic", *structure, {}).read(world.frame(), value);
    EXPECT_GT(value[0], 0);
    find_quantity("particles[25].position.x", *structure, {}).read(world.frame(), value);
    EXPECT_EQ(value[0], -1);
    EXPECT_THROW(find_quantity("bodies.rope.particle[9].position", *structure, {}), InputError);
    EXPECT_THROW(find_quantity("bodies.ball.particle[0].position", *structure, {}), InputError);
}

struct Wrong {
    const char* path;
    void (*spoil)(BodyDesc& body);
};

TEST(ParticleWorld, refuses_what_makes_no_sense) {
    const auto shape = [](BodyDesc& b) -> Particles& { return std::get<Particles>(b.shape); };
    static const auto of = shape;
    const Wrong wrongs[] = {
        {"/bodies/0/shape/points/1/1", [](BodyDesc& b) { of(b).points[1].y = std::nan(""); }},
        {"/bodies/0/shape/points/1", [](BodyDesc& b) { of(b).points[1] = of(b).points[0]; }},
        {"/bodies/0/shape/points", [](BodyDesc& b) { of(b).points.clear(); }},
        {"/bodies/0/shape/masses/2", [](BodyDesc& b) { of(b).masses[2] = 0; }},
        {"/bodies/0/shape/masses", [](BodyDesc& b) { of(b).masses.pop_back(); }},
        {"/bodies/0/shape/links/3", [](BodyDesc& b) { of(b).links[3] = 17; }},
        {"/bodies/0/shape/links/1", [](BodyDesc& b) { of(b).links[1] = of(b).links[0]; }},
        {"/bodies/0/shape/links", [](BodyDesc& b) { of(b).links.pop_back(); }},
        {"/bodies/0/shape/pins/0", [](BodyDesc& b) { of(b).pins[0] = 8; }},
        {"/bodies/0/shape/pins/0", [](BodyDesc& b) { of(b).pins[0] = -9; }},
        {"/bodies/0/shape/pins", [](BodyDesc& b) { of(b).pins = {0, 1, 2, 3, 4, 5, 6, 7}; }},
        {"/bodies/0/shape/triangles/4", [](BodyDesc& b) { of(b).triangles[4] = 99; }},
        {"/bodies/0/shape/lengths",
         [](BodyDesc& b) {
             of(b).lengths = {1, 2};
         }},
        {"/bodies/0/shape/radius", [](BodyDesc& b) { of(b).radius = 0; }},
        {"/bodies/0/shape/compliance", [](BodyDesc& b) { of(b).compliance = -1; }},
        {"/bodies/0/kind", [](BodyDesc& b) { b.kind = BodyKind::Static; }},
        {"/bodies/0/sensor", [](BodyDesc& b) { b.sensor = true; }},
        {"/bodies/0/inertia",
         [](BodyDesc& b) {
             b.inertia = Vec3{1, 1, 1};
         }},
        {"/bodies/0/shape/length", [](BodyDesc& b) { b.shape = Rope{.length = 0.5}; }},
        {"/bodies/0/shape/to",
         [](BodyDesc& b) {
             b.shape = Rope{.from = {1, 0, 0}, .to = {1, 0, 0}};
         }},
        {"/bodies/0/shape/columns", [](BodyDesc& b) { b.shape = Sheet{.columns = 0}; }},
    };
    for (const Wrong& wrong : wrongs) {
        Scene scene = scene_with({soft_body("net", hammock(), 1)});
        wrong.spoil(scene.bodies[0]);
        const auto issues = validate(scene);
        ASSERT_FALSE(issues.empty()) << wrong.path;
        EXPECT_EQ(issues[0].path, wrong.path) << issues[0].message;
    }
}

TEST(ParticleWorld, refuses_joints_that_need_a_direction) {
    Scene scene = scene_with({soft_body("net", hammock(), 1), soft_body("ball", Sphere{0.2}, 1, {0, 1, 0})});
    JointDesc joint;
    joint.name = "wrong", joint.a = "ball", joint.b = "net", joint.joint = HingeJoint{};
    scene.joints = {joint};
    EXPECT_THROW(World{scene}, InputError);
    scene.joints.clear();
    World world(scene);
    EXPECT_THROW(world.apply(Put{.joints = {joint}}), InputError);
    EXPECT_THROW(world.apply(SetBody{.body = "net", .angular_velocity = Vec3{1, 0, 0}}), InputError);
    joint.joint = BallJoint{{0.5, 0, 0.5}};
    EXPECT_NO_THROW(world.apply(Put{.joints = {joint}}));
}

}  // namespace
}  // namespace impuls
