// Signed distances of convex pairs by FCL (its libccd and its own solver) and by libccd alone, beside ours:
// share of failures, median, 99th percentile and largest error, and the ten worst cases. Truth is our GJK/EPA
// where tracker or separating axes confirm it to 1e-12; against exact arithmetic it is right to 2e-13
// (tests/exact). Random poses, and faces laid on each other with a tilt of 1e-9 to 1e-3 rad.
// Of an overlap, `along` is the depth along the direction that was found, by support points: never less than
// the truth. A depth below it was measured at an inner point, before the search had come to the border of
// A - B; a depth equal to it is that of a direction which is not the shortest way out.
#include <ccd/ccd.h>
#include <ccd/quat.h>
#include <fcl/fcl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "bench/studies.h"
#include "collision/convex/closest_features.h"
#include "collision/convex/closest_points.h"
#include "collision/convex/sat.h"
#include "collision/polyhedron_oracle.h"
#include "geometry/grains.h"

namespace impuls {
namespace {

struct Body {
    std::string name;
    Polyhedron shape;
    Collider collider;
    std::shared_ptr<fcl::Convexd> fcl;
};

Body make_body(const std::string& name, const Polyhedron& p) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>();
    for (const Vec3& v : p.hull.vertices) vertices->emplace_back(v.x, v.y, v.z);
    for (std::size_t f = 0; f < p.hull.face_count(); ++f) {
        faces->push_back(static_cast<int>(p.hull.face(f).size()));
        for (const auto v : p.hull.face(f)) faces->push_back(static_cast<int>(v));
    }
    const int count = static_cast<int>(p.hull.face_count());
    return {name, p, oracle::convex_collider(p), std::make_shared<fcl::Convexd>(vertices, count, faces)};
}

fcl::Transform3d transform(const Pose& X) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    t.linear() =
        fcl::Quaterniond(X.orientation.w, X.orientation.x, X.orientation.y, X.orientation.z).matrix();
    t.translation() = fcl::Vector3d(X.position.x, X.position.y, X.position.z);
    return t;
}

struct Found {
    double distance = 0;
    double along = 0;
};

// How deep b is in a along a direction: the smaller one of both senses.
double depth_along(const Body& a, const Body& b, const Pose& X, const Vec3& n) {
    double highest[2] = {-1e300, -1e300}, lowest[2] = {1e300, 1e300};
    for (const Vec3& v : a.shape.hull.vertices)
        highest[0] = std::max(highest[0], dot(n, v)), lowest[0] = std::min(lowest[0], dot(n, v));
    for (const Vec3& v : b.shape.hull.vertices) {
        const double h = dot(n, X * v);
        highest[1] = std::max(highest[1], h), lowest[1] = std::min(lowest[1], h);
    }
    return std::min(highest[0] - lowest[1], highest[1] - lowest[0]) / length(n);
}

// How FCL's own EPA ended, run as its solver runs it.
std::string end_of_epa(const Body& a, const Body& b, const Pose& X) {
    fcl::detail::MinkowskiDiff<double> difference;
    difference.shapes[0] = a.fcl.get(), difference.shapes[1] = b.fcl.get();
    difference.toshape1 = transform(X).linear().transpose();
    difference.toshape0 = transform(X);
    const double tolerance = fcl::constants<double>::gjk_default_tolerance();
    fcl::detail::GJK<double> gjk(128, tolerance);
    const fcl::Vector3d guess(1, 0, 0);
    if (gjk.evaluate(difference, -guess) != fcl::detail::GJK<double>::Inside) return "GJK: not inside";
    fcl::detail::EPA<double> epa(128, 64, 255, tolerance);
    constexpr const char* kNames[] = {"valid",        "touching",     "degenerated",     "non-convex",
                                      "invalid hull", "out of faces", "out of vertices", "accuracy reached",
                                      "fall-back",    "failed"};
    const int status = static_cast<int>(epa.evaluate(gjk, -guess));
    const double plane = epa.result.rank == 3 ? epa.normal.dot(epa.result.c[0]->w) : 0;
    return fmt::format("EPA: {}, its last face at {:.6e}", kNames[status], plane);
}

