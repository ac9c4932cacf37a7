// Overlap polyhedra against numbers with proven bounds, on random and nearly degenerate poses of every pair
// of five bodies. What is asked, with size = the smaller radius:
//   volume          within 1e-12 size^3 (and so zero overlap where there is none),
//   first moment    volume times centroid, about a's origin, within 1e-12 size^3 times the larger radius,
//   centroid        within 1e-9 size where the volume is at least 1e-4 size^3 and 1e10 times the bound of
//                   the oracle, which is at most a tenth of the first two,
//   area vectors    within 1e-9 size^2 unless two faces are within 1e-6 of parallel (then the line between
//                   their patches is not determined by doubles); closed surface always.
// Long: 10^5 poses a pair.
#include <gtest/gtest.h>

#include <cstdlib>

#include "exact/exact_overlap.h"
#include "geometry/overlap.h"
#include "geometry/overlap_bodies.h"
#include "support/full_size.h"

namespace impuls {
namespace {

using namespace overlap_bodies;

Polyhedron make_body(int kind) {
    switch (kind) {
        case 0:
            return tetrahedron();
        case 1:
            return box({0.8, 1, 0.6});
        case 2:
            return icosahedron();
        case 3:
            return grain(20, 1);
        default:
            return grain(62, 2);
    }
}
const char* const kNames[] = {"tetrahedron", "box", "icosahedron", "grain20", "grain62"};

// The shortest rotation from one unit vector to another.
Quat between(const Vec3& from, const Vec3& to) {
    const Vec3 u = cross(from, to);
    const double w = 1 + dot(from, to);
    if (w > 1e-9) return normalized(Quat{w, u.x, u.y, u.z});
    const Vec3 across = cross(from, std::abs(from.x) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0});
    return normalized(Quat{0, across.x, across.y, across.z});
}

double tiny(Rng& rng) {
    return rng.uniform(-1, 1) * std::pow(10.0, rng.uniform(-17, -2));
}

Pose random_pose(const Polyhedron& a, const Polyhedron& b, Rng& rng) {
    const Vec3 d = rotate(rng.rotation(), {0, 0, 1});
    return {d * rng.uniform(0, 1) * (a.radius + b.radius), rng.rotation()};
}

// Faces parallel up to rounding or a tiny turn: touching, flush, or a tiny bit in or out.
Pose face_pose(const Polyhedron& a, const Polyhedron& b, Rng& rng) {
    const HullPlane &fa = a.hull.planes[rng.next() % a.hull.face_count()],
                    &fb = b.hull.planes[rng.next() % b.hull.face_count()];
    const bool flush = rng.next() % 3 == 0;  // both on the same side
    const Vec3 n = flush ? fa.normal : -fa.normal;
    Pose X{{}, between(fb.normal, n)};
    if (rng.next() % 2) X.orientation = normalized(from_axis_angle(n, rng.uniform(0, 6.28)) * X.orientation);
    if (rng.next() % 2) {
        const double t = tiny(rng);
        X.orientation =
            normalized(Quat{1, t * rng.uniform(-1, 1), t * rng.uniform(-1, 1), t} * X.orientation);
    }
    const Vec3 side = cross(n, rotate(rng.rotation(), {0, 0, 1})) * rng.uniform(0, 1);
    X.position = side + fa.normal * (fa.offset - dot(fa.normal, side) - (flush ? fb.offset : -fb.offset));
    if (rng.next() % 2) X.position += n * tiny(rng);
    return X;
}

// A corner of b at a corner, on an edge or on a face of a; equal orientation now and then.
Pose corner_pose(const Polyhedron& a, const Polyhedron& b, Rng& rng) {
    const Quat q = rng.next() % 3 == 0 ? Quat{} : rng.rotation();
    const auto face = a.hull.face(rng.next() % a.hull.face_count());
    double w[3] = {rng.uniform(), rng.uniform(), rng.uniform()};
    for (double& x : w) x = rng.next() % 2 ? x : 0;
    if (w[0] + w[1] + w[2] == 0) w[0] = 1;
    const double sum = w[0] + w[1] + w[2];
    Vec3 at;
    for (std::size_t k = 0; k < 3; ++k) at += a.hull.vertices[face[k]] * (w[k] / sum);
    const Vec3 corner = b.hull.vertices[rng.next() % b.hull.vertices.size()];
    return {at - rotate(q, corner) + rotate(rng.rotation(), {tiny(rng), 0, 0}), q};
}

bool has_parallel_faces(const Polyhedron& a, const Polyhedron& b, const Pose& X, double angle) {
    for (const HullPlane& fb : b.hull.planes) {
        const Vec3 n = rotate(X.orientation, fb.normal);
        for (const HullPlane& fa : a.hull.planes)
            if (length(cross(n, fa.normal)) < angle) return true;
    }
    return false;
}

struct Worst {
    double volume = 0, moment = 0, center = 0, area = 0, closed = 0, bound = 0;
    int overlapping = 0, areas = 0, again = 0, undecided = 0;
};

void compare(const Polyhedron& a, const Polyhedron& b, const exact::Body& ea, const exact::Body& eb,
             const Pose& X, OverlapFinder& finder, Rng& rng, Worst& worst) {
    const double size = std::min(a.radius, b.radius), large = std::max(a.radius, b.radius);
    const double s2 = size * size, s3 = size * s2;
    const auto found = exact::overlap(ea, eb, X, rng);
    if (!found) return void(++worst.undecided);
    const exact::Result& r = *found;
    worst.bound = std::max(worst.bound, r.bound);
    worst.again += r.shifts > 1;
    const double volume = r.volume;
    const Vec3 moment = r.first_moment;
    Overlap o;
    finder.find(a.view(), b.view(), X, o);
    worst.overlapping += volume > 1e-12;
    worst.volume = std::max(worst.volume, std::abs(o.volume - volume) / s3);
    worst.moment = std::max(worst.moment, length(o.center * o.volume - moment) / (s3 * large));
    worst.closed = std::max(worst.closed, length(o.area_a + o.area_b) / s2);
    if (volume >= 1e-4 * s3 && r.bound <= 1e-10 * volume)
        worst.center = std::max(worst.center, length(o.center - moment / volume) / size);
    if (volume > 0 && o.volume > 0 && !has_parallel_faces(a, b, X, 1e-6)) {
        ++worst.areas;
        worst.area =
            std::max({worst.area, length(o.area_a - r.area_a) / s2, length(o.area_b - r.area_b) / s2});
    }
}

class OverlapExact : public ::testing::TestWithParam<int> {};

TEST_P(OverlapExact, AgreesOnRandomAndDegeneratePoses) {
    const int ka = GetParam() / 5, kb = GetParam() % 5;
    const Polyhedron a = make_body(ka), b = make_body(kb);
    const exact::Body ea = exact::hull(a.hull.vertices), eb = exact::hull(b.hull.vertices);
    const int poses = is_long() ? 100000 : 30;
    Rng rng(static_cast<std::uint64_t>(GetParam()), 7), shifts(static_cast<std::uint64_t>(GetParam()), 8);
    OverlapFinder finder;
    Worst worst;
    for (int i = 0; i < poses; ++i) {
        const Pose X = i % 3 == 0   ? random_pose(a, b, rng)
                       : i % 3 == 1 ? face_pose(a, b, rng)
                                    : corner_pose(a, b, rng);
        compare(a, b, ea, eb, X, finder, shifts, worst);
    }
    EXPECT_LE(worst.volume, 1e-12);
    EXPECT_LE(worst.moment, 1e-12);
    EXPECT_LE(worst.center, 1e-9);
    EXPECT_LE(worst.area, 1e-9);
    EXPECT_LE(worst.closed, 1e-14);
    EXPECT_EQ(worst.undecided, 0);
    EXPECT_GT(worst.overlapping, poses / 10);
    EXPECT_GT(worst.areas, poses / 20);
    std::printf(
        "%s, %s: %d overlap; worst volume %.1e, moment %.1e, centroid %.1e, area %.1e, closure %.1e; "
        "the oracle within %.1e, shifted again %d times\n",
        kNames[ka], kNames[kb], worst.overlapping, worst.volume, worst.moment, worst.center, worst.area,
        worst.closed, worst.bound, worst.again);
}

std::vector<int> pairs() {
    std::vector<int> p;
    for (int a = 0; a < 5; ++a)
        for (int b = a; b < 5; ++b) p.push_back(5 * a + b);
    return p;
}
std::string name_of(const ::testing::TestParamInfo<int>& info) {
    return std::string(kNames[info.param / 5]) + "_" + kNames[info.param % 5];
}
INSTANTIATE_TEST_SUITE_P(Pairs, OverlapExact, ::testing::ValuesIn(pairs()), name_of);

// The oracle itself: by closed form.
TEST(ExactOracle, ShiftedCubes) {
    const Polyhedron cube = box({1, 1, 1});
    const exact::Body e = exact::hull(cube.hull.vertices);
    Rng rng(1, 9);
    const auto r = exact::overlap(e, e, {{1.5, 1, 0.25}, {}}, rng);
    ASSERT_TRUE(r);
    EXPECT_NEAR(r->volume, 7.0 / 8, 1e-15);
    EXPECT_LE(length(r->area_a + r->area_b), 1e-15);
    EXPECT_LE(length(r->area_a - Vec3{1.75, 0.875, 0.5}), 1e-15);
    EXPECT_LE(length(r->first_moment - Vec3{0.75, 0.5, 0.125} * r->volume), 1e-15);
    const auto same = exact::overlap(e, e, {}, rng);
    ASSERT_TRUE(same);
    EXPECT_NEAR(same->volume, 8, 1e-14);
    const auto turned = exact::overlap(e, e, {{}, {0.5, 0.5, 0.5, 0.5}}, rng);
    ASSERT_TRUE(turned);
    EXPECT_NEAR(turned->volume, 8, 1e-14);
    const auto apart = exact::overlap(e, e, {{2 + 1e-12, 0, 0}, {}}, rng);
    ASSERT_TRUE(apart);
    EXPECT_EQ(apart->volume, 0);
    const auto touching = exact::overlap(e, e, {{2 - 1e-9, 0, 0}, {}}, rng);
    ASSERT_TRUE(touching);
    EXPECT_NEAR(touching->volume, 4e-9, 1e-15);
}

TEST(ExactOracle, CubeInTetrahedron) {
    // The tetrahedron of alternate corners of the cube is a third of it, however it is turned with the cube.
    const exact::Body cube = exact::hull(box({1, 1, 1}).hull.vertices),
                      corners = exact::hull(tetrahedron().hull.vertices);
    Rng rng(2, 9);
    const auto inside = exact::overlap(cube, corners, {}, rng);
    ASSERT_TRUE(inside);
    EXPECT_NEAR(inside->volume, 8.0 / 3, 1e-14);
    // Two such tetrahedra, a quarter turn apart, meet in the octahedron of the face centres.
    const double c = std::sqrt(0.5);
    const auto both = exact::overlap(corners, corners, {{}, {c, c, 0, 0}}, rng);
    ASSERT_TRUE(both);
    EXPECT_NEAR(both->volume, 4.0 / 3, 1e-14);
}

}  // namespace
}  // namespace impuls
