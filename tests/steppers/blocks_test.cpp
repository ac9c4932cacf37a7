// The block stepper (steppers/blocks/step.h) on islands made by hand, without a world: closed forms, each
// reason to refuse, and that a refused island is as it was.
#include "steppers/blocks/step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "collision/graph/groups.h"
#include "impuls/scene.h"
#include "steppers/scatter.h"
#include "support/constants.h"

namespace impuls {
namespace {

constexpr double kDt = 1.0 / 60;

// One island: all dynamic bodies, one pair for every two bodies of which one is dynamic, all joints.
struct OneIsland {
    Scene structure{};
    Method method = resolve(parse_method("fast"));
    Vec3 gravity{0, -kG, 0};
    BodySet bodies{};
    JointSet joints{};
    ContactLaws laws{};
    Executor executor{1};
    std::vector<std::uint32_t> number{}, first{}, node_of{}, old_start{};
    std::vector<Outline> outlines{};
    std::vector<double> sizes{};
    std::vector<Pair> colliders{}, body_pairs{};
    std::vector<PairKey> keys{};
    ContactPoints points{};
    PairCache cache{};
    Groups groups{};
    Island island{};
    blocks::Scratch scratch{};
    Results results{};
    Outcome outcome{};

    explicit OneIsland(double friction = 0.5) {
        structure.materials.emplace_back().name = "m";
        structure.materials[0].friction = friction;
        BodyDesc ground;
        ground.name = "ground";
        ground.kind = BodyKind::Static;
        ground.shape = Plane{};
        add(ground);
    }
    void add(const BodyDesc& desc) {
        structure.bodies.push_back(desc);
        bodies.add(desc, structure.materials[0]);
    }
    void hold(std::uint32_t body, const Joint& joint) {
        JointDesc desc;
        desc.joint = joint;
        joints.add(desc, bodies, kNoBody, body);
    }
    void without_pairs() {
        groups.pairs.clear();
        groups.pair_start = {0, 0};
    }