// Distance, or minus the depth of the deepest contact.
Found fcl_distance(const Body& a, const Body& b, const Pose& X, fcl::GJKSolverType solver) {
    fcl::CollisionRequestd collision(4, true);
    collision.gjk_solver_type = solver;
    fcl::CollisionResultd hit;
    const auto I = fcl::Transform3d::Identity();
    fcl::collide(a.fcl.get(), I, b.fcl.get(), transform(X), collision, hit);
    if (hit.isCollision()) {
        double depth = -1;
        Vec3 n;
        for (std::size_t k = 0; k < hit.numContacts(); ++k) {
            const auto& c = hit.getContact(k);
            if (std::abs(c.penetration_depth) <= depth) continue;
            depth = std::abs(c.penetration_depth), n = {c.normal.x(), c.normal.y(), c.normal.z()};
        }
        return {-depth, depth_along(a, b, X, n)};
    }
    fcl::DistanceRequestd request(true);
    request.gjk_solver_type = solver;
    request.distance_tolerance = 1e-12;
    fcl::DistanceResultd found;
    return {fcl::distance(a.fcl.get(), I, b.fcl.get(), transform(X), request, found)};
}

struct CcdBody {
    const Polyhedron* shape;
    Pose X;
};
void ccd_support(const void* body, const ccd_vec3_t* d, ccd_vec3_t* out) {
    const auto& b = *static_cast<const CcdBody*>(body);
    const Vec3 local = rotate_inverse(b.X.orientation, {d->v[0], d->v[1], d->v[2]});
    Vec3 best = b.shape->hull.vertices[0];
    for (const Vec3& v : b.shape->hull.vertices)
        if (dot(v, local) > dot(best, local)) best = v;
    const Vec3 p = b.X * best;
    ccdVec3Set(out, p.x, p.y, p.z);
}
Found ccd_depth(const Body& a, const Body& b, const Pose& X) {
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd_support, ccd.support2 = ccd_support;
    ccd.max_iterations = 500;
    ccd.epa_tolerance = 1e-12;
    const CcdBody pa{&a.shape, {}}, pb{&b.shape, X};
    ccd_real_t depth = 0;
    ccd_vec3_t direction, position;
    if (ccdGJKPenetration(&pa, &pb, &ccd, &depth, &direction, &position) != 0) return {};
    return {-depth, depth_along(a, b, X, {direction.v[0], direction.v[1], direction.v[2]})};
}

Pose random_pose(const Body& a, const Body& b, Rng& rng, bool laid) {
    const Quat q = rng.rotation();
    if (!laid) return {oracle::random_direction(rng) * rng.uniform(0.3, 2.5), q};
    constexpr double kTilt[] = {0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3};
    constexpr double kGap[] = {0, 1e-9, -1e-9, 1e-6, -1e-6, 1e-3, -1e-3, 0.1, -0.1};
    const Vec3 n = a.shape.hull.planes[rng.next() % a.shape.hull.face_count()].normal;
    const Vec3 m = rotate(q, b.shape.hull.planes[rng.next() % b.shape.hull.face_count()].normal);
    const Vec3 axis = cross(m, -n);
    const double angle = std::atan2(length(axis), -dot(m, n));
    const Quat flat = normalized(from_axis_angle(axis, angle) * q);
    const Quat turned =
        normalized(from_axis_angle(oracle::random_direction(rng), kTilt[rng.next() % 8]) * flat);
    double low = 1e300, high = -1e300;
    for (const Vec3& v : a.shape.hull.vertices) high = std::max(high, dot(n, v));
    for (const Vec3& v : b.shape.hull.vertices) low = std::min(low, dot(n, rotate(turned, v)));
    const Vec3 aside = oracle::random_direction(rng) * 0.3;
    return {aside - n * dot(aside, n) + n * (high - low + kGap[rng.next() % 9]), turned};
}

