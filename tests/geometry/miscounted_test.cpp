// The part of a body's volume that its mass counts wrongly, against closed forms.
#include "geometry/miscounted.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geometry/tessellate.h"

namespace impuls {
namespace {

constexpr double kGrid = 0.01;  // what lines a 128th apart leave open

Compound of(std::vector<CompoundPart> parts) {
    return {std::move(parts)};
}

// The triangles of boxes as one mesh; those that are inside out are holes.
struct Block {
    Vec3 size, position;
    bool is_inside_out = false;
};
Mesh mesh_of(const std::vector<Block>& blocks) {
    Mesh mesh;
    for (const auto& [size, position, is_inside_out] : blocks) {
        const TriangleMesh box = tessellate(Box{size});
        const auto first = static_cast<std::int64_t>(mesh.vertices.size());
        for (const Vec3& p : box.vertices) mesh.vertices.push_back(p + position);
        for (const auto& [a, b, c] : box.triangles)
            for (const std::uint32_t corner : {a, is_inside_out ? c : b, is_inside_out ? b : c})
                mesh.triangles.push_back(first + corner);
    }
    return mesh;
}

TEST(Miscounted, BoxesThatShareHalf) {
    // 1 + 1 - 0.5 is filled, 0.5 of it twice; however they are turned.
    for (const double angle : {0.0, 0.3, 1.1}) {
        const Quat q = from_axis_angle({1, 2, 3}, angle);
        const Compound body = of({{{}, q, Box{}}, {rotate(q, {0.5, 0, 0}), q, Box{}}});
        EXPECT_NEAR(miscounted_share(body), 1.0 / 3, kGrid) << angle;
    }
}

TEST(Miscounted, BallsThatShareALens) {
    // Volume of the lens of two balls of radius r at a distance d: pi (4 r + d) (2 r - d)^2 / 12.
    const double r = 0.4, d = 0.5, ball = 4.0 / 3 * std::numbers::pi * r * r * r;
    const double lens = std::numbers::pi * (4 * r + d) * (2 * r - d) * (2 * r - d) / 12;
    const Compound body = of({{{}, {}, Sphere{r}}, {{0, 0.3, 0.4}, {}, Sphere{r}}});
    EXPECT_NEAR(miscounted_share(body), lens / (2 * ball - lens), 2 * kGrid);
}

TEST(Miscounted, PartsThatTouchShareNothing) {
    EXPECT_LT(miscounted_share(of({{{}, {}, Box{}}, {{1, 0, 0}, {}, Box{}}})), kGrid);
    EXPECT_EQ(miscounted_share(of({{{}, {}, Sphere{0.5}}, {{3, 0, 0}, {}, Sphere{0.5}}})), 0);
    EXPECT_EQ(miscounted_share(of({{{}, {}, Sphere{0.5}}})), 0);
    EXPECT_EQ(miscounted_share(Box{}), 0);
    EXPECT_EQ(miscounted_share(Plane{}), 0);
}

TEST(Miscounted, MeshesOfSeveralClosedParts) {
    const Vec3 one{1, 1, 1}, half{0.5, 0.5, 0.5};
    EXPECT_LT(miscounted_share(mesh_of({{one, {}}})), 1e-12);
    EXPECT_LT(miscounted_share(mesh_of({{one, {}}, {one, {2, 0, 0}}})), 1e-12);
    EXPECT_NEAR(miscounted_share(mesh_of({{one, {}}, {one, {0.5, 0, 0}}})), 1.0 / 3, kGrid);
    EXPECT_NEAR(miscounted_share(mesh_of({{one, {}}, {half, {}}})), 1.0 / 8, kGrid);  // a stone in a stone
    EXPECT_LT(miscounted_share(mesh_of({{one, {}}, {half, {}, true}})), 1e-12);       // a hole
    EXPECT_NEAR(miscounted_share(mesh_of({{one, {}}, {half, {2, 0, 0}, true}})), 1.0 / 8, kGrid);
}

}  // namespace
}  // namespace impuls
