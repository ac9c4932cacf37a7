// Batches of four points against speeds and momenta of their bodies in doubles, from the levers as they are
// given.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "base/rng.h"
#include "impuls/vec.h"
#include "solvers/blocks/kernel.h"

namespace impuls {
namespace {

using namespace block;

Vec3 three(const float* x) {
    return {x[0], x[1], x[2]};
}
void put(const Vec3& from, float* x) {
    for (int j = 0; j < 3; ++j) x[j] = static_cast<float>(from[j]);
}

// Bodies a and b of a lane.
struct Pair {
    Body bodies[2];
    Motion motions[2];

    Vec3 v(int of) const { return three(motions[of].v); }
    Vec3 w(int of) const { return three(motions[of].w); }  // in root coordinates
    Mat3 root(int of) const {
        const float* r = bodies[of].root;
        return {{r[0], r[1], r[2]}, {r[1], r[3], r[4]}, {r[2], r[4], r[5]}};
    }
    // Of b beside a.
    Vec3 spin() const { return root(1) * w(1) - root(0) * w(0); }
    Vec3 speed(const Vec3& ra, const Vec3& rb) const {
        return v(1) + cross(root(1) * w(1), rb) - v(0) - cross(root(0) * w(0), ra);
    }
    Vec3 momentum() const { return v(0) / bodies[0].inv_mass + v(1) / bodies[1].inv_mass; }
    // About a's centre, with b's at x.
    Vec3 angular_momentum(const Vec3& x) const {
        return inverse(root(0)) * w(0) + inverse(root(1)) * w(1) + cross(x, v(1) / bodies[1].inv_mass);
    }
};

// Manifolds between pairs of bodies, the first of them with the world; one lane is empty. Points press with
// the given impulse, more or less.
struct Scene {
    static constexpr int kEmpty = 5;
    std::vector<Body> bodies;
    std::vector<Motion> motion, moved;
    std::vector<Octet> given, results;
    Batch<4> c;
    Pass pass;

    Scene(std::uint64_t seed, float friction, float impulse)
        : bodies(17),
          motion(17),
          moved(17),
          given(9 * octets_of(4)),
          results(given),
          pass{motion.data(), moved.data(), {70, 0.97f, 0.03f, 1000}} {
        Rng random(seed, 0);
        const auto number = [&] { return static_cast<float>(random.uniform(-1, 1)); };
        const auto direction = [&] { return normalized(Vec3{number(), number(), number()}); };
        for (std::size_t k = 1; k < bodies.size(); ++k) {
            bodies[k] = {
                {2, 0.3f * number(), 0.3f * number(), 2.5f, 0.3f * number(), 3}, 1 + 0.5f * number(), 0};
            put(direction(), motion[k].v), put(direction(), motion[k].w);
        }
        std::memset(&c, 0, sizeof c);
        for (std::uint32_t l = 0; l < kLanes; ++l) {
            if (l == kEmpty) continue;
            c.a[l] = l == 0 ? 0 : 2 * l + 1, c.b[l] = 2 * l + 2, c.given[l] = (l + 1) * octets_of(4);
            Octet* const o = given.data() + c.given[l];
            const Vec3 n = direction(), t = normalized(cross(n, direction())), u = cross(n, t);
            const Vec3 middle = direction(), apart = direction();
            put(n, o[0].x), o[0].x[3] = friction, o[0].x[7] = 0.01f, o[1].x[7] = 4;
            for (int k = 0; k < 4; ++k) {
                const Vec3 r = middle + t * ((k % 2 ? 1 : -1) + 0.3 * number()) +
                               u * ((k < 2 ? 1 : -1) + 0.3 * number()) + n * (0.1 * number());
                put(r, o[2 + k].x), put(r + apart, o[2 + k].x + 3);
                o[2 + k].x[6] = -0.1f, o[2 + k].x[7] = impulse * (1 + 0.2f * number());
            }
        }
        kBaselineKernel.four.prepare(&c, 1, bodies.data(), given.data());
    }
    void relax() { kBaselineKernel.four.relax(&c, 1, pass); }
    // Calls f(what is given, the pair as it is) for all lanes.
    template <class F>
    void for_pairs(F&& f) const {
        for (std::uint32_t l = 0; l < kLanes; ++l)
            if (l != kEmpty)
                f(given.data() + c.given[l],
                  Pair{{bodies[c.a[l]], bodies[c.b[l]]}, {motion[c.a[l]], motion[c.b[l]]}});
    }
};
constexpr std::uint64_t kSeeds = 100;

// The block is slightly regularised: some sweeps.
TEST(BlockManifold, points_that_press_come_to_rest_along_the_normal) {
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        Scene scene(seed, 0, 5);
        for (int k = 0; k < 10; ++k) scene.relax();
        scene.for_pairs([&](const Octet* o, const Pair& pair) {
            for (int k = 2; k < 6; ++k)
                EXPECT_NEAR(dot(pair.speed(three(o[k].x), three(o[k].x + 3)), three(o[0].x)), 0, 2e-4)
                    << seed;
        });
    }
}

// Some of these let go: they bear nothing, and open.
TEST(BlockManifold, points_that_do_not_press_open) {
    int opened = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        Scene scene(seed, 0, 0);
        for (int k = 0; k < 100; ++k) scene.relax();
        kBaselineKernel.four.hand_out(&scene.c, 1, scene.results.data());
        scene.for_pairs([&](const Octet* o, const Pair& pair) {
            const Octet* const result = scene.results.data() + (o - scene.given.data());
            for (int k = 0; k < 4; ++k) {
                const double v = dot(pair.speed(three(o[2 + k].x), three(o[2 + k].x + 3)), three(o[0].x));
                EXPECT_GE(result->x[k], 0);
                EXPECT_GT(v, -1e-3) << seed;
                if (result->x[k] > 0) {
                    EXPECT_LT(v, 1e-3) << seed;
                }
                opened += v > 0.1;
            }
        });
    }
    EXPECT_GT(opened, 100);
}

