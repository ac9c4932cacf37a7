// Dormant bodies (world/active_set.h): a world that leaves them aside against one that goes through
// everything in every step, with the same bits, events and frames, however they are woken; and what a step
// goes through.
#include <gtest/gtest.h>

#include <random>

#include "commands/check.h"
#include "running.h"
#include "support/full_size.h"

namespace impuls {
namespace {

constexpr int kStacks = 36;

BodyDesc in_yard(const std::string& name, const Shape& shape, const Vec3& at,
                 BodyKind kind = BodyKind::Dynamic) {
    BodyDesc b = some_body(name, shape, at, kind);
    b.material = "m";
    return b;
}

Shape dumbbell() {
    Compound both;
    both.parts.push_back({{-0.3, 0, 0}, {}, Box{{0.3, 0.4, 0.4}}});
    both.parts.push_back({{0.3, 0, 0}, {}, Box{{0.3, 0.4, 0.4}}});
    return both;
}

// Stacks that stand so close that the boxes of some of them overlap, two that hang, one on a lift, one in a
// sensor; and a ball that goes on bouncing aside.
Scene yard(const std::string& method) {
    Scene scene;
    scene.settings.method = parse_method(method);
    scene.settings.dt = 0.01;
    scene.settings.events.push_back(EventKind::ProximityBegin);
    scene.settings.events.push_back(EventKind::ProximityEnd);
    scene.materials.resize(2);
    scene.materials[0].name = "m", scene.materials[0].friction = 0.5;
    scene.materials[1].name = "rubber", scene.materials[1].restitution = 1;
    auto& bodies = scene.bodies;
    bodies.push_back(in_yard("floor", Plane{}, {}, BodyKind::Static));
    for (int k = 0; k < kStacks; ++k) {
        const std::string name = "s" + std::to_string(k);
        const Vec3 at{(k % 2 ? 1.04 : 0) + 2.5 * (k / 2 % 6), 0, 2.0 * (k / 12)};
        const bool is_odd = k % 5 == 4;
        const double half = is_odd ? 0.2 : 0.5;
        for (int level = 0; level < 2; ++level)
            bodies.push_back(in_yard(name + "_" + std::to_string(level),
                                     is_odd ? dumbbell() : Shape{Box{{1, 1, 1}}},
                                     at + Vec3{0, half * (2 * level + 1), 0}));
    }
    bodies.push_back(in_yard("lift", Box{{2, 0.5, 2}}, {-4, 0.25, 0}, BodyKind::Kinematic));
    bodies.push_back(in_yard("load", Box{{1, 1, 1}}, {-4, 1, 0}));
    bodies.push_back(in_yard("gate", Box{{2, 2, 2}}, {-4, 1, 4}, BodyKind::Static));
    bodies.back().sensor = true;
    bodies.push_back(in_yard("guarded", Box{{1, 1, 1}}, {-4, 0.5, 4}));
    bodies.push_back(in_yard("table", Box{{1, 1, 1}}, {-4, 0.5, 8}, BodyKind::Static));
    bodies.push_back(in_yard("cup", Box{{0.5, 0.5, 0.5}}, {-4, 1.25, 8}));
    for (int k = 0; k < 2; ++k) {
        const Vec3 at{-8.0, 3, 3.0 * k};
        const std::string name = "bob" + std::to_string(k);
        bodies.push_back(in_yard(name, Box{{0.4, 0.4, 0.4}}, at));
        JointDesc rope;
        rope.name = "rope" + std::to_string(k), rope.b = name, rope.joint = BallJoint{at + Vec3{0, 0.5, 0}};
        rope.break_force = 2000;  // it bears 628 N
        scene.joints.push_back(rope);
    }
    bodies.push_back(in_yard("ball", Sphere{0.3}, {-4, 1, -5}));
    bodies.back().material = "rubber";
    return scene;
}

void expect_same(Running& a, Running& b, const std::string& where) {
    ASSERT_EQ(hash_state(a.s), hash_state(b.s)) << where;
    ASSERT_EQ(a.s.output.events.size(), b.s.output.events.size()) << where;
    for (std::size_t k = 0; k < a.s.output.events.size(); ++k) {
        const Event &x = a.s.output.events[k], &y = b.s.output.events[k];
        ASSERT_TRUE(x.kind == y.kind && x.a == y.a && x.b == y.b && x.joint == y.joint) << where;
    }
    fill_frame(a.s), fill_frame(b.s);
    const Frame &f = a.s.output.frame, &g = b.s.output.frame;
    ASSERT_EQ(f.asleep, g.asleep) << where;
    ASSERT_EQ(f.contacts.size(), g.contacts.size()) << where;
    for (std::size_t k = 0; k < f.contacts.size(); ++k) {
        const auto &x = f.contacts[k], &y = g.contacts[k];
        ASSERT_TRUE(x.a == y.a && x.b == y.b && x.point == y.point && x.force == y.force) << where;
    }
    ASSERT_EQ(write_checkpoint(a.s), write_checkpoint(b.s)) << where;
}

// What a step does without anything set aside: the oracle.
void step_plainly(WorldState& s) {
    activate_all(s);
    s.active.quiet_steps = {};
    step_world(s);
}

std::size_t dormant_sleepers(const WorldState& s) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < s.active.dormant.is_dormant.size(); ++k)
        count += s.active.dormant.is_dormant[k] && s.bodies.is_dynamic(k);
    EXPECT_EQ(count, s.active.dormant.sleepers);
    return count;
}

