// The articulated stepper on islands made by hand, without a world: pendulums against closed forms, what
// joints remember, energy and momenta, and every reason to refuse.
#include <gtest/gtest.h>

#include <cmath>

#include "hand_made.h"
#include "steppers/articulated/step.h"
#include "steppers/joint_size.h"

namespace impuls {
namespace {

constexpr Vec3 kEdges{0.5, 0.1, 0.2};  // m, of a rod
constexpr double kMass = 2;            // kg

// Rods and joints; its island goes on from step to step by itself.
struct Bench : HandMade {
    articulated::Scratch scratch{};

    explicit Bench(const char* name = "default") : HandMade(name) { dt = 0.01; }
    // A rod with its centre at a place, its long edge at an angle to x in the plane of x and y.
    std::uint32_t add_rod(const Vec3& position, double angle = 0) {
        BodyDesc desc = some_body(Box{kEdges}, position, {}, kMass);
        desc.orientation = {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
        desc.collides = false;
        return add(desc);
    }
    void make_island() {
        prepare();
        gather_island();
    }
    Refusal step() { return articulated::advance(view(), island, scratch, results, outcome); }
    double energy() {
        double sum = 0;
        for (const IslandNode& node : island.dynamic_nodes()) {
            const Vec3 w = rotate_inverse(node.pose.orientation, node.w);
            sum += 0.5 * kMass * dot(node.v, node.v) + 0.5 * dot(w, scale(bodies.inertia[node.body], w)) +
                   kMass * kG * node.pose.position.y;
        }
        return sum;
    }
};

// A rod that hangs from the origin by one end, at an angle to the vertical.
void add_pendulum(Bench& bench, double angle, const Joint& joint) {
    const double d = 0.5 * kEdges.x;
    bench.add_rod({d * std::sin(angle), -d * std::cos(angle), 0}, angle - kPi / 2);
    bench.hold(kNoBody, 0, joint);
    bench.make_island();
}

double arithmetic_geometric_mean(double a, double b) {
    for (int k = 0; k < 8; ++k) {
        const double mean = 0.5 * (a + b);
        b = std::sqrt(a * b);
        a = mean;
    }
    return a;
}

// T = 2 pi sqrt(I / (m g d)) / agm(1, cos(angle / 2)): after 5/4 of it the rod is at the bottom, where its
// energy says how fast it is. Errors are of fourth order.
TEST(ArticulatedStepper, pendulum_has_its_period) {
    const double angle = 1, d = 0.5 * kEdges.x;
    const double inertia = kMass * ((kEdges.x * kEdges.x + kEdges.y * kEdges.y) / 12 + d * d);
    const double period =
        2 * kPi * std::sqrt(inertia / (kMass * kG * d)) / arithmetic_geometric_mean(1, std::cos(angle / 2));
    const double fastest = std::sqrt(2 * kMass * kG * d * (1 - std::cos(angle)) / inertia);
    for (const Joint& joint : {Joint{BallJoint{}}, Joint{HingeJoint{{}, {0, 0, 1}}}}) {
        double before = 0;
        for (const int steps : {40, 80, 160}) {
            Bench bench("accurate+turn=1");  // one composition a step
            bench.dt = 1.25 * period / steps;
            add_pendulum(bench, angle, joint);
            for (int k = 0; k < steps; ++k) {
                ASSERT_EQ(bench.step(), Refusal::None);
                EXPECT_EQ(bench.outcome.substeps, 5u);
                EXPECT_LE(bench.outcome.residual * bench.dt, 1e-8);
            }
            const IslandNode& node = bench.island.nodes[0];
            const double error = std::abs(node.pose.position.x) / d;
            EXPECT_LE(error, 5e-5);
            EXPECT_NEAR(std::abs(node.w.z), fastest, 2e-5 * fastest);
            if (before > 0) {
                EXPECT_NEAR(std::log2(before / error), 4, 0.1);
            }
            before = error;
        }
    }
}

TEST(ArticulatedStepper, double_pendulum_keeps_energy_and_joints) {
    Bench bench;
    bench.add_rod({0.25, 0, 0});
    bench.add_rod({0.75, 0, 0});
    bench.hold(kNoBody, 0, BallJoint{});
    bench.hold(0, 1, BallJoint{{0.5, 0, 0}});
    bench.make_island();
    const double start = bench.energy(), scale = 2 * kMass * kG * 0.5;
    const double size = smallest_size(bench.view(), bench.island);
    for (int k = 0; k < 200; ++k) {
        ASSERT_EQ(bench.step(), Refusal::None);
        const IslandNode &a = bench.island.nodes[0], &b = bench.island.nodes[1];
        EXPECT_NEAR(bench.energy(), start, 2e-3 * scale);
        EXPECT_LE(length(a.pose * Vec3{-0.25, 0, 0}), bench.method.rattle().tolerance * size);
        EXPECT_LE(length(a.pose * Vec3{0.25, 0, 0} - b.pose * Vec3{-0.25, 0, 0}),
                  bench.method.rattle().tolerance * size);
    }
}

// At rest the joint gives m g dt in a step, and remembers m g h of a usual substep, h/2 of it in each phase.
TEST(ArticulatedStepper, joint_bears_the_weight) {
    for (const Joint& joint : {Joint{BallJoint{}}, Joint{HingeJoint{{}, {0, 0, 1}}}}) {
        Bench bench;
        add_pendulum(bench, 0, joint);
        ASSERT_EQ(bench.step(), Refusal::None);
        const JointMemory& memory = bench.island.memory;
        EXPECT_NEAR(memory.reactions[0].force.y, kMass * kG * bench.dt, 1e-9);
        EXPECT_NEAR(length(memory.reactions[0].torque), 0, 1e-9);
        double squares = 0;
        for (const double impulse : memory.impulses) squares += impulse * impulse;
        EXPECT_NEAR(std::sqrt(squares), kMass * kG * bench.view().usual_substep(), 1e-9);
        EXPECT_TRUE(memory.is_paced);
        EXPECT_EQ(bench.outcome.retries, 0u);
        EXPECT_EQ(bench.outcome.energy_removed, 0);
    }
}

TEST(ArticulatedStepper, free_island_keeps_its_momenta) {
    Bench bench;
    bench.add_rod({-0.25, 0, 0});
    bench.add_rod({0.25, 0, 0}, 0.3);
    bench.bodies.gravity_scale.set(0, 0), bench.bodies.gravity_scale.set(1, 0);
    bench.bodies.w[0] = {3, 5, -2};
    bench.bodies.v[0] = cross(bench.bodies.w[0], {-0.25, 0, 0});
    bench.bodies.w[1] = {-4, 1, 6};
    bench.bodies.v[1] = cross(bench.bodies.w[1], {0.25, 0, 0});
    bench.hold(0, 1, BallJoint{});
    bench.make_island();
    const auto momenta = [&] {
        std::pair<Vec3, Vec3> sum{};
        for (const IslandNode& node : bench.island.dynamic_nodes()) {
            const Vec3 w = rotate_inverse(node.pose.orientation, node.w);
            sum.first += node.v * kMass;
            sum.second += cross(node.pose.position, node.v) * kMass +
                          rotate(node.pose.orientation, scale(bench.bodies.inertia[node.body], w));
        }
        return sum;
    };
    const auto before = momenta();
    for (int k = 0; k < 100; ++k) ASSERT_EQ(bench.step(), Refusal::None);
    EXPECT_LE(length(momenta().first - before.first), 1e-12);
    EXPECT_LE(length(momenta().second - before.second), 1e-12);
}

TEST(ArticulatedStepper, fits_islands_of_plain_joints_alone) {
    const auto made = [](const Joint& joint, auto&& change) {
        Bench bench;
        add_pendulum(bench, 1, joint);
        change(bench);
        return articulated::fits(bench.view(), bench.island);
    };
    const Joint ball = BallJoint{};
    EXPECT_EQ(made(ball, [](Bench&) {}), Refusal::None);
    EXPECT_EQ(made(ball, [](Bench& b) { b.method = resolve(parse_method("default+articulated=off")); }),
              Refusal::NotSelected);
    EXPECT_EQ(made(ball, [](Bench& b) { b.method = resolve(parse_method("erleben")); }),
              Refusal::NotSelected);
    EXPECT_EQ(made(ball, [](Bench& b) { b.island.joints.clear(); }), Refusal::HasNoJoints);
    EXPECT_EQ(made(ball, [](Bench& b) { b.island.pairs.emplace_back(); }), Refusal::HasPairs);
    EXPECT_EQ(made(ball,
                   [](Bench& b) {
                       b.bodies.inv_inertia.set(0, {b.bodies.inv_inertia[0].x, 0, b.bodies.inv_inertia[0].z});
                   }),
              Refusal::CannotTurn);
    HingeJoint limited{{}, {0, 0, 1}};
    limited.turn.lower = -1;
    EXPECT_EQ(made(limited, [](Bench&) {}), Refusal::JointLaw);
}

// Refused with the reason that is expected, and everything as it was before.
void expect_refusal(Bench& bench, Refusal refusal) {
    const Island before = bench.island;
    EXPECT_EQ(bench.step(), refusal);
    expect_same(bench.island, before);
    EXPECT_EQ(bench.outcome.substeps, 0u);
    EXPECT_EQ(bench.outcome.iterations, 0u);
    EXPECT_TRUE(bench.results.failure.empty());
}

TEST(ArticulatedStepper, refuses_open_joints) {
    Bench bench;
    add_pendulum(bench, 1, BallJoint{});
    const double size = smallest_size(bench.view(), bench.island);
    bench.island.nodes[0].pose.position.x += 2e-3 * size;
    expect_refusal(bench, Refusal::JointsOpen);
    bench.island.nodes[0].pose.position.x -= 1.5e-3 * size;
    EXPECT_EQ(bench.step(), Refusal::None);
}

// Hinges have five rows; one of them is the tree's.
TEST(ArticulatedStepper, refuses_many_loops) {
    for (const int loops : {12, 13}) {
        Bench bench;
        bench.add_rod({0, -0.25, 0});
        for (int k = 0; k <= loops; ++k) bench.hold(kNoBody, 0, HingeJoint{{0, 0, 0.01 * k}, {0, 0, 1}});
        bench.make_island();
        if (loops == 12)
            EXPECT_EQ(bench.step(), Refusal::None);
        else
            expect_refusal(bench, Refusal::TooManyLoops);
    }
}

// A rod between the world and a body that is torn away from it, far within the shortest substep.
TEST(ArticulatedStepper, refuses_what_no_substep_is_short_enough_for) {
    Bench bench;
    bench.add_rod({0.25, 0, 0});
    bench.add_rod({0.75, 0, 0});
    bench.bodies.kind[1] = BodyKind::Kinematic;
    bench.bodies.v[1] = {1e6, 0, 0};
    bench.hold(kNoBody, 0, BallJoint{});
    bench.hold(0, 1, BallJoint{{0.5, 0, 0}});
    bench.make_island();
    expect_refusal(bench, Refusal::NotConverged);
}

TEST(ArticulatedStepper, refuses_what_is_not_finite) {
    Bench bench;
    add_pendulum(bench, 1, BallJoint{});
    bench.island.nodes[0].v.z = kUnbounded;
    expect_refusal(bench, Refusal::NotConverged);
}

// A base that is said to rest, but rushes along: all energy comes from nowhere. With a budget it is taken out
// again, and the outcome says so.
TEST(ArticulatedStepper, refuses_gained_energy) {
    for (const char* method : {"default", "default+budget=8"}) {
        Bench bench(method);
        add_pendulum(bench, 0, BallJoint{});
        bench.island.nodes[1].v = {2, 0, 0};
        if (bench.method.rattle().budget == 0) {
            expect_refusal(bench, Refusal::GainedEnergy);
            continue;
        }
        ASSERT_EQ(bench.step(), Refusal::None);
        EXPECT_GT(bench.outcome.energy_removed, 0);
        EXPECT_LE(bench.outcome.substeps, 8u);
    }
}

}  // namespace
}  // namespace impuls
