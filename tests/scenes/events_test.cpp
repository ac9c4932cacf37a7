// Example scenes whose point is what they report.
#include <map>

#include "scenes/example.h"

namespace impuls {
namespace {

// Free fall from 3.7 m with radius 0.2 m: into the barrier (2 m to 2.5 m), out of it, onto plate or floor.
TEST(Example, LightBarrier) {
    World world = open_example("light-barrier");
    std::map<std::pair<EventKind, std::string>, std::vector<double>> times;
    while (world.time() < duration(world) - 0.5 * world.dt()) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        for (const Event& e : world.frame().events) {
            const auto& bodies = world.structure()->bodies;
            const bool is_tick = e.kind == EventKind::TimerTick;
            times[{e.kind, is_tick ? "clock" : bodies[e.a].name + "-" + bodies[e.b].name}].push_back(
                world.time());
        }
    }
    const auto fall = [](double way) { return std::sqrt(2 * way / kG); };
    const auto expect_once = [&](EventKind kind, const std::string& who, double when) {
        const auto& told = times[{kind, who}];
        ASSERT_EQ(told.size(), 1u) << who;
        EXPECT_NEAR(told[0], when, 1.01 * world.dt()) << who;
    };
    for (const std::string ball : {"red", "blue"}) {
        expect_once(EventKind::TriggerIn, "barrier-" + ball, fall(1.0));
        expect_once(EventKind::TriggerOut, "barrier-" + ball, fall(1.9));
    }
    expect_once(EventKind::TouchBegin, "plate-red", fall(2.5));
    expect_once(EventKind::TouchBegin, "floor-blue", fall(3.5));
    EXPECT_NEAR(position(world, "red").y, 1.2, 1e-3);
    EXPECT_NEAR(position(world, "blue").y, 0.2, 1e-3);
    const auto& ticks = times[{EventKind::TimerTick, "clock"}];
    ASSERT_EQ(ticks.size(), 5u);
    EXPECT_NEAR(ticks[0], world.dt(), 1e-9);  // of time 0, told with the first step
    for (int k = 1; k < 5; ++k) EXPECT_NEAR(ticks[k], 0.5 * k, 1e-9);
    EXPECT_EQ(times.size(), 7u) << "something else was told";
}

}  // namespace
}  // namespace impuls
