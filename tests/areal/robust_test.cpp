// Random poses of meshes that are not convex, with triangles without area, faces in one plane, and one body
// wholly inside another: forces stay finite and bounded, and where depth is not unique it is said.
#include <gtest/gtest.h>

#include "areal/forms.h"
#include "base/rng.h"
#include "geometry/machine_parts.h"
#include "geometry/triangles.h"
#include "support/full_size.h"

namespace impuls::areal {
namespace {

TriangleMesh combined(TriangleMesh a, const TriangleMesh& b, const Vec3& at) {
    const auto n = static_cast<std::uint32_t>(a.vertices.size());
    for (const Vec3& v : b.vertices) a.vertices.push_back(v + at);
    for (const auto& t : b.triangles) a.triangles.push_back({t[0] + n, t[1] + n, t[2] + n});
    return a;
}

std::vector<Surface> ten_meshes() {
    SpurGear gear{12, 0.016, 0.05};
    gear.rows = 4, gear.bore = 0.03;
    Cam cam{{0.1, 0.05, 0.08, 0.04, 0.09}, 0.06, 40};
    TriangleMesh with_slivers = box_mesh({0.2, 0.1, 0.15});
    const auto n = static_cast<std::uint32_t>(with_slivers.vertices.size());
    with_slivers.vertices.push_back({0.05, 0.05, 0.02});
    with_slivers.triangles.push_back({0, 1, 1});  // no area
    with_slivers.triangles.push_back({n, n, n});
    TriangleMesh cross = combined(box_mesh({0.3, 0.05, 0.05}), box_mesh({0.05, 0.05, 0.3}), {});
    std::vector<Surface> out;
    for (const TriangleMesh& mesh :
         {to_triangles(Mesh(gear)), to_triangles(Mesh(cam)), with_slivers, cross,
          tessellate(Torus{0.1, 0.03}, 16), tessellate(Bowl{0.1, 0.02, 1.5}, 16),
          tessellate(Tube{0.05, 0.02, 0.2}, 16), tessellate(Funnel{0.1, 0.03, 0.1, 0.02}, 16),
          combined(sphere_mesh(0.06, 0.03), sphere_mesh(0.06, 0.03), {0.2, 0, 0}),
          sheet(0.3, 6, [](const Vec3& x) {
              return x + Vec3{0, 0.03 * std::sin(30 * x.x), 0};
          })})
        out.push_back(mesh_surface(mesh));
    return out;
}

double area_of_surface(const Surface& s) {
    double sum = 0;
    for (const auto& [a, b, c] : s.triangles->triangles) {
        const auto& v = s.triangles->vertices;
        sum += 0.5 * length(cross(v[b] - v[a], v[c] - v[a]));
    }
    return sum;
}

TEST(ArealRobust, ForcesAreFiniteAndBounded) {
    const std::vector<Surface> meshes = ten_meshes();
    Rng rng(7, 1);
    const int poses = amount(300, 10000);
    ArealLaw law;
    law.stiffness = 1e8, law.dissipation = 0.1, law.friction = {0.5, 0.4, 0.01, 0.01};
    int touching = 0;
    for (int k = 0; k < poses; ++k) {
        const Surface &a = meshes[static_cast<std::size_t>(k % 10)],
                      &b = meshes[static_cast<std::size_t>(k / 10 % 10)];
        const auto number = [&](double size) { return rng.uniform(-size, size); };
        Pose X{{number(0.15), number(0.15), number(0.15)},
               normalized(Quat{number(1), number(1), number(1), number(1)})};
        if (k % 5 == 0) X.orientation = {};  // faces in one plane
        if (k % 7 == 0) X = {};              // in the same place
        ArealPair pair;
        pair.bind(a, b, law);
        const Twist motion{{number(1), number(1), number(1)}, {number(5), number(5), number(5)}};
        Tangent tangent;
        const Pressed<double> p = pair.press(X, motion, &tangent);
        const Vec3 f = plain(p.force), m = plain(p.torque);
        ASSERT_TRUE(is_finite(f) && is_finite(m)) << k;
        for (const auto& row : tangent.by)
            for (const double x : row) ASSERT_TRUE(std::isfinite(x)) << k;
        touching += f != Vec3{};
        // No more than the deepest depth there is on all the area there is, at the largest speed.
        const double most = std::min(a.thickness, b.thickness), speed = 2 + 10 * (a.radius + b.radius);
        const double bound =
            1e8 * most * (1 + 0.1 * speed) * 1.6 * std::min(area_of_surface(a), area_of_surface(b)) * 10;
        ASSERT_LE(length(f), bound) << k;
        pair.find_elements(X, motion);
        for (const Patch& patch : pair.patches()) ASSERT_TRUE(is_finite(patch.center) && patch.area > 0) << k;
    }
    EXPECT_GT(touching, poses / 3);
}

TEST(ArealRobust, OneInsideTheOtherIsSaid) {
    ArealPair pair;
    ArealLaw law;
    law.stiffness = 1e8;
    pair.bind(mesh_surface(sphere_mesh(0.2, 0.05)), mesh_surface(sphere_mesh(0.02, 0.01)), law);
    const Pose X{{0.01, 0.02, 0}, {}};
    EXPECT_EQ(plain(pair.press(X, {}).force), Vec3{});
    EXPECT_TRUE(pair.is_immersed(X));
    EXPECT_FALSE(pair.is_immersed({{0.5, 0, 0}, {}}));
}

}  // namespace
}  // namespace impuls::areal