// One command after another, each to a world most of which is dormant, some more while it is not.
std::vector<std::pair<std::string, std::vector<Command>>> disturbances() {
    SetBody hit{"ball"};
    hit.position = Vec3{-1.5, 1.5, 0}, hit.velocity = Vec3{6, 0, 0};
    SetBody away{"s7_1"}, table{"table"}, lift{"lift"}, stop{"lift"}, belt{"floor"}, still{"floor"};
    away.position = Vec3{-12, 0.5, -3};
    table.position = Vec3{-4, 0.3, 8.2};
    lift.velocity = Vec3{0, 0.2, 0};
    stop.velocity = Vec3{};
    belt.surface_velocity = Vec3{0.2, 0, 0}, still.surface_velocity = Vec3{};
    JointDesc rod;
    rod.name = "rod", rod.a = "s24_1", rod.b = "s25_1", rod.joint = FixedJoint{};
    MaterialDesc slippery;
    slippery.name = "m", slippery.friction = 0.4;
    ContactDesc contact;
    contact.a = "m", contact.b = "rubber", contact.friction = 0.2;
    BodyDesc extra = in_yard("extra", Sphere{0.25}, {5.2, 3, 4});
    return {{"impulse", {ApplyImpulse{"s3_1", {300, 0, 0}, {}, {}}}},
            {"force", {SetForce{"s4_0", {0, 0, 3000}, {}}}},
            {"force ends", {SetForce{"s4_0", {}, {}}}},
            {"hit", {hit}},
            {"moved", {away}},
            {"support moved", {table}},
            {"support removed", {Remove{.bodies = {"s10_0"}}}},
            {"support passive", {SetActive{"s12_0", false}}},
            {"support back", {SetActive{"s12_0", true}}},
            {"lift goes", {lift}},
            {"lift stops", {stop}},
            {"guarded goes", {ApplyImpulse{"guarded", {9000, 0, 0}, {}, {}}}},
            {"gate passive", {SetActive{"gate", false}}},
            {"something falls", {Put{.bodies = {extra}}}},
            {"joined", {Put{.joints = {rod}}}},
            {"joint off", {SetJoint{"rod", false}}},
            {"joint removed", {Remove{.joints = {"rod"}}}},
            {"overloaded", {SetForce{"bob0", {0, -4000, 0}, {}}}},
            {"rope removed", {Remove{.joints = {"rope1"}}}},
            {"belt", {belt}},
            {"belt stops", {still}},
            {"contact", {Put{.contacts = {contact}}}},
            {"material", {Put{.materials = {slippery}}}},
            {"gravity", {SetSettings{.gravity = Vec3{0.3, -9.81, 0}}}},
            {"two at once", {ApplyImpulse{"s20_1", {500, 0, 0}, {}, {}}, Remove{.bodies = {"s30_0"}}}}};
}

