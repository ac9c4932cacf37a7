// Every pair of the dispatch table against the oracles, over random poses: deep, grazing, apart, aligned.
#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "collision/random_pairs.h"
#include "support/slow_build.h"

namespace impuls {
namespace {

using namespace oracle;

constexpr int kSamples = kSlowBuild ? 1000 : 10000;

struct Case {
    ColliderKind a, b;
    const char* name;
};

class Pairs : public testing::TestWithParam<Case> {
  protected:
    static bool clips_faces() {
        const Case c = GetParam();
        if (c.a == ColliderKind::Sphere || c.a == ColliderKind::Ellipsoid || c.b == ColliderKind::Ellipsoid)
            return false;
        return c.b != ColliderKind::Plane && (c.a != ColliderKind::Capsule || is_new(c.b));
    }
    // Of boxes and polyhedra that overlap by more than a tenth of the size, a face may be taken for edges
    // that are nearer: its points are within a quarter of the depth of what parts them.
    static double share_of_depth(double gap, double size) {
        const auto has_edges = [](ColliderKind k) {
            return k == ColliderKind::Box || k == ColliderKind::Convex;
        };
        return has_edges(GetParam().a) && has_edges(GetParam().b) && gap < -0.1 * size ? -0.25 * gap : 0;
    }
    // Shapes without a closed-form oracle cost more: fewer samples.
    static bool is_new(ColliderKind k) { return k >= ColliderKind::Cylinder; }
    static int samples() { return is_new(GetParam().a) || is_new(GetParam().b) ? kSamples / 25 : kSamples; }
};

TEST_P(Pairs, SeparationAndNormalAgainstSupportOracle) {
    const Case c = GetParam();
    Rng rng(17);
    int touching = 0, deep = 0;
    for (int k = 0; k < samples(); ++k) {
        SCOPED_TRACE(k);
        const Sample s = random_sample(c.a, c.b, rng);
        const Best truth = signed_distance(s.a, s.b);
        const Manifold m = collide(s.a, s.b, s.margin);
        ASSERT_GE(m.count, 0);
        if (m.count == 0) continue;
        ++touching;
        ASSERT_LE(truth.gap, s.margin + 1e-9);
        ASSERT_NEAR(length(m.normal), 1, 1e-12);
        const double worth = gap(s.a, s.b, m.normal), claimed = min_separation(m);
        const double size = std::min(s.a.shape.kind == ColliderKind::Plane ? 1e9 : s.a.shape.size,
                                     s.b.shape.kind == ColliderKind::Plane ? 1e9 : s.b.shape.size);
        const double deep_share = share_of_depth(truth.gap, size);
        if (!clips_faces()) {
            ASSERT_NEAR(claimed, worth, 1e-9);
            ASSERT_GE(worth, truth.gap - 1e-9);
        } else {
            ASSERT_GE(claimed, worth - 1e-3 * size - (is_new(c.b) ? 1e-3 : 0));
            if (truth.gap < 0) {
                const double turned = is_new(c.b) ? 2e-3 * (reach(s.a.shape) + reach(s.b.shape)) : 0;
                const double least = truth.gap - 0.0201 * size - turned;
                if (deep_share == 0 || m.count == 1) {
                    ASSERT_GE(worth, least);
                } else if (worth < least) {
                    ASSERT_NEAR(claimed, truth.gap, 0.0201 * size + deep_share);
                }
            }
        }
        // Moving b by -separation * normal makes them just touch.
        Body moved = s.b;
        moved.pose.position -= m.normal * claimed;
        const double after = std::max(signed_distance(s.a, moved).gap, gap(s.a, moved, m.normal));
        ASSERT_GE(after, clips_faces() ? -0.02 * size - 2e-3 - deep_share : -1e-6);
        ASSERT_LE(after, !clips_faces()      ? 1e-6
                         : truth.gap > -5e-3 ? s.margin + 5e-3
                                             : 0.02 * size + 1e-6 + deep_share);
        deep += claimed < -0.1;
    }
    EXPECT_GT(touching, samples() / 4);
    EXPECT_GT(deep, samples() / 20);
}

// Apart or not too deep, these have an exact distance.
class PairsWithARoundBody : public Pairs {};
TEST_P(PairsWithARoundBody, SeparationAgainstSearchAlongTheAxis) {
    const Case c = GetParam();
    const bool b_is_round = c.b == ColliderKind::Capsule || c.b == ColliderKind::Sphere;
    Rng rng(71);
    int apart = 0, touching = 0;
    for (int k = 0; k < samples(); ++k) {
        SCOPED_TRACE(k);
        const Sample s = random_sample(c.a, c.b, rng);
        const Body &round = b_is_round ? s.b : s.a, &other = b_is_round ? s.a : s.b;
        const double outside = axis_distance(other, round), truth = outside - round.shape.radius;
        if (outside < 1e-6) continue;
        const Manifold m = collide(s.a, s.b, s.margin);
        if (std::abs(truth - s.margin) > 1e-9) {
            ASSERT_EQ(m.count > 0, truth < s.margin);
        }
        (m.count > 0 ? touching : apart) += 1;
        if (m.count > 0) {
            ASSERT_NEAR(min_separation(m), truth,
                        c.b == ColliderKind::Capsule ? 3e-3 * s.b.shape.radius : 1e-9);
        }
    }
    EXPECT_GT(touching, samples() / 10);
    EXPECT_GT(apart, samples() / 100);
}

// How far a point may be from both surfaces: half its separation; where faces are clipped, half of the margin
// when it is apart.
void expect_midway(const Sample& s, bool clips_faces, bool is_new) {
    const Manifold m = collide(s.a, s.b, s.margin);
    if (min_separation(m) < -0.1 * std::max(s.a.shape.size, s.b.shape.size)) return;
    for (int i = 0; i < m.count; ++i) {
        const ManifoldPoint& p = m.points[static_cast<std::size_t>(i)];
        ASSERT_LE(p.separation, s.margin);
        for (const Body* body : {&s.a, &s.b}) {
            const double d = point_distance(*body, p.position);
            const double half = 0.5 * (p.separation > 0 && clips_faces ? s.margin : p.separation);
            const double slack =
                0.01 * (body->shape.kind == ColliderKind::Plane ? 0 : body->shape.size) + 1e-9;
            ASSERT_LE(d, std::max(is_new ? std::abs(half) : half, 0.0) + slack) << i << " of " << m.count;
            ASSERT_GE(d, -std::abs(half) - slack) << i << " of " << m.count;
        }
        for (int j = 0; j < i; ++j) ASSERT_NE(p.feature, m.points[static_cast<std::size_t>(j)].feature);
    }
}

TEST_P(Pairs, PointsLieMidwayBetweenBothSurfaces) {
    const Case c = GetParam();
    Rng rng(5);
    for (int k = 0; k < samples(); ++k) {
        SCOPED_TRACE(k);
        expect_midway(random_sample(c.a, c.b, rng), clips_faces(), is_new(c.a) || is_new(c.b));
        if (HasFatalFailure()) return;
    }
}

// Found in 48 000 poses of boxes and convex bodies: a clipped point at a sharp corner of a face; a face that
// wins by preference and has nothing over it, of bodies that overlap and of bodies that are apart.
TEST(BoxConvex, RarePointsLieMidwayToo) {
    for (const auto& [seed, k] : {std::pair{8, 396}, {59, 372}, {74, 19}, {80, 80}, {108, 232}}) {
        SCOPED_TRACE(seed);
        Rng rng(static_cast<std::uint64_t>(seed));
        for (int i = 0; i < k; ++i) random_sample(ColliderKind::Box, ColliderKind::Convex, rng);
        expect_midway(random_sample(ColliderKind::Box, ColliderKind::Convex, rng), true, true);
    }
}

TEST_P(Pairs, SwapFlipsTheNormalAndNothingElse) {
    const Case c = GetParam();
    Rng rng(23);
    const bool same_kind = c.a == c.b && c.a != ColliderKind::Sphere;
    for (int k = 0; k < samples(); ++k) {
        SCOPED_TRACE(k);
        const Sample s = random_sample(c.a, c.b, rng);
        const Manifold m = collide(s.a, s.b, s.margin), w = collide(s.b, s.a, s.margin);
        if (!same_kind) {
            ASSERT_EQ(m.count, w.count);
            if (m.count > 0) {
                ASSERT_EQ(m.normal, -w.normal);
            }
            for (std::size_t i = 0; i < static_cast<std::size_t>(m.count); ++i) {
                ASSERT_EQ(m.points[i].position, w.points[i].position);
                ASSERT_EQ(m.points[i].separation, w.points[i].separation);
                ASSERT_EQ(m.points[i].feature, w.points[i].feature);
            }
        } else if (m.count > 0 && w.count > 0 && dot(m.normal, w.normal) < -0.999999) {
            ASSERT_NEAR(min_separation(m), min_separation(w),
                        0.011 * std::min(s.a.shape.size, s.b.shape.size));
        }
    }
}

// Everything a manifold says, as bit patterns (zeros without sign), lengths times `scale`.
std::vector<std::uint64_t> bits(const Manifold& m, double scale) {
    std::vector<std::uint64_t> all{static_cast<std::uint64_t>(m.count)};
    const auto put = [&](double x) { all.push_back(std::bit_cast<std::uint64_t>(x + 0.0)); };
    if (m.count == 0) return all;
    for (int i = 0; i < 3; ++i) put(m.normal[i]);
    for (std::size_t k = 0; k < static_cast<std::size_t>(m.count); ++k) {
        for (int i = 0; i < 3; ++i) put(m.points[k].position[i] * scale);
        put(m.points[k].separation * scale);
        all.push_back(m.points[k].feature);
    }
    return all;
}

Body scaled(Body b, double s) {
    if (b.shape.polyhedron) {
        std::vector<Vec3> points = b.shape.polyhedron->hull.vertices;
        for (Vec3& p : points) p *= s;
        b.shape = convex(points);
        b.pose.position *= s;
        return b;
    }
    b.shape.half *= s, b.shape.radius *= s, b.shape.size *= s, b.pose.position *= s;
    return b;
}

TEST_P(Pairs, ScalesExactlyWithPowersOfTwo) {
    const Case c = GetParam();
    Rng rng(31);
    int touching = 0;
    for (int k = 0; k < samples(); ++k) {
        const Sample s = random_sample(c.a, c.b, rng);
        const Manifold m = collide(s.a, s.b, s.margin);
        touching += m.count > 0;
        for (const double f : {0x1p7, 0x1p-7}) {
            const Manifold big = collide(scaled(s.a, f), scaled(s.b, f), s.margin * f);
            ASSERT_EQ(bits(m, 1), bits(big, 1 / f)) << k;
        }
    }
    EXPECT_GT(touching, samples() / 4);
}

// Motions of 1e-9 of the size may not change count or ids, but where a sample happens to sit on a border
// between two cases; random samples do so far less often than once in a hundred.
TEST_P(Pairs, TinyMotionKeepsFeatures) {
    const Case c = GetParam();
    Rng rng(41);
    int compared = 0, changed = 0;
    for (int k = 0; k < samples(); ++k) {
        Sample s = random_sample(c.a, c.b, rng);
        s.margin = 0.05;
        const Manifold m = collide(s.a, s.b, s.margin);
        Body moved = s.b;
        moved.pose.position += rng.direction() * 1e-9;
        moved.pose.orientation = normalized(from_axis_angle(rng.direction(), 1e-9) * moved.pose.orientation);
        const Manifold w = collide(s.a, moved, s.margin);
        if (m.count == 0) continue;
        ++compared;
        bool same = m.count == w.count;
        for (std::size_t i = 0; same && i < static_cast<std::size_t>(m.count); ++i) {
            same = m.points[i].feature == w.points[i].feature;
        }
        changed += !same;
    }
    EXPECT_GT(compared, samples() / 5);
    EXPECT_LE(100 * changed, compared);
}

constexpr auto S = ColliderKind::Sphere, B = ColliderKind::Box, C = ColliderKind::Capsule,
               Y = ColliderKind::Cylinder, K = ColliderKind::Cone, E = ColliderKind::Ellipsoid,
               X = ColliderKind::Convex, P = ColliderKind::Plane;
constexpr Case kRound[] = {{S, S, "sphere_sphere"}, {S, B, "sphere_box"},  {S, C, "sphere_capsule"},
                           {S, P, "sphere_plane"},  {B, C, "box_capsule"}, {C, C, "capsule_capsule"},
                           {C, P, "capsule_plane"}};
constexpr Case kBoxes[] = {{B, B, "box_box"}, {B, P, "box_plane"}};
constexpr Case kOthers[] = {
    {S, Y, "sphere_cylinder"},    {S, K, "sphere_cone"},       {S, E, "sphere_ellipsoid"},
    {S, X, "sphere_convex"},      {B, Y, "box_cylinder"},      {B, K, "box_cone"},
    {B, E, "box_ellipsoid"},      {B, X, "box_convex"},        {C, Y, "capsule_cylinder"},
    {C, K, "capsule_cone"},       {C, E, "capsule_ellipsoid"}, {C, X, "capsule_convex"},
    {Y, P, "cylinder_plane"},     {K, P, "cone_plane"},        {E, P, "ellipsoid_plane"},
    {X, P, "convex_plane"},       {Y, Y, "cylinder_cylinder"}, {Y, K, "cylinder_cone"},
    {Y, E, "cylinder_ellipsoid"}, {Y, X, "cylinder_convex"},   {K, K, "cone_cone"},
    {K, E, "cone_ellipsoid"},     {K, X, "cone_convex"},       {E, E, "ellipsoid_ellipsoid"},
    {E, X, "ellipsoid_convex"},   {X, X, "convex_convex"}};
const auto name_of = [](const auto& instance) { return std::string(instance.param.name); };
INSTANTIATE_TEST_SUITE_P(Round, Pairs, testing::ValuesIn(kRound), name_of);
INSTANTIATE_TEST_SUITE_P(Boxes, Pairs, testing::ValuesIn(kBoxes), name_of);
INSTANTIATE_TEST_SUITE_P(Others, Pairs, testing::ValuesIn(kOthers), name_of);
INSTANTIATE_TEST_SUITE_P(Round, PairsWithARoundBody, testing::ValuesIn(kRound), name_of);

}  // namespace
}  // namespace impuls
