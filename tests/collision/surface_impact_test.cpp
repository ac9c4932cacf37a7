// Distances and times of impact of bodies made of triangles (meshes, distance fields, height fields) against
// brute force: every pair of triangles, by corners on faces and edges on edges, and bisection in time.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/rng.h"
#include "collision/distance/closest.h"
#include "collision/make_colliders.h"
#include "collision/shape_cache.h"
#include "collision/sweep/time_of_impact.h"
#include "support/counting_new.h"
#include "support/full_size.h"
#include "support/solid_meshes.h"

namespace impuls {
namespace {

using Corners3 = std::array<Vec3, 3>;

struct Flyer {
    Collider collider{};
    std::vector<Corners3> triangles{};
    double radius = 0;  // about the origin
};

Flyer flyer(const Shape& shape, const TriangleMesh& mesh, bool is_dynamic) {
    Flyer f;
    ShapeCache cache;
    std::vector<Collider> out;
    make_colliders(shape, {}, is_dynamic, cache, out);
    f.collider = out.at(0);
    for (const auto& [a, b, c] : mesh.triangles)
        f.triangles.push_back({mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]});
    for (const Vec3& v : mesh.vertices) f.radius = std::max(f.radius, length(v));
    return f;
}
Flyer flyer(const TriangleMesh& mesh, bool is_dynamic) {
    return flyer(meshes::as_mesh(mesh), mesh, is_dynamic);
}
Flyer rough_land() {
    HeightField field;
    field.columns = 9, field.spacing = 0.5;
    Rng rng(4, 4);
    for (int k = 0; k < 63; ++k) field.heights.push_back(rng.uniform(-0.4, 0.4));
    return flyer(field, tessellate(field), false);
}

// Segments p + s d and q + t e: the four ends on the other segment, and the crossing of the lines.
double segment_distance(const Vec3& p, const Vec3& p1, const Vec3& q, const Vec3& q1) {
    const auto to_segment = [](const Vec3& x, const Vec3& from, const Vec3& to) {
        const Vec3 d = to - from;
        return length(x - from - d * std::clamp(dot(x - from, d) / dot(d, d), 0.0, 1.0));
    };
    double least =
        std::min({to_segment(p, q, q1), to_segment(p1, q, q1), to_segment(q, p, p1), to_segment(q1, p, p1)});
    const Vec3 d = p1 - p, e = q1 - q, n = cross(d, e), r = q - p;
    const double nn = dot(n, n);
    if (nn > 1e-24) {
        const double s = dot(cross(r, e), n) / nn, t = dot(cross(r, d), n) / nn;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1)
            least = std::min(least, std::abs(dot(r, n)) / std::sqrt(nn));
    }
    return least;
}

bool is_cut(const Corners3& t, const Vec3& p, const Vec3& q) {
    const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
    const double hp = dot(n, p - t[0]), hq = dot(n, q - t[0]);
    if (hp * hq > 0 || hp == hq) return false;
    const Vec3 x = p + (q - p) * (hp / (hp - hq));
    for (std::size_t k = 0; k < 3; ++k)
        if (dot(n, cross(t[(k + 1) % 3] - t[k], x - t[k])) < 0) return false;
    return true;
}

// Zero when they cross.
double triangle_distance(const Corners3& a, const Corners3& b) {
    double least = 1e300;
    for (std::size_t i = 0; i < 3; ++i) {
        if (is_cut(a, b[i], b[(i + 1) % 3]) || is_cut(b, a[i], a[(i + 1) % 3])) return 0;
        least = std::min(least, length(b[i] - closest_on_triangle(b[i], a[0], a[1], a[2]).point));
        least = std::min(least, length(a[i] - closest_on_triangle(a[i], b[0], b[1], b[2]).point));
        for (std::size_t k = 0; k < 3; ++k)
            least = std::min(least, segment_distance(a[i], a[(i + 1) % 3], b[k], b[(k + 1) % 3]));
    }
    return least;
}

