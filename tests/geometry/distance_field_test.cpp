// Distance fields against closed forms and against loops over all triangles.
#include "geometry/distance_field.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/rng.h"
#include "geometry/closed_mesh.h"
#include "geometry/winding_number.h"
#include "support/slow_build.h"
#include "support/solid_meshes.h"

namespace impuls {
namespace {

DistanceField field_of(const TriangleMesh& mesh, int resolution, DistanceFieldReport* report = nullptr) {
    DistanceFieldReport own;
    DistanceField f = DistanceField::build(mesh, {resolution}, report ? *report : own);
    if (!report) {
        EXPECT_EQ(own.error, "");
    }
    return f;
}

Vec3 point_in(Rng& rng, double r) {
    return {rng.uniform(-r, r), rng.uniform(-r, r), rng.uniform(-r, r)};
}

double box_distance(const Vec3& p, const Vec3& half) {
    const Vec3 q{std::abs(p.x) - half.x, std::abs(p.y) - half.y, std::abs(p.z) - half.z};
    const Vec3 out{std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)};
    return length(out) + std::min(std::max({q.x, q.y, q.z}), 0.0);
}
double torus_distance(const Vec3& p, double R, double r) {
    const double d = std::sqrt(p.x * p.x + p.z * p.z) - R;
    return std::sqrt(d * d + p.y * p.y) - r;
}

// Largest error of the values within `band` of the surface, for random points.
template <class Exact>
double worst_near(const DistanceField& f, Exact&& exact, double reach, double band) {
    Rng rng(7, 0);
    double worst = 0;
    for (int k = 0; k < (kSlowBuild ? 6000 : 60000); ++k) {
        const Vec3 p = point_in(rng, reach);
        const double d = exact(p);
        if (std::abs(d) < band) worst = std::max(worst, std::abs(f.value(p) - d));
    }
    return worst;
}

TEST(DistanceField, BoxIsExactUpToItsEdges) {
    const Vec3 half{0.5, 0.4, 0.3};
    const DistanceField f = field_of(meshes::box(half * 2.0, 3), 32);
    Rng rng(1, 0);
    double worst = 0, worst_flat = 0;
    for (int k = 0; k < (kSlowBuild ? 10000 : 100000); ++k) {
        const Vec3 p = point_in(rng, 0.6);
        const double d = box_distance(p, half), e = std::abs(f.value(p) - d);
        if (std::abs(d) > f.band()) continue;
        worst = std::max(worst, e);
        // Far from edges the distance is linear, and trilinear interpolation is exact (up to float values).
        int close = 0;
        for (int i = 0; i < 3; ++i) close += std::abs(std::abs(p[i]) - half[i]) < 4 * f.cell();
        if (close == 1) worst_flat = std::max(worst_flat, e);
    }
    EXPECT_LT(worst_flat, 1e-6 * f.cell());
    EXPECT_LT(worst, 0.5 * f.cell());
    EXPECT_GT(worst, 1e-3 * f.cell());  // edges are rounded
}

// Second order: the error falls by four when the cells are halved. The mesh is much finer than the grid.
TEST(DistanceField, TorusConvergesWithTheSquareOfTheCell) {
    const int around = kSlowBuild ? 180 : 360;
    const TriangleMesh m = meshes::torus(1, 0.4, around, around / 2);
    const auto exact = [](const Vec3& p) { return torus_distance(p, 1, 0.4); };
    double error[3];
    const int sizes = kSlowBuild ? 2 : 3;
    for (int k = 0; k < sizes; ++k) error[k] = worst_near(field_of(m, 16 << k), exact, 1.5, 0.1);
    EXPECT_LT(error[0], 0.03);
    for (int k = 1; k < sizes; ++k) EXPECT_GT(error[k - 1] / error[k], 3) << k;
}

TEST(DistanceField, SphereValuesAndGradients) {
    const int resolution = kSlowBuild ? 32 : 64;
    const DistanceField f = field_of(tessellate(Sphere{1}, 3 * resolution), resolution);
    Rng rng(3, 0);
    double worst = 0, worst_angle = 0;
    for (int k = 0; k < (kSlowBuild ? 5000 : 50000); ++k) {
        const Vec3 p = point_in(rng, 1.2);
        const double d = length(p) - 1;
        if (std::abs(d) > f.band()) continue;
        const FieldSample s = f.value_and_gradient(p);
        EXPECT_EQ(s.value, f.value(p));
        worst = std::max(worst, std::abs(s.value - d));
        worst_angle = std::max(worst_angle, length(normalized(s.gradient) - p / length(p)));
    }
    const double coarser = 64.0 / resolution;  // values are of second order, gradients of first
    EXPECT_LT(worst, 5e-4 * coarser * coarser);
    EXPECT_LT(worst_angle, 0.05 * coarser);
}

TEST(DistanceField, GradientIsThatOfTheInterpolant) {
    const DistanceField f = field_of(meshes::u_shape(1, 1), 24);
    Rng rng(4, 0);
    int checked = 0;
    for (int k = 0; k < 20000; ++k) {
        const Vec3 p = point_in(rng, 4);
        const double e = 1e-6 * f.cell();
        const FieldSample s = f.value_and_gradient(p);
        if (std::abs(s.value) > f.band() * 0.99) continue;
        Vec3 g;
        for (int i = 0; i < 3; ++i) {
            Vec3 a = p, b = p;
            a[i] -= e, b[i] += e;
            g[i] = (f.value(b) - f.value(a)) / (2 * e);
        }
        if (length(g - s.gradient) > 1e-5) {
            // Only across a face of a cell, where the gradient jumps.
            EXPECT_GT(length(f.value_and_gradient(p + Vec3{e, e, e}).gradient - s.gradient) +
                          length(f.value_and_gradient(p - Vec3{e, e, e}).gradient - s.gradient),
                      1e-6);
            continue;
        }
        ++checked;
        EXPECT_LE(length(s.gradient), f.lipschitz() * (1 + 1e-6));
    }
    EXPECT_GT(checked, 500);
    EXPECT_LE(f.lipschitz(), std::sqrt(3.0) * (1 + 1e-5));
}

// Exact signed distance by loops: distance to all triangles, sign by the sum of all solid angles.
double distance_by_loop(const TriangleMesh& m, const Vec3& p) {
    double nearest = 1e300, angle = 0;
    for (const auto& [a, b, c] : m.triangles) {
        const Vec3 &u = m.vertices[a], &v = m.vertices[b], &w = m.vertices[c];
        nearest = std::min(nearest, length(p - closest_on_triangle(p, u, v, w).point));
        angle += solid_angle(p, {u, v, w});
    }
    return angle > 6.283185307179586 ? -nearest : nearest;
}

TEST(DistanceField, BoundsHoldEverywhereAndSignsAreRight) {
    for (const TriangleMesh& m : {meshes::u_shape(1, 2), meshes::torus(1, 0.5, 24, 16), meshes::cube(2, 2)}) {
        const DistanceField f = field_of(m, kSlowBuild ? 24 : 48);
        Rng rng(5, 0);
        int far = 0;
        for (int k = 0; k < (kSlowBuild ? 800 : 4000); ++k) {
            const Vec3 p = point_in(rng, 4);
            const double d = distance_by_loop(m, p), v = f.value(p);
            if (std::abs(d) > 0.87 * f.cell()) {
                EXPECT_EQ(v < 0, d < 0) << p.x << ' ' << p.y << ' ' << p.z;
            }
            EXPECT_LE(f.lower_bound(p), d);
            if (overlaps({p, p}, f.surface_box())) {
                EXPECT_NEAR(v, d, (std::abs(d) < f.band() ? 1 : 2) * 0.867 * f.cell());
            } else {
                EXPECT_LE(v, d + 2 * 0.867 * f.cell());
            }
            far += std::abs(d) > f.band();
        }
        EXPECT_GT(far, 100);
    }
}

TEST(DistanceField, PruneKeepsEveryValueBelowTheMargin) {
    const DistanceField f = field_of(meshes::u_shape(1, 1), 40);
    Rng rng(6, 0);
    int pruned = 0;
    for (int k = 0; k < 20000; ++k) {
        const Vec3 c = point_in(rng, 4);
        const double radius = rng.uniform(0, 1), margin = rng.uniform(0, 4) * f.cell();
        if (f.may_reach(c, radius, margin)) continue;
        ++pruned;
        for (int j = 0; j < 20; ++j) {
            const Vec3 p = c + normalized(point_in(rng, 1)) * (radius * rng.uniform());
            EXPECT_GT(f.value(p), margin);
        }
    }
    EXPECT_GT(pruned, 5000);
}

TEST(DistanceField, ScalesWithPowersOfTwo) {
    const TriangleMesh m = meshes::bumpy_sphere(1, 0.3, 32);
    const DistanceField one = field_of(m, 32);
    for (const double s : {0x1p-30, 0x1p9}) {
        const DistanceField f = field_of(meshes::scaled(m, s), 32);
        EXPECT_EQ(f.brick_count(), one.brick_count());
        Rng rng(8, 0);
        for (int k = 0; k < 3000; ++k) {
            const Vec3 p = point_in(rng, 2);
            EXPECT_EQ(f.value(p * s), one.value(p) * s);
            EXPECT_EQ(f.value_and_gradient(p * s).gradient, one.value_and_gradient(p).gradient);
        }
    }
}

TEST(DistanceField, ThreadsDoNotChangeIt) {
    const TriangleMesh m = meshes::bumpy_sphere(1, 0.3, 32);
    DistanceFieldReport report;
    Executor two(2);
    const DistanceField a = field_of(m, 32), b = DistanceField::build(m, {32}, report, &two);
    Rng rng(9, 0);
    for (int k = 0; k < 5000; ++k) {
        const Vec3 p = point_in(rng, 1.5);
        EXPECT_EQ(a.value(p), b.value(p));
    }
}

// The stated limit: holes whose caps are up to a tenth of the surface. A ball whose top is cut off at the
// angle t from the pole is that ball with a flat cap.
TEST(DistanceField, HolesAreClosedUpToTenPercent) {
    const TriangleMesh full = tessellate(Sphere{1}, 64);
    for (const double angle : {0.1, 0.3, 0.6}) {
        TriangleMesh m = full;
        std::erase_if(m.triangles, [&](const auto& t) {
            return std::all_of(t.begin(), t.end(),
                               [&](std::uint32_t v) { return full.vertices[v].y > std::cos(angle) - 1e-9; });
        });
        double rim = -1;  // height of the hole's rim
        for (const auto& t : m.triangles)
            for (const std::uint32_t v : t) rim = std::max(rim, m.vertices[v].y);
        DistanceFieldReport report;
        const DistanceField f = field_of(m, kSlowBuild ? 24 : 48, &report);
        ASSERT_EQ(report.error, "");
        EXPECT_EQ(report.closed_loops, 1u);
        EXPECT_NEAR(report.cap_fraction, (1 - rim * rim) / (1 - rim * rim + 2 * (1 + rim)), 0.01);
        Rng rng(10, 0);
        for (int k = 0; k < (kSlowBuild ? 4000 : 20000); ++k) {
            const Vec3 p = point_in(rng, 1.2);
            const double outside = std::max(length(p) - 1, p.y - rim);
            if (std::abs(outside) > f.cell()) {
                EXPECT_EQ(f.value(p) > 0, outside > 0);
            }
        }
    }
    TriangleMesh open = meshes::cube(1, 4);  // without one side: 1/6
    std::erase_if(open.triangles, [&](const auto& t) {
        return std::all_of(t.begin(), t.end(), [&](std::uint32_t v) { return open.vertices[v].y > 0.499; });
    });
    DistanceFieldReport report;
    EXPECT_TRUE(field_of(open, 16, &report).empty());
    EXPECT_NE(report.error.find("17 %"), std::string::npos) << report.error;
}

TEST(DistanceField, SelfTouchingAndCrossingMeshesHaveAnInside) {
    const TriangleMesh cube = meshes::cube(1, 2);
    const struct {
        TriangleMesh mesh;
        Vec3 shift;
    } cases[] = {
        {meshes::joined(cube, meshes::moved(meshes::cube(1, 3), {0.5, 0.2, 0.1})), {0.5, 0.2, 0.1}},
        {meshes::joined(cube, meshes::moved(cube, {1, 0, 0})), {1, 0, 0}},      // share corners
        {meshes::joined(cube, meshes::moved(cube, {1, 0.3, 0})), {1, 0.3, 0}},  // share part of a face
        {meshes::joined(cube, meshes::moved(cube, {1, 1, 0})), {1, 1, 0}}};     // share an edge
    for (const auto& [mesh, shift] : cases) {
        DistanceFieldReport report;
        const DistanceField f = field_of(mesh, 40, &report);
        ASSERT_EQ(report.error, "");
        EXPECT_TRUE(report.by_winding);
        EXPECT_EQ(report.closed_loops, 0u);
        Rng rng(11, 0);
        for (int k = 0; k < 20000; ++k) {
            const Vec3 p = point_in(rng, 1.8), half{0.5, 0.5, 0.5};
            const double d = std::min(box_distance(p, half), box_distance(p - shift, half));
            // Inner sheets count as surface: there the value is near zero, negative.
            if (std::abs(d) > f.cell()) {
                EXPECT_EQ(f.value(p) > 0, d > 0) << p.x << ' ' << p.y << ' ' << p.z;
            }
            if (d > 0 && d < f.band()) {
                EXPECT_NEAR(f.value(p), d, 0.87 * f.cell());
            }
        }
    }
    DistanceFieldReport report;
    EXPECT_FALSE((field_of(cube, 16, &report), report.by_winding));
}

TEST(DistanceField, FlippedTrianglesAreOutvoted) {
    TriangleMesh m = meshes::cube(1, 6);
    for (std::size_t t = 0; t < m.triangles.size(); t += 37) std::swap(m.triangles[t][0], m.triangles[t][1]);
    DistanceFieldReport report;
    const DistanceField f = field_of(m, 32, &report);
    ASSERT_EQ(report.error, "");
    Rng rng(12, 0);
    for (int k = 0; k < 20000; ++k) {
        const Vec3 p = point_in(rng, 0.7);
        const double d = box_distance(p, {0.5, 0.5, 0.5});
        if (std::abs(d) > f.cell()) {
            EXPECT_EQ(f.value(p) > 0, d > 0);
        }
    }
}

TEST(DistanceField, RefusesWhatHasNoInside) {
    DistanceFieldReport report;
    EXPECT_TRUE(field_of({}, 16, &report).empty());
    EXPECT_NE(report.error, "");
    TriangleMesh inside_out = meshes::cube(1, 1);
    for (auto& t : inside_out.triangles) std::swap(t[0], t[1]);
    EXPECT_TRUE(field_of(inside_out, 16, &report).empty());
    EXPECT_NE(report.error, "");
    EXPECT_TRUE(field_of(meshes::cube(1, 1), 2, &report).empty());
    EXPECT_NE(report.error, "");
}

TEST(WindingNumber, AgreesWithTheSumOfAllTriangles) {
    const TriangleMesh m = meshes::torus(1, 0.4, 48, 24);
    TriangleTree tree;
    tree.build(m.vertices, m.triangles);
    const WindingNumber winding(tree);
    Rng rng(13, 0);
    for (int k = 0; k < 2000; ++k) {
        const Vec3 p = point_in(rng, 1.5);
        if (std::abs(torus_distance(p, 1, 0.4)) < 0.02) continue;
        EXPECT_NEAR(winding.at(p), torus_distance(p, 1, 0.4) < 0 ? 1 : 0, 0.05);
    }
}

}  // namespace
}  // namespace impuls
