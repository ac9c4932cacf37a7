// Bounding boxes against dense sampling of the surfaces by their own parametrisations.
#include "geometry/aabb.h"

#include <gtest/gtest.h>

#include <numbers>

#include "geometry/oracles.h"

namespace impuls {
namespace {

using std::numbers::pi;
using Points = std::vector<Vec3>;

constexpr int kSteps = 360;

Points ring(double radius, double y) {
    Points out;
    for (int i = 0; i < kSteps; ++i) {
        const double a = 2 * pi * i / kSteps;
        out.push_back({radius * std::cos(a), y, radius * std::sin(a)});
    }
    return out;
}

Points ellipsoid(const Vec3& radii, double lift = 0) {
    Points out;
    for (int i = 0; i <= kSteps / 2; ++i) {
        const double b = pi * i / (kSteps / 2) - pi / 2;
        for (const Vec3& p : ring(std::cos(b), std::sin(b)))
            out.push_back(scale(radii, p) + Vec3{0, lift, 0});
    }
    return out;
}

Points join(Points a, const Points& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

// The box holds all samples, and no side is farther away than the sampling step explains.
void expect_tight(const Shape& shape, const Points& surface, double slack) {
    oracle::Random random(21);
    for (int n = 0; n < 20; ++n) {
        const Pose X{random.vector(3), random.rotation()};
        const Aabb box = bounds(shape, X);
        Aabb sampled;
        for (const Vec3& p : surface) {
            const Vec3 x = X * p;
            for (int i = 0; i < 3; ++i) {
                sampled.min[i] = std::min(sampled.min[i], x[i]);
                sampled.max[i] = std::max(sampled.max[i], x[i]);
            }
        }
        for (int i = 0; i < 3; ++i) {
            EXPECT_LE(box.min[i], sampled.min[i] + 1e-14);
            EXPECT_GE(box.max[i], sampled.max[i] - 1e-14);
            EXPECT_GE(box.min[i], sampled.min[i] - slack);
            EXPECT_LE(box.max[i], sampled.max[i] + slack);
        }
    }
}

// Largest distance of a circle of radius 1 from its polygon of kSteps corners, doubled for two directions.
const double kRound = pi * pi / (kSteps * double(kSteps));

TEST(Aabb, RoundShapes) {
    expect_tight(Sphere{0.7}, ellipsoid({0.7, 0.7, 0.7}), kRound);
    expect_tight(Ellipsoid{{0.3, 0.9, 0.5}}, ellipsoid({0.3, 0.9, 0.5}), 2 * kRound);
    expect_tight(Capsule{0.2, 1.4}, join(ellipsoid({0.2, 0.2, 0.2}, -0.7), ellipsoid({0.2, 0.2, 0.2}, 0.7)),
                 kRound);
    expect_tight(Cylinder{0.4, 1.2}, join(ring(0.4, -0.6), ring(0.4, 0.6)), kRound);
    expect_tight(Cone{0.4, 1.2}, join(ring(0.4, -0.6), {{0, 0.6, 0}}), kRound);
    expect_tight(Cone{2, 0.1}, join(ring(2, -0.05), {{0, 0.05, 0}}), 2 * kRound);
}

TEST(Aabb, CorneredShapes) {
    Points corners;
    for (const double x : {-0.5, 0.5})
        for (const double y : {-1.0, 1.0})
            for (const double z : {-1.5, 1.5}) corners.push_back({x, y, z});
    expect_tight(Box{{1, 2, 3}}, corners, 1e-14);
    expect_tight(Convex{corners}, corners, 1e-14);
    Points with_unused = corners;
    with_unused.push_back({100, 100, 100});
    expect_tight(Mesh{"", with_unused, {0, 1, 2, 3, 4, 5, 6, 7, 0}}, corners, 1e-14);
    // 3 columns by 2 rows of spacing 2: x in -2..2, z in -1..1.
    expect_tight(HeightField{3, 2, {5, 1, 0, -1, 7, 2}},
                 {{-2, 5, -1}, {0, 1, -1}, {2, 0, -1}, {-2, -1, 1}, {0, 7, 1}, {2, 2, 1}}, 1e-14);
    expect_tight(Point{}, {{0, 0, 0}}, 0);
}

TEST(Aabb, CompoundIsTheUnionOfItsParts) {
    const Pose X{{1, 2, 3}, normalized(Quat{1, 2, 3, 4})};
    Points points = {{0.25, 0, 0}};
    Points cone = join(ring(0.4, -0.6), {{0, 0.6, 0}});
    for (Vec3& p : cone) p = X * p;
    const Compound compound{
        {{{0.25, 0, 0}, {}, Convex{{{0, 0, 0}}}}, {X.position, X.orientation, Cone{0.4, 1.2}}}};
    expect_tight(compound, join(points, cone), kRound);
}

TEST(Aabb, UnturnedBoxIsExact) {
    const Aabb box = bounds(Cylinder{0.3, 0.7}, {{1, 2, 3}, {}});
    EXPECT_EQ(box.min, (Vec3{1 - 0.3, 2 - 0.35, 3 - 0.3}));
    EXPECT_EQ(box.max, (Vec3{1 + 0.3, 2 + 0.35, 3 + 0.3}));
}

TEST(Aabb, PlaneIsInfiniteAndOverlapsAll) {
    const Aabb plane = bounds(Plane{}, {});
    EXPECT_TRUE(std::isinf(plane.min.x) && plane.min.x < 0);
    EXPECT_TRUE(std::isinf(plane.max.y) && plane.max.y > 0);
    EXPECT_TRUE(overlaps(plane, bounds(Sphere{1e-9}, {{1e9, -1e9, 3}, {}})));
}

}  // namespace
}  // namespace impuls