// Of the surfaces; pairs of triangles whose balls are farther apart than the least so far are skipped.
double surface_gap(const Flyer& a, const Pose& X_WA, const Flyer& b, const Pose& X_WB) {
    struct Round {
        Corners3 corners;
        Vec3 center;
        double radius;
    };
    const auto placed = [](const Flyer& f, const Pose& X) {
        std::vector<Round> out;
        for (const Corners3& t : f.triangles) {
            Round r{{X * t[0], X * t[1], X * t[2]}, {}, 0};
            r.center = (r.corners[0] + r.corners[1] + r.corners[2]) / 3;
            for (const Vec3& v : r.corners) r.radius = std::max(r.radius, length(v - r.center));
            out.push_back(r);
        }
        return out;
    };
    const std::vector<Round> all_a = placed(a, X_WA), all_b = placed(b, X_WB);
    double least = 1e300;
    for (const Round& s : all_a)
        for (const Round& t : all_b)
            if (length(s.center - t.center) - s.radius - t.radius < least)
                least = std::min(least, triangle_distance(s.corners, t.corners));
    return least;
}

// The first time in [from, to] at which the surfaces are at most `near` apart, to within near / speed; -1:
// never. No gap closes faster than `speed`.
template <class Gap>
double first_near(Gap&& gap, double from, double to, double near, double speed) {
    const double middle = 0.5 * (from + to), d = gap(middle);
    if (d > near + speed * 0.5 * (to - from)) return -1;
    if ((to - from) * speed < near) return d <= near ? middle : -1;
    const double early = first_near(gap, from, middle, near, speed);
    return early >= 0 ? early : first_near(gap, middle, to, near, speed);
}

TEST(SurfaceDistance, IsThatOfEveryPairOfTriangles) {
    const Flyer shapes[] = {
        flyer(meshes::u_shape(0.4, 0.3), true), flyer(meshes::torus(0.6, 0.1, 16, 8), true),
        flyer(meshes::box({0.02, 1, 1}, 3), false), rough_land(),
        flyer(meshes::joined(meshes::cube(0.2, 1), meshes::moved(meshes::cube(0.2, 2), {1, 0, 0})), true)};
    Rng rng(7, 2);
    int apart = 0;
    for (int k = 0; k < 300; ++k) {
        const Flyer &a = shapes[k % 5], &b = shapes[k / 5 % 3];
        const Pose X_WA{{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}, rng.rotation()},
            X_WB{{rng.uniform(-2, 2), rng.uniform(-2, 2), rng.uniform(-2, 2)}, rng.rotation()};
        const double truth = surface_gap(a, X_WA, b, X_WB);
        const Closest c = closest(a.collider, X_WA, b.collider, X_WB);
        if (c.distance > 0) {
            ++apart;
            ASSERT_NEAR(c.distance, truth, 1e-12) << k;
            ASSERT_NEAR(length(c.p_b - c.p_a - c.normal * c.distance), 0, 1e-12) << k;
            ASSERT_TRUE(closest(a.collider, X_WA, b.collider, X_WB, 0.99 * truth).beyond) << k;
            ASSERT_NEAR(closest(a.collider, X_WA, b.collider, X_WB, 1.01 * truth).distance, truth, 1e-12)
                << k;
        } else if (a.collider.kind != ColliderKind::HeightField) {
            ASSERT_EQ(truth, 0) << k;  // none of these has room for another inside
        }
    }
    EXPECT_GT(apart, 100);
}

