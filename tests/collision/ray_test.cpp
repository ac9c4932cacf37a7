// Rays against an oracle that knows only whether a point is inside: dense sampling and bisection.
#include "collision/ray/ray.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/rng.h"
#include "collision/make_colliders.h"
#include "collision/shape_cache.h"
#include "geometry/tessellate.h"

namespace impuls {
namespace {

using Inside = std::function<bool(const Vec3&)>;
using Cast = std::function<RayHit(const Ray&)>;

struct Body {
    const char* name;
    Inside inside;
    Cast cast;
};

const Vec3 kHalf{0.7, 0.4, 0.5};

std::vector<Vec3> cube_points() {
    std::vector<Vec3> p;
    for (unsigned k = 0; k < 8; ++k)
        p.push_back({k & 1 ? 0.5 : -0.5, k & 2 ? 0.6 : -0.6, k & 4 ? 0.4 : -0.4});
    p.push_back({0, 0, 0.9}), p.push_back({0.1, -0.9, 0});
    return p;
}
const Polyhedron& polyhedron() {
    static const Polyhedron p = make_polyhedron(convex_hull(cube_points()).hull);
    return p;
}

std::vector<Body> bodies() {
    const auto across = [](const Vec3& p) { return std::sqrt(p.x * p.x + p.z * p.z); };
    return {
        {"sphere", [](const Vec3& p) { return length(p) <= 0.8; },
         [](const Ray& r) { return ray_sphere(r, 0.8); }},
        {"ellipsoid",
         [](const Vec3& p) {
             return length_squared(Vec3{p.x / kHalf.x, p.y / kHalf.y, p.z / kHalf.z}) <= 1;
         },
         [](const Ray& r) { return ray_ellipsoid(r, kHalf); }},
        {"box",
         [](const Vec3& p) {
             return std::abs(p.x) <= kHalf.x && std::abs(p.y) <= kHalf.y && std::abs(p.z) <= kHalf.z;
         },
         [](const Ray& r) { return ray_box(r, kHalf); }},
        {"capsule",
         [](const Vec3& p) {
             return length(p - Vec3{0, std::clamp(p.y, -0.6, 0.6), 0}) <= 0.3;
         },
         [](const Ray& r) { return ray_capsule(r, 0.3, 0.6); }},
        {"cylinder", [=](const Vec3& p) { return across(p) <= 0.5 && std::abs(p.y) <= 0.6; },
         [](const Ray& r) { return ray_cylinder(r, 0.5, 0.6); }},
        {"cone", [=](const Vec3& p) { return std::abs(p.y) <= 0.6 && across(p) <= 0.5 * (0.6 - p.y) / 1.2; },
         [](const Ray& r) { return ray_cone(r, 0.5, 0.6); }},
        {"plane", [](const Vec3& p) { return p.y <= 0; }, [](const Ray& r) { return ray_plane(r); }},
        {"polyhedron",
         [](const Vec3& p) {
             for (const HullPlane& f : polyhedron().hull.planes)
                 if (dot(f.normal, p) > f.offset) return false;
             return true;
         },
         [](const Ray& r) { return ray_polyhedron(r, polyhedron().view()); }},
    };
}

// First t at which the ray is inside: -1 for none.
double first_inside(const Inside& inside, const Ray& ray, int samples) {
    if (inside(ray.origin)) return 0;
    double before = 0;
    for (int k = 1; k <= samples; ++k) {
        const double t = ray.t_max * k / samples;
        if (inside(ray.at(t))) {
            double low = before, high = t;
            for (int i = 0; i < 60; ++i)
                (inside(ray.at(0.5 * (low + high))) ? high : low) = 0.5 * (low + high);
            return high;
        }
        before = t;
    }
    return -1;
}

Vec3 unit(Rng& rng) {
    return rotate(rng.rotation(), {0, 0, 1});
}

TEST(Ray, SolidsAgreeWithSampling) {
    Rng rng(3, 3);
    for (const Body& body : bodies()) {
        int hits = 0, misses = 0;
        for (int i = 0; i < 2000; ++i) {
            const Vec3 from = unit(rng) * rng.uniform(0, 3), to = unit(rng) * rng.uniform(0, 1.2);
            const Ray ray{from, (to - from) * rng.uniform(0.3, 2), 4};
            const RayHit hit = body.cast(ray);
            const double t = first_inside(body.inside, ray, 400);
            if (!hit.hit) {
                // A graze shorter than the sampling may be seen by neither.
                EXPECT_LT(t, 0) << body.name;
                ++misses;
                continue;
            }
            ++hits;
            if (t < 0) {  // sampling missed a short chord: confirm that the hit is on the surface
                const Vec3 p = ray.at(hit.t);
                EXPECT_TRUE(body.inside(p - hit.normal * 1e-9) && !body.inside(p + hit.normal * 1e-9))
                    << body.name;
                continue;
            }
            EXPECT_NEAR(hit.t, t, 1e-9) << body.name;
            EXPECT_EQ(hit.inside, t == 0) << body.name;
            EXPECT_NEAR(length(hit.normal), 1, 1e-12);
            EXPECT_LE(dot(hit.normal, ray.direction), 1e-9);
            if (t > 0) {
                const Vec3 p = ray.at(hit.t);
                EXPECT_TRUE(body.inside(p - hit.normal * 1e-7)) << body.name;
                EXPECT_FALSE(body.inside(p + hit.normal * 1e-7)) << body.name;
            }
        }
        EXPECT_GT(hits, 500) << body.name;
        EXPECT_GT(misses, 20) << body.name;
    }
}

TEST(Ray, ParallelToFacesAndThroughCornersAndAxes) {
    const Vec3 h{1, 1, 1};
    EXPECT_TRUE(ray_box({{-3, 1, 0}, {1, 0, 0}}, h).hit);  // in the plane of the top face
    EXPECT_FALSE(ray_box({{-3, 1.0000001, 0}, {1, 0, 0}}, h).hit);
    EXPECT_TRUE(ray_box({{-3, 1, 1}, {1, 0, 0}}, h).hit);  // along an edge
    EXPECT_NEAR(ray_box({{-3, -3, -3}, {1, 1, 1}}, h).t, 2, 1e-15);
    EXPECT_FALSE(ray_box({{-3, 0, 0}, {1, 0, 0}, 1.9}, h).hit);
    EXPECT_FALSE(ray_box({{3, 0, 0}, {1, 0, 0}}, h).hit);

    const RayHit apex = ray_cone({{0, 5, 0}, {0, -1, 0}}, 0.5, 0.6);
    EXPECT_TRUE(apex.hit);
    EXPECT_NEAR(apex.t, 4.4, 1e-12);
    EXPECT_NEAR(ray_cone({{0.1, -5, 0.2}, {0, 2, 0}}, 0.5, 0.6).t, 2.2, 1e-12);
    EXPECT_NEAR(ray_cone({{-3, -0.6, 0}, {1, 0, 0}}, 0.5, 0.6).t, 2.5, 1e-12);  // in the base
    // Parallel to a line of the side, a little inside: through the base's rim or the far side.
    const RayHit slope = ray_cone({{0.4 - 5 * 0.5, -0.6 - 5 * -1.2, 0}, {0.5, -1.2, 0}}, 0.5, 0.6);
    EXPECT_TRUE(slope.hit);

    EXPECT_NEAR(ray_cylinder({{0.2, 4, 0.1}, {0, -1, 0}}, 0.5, 0.6).t, 3.4, 1e-12);  // along the axis
    EXPECT_FALSE(ray_cylinder({{0.6, 4, 0}, {0, -1, 0}}, 0.5, 0.6).hit);
    EXPECT_NEAR(ray_capsule({{0, 4, 0}, {0, -1, 0}}, 0.3, 0.6).t, 3.1, 1e-12);
    EXPECT_FALSE(ray_plane({{0, 1, 0}, {1, 0, 0}}).hit);
    EXPECT_TRUE(ray_plane({{0, -1, 0}, {1, 0, 0}}).inside);
    // From far away the digits stay.
    EXPECT_NEAR(ray_sphere({{-1e6, 0.6, 0}, {1, 0, 0}}, 1).t, 1e6 - 0.8, 1e-9);
    EXPECT_NEAR(ray_sphere({{-1e6, 1 - 1e-12, 0}, {1, 0, 0}}, 1).t, 1e6, 2e-6);
}

TEST(Ray, StartInsideIsAHitAtZero) {
    for (const Body& body : bodies()) {
        const RayHit hit = body.cast({{0.01, -0.02, 0.03}, {0, 0, 2}, 10});
        EXPECT_TRUE(hit.hit && hit.inside) << body.name;
        EXPECT_EQ(hit.t, 0);
        EXPECT_EQ(hit.normal, (Vec3{0, 0, -1}));
    }
}

// No ray slips through an edge or a corner between triangles, however it is aimed.
TEST(Ray, ClosedTrianglesAreWatertight) {
    const TriangleMesh mesh = tessellate(Sphere{1}, 12);
    Rng rng(5, 5);
    for (int i = 0; i < 20000; ++i) {
        const auto& t = mesh.triangles[rng.next() % mesh.triangles.size()];
        const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]];
        const Vec3 aim = i % 2 ? a : a + (b - a) * rng.uniform();
        const Vec3 from = unit(rng) * 0.2;
        bool hit = false;
        for (const auto& c : mesh.triangles)
            hit = hit || ray_triangle({from, (aim - from) * 0.7}, mesh.vertices[c[0]], mesh.vertices[c[1]],
                                      mesh.vertices[c[2]])
                             .hit;
        ASSERT_TRUE(hit) << i;
    }
}

