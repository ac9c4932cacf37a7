// Blocks of vertices and planes find what plain loops find, bit for bit; of equal ones the first.
#include "geometry/polyhedron_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/rng.h"
#include "geometry/polyhedron.h"

namespace impuls {
namespace {

Vec3 any_vector(Rng& rng) {
    return {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
}

// 4 to 23 vertices; every third a box, with ties in directions along its axes.
Polyhedron blocks_body(Rng& rng, int k) {
    std::vector<Vec3> p;
    for (int i = 0; i < 8 && k % 3 == 0; ++i)
        p.push_back({i & 1 ? 1.0 : -1.0, i & 2 ? 0.5 : -0.5, i & 4 ? 0.75 : -0.75});
    for (int i = 0; i < 4 + k % 20 && k % 3 != 0; ++i) p.push_back(normalized(any_vector(rng)));
    return make_polyhedron(convex_hull(p).hull);
}

Vec3 blocks_direction(Rng& rng, int i) {
    if (i >= 6) return any_vector(rng);
    Vec3 d;
    d[i / 2] = i % 2 == 0 ? 1 : -1;
    return d;
}

TEST(PolyhedronBlocks, FindWhatLoopsFind) {
    Rng rng(5, 1);
    for (int k = 0; k < 120; ++k) {
        const Polyhedron p = blocks_body(rng, k);
        const auto& vertices = p.hull.vertices;
        ASSERT_EQ(p.vertex_blocks.size(), blocks_of(vertices.size()));
        for (int i = 0; i < 40; ++i) {
            const Vec3 d = blocks_direction(rng, i);
            std::uint32_t best = 0;
            for (std::uint32_t v = 1; v < vertices.size(); ++v)
                if (dot(vertices[v], d) > dot(vertices[best], d)) best = v;
            ASSERT_EQ(farthest_point(p.vertex_blocks, d), best);
            ASSERT_EQ(reach_along(p.vertex_blocks, d), dot(vertices[best], d));

            const auto& planes = p.hull.planes;
            std::vector<double> over(kInBlock * p.plane_blocks.size());
            heights_over(p.plane_blocks, d, over.data());
            const double bound = over[static_cast<std::size_t>(i) % planes.size()];
            const std::uint64_t below = planes_below(p.plane_blocks, d, bound);
            for (std::size_t f = 0; f < over.size(); ++f) {
                ASSERT_EQ(over[f], f < planes.size() ? dot(planes[f].normal, d) - planes[f].offset
                                                     : -std::numeric_limits<double>::infinity());
                ASSERT_EQ((below >> f & 1) != 0, over[f] > bound);
            }
            ASSERT_EQ(two::bits(over.data(), over.size(), bound, two::above), below);
            ASSERT_EQ(two::largest(over.data(), over.size()), *std::max_element(over.begin(), over.end()));
        }
    }
}

TEST(PolyhedronBlocks, EdgeBitsAreTheEdgesOfFaces) {
    Rng rng(5, 2);
    for (int k = 0; k < 40; ++k) {
        const Polyhedron p = blocks_body(rng, k);
        ASSERT_LE(p.hull.edges.size(), 64u);
        ASSERT_EQ(p.edge_bits.size(), p.hull.face_count());
        for (std::size_t f = 0; f < p.edge_bits.size(); ++f) {
            std::uint64_t bits = 0;
            for (const auto e : p.view().edges_of_face(f)) bits |= std::uint64_t{1} << e;
            ASSERT_EQ(p.edge_bits[f], bits);
        }
    }
    std::vector<Vec3> many;
    for (int i = 0; i < 40; ++i) many.push_back(normalized(any_vector(rng)));
    EXPECT_TRUE(make_polyhedron(convex_hull(many).hull).edge_bits.empty());
}

TEST(PolyhedronBlocks, NoNumbersAreNowhere) {
    Rng rng(5, 3);
    const Polyhedron p = blocks_body(rng, 17);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(farthest_point(p.vertex_blocks, {nan, nan, nan}), 0u);
    EXPECT_EQ(planes_below(p.plane_blocks, {nan, nan, nan}, 0), 0u);
}

}  // namespace
}  // namespace impuls
