// Islands side by side (steppers/schedule.h): same bits on any number of threads, sleepers as they are, and
// nothing left after clear().
#include "steppers/schedule.h"

#include <gtest/gtest.h>

#include "hand_made.h"

namespace impuls {
namespace {

constexpr int kIslands = 40;

// Boxes that slide, drop and spin, stacks of two, pendulums: each by itself.
struct Many : HandMade {
    IslandSchedule schedule{};
    std::vector<Motion> next{};
    std::vector<std::uint8_t> is_asleep = std::vector<std::uint8_t>(kIslands, 0);

    explicit Many(int threads) : HandMade("default", threads) {
        reach = 0.5;
        add_ground();
        for (int k = 0; k < kIslands; ++k) {
            const Vec3 at{5.0 * k, 0.5, 0};
            BodyDesc box = some_body(Box{{1, 1, 1}}, at, {0.1 * k, 0, 0.3});
            if (k % 3 == 0) box.angular_velocity = {0, 0.2 * k, 0};
            if (k % 4 == 0) box.position.y = 0.52;
            if (k % 5 == 4) {
                box.collides = false;
                hold(kNoBody, add(box), BallJoint{at + Vec3{1, 0, 0}});
                continue;
            }
            add(box);
            if (k % 4 == 1) add(some_body(Box{{0.8, 0.8, 0.8}}, at + Vec3{0.1, 0.9, 0}, {}, 1));
        }
    }
    void advance() {
        prepare();
        ASSERT_EQ(groups.size(), static_cast<std::size_t>(kIslands));
        next.assign(bodies.size(), {});
        for (std::uint32_t k = 0; k < bodies.size(); ++k)
            if (!bodies.is_dynamic(k)) next[k] = {bodies.pose[k], bodies.v[k], bodies.w[k]};
        StepOutput out{next, joints, bodies};
        schedule.advance(view(), groups, is_asleep, out);
    }
    // Bodies and contacts are then those after the step.
    void take_over_all() {
        std::vector<std::vector<ContactPoint>> by_pair(keys.size());
        for (std::size_t c = 0; c < schedule.chunks(); ++c) {
            const ContactResults& contacts = schedule.results(c).contacts;
            for (std::size_t k = 0; k < contacts.pair.size(); ++k)
                by_pair[contacts.pair[k]].push_back(contacts.point[k]);
        }
        points.clear();
        for (const auto& list : by_pair)
            for (const ContactPoint& point : list) points.push_back(point);
        for (std::uint32_t k = 0; k < bodies.size(); ++k) {
            bodies.pose[k] = next[k].pose;
            bodies.v[k] = next[k].v;
            bodies.w[k] = next[k].w;
        }
    }
    std::vector<Outcome> outcomes() const {
        std::vector<Outcome> all;
        for (std::size_t c = 0; c < schedule.chunks(); ++c) {
            const auto& list = schedule.results(c).outcomes;
            all.insert(all.end(), list.begin(), list.end());
        }
        return all;
    }
};

void expect_same_step(const Many& is, const Many& was) {
    ASSERT_EQ(is.next.size(), was.next.size());
    for (std::size_t k = 0; k < was.next.size(); ++k) {
        EXPECT_EQ(is.next[k].pose, was.next[k].pose) << k;
        EXPECT_EQ(is.next[k].v, was.next[k].v) << k;
        EXPECT_EQ(is.next[k].w, was.next[k].w) << k;
    }
    EXPECT_EQ(is.joints.impulse.value, was.joints.impulse.value);
    EXPECT_EQ(is.joints.pace, was.joints.pace);
    ASSERT_EQ(is.schedule.chunks(), was.schedule.chunks());
    for (std::size_t c = 0; c < was.schedule.chunks(); ++c) {
        const ContactResults &a = is.schedule.results(c).contacts, &b = was.schedule.results(c).contacts;
        ASSERT_EQ(a.pair, b.pair);
        for (std::size_t k = 0; k < b.pair.size(); ++k) {
            EXPECT_EQ(a.point[k].sum, b.point[k].sum);
            EXPECT_EQ(a.point[k].position, b.point[k].position);
        }
    }
}

TEST(IslandSchedule, gives_the_same_bits_on_any_number_of_threads) {
    Many one(1), two(2), four(4);
    for (int k = 0; k < 20; ++k) {
        for (Many* many : {&one, &two, &four}) {
            many->advance();
            ASSERT_EQ(many->outcomes().size(), static_cast<std::size_t>(kIslands));
        }
        expect_same_step(two, one);
        expect_same_step(four, one);
        for (Many* many : {&one, &two, &four}) many->take_over_all();
    }
    // In the order of the islands, by two steppers.
    const std::vector<Outcome> outcomes = one.outcomes();
    std::size_t articulated = 0;
    for (std::size_t k = 0; k < outcomes.size(); ++k) {
        if (k > 0) {
            EXPECT_GT(outcomes[k].first_body, outcomes[k - 1].first_body);
        }
        articulated += outcomes[k].stepper == IslandStepper::Articulated;
    }
    EXPECT_GT(articulated, 0u);
    EXPECT_GT(one.points.size(), static_cast<std::size_t>(kIslands));
}

TEST(IslandSchedule, keeps_sleepers_as_they_are) {
    Many awake(1), half(2);
    for (Many* many : {&awake, &half})
        for (int k = 0; k < 5; ++k) {
            many->advance();
            many->take_over_all();
        }
    for (std::size_t i = 0; i < kIslands; i += 2) half.is_asleep[i] = 1;
    awake.advance();
    half.advance();
    EXPECT_EQ(half.outcomes().size(), static_cast<std::size_t>(kIslands / 2));
    for (std::size_t i = 0; i < kIslands; ++i)
        for (auto k = half.groups.body_start[i]; k < half.groups.body_start[i + 1]; ++k) {
            const std::uint32_t body = half.groups.bodies[k];
            if (half.is_asleep[i]) {
                EXPECT_EQ(half.next[body].pose, half.bodies.pose[body]);
                EXPECT_EQ(half.next[body].v, half.bodies.v[body]);
                EXPECT_EQ(half.next[body].w, half.bodies.w[body]);
            } else {
                EXPECT_EQ(half.next[body].pose, awake.next[body].pose);
                EXPECT_EQ(half.next[body].v, awake.next[body].v);
            }
        }
    // Their contacts are those of before, impulses and all.
    const ContactPoints before = half.points;
    half.is_asleep.assign(kIslands, 1);
    half.advance();
    EXPECT_TRUE(half.outcomes().empty());
    half.take_over_all();
    std::size_t present = 0;
    for (const ContactPoint& point : before) {
        if (!point.is_present) continue;
        ASSERT_LT(present, half.points.size());
        EXPECT_EQ(half.points[present].key, point.key);
        EXPECT_EQ(half.points[present].sum, point.sum);
        EXPECT_EQ(half.points[present].previous_n, point.previous_n);
        ++present;
    }
    EXPECT_EQ(half.points.size(), present);
    EXPECT_GT(present, 0u);
}

TEST(IslandSchedule, forgets_everything_and_goes_on_the_same) {
    Many kept(1), cleared(1);
    EXPECT_EQ(kept.schedule.chunks(), 0u);
    for (int k = 0; k < 10; ++k) {
        cleared.schedule.clear();
        EXPECT_EQ(cleared.schedule.chunks(), 0u);
        kept.advance();
        cleared.advance();
        EXPECT_GT(kept.schedule.chunks(), 0u);
        expect_same_step(cleared, kept);
        kept.take_over_all();
        cleared.take_over_all();
    }
}

}  // namespace
}  // namespace impuls
