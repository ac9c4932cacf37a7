// What a world takes in memory, counted.
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <string>

#include "impuls/world.h"
#include "support/counting_new.h"
#include "support/full_size.h"
#include "support/slow_build.h"
#include "world/state.h"

namespace impuls {
namespace {

double resident_bytes() {
    std::ifstream file("/proc/self/statm");
    double pages = 0, resident = 0;
    file >> pages >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// By how much `work` makes a process grow, B: in a process of its own, from which all that the heap holds for
// later was given back first.
template <class Work>
double growth(Work&& work) {
    int ends[2];
    if (pipe(ends) != 0) return NAN;
    const pid_t child = fork();
    if (child == 0) {
        malloc_trim(0);
        const double before = resident_bytes();
        work([&] {
            const double grown = resident_bytes() - before;
            _exit(write(ends[1], &grown, sizeof grown) == sizeof grown ? 0 : 1);
        });
    }
    close(ends[1]);
    double grown = NAN;
    if (read(ends[0], &grown, sizeof grown) != sizeof grown) grown = NAN;
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return grown;
}

// Jittered, so that no two descriptions are the same; what is told once, by the generator, is not kept a
// million times.
Scene grains(int edge) {
    Scene scene;
    BodyDesc b;
    b.name = "grain", b.shape = Sphere{0.1}, b.velocity = {0.1, 0, 0};
    b.repeat = Repeat{};
    b.repeat->count = {1.0 * edge, 1.0 * edge, 1.0 * edge};
    b.repeat->spacing = {0.5, 0.5, 0.5};
    b.repeat->jitter = 0.05;
    scene.bodies.push_back(b);
    return scene;
}

TEST(Memory, of_a_free_sphere_is_below_a_kilobyte) {
    if (kSlowBuild) GTEST_SKIP() << "sanitizers take memory of their own";
    const int edge = is_long() ? 100 : 40;
    const double bodies = std::pow(edge, 3);
    const double stepped = growth([&](auto&& done) {
        World world(grains(edge));
        for (int k = 0; k < 4; ++k)
            if (!world.step().ok) return;
        if (world.body_count() == static_cast<std::size_t>(bodies)) done();
    });
    EXPECT_LE(stepped / bodies, 1000) << "B a body, stepping, the scene included";
    EXPECT_GT(stepped / bodies, 200) << "nothing was counted";
    RecordProperty("bytes_a_body", static_cast<int>(stepped / bodies));
    // A frame adds its own columns, and no descriptions until somebody looks at them.
    const double framed = growth([&](auto&& done) {
        World world(grains(edge));
        for (int k = 0; k < 4; ++k) world.step();
        if (!world.frame().structure.is_made() && world.frame().positions.size() > 0) done();
    });
    EXPECT_LE(framed / bodies, 1000 + 130);
}

// Pyramids with their tops cut off lie on slabs: four points a pair. What is counted is what the world keeps
// for pairs of colliders, not the points of contact, which are state.
TEST(Memory, of_a_resting_pair_of_polyhedra_is_below_600_bytes) {
    for (const char* method : {"default", "fast", "erleben+sleep=off"}) {
        Scene scene;
        scene.settings.method = parse_method(method);
        const auto frustum = [](double low, double high, double height) {
            Convex shape;
            for (const double x : {-1.0, 1.0})
                for (const double z : {-1.0, 1.0}) {
                    shape.points.push_back({x * low, -height / 2, z * low});
                    shape.points.push_back({x * high, height / 2, z * high});
                }
            return shape;
        };
        BodyDesc slab, stone;
        slab.name = "slab", slab.kind = BodyKind::Static, slab.shape = frustum(1, 0.9, 0.2);
        slab.repeat = Repeat{};
        slab.repeat->count = {16, 1, 16}, slab.repeat->spacing = {3, 1, 3};
        stone = slab;
        stone.name = "stone", stone.kind = BodyKind::Dynamic, stone.shape = frustum(0.5, 0.3, 0.4);
        stone.position = {0, 0.3, 0};
        scene.bodies = {slab, stone};
        const auto given = std::make_shared<Scene>(scene);
        WorldState s;
        s.executor = std::make_shared<Executor>(1);
        build(s, given);
        for (int k = 0; k < 30; ++k) ASSERT_TRUE(step_world(s));
        const std::size_t pairs = s.pairs.bodies.size();
        ASSERT_EQ(pairs, 256u) << method;
        ASSERT_EQ(s.contacts.size(), 4 * pairs) << method;
        const long before = live_bytes;
        s.pairs = {};
        s.islands.contact_edges = {};
        const double bytes = static_cast<double>(before - live_bytes) / static_cast<double>(pairs);
        EXPECT_LE(bytes, 600) << method;
        RecordProperty(std::string("bytes_a_pair_") + method[0], static_cast<int>(bytes));
        EXPECT_GT(bytes, 300) << method << ": nothing was counted";
    }
}

// Bodies that are alike share their shape and their constants; one that is changed has its own.
TEST(Memory, shapes_are_instances_of_one_table) {
    Scene scene = grains(10);
    BodyDesc other;
    other.name = "other", other.shape = Box{{1, 2, 3}}, other.position = {-5, 0, 0};
    scene.bodies.push_back(other);
    WorldState s;
    s.executor = std::make_shared<Executor>(1);
    build(s, std::make_shared<Scene>(scene));
    ASSERT_EQ(s.bodies.size(), 1001u);
    EXPECT_EQ(s.bodies.colliders.table().size(), 2u);
    EXPECT_EQ(&s.bodies.colliders[0], &s.bodies.colliders[999]);
    EXPECT_EQ(s.bodies.inertia.table().size(), 2u);
    EXPECT_EQ(s.bodies.colliders[1000][0].kind, ColliderKind::Box);
    apply_now(s, std::vector<Command>{SetForce{"grain[7]", {1, 2, 3}, {}}});
    EXPECT_EQ(s.bodies.force[7], (Vec3{1, 2, 3}));
    EXPECT_EQ(s.bodies.force[6], Vec3{});
    apply_now(s, std::vector<Command>{Remove{.bodies = {"grain[6]"}}});
    EXPECT_EQ(s.bodies.force[6], (Vec3{1, 2, 3}));
    EXPECT_EQ(s.body_ids.name(6), "grain[7]");
}

// Caches are what drop_caches drops: nothing else is in them, and a step makes them anew.
TEST(Memory, caches_are_dropped_as_a_whole) {
    WorldState s;
    s.executor = std::make_shared<Executor>(1);
    build(s, std::make_shared<Scene>(grains(4)));
    ASSERT_TRUE(step_world(s));
    const std::uint64_t hash = hash_state(s);
    drop_caches(s);
    EXPECT_EQ(hash_state(s), hash);
    EXPECT_TRUE(s.colliders.boxes.empty() && s.pairs.bodies.empty() && s.islands.next.empty());
    WorldState twin;
    twin.executor = s.executor;
    build(twin, std::make_shared<Scene>(grains(4)));
    for (int k = 0; k < 2; ++k) ASSERT_TRUE(step_world(twin));
    ASSERT_TRUE(step_world(s));
    EXPECT_EQ(hash_state(s), hash_state(twin));
}

}  // namespace
}  // namespace impuls
