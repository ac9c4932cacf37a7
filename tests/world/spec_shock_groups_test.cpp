// Islands do not change motion (Erleben 2005, 5.7): the same world solved as one group and group by group.
#include <gtest/gtest.h>

#include <algorithm>

#include "running.h"
#include "support/full_size.h"

namespace impuls {
namespace {

// A step in which all groups are one.
void step_as_one(WorldState& s) {
    apply_commands(s), find_pairs(s), screen_pairs(s), build_islands(s);
    Groups& g = s.islands.groups;
    for (auto* list : {&g.bodies, &g.pairs, &g.joints}) std::sort(list->begin(), list->end());
    const auto all = [](const auto& list) {
        return std::vector<std::uint32_t>{0, static_cast<std::uint32_t>(list.size())};
    };
    g.body_start = all(g.bodies), g.pair_start = all(g.pairs), g.joint_start = all(g.joints);
    wake_islands(s);
    StepOutput out{s.islands.next, s.joints, s.bodies};
    s.islands.schedule.advance(view_of(s), g, s.islands.is_asleep, out);
    fly_all(s.bodies, g.free_bodies, s.gravity, s.method.integrator, s.dt, s.islands.next);
    collect(s), deliver_events(s), fall_asleep(s);
}

TEST(SpecShock, T1_groups_do_not_change_motion) {
    for (const char* method : {"erleben+sleep=off", "erleben+sleep=off+shock=off"}) {
        Scene scene = scene_with_floor();
        scene.settings.method = parse_method(method);
        for (int stack = 0; stack < 3; ++stack)
            for (int k = 0; k < 3; ++k)
                scene.bodies.push_back(
                    some_body("b" + std::to_string(3 * stack + k), Box{{1, 0.8, 1}},
                              {5.0 * stack + 0.1 * k * stack, 0.4 + 0.8 * k + 0.1 * k * k, 0.05 * k}));
        Running apart(scene), together(scene);
        double difference = 0, way = 0;
        const auto first = apart.s.bodies.pose;
        for (int step = 0; step < (is_long() ? 1000 : 200); ++step) {
            apart.step();
            ASSERT_EQ(apart.s.islands.groups.size(), 3u);
            step_as_one(together.s);
            ASSERT_TRUE(apart.s.output.status.ok && together.s.output.status.ok);
            for (std::size_t k = 0; k < apart.s.bodies.size(); ++k) {
                const Vec3& x = apart.s.bodies.pose[k].position;
                way = std::max(way, length(x - first[k].position));
                difference = std::max(difference, length(x - together.s.bodies.pose[k].position));
            }
        }
        EXPECT_GT(way, 0.1);
        EXPECT_LE(difference, 1e-12) << method;
    }
}

}  // namespace
}  // namespace impuls
