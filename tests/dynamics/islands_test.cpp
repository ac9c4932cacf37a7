// Islands against connectivity found by plain flooding.
#include "dynamics/islands.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace impuls {
namespace {

BodySet random_bodies(std::mt19937& rng, int n) {
    BodySet set;
    MaterialDesc material;
    for (int k = 0; k < n; ++k) {
        BodyDesc desc;
        desc.shape = Sphere{0.5};
        desc.kind = static_cast<BodyKind>(rng() % 6 < 4 ? 0 : 1 + rng() % 2);
        set.add(desc, material);
    }
    return set;
}

TEST(Islands, are_the_connected_groups_of_dynamic_bodies) {
    std::mt19937 rng(3);
    for (int trial = 0; trial < 200; ++trial) {
        const int n = 2 + static_cast<int>(rng() % 40);
        const BodySet set = random_bodies(rng, n);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
        for (int k = 0; k < n; ++k) {
            std::uint32_t a = rng() % n, b = rng() % n;
            if (a > b) std::swap(a, b);
            if (a != b && (set.is_dynamic(a) || set.is_dynamic(b))) pairs.push_back({a, b});
        }
        std::sort(pairs.begin(), pairs.end());
        Islands islands;
        islands.build(set, pairs, {});

        // Flood the lowest number of each group until nothing changes.
        std::vector<std::uint32_t> label(n);
        std::set<std::uint32_t> touched;
        for (int k = 0; k < n; ++k) label[k] = k;
        for (bool is_changed = true; is_changed;) {
            is_changed = false;
            for (const auto& [a, b] : pairs) {
                if (set.is_dynamic(a)) touched.insert(a);
                if (set.is_dynamic(b)) touched.insert(b);
                if (!set.is_dynamic(a) || !set.is_dynamic(b) || label[a] == label[b]) continue;
                label[a] = label[b] = std::min(label[a], label[b]);
                is_changed = true;
            }
        }
        std::set<std::uint32_t> groups, seen;
        for (const auto k : touched) groups.insert(label[k]);
        ASSERT_EQ(islands.size(), groups.size());
        std::uint32_t last = 0;
        for (std::size_t i = 0; i < islands.size(); ++i) {
            const auto first = islands.bodies[islands.body_start[i]];
            EXPECT_TRUE(i == 0 || first > last) << "islands come in the order of their lowest body";
            last = first;
            for (auto k = islands.body_start[i]; k < islands.body_start[i + 1]; ++k) {
                EXPECT_EQ(label[islands.bodies[k]], first);
                EXPECT_TRUE(seen.insert(islands.bodies[k]).second);
            }
            for (auto p = islands.pair_start[i]; p < islands.pair_start[i + 1]; ++p) {
                const auto [a, b] = pairs[islands.pairs[p]];
                EXPECT_EQ(label[set.is_dynamic(a) ? a : b], first);
            }
        }
        EXPECT_EQ(seen, touched);
        EXPECT_EQ(islands.pairs.size(), pairs.size());
        for (const auto k : islands.free_bodies) {
            EXPECT_FALSE(touched.contains(k));
            EXPECT_NE(set.kind[k], BodyKind::Static);
        }
    }
}

}  // namespace
}  // namespace impuls