struct Case {
    double error, truth;
    Found found;
    std::string where;
    Pose X;
    const Body *a, *b;
};

void report(const std::string& name, std::vector<Case>& cases, bool own) {
    std::sort(cases.begin(), cases.end(), [](const Case& x, const Case& y) { return x.error > y.error; });
    const auto failures =
        std::count_if(cases.begin(), cases.end(), [](const Case& c) { return c.error > 1e-6; });
    fmt::print(
        "{}: {} queries, {:.3f} % wrong by more than 1e-6; median {:.1e}, p99 {:.1e}, largest {:.1e}\n", name,
        cases.size(), 100.0 * static_cast<double>(failures) / static_cast<double>(cases.size()),
        cases[cases.size() / 2].error, cases[cases.size() / 100].error, cases[0].error);
    for (std::size_t k = 0; k < std::min<std::size_t>(10, cases.size()); ++k) {
        const Case& c = cases[k];
        fmt::print("    {:.2e}: {:+.6e} for {:+.6e}, along {:.6e}, {}{}\n", c.error, c.found.distance,
                   c.truth, c.found.along, c.where, own ? "; " + end_of_epa(*c.a, *c.b, c.X) : "");
    }
}

double truth_of(const Body& a, const Body& b, const Pose& X, int& unconfirmed) {
    const double d = closest_points(convex_core(a.collider), convex_core(b.collider), X).distance;
    FeaturePair pair;
    const double other = d > 0 ? closest_features(a.shape.view(), b.shape.view(), X, pair).distance
                               : separating_axis(a.shape.view(), b.shape.view(), X, 1e9).separation();
    unconfirmed += std::abs(d - other) > 1e-12;
    return d;
}

}  // namespace

int bench::peer_distance_study(int argc, char** argv) {
    const int queries = argc > 1 ? std::atoi(argv[1]) : 20'000;
    Rng rng(31, 1);
    std::vector<Body> bodies{
        make_body("tetrahedron", make_grain(4)), make_body("box", oracle::box_polyhedron({0.5, 0.7, 0.4})),
        make_body("icosahedron", make_grain(12)), make_body("hull14", oracle::random_polyhedron(rng, 14))};
    std::vector<Case> by_ccd, by_own, depths;
    int unconfirmed = 0;
    for (int k = 0; k < queries; ++k) {
        const Body &a = bodies[rng.next() % bodies.size()], &b = bodies[rng.next() % bodies.size()];
        const bool laid = k % 2;
        const Pose X = random_pose(a, b, rng, laid);
        const double truth = truth_of(a, b, X, unconfirmed);
        const std::string where =
            fmt::format("{}-{} {}, query {}", a.name, b.name, laid ? "laid" : "random", k);
        const auto offer = [&](std::vector<Case>& to, const Found& found) {
            to.push_back({std::abs(found.distance - truth), truth, found, where, X, &a, &b});
        };
        try {
            offer(by_ccd, fcl_distance(a, b, X, fcl::GST_LIBCCD));
        } catch (const std::exception& e) {
            by_ccd.push_back({1e9, truth, {}, where + ": " + std::string(e.what()).substr(0, 60), X, &a, &b});
        }
        offer(by_own, fcl_distance(a, b, X, fcl::GST_INDEP));
        if (truth < 0) offer(depths, ccd_depth(a, b, X));
    }
    fmt::print("truth not confirmed by a second method to 1e-12: {} of {}\n", unconfirmed, queries);
    report("FCL 0.7, libccd solver", by_ccd, false);
    report("FCL 0.7, own solver", by_own, true);
    report("libccd 2.1, EPA depth", depths, false);
    return 0;
}

}  // namespace impuls
