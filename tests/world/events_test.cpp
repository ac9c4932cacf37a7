// Events of a world: told once, never lost, also across checkpoints.
#include <gtest/gtest.h>

#include <map>

#include "running.h"

namespace impuls {
namespace {

Scene trigger_scene() {
    Scene scene = scene_with_floor();
    scene.settings.events.clear();
    for (int k = 0; k < kEventKinds; ++k) scene.settings.events.push_back(static_cast<EventKind>(k));
    BodyDesc gate = some_body("gate", Box{{1, 0.4, 1}}, {0, 1, 0}, BodyKind::Static);
    gate.sensor = true;
    scene.bodies.insert(scene.bodies.end(), {gate, some_body("ball", Sphere{0.1}, {0, 2, 0})});
    scene.timeline.push_back({1.5, Remove{.bodies = {"ball"}}});
    scene.timers.push_back({"clock", 0.25, 0.1});
    return scene;
}

// What is told in one step, with its number.
using Story = std::vector<std::pair<std::int64_t, Event>>;

void append(World& world, Story& story) {
    for (const Event& e : world.frame().events) story.push_back({world.steps(), e});
}

TEST(SpecShock, T7_each_event_is_told_once) {
    World world(trigger_scene());
    Story story;
    for (int k = 0; k < 160; ++k) world.step(), append(world, story);
    std::map<EventKind, int> count;
    std::map<EventKind, double> time;
    for (const auto& [step, e] : story) {
        if (e.kind <= EventKind::TouchEnd) {
            EXPECT_EQ(e.a, 0u);
        }
        if (e.kind == EventKind::TouchBegin) {
            EXPECT_EQ(e.b, 2u);
        }
        if (e.kind == EventKind::TouchEnd) {
            EXPECT_EQ(e.b, kNoBody);
        }
        if (e.kind == EventKind::TriggerIn || e.kind == EventKind::TriggerOut) {
            EXPECT_EQ(e.a, 1u);
            EXPECT_EQ(e.b, 2u);
        }
        ++count[e.kind], time[e.kind] = static_cast<double>(step) * world.dt();
    }
    EXPECT_EQ(count[EventKind::TriggerIn], 1);
    EXPECT_EQ(count[EventKind::TriggerOut], 1);
    EXPECT_EQ(count[EventKind::TouchBegin], 1);
    EXPECT_GE(count[EventKind::TouchPersist], 50);
    EXPECT_EQ(count[EventKind::TouchEnd], 1);
    EXPECT_GE(count[EventKind::ProximityBegin], 2);
    EXPECT_EQ(count[EventKind::ProximityBegin], count[EventKind::ProximityEnd]);
    EXPECT_EQ(count[EventKind::TimerTick], 7);  // 0.1, 0.35, ..., 1.6
    const auto fall = [](double way) { return std::sqrt(2 * way / 9.81); };
    const double dt = world.dt();
    EXPECT_NEAR(time[EventKind::TriggerIn], fall(0.7), dt);
    EXPECT_NEAR(time[EventKind::TriggerOut], fall(1.3), dt);
    EXPECT_NEAR(time[EventKind::TouchBegin], fall(1.9), dt);
    EXPECT_NEAR(time[EventKind::TouchEnd], 1.5 + dt, 1e-9);
}

TEST(SpecShock, T7_checkpoints_neither_lose_nor_double_events) {
    World whole(trigger_scene());
    Story expected, story;
    for (int k = 0; k < 160; ++k) whole.step(), append(whole, expected);
    auto broken = std::make_unique<World>(trigger_scene());
    for (int k = 0; k < 160; ++k) {
        if (k % 3 == 0) {  // another world goes on
            const auto bytes = broken->checkpoint();
            broken = std::make_unique<World>(trigger_scene());
            broken->restore(bytes);
        }
        broken->step(), append(*broken, story);
    }
    EXPECT_EQ(story, expected);
    EXPECT_EQ(whole.state_hash(), broken->state_hash());
    // Back to before the fall, and once more.
    World again(trigger_scene());
    const auto start = again.checkpoint();
    for (int round = 0; round < 2; ++round) {
        again.restore(start);
        story.clear();
        for (int k = 0; k < 160; ++k) again.step(), append(again, story);
        EXPECT_EQ(story, expected);
    }
}

TEST(Events, only_wanted_kinds_are_told) {
    Scene scene = trigger_scene();
    scene.settings.events = {EventKind::TriggerIn};
    World world(scene);
    Story story;
    for (int k = 0; k < 160; ++k) world.step(), append(world, story);
    ASSERT_EQ(story.size(), 1u);
    EXPECT_EQ(story[0].second.kind, EventKind::TriggerIn);
}

// A sensor pushes nothing, whatever it holds and however it moves.
TEST(Events, sensors_push_nothing) {
    Scene with = scene_with_floor();
    with.bodies.push_back(some_body("ball", Sphere{0.1}, {0, 2, 0}));
    Scene without = with;
    BodyDesc field = some_body("field", Sphere{0.8}, {0.3, 1, 0});
    field.sensor = true, field.velocity = {0, 3, 0};
    with.bodies.push_back(field);
    World a(with), b(without);
    bool is_inside = false;
    int changes = 0;
    for (int k = 0; k < 150; ++k) {
        a.step(), b.step();
        for (const Event& e : a.frame().events) {
            if (e.b != 1 || (e.kind != EventKind::TriggerIn && e.kind != EventKind::TriggerOut)) continue;
            is_inside = e.kind == EventKind::TriggerIn, ++changes;
        }
        const Vec3 way = a.pose(a.find_body("field")).position - a.pose(a.find_body("ball")).position;
        ASSERT_EQ(is_inside, length(way) <= 0.9) << k;
        ASSERT_EQ(a.pose(a.find_body("ball")).position, b.pose(b.find_body("ball")).position);
    }
    EXPECT_GE(changes, 3);
}

// A bullet of one metre a step, a gate of a centimetre: in and out are told in the step in which it passes,
// beside the gate nothing; whichever of the two moves, and also when the gate turns in place like a
// propeller.
TEST(Events, a_sensor_sees_what_passes_within_a_step) {
    const auto in_and_out = [](Scene scene, std::int64_t& step) {
        scene.settings.gravity = {}, scene.settings.dt = 0.01;
        World world(scene);
        std::vector<EventKind> told;
        for (int k = 0; k < 20; ++k) {
            world.step();
            for (const Event& e : world.frame().events) {
                EXPECT_EQ(e.a, 0u);
                EXPECT_EQ(e.b, 1u);
                told.push_back(e.kind), step = world.steps();
            }
        }
        return told;
    };
    const std::vector<EventKind> both{EventKind::TriggerIn, EventKind::TriggerOut};
    BodyDesc gate = some_body("gate", Box{{0.01, 1, 1}}, {}, BodyKind::Kinematic);
    gate.sensor = true;
    for (const bool gate_moves : {false, true})
        for (const double beside : {0.0, 0.51, 0.53}) {
            BodyDesc bullet = some_body("bullet", Sphere{0.02}, {-7.4, beside, 0});
            bullet.velocity = {100, 0, 0};
            Scene scene;
            scene.bodies = {gate, bullet};
            if (gate_moves) scene.bodies[0].velocity = {-100, 0, 0}, scene.bodies[1].velocity = {};
            std::int64_t step = 0;
            const auto told = in_and_out(scene, step);
            if (beside > 0.52) {
                EXPECT_TRUE(told.empty());
            } else {
                EXPECT_EQ(told, both) << gate_moves << ' ' << beside;
                EXPECT_EQ(step, 8);
            }
        }
    // Half a turn a step: the blade, along y at every end of a step, sweeps the ball on the x axis.
    BodyDesc blade = some_body("blade", Box{{0.01, 2, 0.1}}, {}, BodyKind::Kinematic);
    blade.sensor = true, blade.angular_velocity = {0, 0, 100 * 3.141592653589793};
    Scene scene;
    scene.bodies = {blade, some_body("ball", Sphere{0.02}, {0.5, 0, 0})};
    std::int64_t step = 0;
    EXPECT_EQ(in_and_out(scene, step).size(), 40u);  // in and out in each of 20 steps
    scene.bodies[1].position.x = 1.03;
    EXPECT_TRUE(in_and_out(scene, step).empty());
}

TEST(Events, a_bouncing_ball_touches_at_each_bounce) {
    Scene scene = scene_with_floor();
    MaterialDesc rubber;
    rubber.name = "rubber", rubber.restitution = 0.8;
    scene.materials.push_back(rubber);
    scene.bodies[0].material = "rubber";
    scene.bodies.push_back(some_body("ball", Sphere{0.1}, {0, 1.1, 0}));
    World world(scene);
    std::vector<double> begins;
    int ends = 0;
    for (int k = 0; k < 250; ++k) {
        world.step();
        for (const Event& e : world.frame().events) {
            if (e.kind == EventKind::TouchBegin) begins.push_back(world.time());
            ends += e.kind == EventKind::TouchEnd;
        }
    }
    const double fall = std::sqrt(2 / 9.81);  // then 2 fall 0.8^n between bounces
    ASSERT_GE(begins.size(), 4u);
    double t = fall, pause = 2 * fall;
    for (int k = 0; k < 4; ++k) {
        EXPECT_NEAR(begins[k], t, 2 * world.dt()) << k;
        t += pause *= 0.8;
    }
    EXPECT_GE(ends, 3);
}

}  // namespace
}  // namespace impuls
