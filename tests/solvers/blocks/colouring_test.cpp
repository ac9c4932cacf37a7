// Places of manifolds in batches: each its own, and none in a batch, or in batches solved at the same time,
// with another of the same moving body.
#include "solvers/blocks/colouring.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>
#include <vector>

#include "base/rng.h"

namespace impuls {
namespace {

using Ends = BlockColouring::Ends;

struct Coloured {
    std::vector<block::Body> bodies{};
    std::vector<Ends> manifolds{};
    BlockColouring colouring{};

    // Body 0 is fixed. More than a segment of manifolds; body 1 has more than there are colours.
    explicit Coloured(std::size_t count) : bodies(1 + count / 2) {
        Rng rng(count, 0);
        const auto any = [&](std::size_t n) {
            return static_cast<std::uint32_t>(rng.uniform(0, 1) * static_cast<double>(n));
        };
        for (std::size_t k = 1; k < bodies.size(); ++k) bodies[k].inv_mass = 1;
        for (std::size_t m = 0; m < count; ++m) {
            const std::uint32_t a = m < 100 ? 1 : any(bodies.size());
            std::uint32_t b = any(bodies.size());
            if (a == b) b = (b + 1) % static_cast<std::uint32_t>(bodies.size());
            const auto size = static_cast<BlockColouring::Size>(any(BlockColouring::kSizes));
            manifolds.push_back({a, b, size == BlockColouring::kFour ? 4u : 1u, size, 0});
        }
        colouring.build(manifolds, bodies);
    }
    std::size_t colour_of(std::size_t m) const {
        const auto size = manifolds[m].size;
        const std::size_t batch = colouring.place_of(m, size).batch;
        std::size_t k = 0;
        while (batch >= colouring.colours()[k].first[size] + colouring.colours()[k].count[size]) ++k;
        return k;
    }
};

TEST(BlockColouring, places_are_distinct_and_within_the_batches) {
    const Coloured c(BlockColouring::kSegment + 500);
    std::set<std::tuple<std::uint32_t, std::size_t, std::size_t>> taken;
    for (std::size_t m = 0; m < c.manifolds.size(); ++m) {
        const auto size = c.manifolds[m].size;
        const auto [batch, lane] = c.colouring.place_of(m, size);
        EXPECT_LT(batch, c.colouring.batches(size));
        EXPECT_LT(lane, static_cast<std::size_t>(block::kLanes));
        EXPECT_TRUE(taken.emplace(size, batch, lane).second) << m;
        const std::size_t segment = m / BlockColouring::kSegment, k = c.colour_of(m);
        const std::size_t first = c.colouring.first_batch(segment, size, k);
        EXPECT_GE(batch, first);
        EXPECT_LT(batch, first + c.colouring.batch_count(segment, size, k));
    }
}

TEST(BlockColouring, no_moving_body_is_twice_in_a_colour) {
    const Coloured c(BlockColouring::kSegment + 500);
    std::set<std::pair<std::size_t, std::uint32_t>> seen;
    std::set<std::pair<std::uint32_t, std::size_t>> last_batches;
    for (std::size_t m = 0; m < c.manifolds.size(); ++m) {
        const std::size_t k = c.colour_of(m);
        const Ends& ends = c.manifolds[m];
        if (k == BlockColouring::kColours - 1) {  // one manifold a batch
            const std::size_t batch = c.colouring.place_of(m, ends.size).batch;
            EXPECT_TRUE(last_batches.emplace(ends.size, batch).second) << m;
            continue;
        }
        for (const std::uint32_t body : {ends.a, ends.b}) {
            if (c.bodies[body].inv_mass > 0) {
                EXPECT_TRUE(seen.emplace(k, body).second) << m;
            }
        }
    }
    EXPECT_FALSE(last_batches.empty());
    EXPECT_EQ(c.colouring.used_colours(), static_cast<int>(BlockColouring::kColours));
}

TEST(BlockColouring, octets_of_a_segment_do_not_overlap) {
    const Coloured c(2 * BlockColouring::kSegment + 10);
    EXPECT_EQ(c.colouring.segments(), 3u);
    std::size_t next = 0;
    for (std::size_t m = 0; m < c.manifolds.size(); ++m) {
        if (m % BlockColouring::kSegment == 0) next = block::octets_of(4);  // those of empty lanes
        EXPECT_EQ(c.manifolds[m].octet, next);
        next += block::octets_of(c.manifolds[m].size == BlockColouring::kFour ? 4 : 1);
        EXPECT_LE(next, c.colouring.octets());
    }
}

}  // namespace
}  // namespace impuls
