// Grains in worlds: scenes, frames, checkpoints, threads, bodies that touch them, warnings.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "impuls/impuls.h"

namespace impuls {
namespace {

GrainsDesc some_grains(std::int64_t count, bool is_round = false) {
    GrainsDesc grains;
    grains.name = "sand", grains.count = count;
    if (is_round)
        grains.shape = SphereGrain{0.01};
    else
        grains.shape = EllipsoidGrain{{0.01, 0.009, 0.008}, 12, 0.1, 4};
    grains.place = BlockPlace{{-0.05, 0, -0.05}, {0.05, 1, 0.05}};
    return grains;
}

Scene pour(std::int64_t count, bool is_round = false) {
    Scene scene;
    scene.settings.dt = 0.005;
    scene.materials = {{.name = "default", .density = 2000, .friction = 0.5, .restitution = 0.2}};
    scene.bodies.push_back({.name = "floor", .kind = BodyKind::Static, .shape = Plane{}});
    scene.grains = {some_grains(count, is_round)};
    return scene;
}

const ColumnGroup& grains_of(const Frame& frame) {
    for (const ColumnGroup& group : frame.groups)
        if (group.desc().name == "grains") return group;
    throw InputError("no grains");
}

double value(World& world, const char* name) {
    double out = 0;
    const Frame& frame = world.frame();
    find_quantity(name, *frame.structure, frame.groups).read(frame, &out);
    return out;
}

void run_steps(World& world, int steps) {
    for (int k = 0; k < steps; ++k) {
        const StepStatus status = world.step();
        ASSERT_TRUE(status.ok) << status.message;
    }
}

TEST(GrainWorld, pours_and_tells) {
    World world(pour(40));
    run_steps(world, 60);
    EXPECT_EQ(grains_of(world.frame()).count(), 40u);
    EXPECT_GT(value(world, "grains.position.y.min"), 0.003);
    EXPECT_LT(value(world, "grains.overlap.max"), 0.05);
    EXPECT_GT(value(world, "grains.contacts.mean"), 0.5);
    EXPECT_LT(value(world, "grain_walls[0].force.y"), 0);
    for (const Warning& w : world.warnings()) ADD_FAILURE() << describe(w);
}

TEST(GrainWorld, has_the_same_hash_on_any_number_of_threads) {
    std::uint64_t first = 0;
    for (const int threads : {1, 2, 4}) {
        World world(pour(150), std::make_shared<Executor>(threads));
        run_steps(world, 12);
        if (threads == 1) first = world.state_hash();
        EXPECT_EQ(world.state_hash(), first) << threads;
    }
}

TEST(GrainWorld, goes_on_from_checkpoints_bit_for_bit) {
    Scene scene = pour(60);
    scene.timeline.push_back({.time = 0.1, .command = Remove{.bodies = {"lid"}}});
    scene.bodies.insert(scene.bodies.begin(), {.name = "lid",
                                               .kind = BodyKind::Static,
                                               .shape = Box{{0.3, 0.01, 0.3}},
                                               .position = {0, -0.006, 0}});
    World world(scene);
    run_steps(world, 15);
    const auto early = world.checkpoint();
    run_steps(world, 15);
    const auto late = world.checkpoint();
    run_steps(world, 10);
    for (const auto& bytes : {early, late}) {
        World other(scene);
        other.restore(bytes);
        while (other.steps() < world.steps()) ASSERT_TRUE(other.step().ok);
        EXPECT_EQ(other.state_hash(), world.state_hash());
    }
    // Damaged ones are refused or harmless.
    auto bytes = late;
    bytes[bytes.size() / 2] ^= std::byte{1};
    World other(scene);
    EXPECT_THROW(other.restore(bytes), InputError);
}

TEST(GrainWorld, takes_back_a_step_that_is_given_up) {
    World world(pour(60)), reference(pour(60));
    run_steps(world, 10), run_steps(reference, 10);
    std::atomic<int> asked = 0;
    world.interrupt_when([&] { return ++asked == 20; });
    const StepStatus status = world.step();
    EXPECT_TRUE(status.interrupted);
    EXPECT_EQ(world.state_hash(), reference.state_hash());
    run_steps(world, 5), run_steps(reference, 5);
    EXPECT_EQ(world.state_hash(), reference.state_hash());
}

// What grains cannot push is refused, with where it stands.
TEST(GrainScene, refuses_bodies_that_grains_cannot_push) {
    Scene scene = pour(10, true);
    scene.bodies.push_back({.name = "block", .shape = Box{{0.2, 0.04, 0.2}}, .position = {0, 2, 0}});
    EXPECT_TRUE(validate(scene).empty());
    scene.granular.integrator = GrainIntegrator::Gear;
    const std::vector<Issue> issues = validate(scene);
    ASSERT_EQ(issues.size(), 1u);
    EXPECT_EQ(issues[0].path, "/bodies/1/kind");
    scene.bodies.back().collides = false;
    EXPECT_TRUE(validate(scene).empty());
    scene.granular.integrator = GrainIntegrator::Verlet;
    scene.bodies.push_back({.name = "rope", .shape = Rope{}, .position = {0, 2, 0}});
    EXPECT_EQ(validate(scene).at(0).path, "/bodies/2/kind");
}

TEST(GrainScene, refuses_commands_that_put_what_grains_cannot_push) {
    const BodyDesc wall{.name = "wall", .kind = BodyKind::Static, .shape = Box{{0.2, 0.04, 0.2}}};
    BodyDesc block = wall;
    block.name = "block", block.kind = BodyKind::Dynamic, block.position = {0, 2, 0};
    Scene by_gear = pour(10, true);
    by_gear.granular.integrator = GrainIntegrator::Gear;
    World world(by_gear);
    const std::size_t bodies = world.body_count();
    try {
        world.apply(Put{.bodies = {wall, block}});
        ADD_FAILURE() << "was taken";
    } catch (const InputError& e) {
        EXPECT_EQ(std::string(e.what()).rfind("bodies/1/kind: bodies that move freely", 0), 0u) << e.what();
    }
    run_steps(world, 1);
    EXPECT_EQ(world.body_count(), bodies);  // nothing of it is there
    block.collides = false;
    world.apply(Put{.bodies = {wall, block}});
    run_steps(world, 1);
    EXPECT_EQ(world.body_count(), bodies + 2);
    // A body that lies there may not be made one that moves.
    BodyDesc freed = wall;
    freed.kind = BodyKind::Dynamic;
    EXPECT_THROW(world.apply(Put{.bodies = {freed}}), InputError);

    Scene scene = by_gear;
    block.collides = true;
    scene.timeline.push_back({.time = 0.1, .command = Put{.bodies = {block}}});
    const std::vector<Issue> issues = validate(scene);
    ASSERT_EQ(issues.size(), 1u);
    EXPECT_EQ(issues[0].path.substr(issues[0].path.rfind("/bodies")), "/bodies/0/kind");
}

TEST(GrainWorld, feeds_at_a_rate) {
    Scene scene = pour(10, true);
    scene.grains[0].place = FeedPlace{{-0.1, 0.2, -0.1}, {0.1, 0.3, 0.1}, 100.0, {}};
    World world(scene);
    EXPECT_EQ(grains_of(world.frame()).count(), 0u);
    run_steps(world, 9);  // to 0.045 s
    EXPECT_EQ(grains_of(world.frame()).count(), 5u);
    run_steps(world, 20);
    EXPECT_EQ(grains_of(world.frame()).count(), 10u);
}

TEST(GrainWorld, warns_of_what_is_too_soft_and_of_what_is_lost) {
    Scene scene = pour(20, true);
    scene.granular.modulus = 2000;
    World world(scene);
    run_steps(world, 60);
    bool is_told = false;
    for (const Warning& w : world.warnings()) is_told = is_told || w.kind == WarningKind::GrainOverlap;
    EXPECT_TRUE(is_told);
}

std::string problem_of(const std::function<void(GrainsDesc&)>& change) {
    Scene scene = pour(10);
    change(scene.grains[0]);
    std::string text;
    for (const Issue& issue : validate(scene)) text += issue.path + ": " + issue.message + "\n";
    return text;
}

TEST(GrainScene, tells_what_is_wrong_and_where) {
    EXPECT_EQ(problem_of([](GrainsDesc&) {}), "");
    const auto expect = [](const std::string& path, const std::function<void(GrainsDesc&)>& change) {
        const std::string text = problem_of(change);
        EXPECT_EQ(text.substr(0, path.size() + 1), path + ":") << text;
    };
    expect("/grains/0/shape/vertices", [](GrainsDesc& g) { g.shape = EllipsoidGrain{{1, 1, 1}, 13}; });
    expect("/grains/0/shape/faces", [](GrainsDesc& g) { g.shape = PlatonicGrain{7}; });
    expect("/grains/0/shape/points", [](GrainsDesc& g) {
        g.shape = HullGrain{{{0, 0, 0}, {.1, 0, 0}, {0, .1, 0}, {0, 0, .1}, {.01, .01, .01}}};
    });
    expect("/grains/0/sizes/low", [](GrainsDesc& g) { g.sizes = UniformSizes{2, 1}; });
    expect("/grains/0/sizes/passing", [](GrainsDesc& g) { g.sizes = SieveSizes{{1, 2}, {0.1, 1}}; });
    expect("/grains/0/place/upper", [](GrainsDesc& g) { g.place = BlockPlace{{0, 0, 0}, {1, 0, 1}}; });
    expect("/grains/0/place", [](GrainsDesc& g) { g.place = BlockPlace{{0, 0, 0}, {.03, .03, .03}}; });
    expect("/grains/0/place", [](GrainsDesc& g) { g.place = FeedPlace{}; });
    expect("/grains/0/material", [](GrainsDesc& g) { g.material = "sandd"; });
    expect("/grains/0/count", [](GrainsDesc& g) { g.count = 0; });
}

}  // namespace
}  // namespace impuls