// Friction comes last in a sweep, and acts at the centre of the load that was given.
TEST(BlockManifold, the_centre_of_the_load_sticks_after_one_sweep) {
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        Scene scene(seed, 100, 5);
        scene.relax();
        scene.for_pairs([&](const Octet* o, const Pair& pair) {
            Vec3 ra, rb;
            double load = 0;
            for (int k = 2; k < 6; ++k) {
                const double p = o[k].x[7];
                ra += p * three(o[k].x), rb += p * three(o[k].x + 3), load += p;
            }
            EXPECT_LT(length(cross(pair.speed(ra / load, rb / load), three(o[0].x))), 2e-5) << seed;
        });
    }
}

// Where tangents do nothing, twist comes last.
TEST(BlockManifold, nothing_spins_about_the_normal_after_one_sweep) {
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        Scene scene(seed, 100, 5);
        for (Lanes& x : scene.c.tt) x = Lanes{};
        scene.relax();
        scene.for_pairs([&](const Octet* o, const Pair& pair) {
            EXPECT_NEAR(dot(pair.spin(), three(o[0].x)), 0, 2e-5) << seed;
        });
    }
}

// Impulses so small that floats have no reciprocal of theirs: points struck by them stay where they are, and
// nothing becomes infinite.
TEST(BlockManifold, the_smallest_impulses_have_a_centre) {
    for (const float hit : {1e-45f, 1e-40f, 1e-30f, 1e-20f}) {
        Scene scene(1, 0.5f, 0);
        for (Lanes& x : scene.c.hit)
            for (int l = 0; l < kLanes; ++l) x[l] = hit;
        const std::vector<Motion> start = scene.motion;
        kBaselineKernel.four.rub(scene.c, scene.pass);
        for (std::size_t k = 0; k < start.size(); ++k) {
            EXPECT_NEAR(length(three(scene.motion[k].v) - three(start[k].v)), 0, 1e-6) << hit;
            EXPECT_NEAR(length(three(scene.motion[k].w) - three(start[k].w)), 0, 1e-6) << hit;
        }
    }
}

// Pressed or struck, with some points that let go, and whether or not bodies are moved apart.
TEST(BlockManifold, sweeps_keep_momenta) {
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
        for (const float impulse : {0.f, 0.1f, 5.f}) {
            Scene scene(seed, 0.5f, impulse);
            const std::vector<Motion> start = scene.motion;
            kBaselineKernel.four.apply(&scene.c, 1, scene.motion.data());
            kBaselineKernel.four.solve(&scene.c, 1, scene.pass);
            scene.relax();
            kBaselineKernel.four.correct(&scene.c, 1, scene.motion.data(), 0.3f);
            std::vector<std::array<Vec3, 2>> momenta;
            const auto note = [&](const Octet* o, const Pair& pair) {
                const Vec3 x = three(o[2].x) - three(o[2].x + 3);
                momenta.push_back({pair.momentum(), pair.angular_momentum(x)});
            };
            scene.for_pairs(note);
            scene.motion = start;
            scene.for_pairs(note);
            const std::size_t count = momenta.size() / 2;
            for (std::size_t k = 1; k < count; ++k)  // the first is the world's
                for (std::size_t j = 0; j < 2; ++j)
                    EXPECT_LT(length(momenta[k][j] - momenta[count + k][j]), 3e-5) << seed << " " << k;
        }
}

}  // namespace
}  // namespace impuls