    WorldView view() {
        WorldView v{method, kDt, gravity, bodies, joints, laws, structure, {}, {}, executor};
        v.colliders = {number, first, outlines, sizes};
        v.pairs = {colliders, body_pairs, keys, points, old_start, &cache};
        return v;
    }
    // What the world knows before a step: outlines, pairs, groups.
    void prepare() {
        laws.build(structure.materials, structure.contacts);
        const auto count = static_cast<std::uint32_t>(bodies.size());
        number.clear();
        first.clear();
        outlines.clear();
        sizes.clear();
        groups = {};
        for (std::uint32_t k = 0; k < count; ++k) {  // one collider each
            const Collider& c = bodies.colliders[k].at(0);
            first.push_back(k);
            number.push_back(0);
            outlines.push_back({bodies.pose[k] * c.X_BC.position, bodies.v[k], 0,
                                c.kind == ColliderKind::Sphere ? c.radius : 0});
            sizes.push_back(c.size);
            if (bodies.is_dynamic(k)) groups.bodies.push_back(k);
        }
        first.push_back(count);
        const bool is_new = colliders.empty();
        colliders.clear();
        body_pairs.clear();
        keys.clear();
        old_start.clear();
        for (std::uint32_t a = 0; a < count; ++a)
            for (std::uint32_t b = a + 1; b < count; ++b) {
                if (!bodies.is_dynamic(a) && !bodies.is_dynamic(b)) continue;
                colliders.emplace_back(a, b);
                body_pairs.emplace_back(a, b);
                keys.push_back({bodies.uid[a], bodies.uid[b], 0, 0});
                groups.pairs.push_back(static_cast<std::uint32_t>(keys.size() - 1));
                const auto at = std::find_if(points.begin(), points.end(),
                                             [&](const auto& p) { return p.key >= keys.back(); });
                old_start.push_back(static_cast<std::uint32_t>(at - points.begin()));
            }
        old_start.push_back(static_cast<std::uint32_t>(points.size()));
        std::vector<LastPlace> places;
        for (std::size_t p = 0; p < keys.size(); ++p) places.emplace_back(p, !is_new);
        cache.match(places);
        for (std::uint32_t j = 0; j < joints.size(); ++j) groups.joints.push_back(j);
        const auto ends = [](const auto& list) {
            return std::vector<std::uint32_t>{0, static_cast<std::uint32_t>(list.size())};
        };
        groups.body_start = ends(groups.bodies);
        groups.pair_start = ends(groups.pairs);
        groups.joint_start = ends(groups.joints);
        node_of.resize(count);
    }
    Refusal advance() {
        const WorldView v = view();
        gather(v, groups, 0, node_of, island);
        results.clear();
        outcome = {};
        const Refusal refusal = blocks::fits(v, island);
        return refusal != Refusal::None ? refusal : blocks::advance(v, island, scratch, results, outcome);
    }
    // A step that must succeed; bodies and contacts are then those after it.
    void step() {
        prepare();
        ASSERT_EQ(advance(), Refusal::None);
        ASSERT_EQ(results.failure, "");
        std::vector<Motion> next(bodies.size());
        StepOutput out{next, joints};
        scatter(view(), island, out);
        for (const IslandNode& node : island.dynamic_nodes()) {
            bodies.pose[node.body] = next[node.body].pose;
            bodies.v[node.body] = next[node.body].v;
            bodies.w[node.body] = next[node.body].w;
        }
        points = results.contacts.point;
    }
    Vec3 impulse() const {
        Vec3 sum;
        for (const ContactPoint& p : points) sum += p.sum;
        return sum;
    }
};

BodyDesc body(const Shape& shape, const Vec3& at, const Vec3& v = {}) {
    BodyDesc desc;
    desc.name = "body";
    desc.shape = shape;
    desc.position = at;
    desc.velocity = v;
    desc.mass = 2;
    return desc;
}

BodyDesc resting_box(const Vec3& v = {}) {
    return body(Box{{1, 1, 1}}, {0, 0.5, 0}, v);
}

TEST(BlockStepper, a_box_at_rest_is_borne_by_its_weight) {
    OneIsland one;
    one.add(resting_box());
    for (int k = 0; k < 120; ++k) one.step();
    EXPECT_NEAR(one.impulse().y, 2 * kG * kDt, 1e-4 * 2 * kG * kDt);
    EXPECT_LT(length(one.bodies.v[1]), 1e-5);
    EXPECT_NEAR(one.bodies.pose[1].position.y, 0.5, 2e-3);
    EXPECT_GE(one.outcome.substeps, 4u);
    EXPECT_EQ(one.outcome.iterations, 2 * one.outcome.substeps);
    EXPECT_TRUE(std::isnan(one.outcome.residual));
}

// v = v_0 - mu g t, and friction gives mu m g dt in a step.
TEST(BlockStepper, a_sliding_box_slows_down_as_coulomb_says) {
    OneIsland one(0.3);
    one.add(resting_box({4, 0, 0}));
    for (int k = 0; k < 60; ++k) one.step();
    EXPECT_NEAR(one.bodies.v[1].x, 4 - 0.3 * kG, 2e-3);
    EXPECT_NEAR(one.impulse().x, -0.3 * 2 * kG * kDt, 1e-3 * 2 * kG * kDt);
}

// A pendulum of a ball on a lever, away from the ground: m g l (1 - cos) falls as kinetic energy, and the
// joint bears m (g + v^2/l) at the lowest point.
TEST(BlockStepper, a_pendulum_gains_no_energy_and_pulls_at_its_joint) {
    OneIsland one;
    one.add(body(Sphere{0.1}, {1, 2, 0}));
    one.hold(1, BallJoint{{0, 2, 0}});
    const double energy = 2 * kG * 2;
    double lowest = 2, pull = 0;
    for (int k = 0; k < 60; ++k) {
        one.step();
        const Vec3& at = one.bodies.pose[1].position;
        EXPECT_NEAR(length(at - Vec3{0, 2, 0}), 1, 1e-4);
        if (at.y < lowest) {
            lowest = at.y;
            pull = length(one.joints.reaction[0].force);
        }
        const double now = kinetic_energy(one.bodies, 1) + 2 * kG * at.y;
        EXPECT_LT(now, 1.001 * energy) << k;
        EXPECT_GT(now, 0.97 * energy) << k;
    }
    EXPECT_NEAR(lowest, 1, 0.01);
    EXPECT_NEAR(pull, 3 * 2 * kG, 0.03 * 3 * 2 * kG);
}

TEST(BlockStepper, says_before_a_step_what_it_does_not_take) {
    const auto fits = [](auto&& change, bool has_pairs = true) {
        OneIsland one;
        one.add(resting_box());
        change(one);
        one.prepare();
        if (!has_pairs) one.without_pairs();
        return one.advance();
    };
    const auto method = [](const char* text) {
        return [text](OneIsland& one) { one.method = resolve(parse_method(text)); };
    };
    const auto joint = [](const Joint& held) { return [held](OneIsland& one) { one.hold(1, held); }; };
    EXPECT_EQ(fits(method("fast")), Refusal::None);
    EXPECT_EQ(fits(method("accurate")), Refusal::NotSelected);
    EXPECT_EQ(fits(method("erleben")), Refusal::NotSelected);
    EXPECT_EQ(fits(method("default")), Refusal::TooSmall);
    EXPECT_EQ(fits(method("default+blocks_from=1")), Refusal::None);
    EXPECT_EQ(fits(method("fast+friction=pyramid")), Refusal::FrictionModel);
    EXPECT_EQ(fits([](OneIsland& one) {
                  one.method = resolve(parse_method("default+blocks_from=1"));
                  one.hold(1, BallJoint{{0, 1, 0}});
              }),
              Refusal::HasJoints);
    EXPECT_EQ(fits(joint(BallJoint{{0, 1, 0}}), false), Refusal::HasNoPairs);
    EXPECT_EQ(fits(joint(BallJoint{{0, 1, 0}})), Refusal::None);
    HingeJoint bouncing{{0, 1, 0}, {0, 0, 1}};
    bouncing.turn.upper = 0.5;
    bouncing.turn.restitution = 0.5;
    EXPECT_EQ(fits(joint(bouncing)), Refusal::JointLaw);
    EXPECT_EQ(fits([](OneIsland& one) { one.structure.materials[0].rolling_friction = 0.01; }),
              Refusal::ContactLaw);
}

// All that an island and its results have, but for times.
void expect_untouched(OneIsland& one, Refusal expected) {
    one.prepare();
    const WorldView v = one.view();
    Island& island = one.island;
    gather(v, one.groups, 0, one.node_of, island);
    for (IslandPair& pair : island.pairs) pair.margin = 0.125;
    one.results.clear();
    one.results.contacts.add(7, ContactPoint{});
    const Island before = island;
    EXPECT_EQ(blocks::fits(v, island), Refusal::None);
    EXPECT_EQ(blocks::advance(v, island, one.scratch, one.results, one.outcome), expected);
    ASSERT_EQ(island.nodes.size(), before.nodes.size());
    for (std::size_t k = 0; k < before.nodes.size(); ++k) {
        EXPECT_EQ(island.nodes[k].pose, before.nodes[k].pose);
        EXPECT_EQ(island.nodes[k].v, before.nodes[k].v);
        EXPECT_EQ(island.nodes[k].w, before.nodes[k].w);
    }
    for (const IslandPair& pair : island.pairs) EXPECT_EQ(pair.margin, 0.125);
    EXPECT_EQ(island.memory.impulses, before.memory.impulses);
    EXPECT_EQ(island.memory.angles, before.memory.angles);
    EXPECT_EQ(island.memory.axis_impulses, before.memory.axis_impulses);
    for (std::size_t k = 0; k < before.memory.reactions.size(); ++k)
        EXPECT_EQ(island.memory.reactions[k].force, before.memory.reactions[k].force);
    EXPECT_EQ(one.results.contacts.pair, std::vector<std::uint32_t>{7});
    EXPECT_EQ(one.results.contacts.point.size(), 1u);
    EXPECT_EQ(one.outcome.substeps + one.outcome.iterations + one.outcome.retries, 0u);
}

TEST(BlockStepper, leaves_fast_bodies_among_few_as_they_are) {
    OneIsland one;
    one.add(body(Sphere{0.05}, {0, 0.1, 0}, {1000, 0, 0}));
    expect_untouched(one, Refusal::TooFast);
}

TEST(BlockStepper, leaves_what_is_not_calm_to_another_method_as_it_is) {
    OneIsland one;
    one.method = resolve(parse_method("default+blocks_from=1"));
    one.add(resting_box({10, 0, 0}));
    expect_untouched(one, Refusal::TooFast);
}

TEST(BlockStepper, leaves_torn_joints_as_they_are) {
    OneIsland one;
    one.add(resting_box());
    HingeJoint hinge{{0, 0.5, 0}, {0, 0, 1}};
    hinge.turn.stiffness = 5;
    one.hold(1, hinge);
    one.bodies.pose[1].position.x += 0.1;
    expect_untouched(one, Refusal::JointsOpen);
}

// A ball on a short lever turns by more than half a radian a pass: rows frozen that long leave the joint
// open.
TEST(BlockStepper, leaves_joints_that_turn_too_fast_as_they_are) {
    OneIsland one;
    one.gravity = {};
    BodyDesc ball = body(Sphere{0.5}, {0.2, 0.6, 0});
    ball.angular_velocity = {0, 0, 150};
    ball.velocity = {0, 30, 0};
    one.add(ball);
    one.hold(1, BallJoint{{0, 0.6, 0}});
    expect_untouched(one, Refusal::NotConverged);
}

}  // namespace
}  // namespace impuls
