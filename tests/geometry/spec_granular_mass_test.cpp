// T9 of the granular text: exact mass properties of polyhedra. The reference is a surface quadrature in long
// double over hulls found by brute force (oracles.h), which shares nothing with the code under test.
#include <gtest/gtest.h>

#include <numbers>

#include "geometry/mass_properties.h"
#include "geometry/oracles.h"

namespace impuls {
namespace {

using std::numbers::phi;
using std::numbers::pi;

// A body with equal moments: volume, centre and I = factor M.
void expect_regular(const std::vector<Vec3>& points, double volume, double factor, const Vec3& center) {
    const double density = 2.75;
    const MassProperties m = mass_properties(Convex{points}, density);
    EXPECT_NEAR(m.mass, density * volume, 1e-12 * density * volume);
    EXPECT_LE(length(m.center - center), 1e-12);
    for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 3; ++i)
            EXPECT_NEAR(m.inertia[j][i], i == j ? factor * m.mass : 0, 1e-12 * factor * m.mass);
    }
}

TEST(SpecGranular, T9_mass_properties_of_cube_tetrahedron_icosahedron) {
    const double a = 0.7;  // edge
    const Vec3 at{0.2, -0.1, 0.4};
    std::vector<Vec3> cube, tetrahedron, icosahedron;
    for (const double x : {-1, 1})
        for (const double y : {-1, 1})
            for (const double z : {-1, 1}) cube.push_back(at + Vec3{x, y, z} * (a / 2));
    for (const Vec3& v : {Vec3{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}})
        tetrahedron.push_back(at + v * (a / std::sqrt(8.0)));
    for (const double s : {-1, 1})
        for (const double t : {-phi, phi})
            for (const Vec3& v : {Vec3{0, s, t}, {s, t, 0}, {t, 0, s}})
                icosahedron.push_back(at + v * (a / 2));
    expect_regular(cube, a * a * a, a * a / 6, at);
    expect_regular(tetrahedron, a * a * a / std::sqrt(72.0), a * a / 20, at);
    expect_regular(icosahedron, a * a * a * 5 * (3 + std::sqrt(5.0)) / 12, a * a * phi * phi / 10, at);
}

// Grains of the text: jittered vertices on an ellipsoid of axis ratios up to 3, 4 to 30 of them.
std::vector<Vec3> grain(oracle::Random& random, int vertices) {
    const Vec3 axes{random.uniform(0.5, 1.5), random.uniform(0.5, 1.5), random.uniform(0.5, 1.5)};
    std::vector<Vec3> points;
    for (int i = 0; i < vertices; ++i) {
        const Vec3 direction = random.direction();
        points.push_back(scale(axes, direction) * random.uniform(0.9, 1.0));
    }
    return points;
}

bool is_thick(const oracle::Moments& m) {
    return m.volume > 0.02L;
}

TEST(SpecGranular, T9_mass_properties_of_random_hulls) {
    oracle::Random random(41);
    oracle::Errors worst;
    for (int n = 0; n < 1000;) {
        const auto points = grain(random, 4 + n % 27);
        const oracle::Moments exact = oracle::moments(oracle::brute_hull(points));
        if (!is_thick(exact)) continue;  // slivers of four points: conditioned worse than 1e-12
        ++n;
        const oracle::Errors e = oracle::errors(mass_properties(Convex{points}, 1), exact, 1);
        worst = {std::max(worst.volume, e.volume), std::max(worst.center, e.center),
                 std::max(worst.inertia, e.inertia)};
    }
    std::printf("worst of 1000 hulls: V %.1e, x_cm %.1e, I %.1e\n", worst.volume, worst.center,
                worst.inertia);
    EXPECT_LE(worst.volume, 1e-12);
    EXPECT_LE(worst.center, 1e-12);
    EXPECT_LE(worst.inertia, 1e-12);
}

struct ShiftErrors {
    double volume = 0, center = 0, inertia = 0;
};

