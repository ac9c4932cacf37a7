// Slots of the pair cache follow their pairs, whatever comes and goes between.
#include "collision/graph/pair_cache.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/rng.h"

namespace impuls {
namespace {

bool is_blank(const PairCache::Slot& slot) {
    return slot.axis == Vec3{} && !slot.has_near && slot.contact.margin < 0 && slot.screen.margin < 0;
}

// The oracle is a map from keys to what was written into their slots.
TEST(PairCache, slots_follow_their_pairs) {
    PairCache cache;
    std::map<PairKey, double> written;
    Rng rng(5, 2);
    double tag = 0;
    for (int step = 0; step < 300; ++step) {
        const double share = step % 10 == 0 ? rng.uniform(0, 1) : 0.5;
        std::vector<PairKey> keys;
        for (std::uint64_t a = 1; a < 6; ++a)
            for (std::uint64_t b = a + 1; b < 8; ++b)
                for (std::uint32_t c = 0; c < 2; ++c) {
                    const PairKey key{a, c, b, 1 - c};
                    const bool stays = written.count(key) && rng.uniform(0, 1) < 0.9;
                    if (stays || rng.uniform(0, 1) < 0.3 * share) keys.push_back(key);
                }
        std::sort(keys.begin(), keys.end());
        cache.match(keys);
        std::map<PairKey, double> now;
        std::set<const PairCache::Slot*> slots;
        for (std::size_t p = 0; p < keys.size(); ++p) {
            PairCache::Slot& slot = cache[p];
            ASSERT_TRUE(slots.insert(&slot).second) << "two pairs share a slot";
            if (const auto it = written.find(keys[p]); it != written.end()) {
                ASSERT_EQ(slot.contact.margin, it->second);
                ASSERT_EQ(slot.axis.x, it->second);
            } else {
                ASSERT_TRUE(is_blank(slot));
            }
            tag += 1;
            slot.contact.margin = slot.screen.margin = slot.axis.x = now[keys[p]] = tag;
            slot.has_near = true;
        }
        written = now;
    }
}

// What was counted stays counted when the pair goes.
TEST(PairCache, counts_the_narrow_phases_of_all_pairs) {
    PairCache cache;
    const std::vector<PairKey> both{{1, 0, 2, 0}, {1, 0, 3, 0}}, second{{1, 0, 3, 0}};
    cache.match(both);
    cache[0].calls += 2, cache[1].calls += 3;
    EXPECT_EQ(cache.calls(), 5u);
    cache.match(second);
    EXPECT_EQ(cache[0].calls, 3u);
    EXPECT_EQ(cache.calls(), 5u);
}

}  // namespace
}  // namespace impuls