Collider collider(const Shape& shape) {
    ShapeCache cache;
    std::vector<Collider> out;
    make_colliders(shape, {}, false, cache, out);
    return out.at(0);
}

// Every triangle tested, by solving for the three coordinates (Cramer).
double brute_force(const TriangleMesh& mesh, const Ray& ray, bool& from_behind) {
    double best = -1;
    for (const auto& t : mesh.triangles) {
        const Vec3 a = mesh.vertices[t[0]], e = mesh.vertices[t[1]] - a, f = mesh.vertices[t[2]] - a;
        const double det = determinant({e, f, -ray.direction});
        if (det == 0) continue;
        const Vec3 s = ray.origin - a;
        const double u = determinant({s, f, -ray.direction}) / det,
                     v = determinant({e, s, -ray.direction}) / det, d = determinant({e, f, s}) / det;
        if (u < 0 || v < 0 || u + v > 1 || d < 0 || d > ray.t_max || (best >= 0 && d >= best)) continue;
        best = d, from_behind = dot(cross(e, f), ray.direction) > 0;
    }
    return best;
}

void compare_with_triangles(const Shape& shape, double reach) {
    const TriangleMesh mesh = tessellate(shape);
    const Collider c = collider(shape);
    Rng rng(8, 8);
    int hits = 0, inside = 0;
    for (int i = 0; i < 1500; ++i) {
        const Pose X{unit(rng) * rng.uniform(0, 2), rng.rotation()};
        const Vec3 from = unit(rng) * rng.uniform(0, 2) * reach, to = unit(rng) * rng.uniform(0, 1) * reach;
        const Ray local{from, (to - from) * rng.uniform(0.4, 2),
                        i % 3 ? 3 : std::numeric_limits<double>::infinity()};
        const Ray world{X * local.origin, rotate(X.orientation, local.direction), local.t_max};
        bool behind = false;
        double t = brute_force(mesh, local, behind);
        if (c.kind == ColliderKind::HeightField) {  // solid below, without walls
            bool any = false;
            behind = brute_force(mesh, {from, {0, 1, 0}}, any) > 0;
            if (behind) t = 0, ++inside;
        }
        const RayHit hit = ray_cast(world, c, X);
        ASSERT_EQ(hit.hit, t >= 0) << i;
        if (!hit.hit) continue;
        ++hits;
        EXPECT_EQ(hit.inside, behind);
        EXPECT_NEAR(hit.t, behind ? 0 : t, 1e-9);
    }
    EXPECT_GT(hits, 300);
    EXPECT_EQ(inside > 100, c.kind == ColliderKind::HeightField);
}

TEST(Ray, MeshAgreesWithEveryTriangle) {
    const TriangleMesh ball = tessellate(Ellipsoid{{1, 0.6, 0.8}}, 24);
    Mesh mesh;
    mesh.vertices = ball.vertices;
    for (const auto& t : ball.triangles) mesh.triangles.insert(mesh.triangles.end(), t.begin(), t.end());
    compare_with_triangles(mesh, 1);
}

TEST(Ray, HeightFieldAgreesWithEveryTriangle) {
    Rng rng(9, 9);
    HeightField field;
    field.columns = 17, field.spacing = 0.25;
    for (int i = 0; i < 17 * 13; ++i) field.heights.push_back(rng.uniform(-0.3, 0.3));
    compare_with_triangles(field, 2);
}

}  // namespace
}  // namespace impuls