class DormantWorld : public testing::TestWithParam<const char*> {};

TEST_P(DormantWorld, goes_on_as_if_nothing_were_left_aside) {
    Running quick(yard(GetParam())), plain(yard(GetParam()));
    quick.s.executor = std::make_shared<Executor>(2);
    const auto advance = [&](int steps, const std::string& name) {
        for (int k = 0; k < steps; ++k) {
            step_world(quick.s), step_plainly(plain.s);
            ASSERT_TRUE(quick.s.output.status.ok) << quick.s.output.status.message;
            expect_same(quick, plain, name + ", step " + std::to_string(k));
            if (testing::Test::HasFatalFailure()) return;
        }
    };
    advance(250, "start");  // what trembles must have stayed in its place for 1.6 s
    EXPECT_GE(dormant_sleepers(quick.s), 2u * kStacks);
    EXPECT_EQ(dormant_sleepers(plain.s), 0u);
    std::size_t most = 0;
    for (const auto& [name, commands] : disturbances()) {
        for (const Command& command : commands)
            for (Running* world : {&quick, &plain}) {
                check_command(present_world(world->s), command);
                world->s.commands.pending.push_back(command);
            }
        advance(1, name);
        most = std::max(most, dormant_sleepers(quick.s));  // the others go on sleeping
        advance(24, name);
        if (HasFatalFailure()) return;
    }
    EXPECT_GE(most, 2u * kStacks - 4);
    EXPECT_EQ(quick.s.output.warnings, plain.s.output.warnings);
    advance(150, "end");
    EXPECT_GE(dormant_sleepers(quick.s), 10u);
}

INSTANTIATE_TEST_SUITE_P(, DormantWorld, testing::Values("erleben", "fast+sleep=on", "default+sleep=on"));

// Any command to any body, at any time.
Command random_command(const WorldState& s, std::mt19937& rng) {
    const auto pick = [&](int n) { return static_cast<int>(rng() % static_cast<unsigned>(n)); };
    const auto number = [&](double scale) { return scale * (pick(2001) - 1000) / 1000; };
    const auto vec = [&](double scale) { return Vec3{number(scale), number(scale), number(scale)}; };
    const SceneRef structure = structure_of(s);
    const auto& bodies = structure->bodies;
    const auto k = static_cast<std::size_t>(pick(static_cast<int>(bodies.size())));
    const std::string name = bodies[k].name;
    SetBody set{name};
    switch (pick(12)) {
        case 0:
        case 1:
            return ApplyImpulse{name, vec(3000), vec(500), {}};
        case 2:
            return SetForce{name, pick(2) ? vec(5000) : Vec3{}, {}};
        case 3:
        case 4:
            set.position = Vec3{number(8), 1 + number(0.5), number(5)};
            if (k == 0) set.position = Vec3{0, number(0.01), 0};
            return set;
        case 5:
            if (bodies[k].kind != BodyKind::Static) set.velocity = pick(2) ? vec(1) : Vec3{};
            return set;
        case 6:
            return SetActive{name, pick(4) > 0};
        case 7:
            if (k > 0 && bodies.size() > 60) return Remove{.bodies = {name}};
            return SetBody{name};
        case 8:
            return Put{
                .bodies = {in_yard("n" + std::to_string(rng()), Sphere{0.3}, {number(9), 2, number(9)})}};
        case 9:
            if (!s.described.parts().joints.empty())
                return SetJoint{s.described.parts().joints[0].name, pick(2) > 0};
            return SetBody{name};
        case 10:
            set.surface_velocity = pick(2) ? vec(0.3) : Vec3{};
            if (k == 0) set.surface_velocity = Vec3{};
            return set;
        default:
            return pick(4) ? Command{set} : Command{SetSettings{.gravity = Vec3{number(0.2), -9.81, 0}}};
    }
}