// How far volume and inertia change, and the centre misses centre + shift, when all points move by `distance`
// (in body sizes). With `snap` the points lie on a grid that the shifted frame still holds exactly.
ShiftErrors shift_errors(double distance, bool snap) {
    oracle::Random random(42);
    ShiftErrors worst;
    for (int n = 0; n < 200; ++n) {
        auto points = grain(random, 12);
        Vec3 shift = random.direction() * distance;
        if (snap) {
            const double grid = 0x1p24;
            for (Vec3& p : points)
                p = {std::round(p.x * grid) / grid, std::round(p.y * grid) / grid,
                     std::round(p.z * grid) / grid};
            shift = {std::round(shift.x), std::round(shift.y), std::round(shift.z)};
        }
        auto moved = points;
        for (Vec3& p : moved) p += shift;
        const MassProperties a = mass_properties(Convex{points}, 1), b = mass_properties(Convex{moved}, 1);
        const double size = std::max({a.inertia.c0.x, a.inertia.c1.y, a.inertia.c2.z});
        worst.volume = std::max(worst.volume, std::abs(b.mass / a.mass - 1));
        worst.center = std::max(worst.center, length((b.center - shift) - a.center));
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 3; ++i)
                worst.inertia = std::max(worst.inertia, std::abs(b.inertia[j][i] - a.inertia[j][i]) / size);
    }
    return worst;
}

// Rounding the shifted coordinates themselves costs eps distance / size; no method can do better than that.
// So 1e-12 holds for any coordinates up to about a thousand sizes, and beyond that only for coordinates that
// the shift does not round; the centre is always limited by its own rounding at the distance.
TEST(SpecGranular, T9_frame_shift_invariance) {
    const double eps = std::numeric_limits<double>::epsilon();
    for (const double distance : {1.0, 10.0, 100.0, 1000.0}) {
        const ShiftErrors e = shift_errors(distance, false);
        std::printf("shift %g sizes: V %.1e, x_cm %.1e, I %.1e\n", distance, e.volume, e.center, e.inertia);
        EXPECT_LE(e.volume, 1e-12);
        EXPECT_LE(e.center, 1e-12);
        EXPECT_LE(e.inertia, 1e-12);
    }
    for (const double distance : {1e4, 1e6, 1e8}) {
        const ShiftErrors e = shift_errors(distance, false), exact = shift_errors(distance, true);
        std::printf("shift %g sizes: V %.1e, x_cm %.1e, I %.1e; unrounded V %.1e, x_cm %.1e, I %.1e\n",
                    distance, e.volume, e.center, e.inertia, exact.volume, exact.center, exact.inertia);
        EXPECT_LE(e.volume, 10 * eps * distance);
        EXPECT_LE(e.inertia, 10 * eps * distance);
        EXPECT_LE(exact.volume, 1e-12);
        EXPECT_LE(exact.inertia, 1e-12);
        EXPECT_LE(std::max(e.center, exact.center), 2 * eps * distance);
    }
}

// n points of a Fibonacci lattice on an ellipsoid: the defects of V and I fall as 1/n.
TEST(SpecGranular, T9_ellipsoid_limit_error_falls_with_vertex_count) {
    const Vec3 radii{0.5, 0.8, 1.1};
    const MassProperties limit = mass_properties(Ellipsoid{radii}, 1);
    std::vector<Vec3> scaled;  // n times the relative errors of V, I_xx, I_zz
    for (const int n : {125, 500, 2000, 8000}) {
        std::vector<Vec3> points;
        for (int i = 0; i < n; ++i) {
            const double y = 1 - (2 * i + 1.0) / n, r = std::sqrt(1 - y * y),
                         angle = 2 * pi * i / (phi * phi);
            points.push_back(scale(radii, {r * std::cos(angle), y, r * std::sin(angle)}));
        }
        const MassProperties m = mass_properties(Convex{points}, 1);
        scaled.push_back(Vec3{1 - m.mass / limit.mass, 1 - m.inertia.c0.x / limit.inertia.c0.x,
                              1 - m.inertia.c2.z / limit.inertia.c2.z} *
                         n);
        std::printf("%d vertices: n times relative error of V %.4f, I_xx %.4f, I_zz %.4f\n", n,
                    scaled.back().x, scaled.back().y, scaled.back().z);
    }
    for (std::size_t k = 1; k < scaled.size(); ++k)
        for (int i = 0; i < 3; ++i) EXPECT_NEAR(scaled[k][i] / scaled[k - 1][i], 1, 0.05);
}

}  // namespace
}  // namespace impuls