// Never later than the touch, never farther apart than the target, and no touch where there is none.
TEST(SurfaceImpact, IsThatOfEveryPairOfTriangles) {
    const Flyer shapes[] = {flyer(meshes::u_shape(0.1, 0.01), true),
                            flyer(meshes::torus(0.15, 0.005, 16, 6), true),
                            flyer(meshes::box({0.01, 0.3, 0.3}, 2), true),
                            flyer(meshes::box({0.3, 0.01, 0.3}, 1), false), rough_land()};
    Rng rng(11, 3);
    const double end = 1.0 / 60, target = 1e-4;
    int touches = 0, misses = 0, most = 0;
    for (int k = 0; k < amount(100, 1000); ++k) {
        const Flyer &a = shapes[k / 3 % 5], &b = shapes[k % 3];
        const auto any = [&] { return rotate(rng.rotation(), {0, 0, 1}); };
        const double speed = rng.uniform(300, 1000);
        const Vec3 way = any(), from = any() * rng.uniform(0.5, 5) + (k % 4 ? Vec3{} : any() * 0.3);
        SteadyMotion ma{{from, rng.rotation()}, way * 300, any() * rng.uniform(0, 200)};
        if (!a.collider.field) ma.angular_velocity = {}, ma.velocity = {};
        const SteadyMotion mb{{{}, rng.rotation()},
                              ma.velocity + normalized(from + any() * 0.4) * speed,
                              any() * (k % 2 ? rng.uniform(0, 600) : 0)};
        const auto gap = [&](double t) { return surface_gap(a, ma.at(t), b, mb.at(t)); };
        if (gap(0) <= target) continue;
        const double bound = length(ma.velocity - mb.velocity) + length(ma.angular_velocity) * a.radius +
                             length(mb.angular_velocity) * b.radius;
        const ImpactAt i = time_of_impact(a.collider, ma, b.collider, mb, end, target);
        most = std::max(most, i.evaluations);
        if (i.kind == Impact::Kind::Initial) {
            ASSERT_EQ(a.collider.kind, ColliderKind::HeightField) << k;  // begins below
            continue;
        }
        ASSERT_NE(i.kind, Impact::Kind::Limit) << k;
        const double deep = first_near(gap, 0, end, 0.25 * target, bound);
        if (i.kind == Impact::Kind::Touch) {
            ++touches;
            EXPECT_LE(i.points.distance, target) << k;
            EXPECT_LE(gap(i.t), i.points.distance + 1e-12) << k;  // others may be nearer, and go away
            EXPECT_TRUE(deep < 0 || i.t <= deep) << k;
        } else {
            ++misses;
            EXPECT_EQ(deep, -1) << k;
        }
    }
    EXPECT_LT(most, 64);  // a quarter of what is allowed
    if (kSlowBuild) return;
    EXPECT_GT(touches, 25);
    EXPECT_GT(misses, 10);
}

// In the slot of a U, 5 cm from one wall and 75 cm from the other, to which it flies: the nearest wall is not
// the one that is met.
TEST(SurfaceImpact, TheNearestWallIsNotTheOneMet) {
    const Flyer u = flyer(meshes::u_shape(1, 1), true);
    const Collider ball{ColliderKind::Sphere, {0.1, 0.1, 0.1}, 0.1, 0.1, {}};
    const Flyer crate = flyer(meshes::cube(0.2, 2), true);
    const double truth = (2 - 0.1 - 1.15) / 300, target = 1e-4;
    for (const Collider* c : {&ball, &crate.collider})
        for (const bool is_swapped : {false, true}) {
            const SteadyMotion fly{{{1.15, 2, 0}, {}}, {300, 0, 0}, {}};
            const ImpactAt i = is_swapped ? time_of_impact(*c, fly, u.collider, {}, 1.0 / 60, target)
                                          : time_of_impact(u.collider, {}, *c, fly, 1.0 / 60, target);
            EXPECT_EQ(i.kind, Impact::Kind::Touch);
            EXPECT_LE(i.t, truth);
            EXPECT_GE(i.t, truth - 1.001 * target / 300);
            EXPECT_NEAR(std::abs(i.points.normal.x), 1, 1e-9);
        }
}

// Along a wall without touching it: a millimetre away for 16 m.
TEST(SurfaceImpact, AlongAWall) {
    const Flyer wall = flyer(meshes::box({40, 1, 40}, 20), false),
                ring = flyer(meshes::torus(0.15, 0.005, 32, 12), true);
    const SteadyMotion fly{{{-10, 0.506, 0.3}, {}}, {1000, 0, 20}, {0, 50, 0}};
    const ImpactAt i = time_of_impact(wall.collider, {}, ring.collider, fly, 1.0 / 60, 1e-5);
    EXPECT_EQ(i.kind, Impact::Kind::None);
    EXPECT_LE(i.evaluations, 3);
}

TEST(SurfaceImpact, TakesNoMemory) {
    const Flyer u = flyer(meshes::u_shape(0.3, 0.1), true), land = rough_land();
    const SteadyMotion fall{{{0, 3, 0}, {}}, {0, -300, 0}, {30, 20, 10}};
    const long before = allocations;
    EXPECT_TRUE(time_of_impact(land.collider, {}, u.collider, fall, 1.0 / 60, 1e-4).hit());
    EXPECT_TRUE(time_of_impact(u.collider, {}, u.collider, fall, 1.0 / 60, 1e-4).hit());
    EXPECT_EQ(allocations - before, 0);
}

}  // namespace
}  // namespace impuls