TEST(Dormant, goes_on_whatever_is_told) {
    const BroadPhaseKind kinds[] = {BroadPhaseKind::Tree, BroadPhaseKind::SweepAndPrune,
                                    BroadPhaseKind::Grid};
    for (unsigned seed = 0; seed < (is_long() ? 30 : kSlowBuild ? 1 : 3); ++seed) {
        std::mt19937 rng(seed);
        Scene scene = yard(seed % 2 ? "erleben" : "fast+sleep=on");
        scene.settings.broad_phase = kinds[seed % 3];
        Running quick(scene), plain(scene);
        std::size_t dormant = 0;
        for (int k = 0; k < 500; ++k) {
            if (k > 60 && rng() % 12 == 0) {
                const Command command = random_command(quick.s, rng);
                quick.s.commands.pending.push_back(command), plain.s.commands.pending.push_back(command);
            }
            step_world(quick.s), step_plainly(plain.s);
            expect_same(quick, plain, "seed " + std::to_string(seed) + ", step " + std::to_string(k));
            if (HasFatalFailure()) return;
            dormant += dormant_sleepers(quick.s);
        }
        EXPECT_GT(dormant, 500u * 20) << seed;
    }
}

TEST(Dormant, is_forgotten_by_checkpoints) {
    Running world(yard("fast+sleep=on")), other(yard("fast+sleep=on"));
    world.step(100);
    ASSERT_GT(dormant_sleepers(world.s), 0u);
    read_checkpoint(other.s, write_checkpoint(world.s));
    EXPECT_EQ(dormant_sleepers(other.s), 0u);
    for (int k = 0; k < 30; ++k) {
        if (k == 10)
            for (Running* w : {&world, &other})
                w->s.commands.pending.push_back(ApplyImpulse{"s9_1", {0, 500, 0}, {}, {}});
        world.step(), other.step();
        expect_same(world, other, std::to_string(k));
    }
}

// Those who ask for every touch in every step get it.
TEST(Dormant, not_where_touches_are_told_in_every_step) {
    Scene scene = yard("fast+sleep=on");
    scene.settings.events.push_back(EventKind::TouchPersist);
    Running world(scene);
    world.step(100);
    EXPECT_EQ(dormant_sleepers(world.s), 0u);
    EXPECT_GT(world.s.output.events.size(), 2u * kStacks);
}

// Cubes alone on a floor and a ball that bounces beside them.
Scene field(int count) {
    Scene scene = yard("fast+sleep=on");
    const BodyDesc floor = scene.bodies.front(), ball = scene.bodies.back();
    scene.bodies = {floor}, scene.joints.clear();
    for (int k = 0; k < count; ++k)
        scene.bodies.push_back(
            in_yard("b" + std::to_string(k), Box{{1, 1, 1}}, {2.0 * (k % 50), 0.5, 2.0 * (k / 50)}));
    scene.bodies.push_back(ball);
    return scene;
}

TEST(Dormant, a_step_visits_the_active_set_alone) {
    for (const int count : {500, 2000}) {
        Running world(field(count));
        world.step(60);
        bool has_bounced = false;
        for (int k = 0; k < 100; ++k) {
            const auto calls = world.s.pairs.cache.calls();
            world.step();
            const WorldState& s = world.s;
            ASSERT_EQ(s.active.dormant.sleepers, static_cast<std::size_t>(count));
            ASSERT_EQ(s.active.lists.bodies.size(), 1u);
            ASSERT_EQ(s.active.lists.colliders.size(), 1u);
            ASSERT_LE(s.pairs.colliders.size(), 1u);
            ASSERT_LE(s.graph.edges.size(), 1u);
            ASSERT_LE(s.contacts.size(), 1u);
            ASSERT_LE(s.islands.groups.bodies.size() + s.islands.groups.free_bodies.size(), 1u);
            ASSERT_LE(s.islands.schedule.chunks(), 1u);
            ASSERT_LE(s.pairs.cache.calls() - calls, 20u);
            has_bounced |= !s.contacts.empty();
        }
        EXPECT_TRUE(has_bounced);
        // One that is touched comes into play, and no other.
        world.s.commands.pending.push_back(ApplyImpulse{"b17", {0, 10, 0}, {}, {}});
        world.step();
        EXPECT_EQ(world.s.active.lists.bodies.size(), 2u);
        EXPECT_EQ(world.s.active.dormant.sleepers, static_cast<std::size_t>(count) - 1);
    }
}

}  // namespace
}  // namespace impuls
