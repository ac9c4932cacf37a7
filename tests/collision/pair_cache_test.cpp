// Slots of the pair cache follow their pairs, whatever comes and goes between.
#include "collision/graph/pair_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/rng.h"

namespace impuls {
namespace {

bool is_blank(const PairCache::Slot& slot) {
    return slot.axis == Vec3{} && !slot.has_near && slot.contact_margin < 0 && slot.screen_margin < 0;
}

std::vector<LastPlace> places_in(const std::vector<PairKey>& last, const std::vector<PairKey>& keys) {
    std::vector<LastPlace> places;
    for (const PairKey& key : keys) {
        const auto at = std::lower_bound(last.begin(), last.end(), key);
        places.emplace_back(static_cast<std::size_t>(at - last.begin()), at != last.end() && *at == key);
    }
    return places;
}

// From any pair on, as threads begin in the middle of a list.
TEST(LastPlace, is_that_of_a_search_for_each_pair) {
    Rng rng(8, 1);
    for (int round = 0; round < 200; ++round) {
        std::vector<PairKey> last, keys;
        const double share = rng.uniform(0, 1), stay = rng.uniform(0, 1);
        for (std::uint64_t a = 1; a < 6; ++a)
            for (std::uint64_t b = a + 1; b < 9; ++b) {
                if (rng.uniform(0, 1) < share) last.push_back({a, b, 0, 1});
                if (rng.uniform(0, 1) < stay) keys.push_back({a, b, 0, 1});
            }
        const std::vector<LastPlace> expected = places_in(last, keys);
        for (std::size_t from = 0; from < keys.size(); from += 3) {
            PlaceFinder finder(std::span<const PairKey>(last), keys[from]);
            for (std::size_t p = from; p < keys.size(); ++p) {
                const LastPlace found = finder.find(keys[p]);
                ASSERT_EQ(found.place(), expected[p].place());
                ASSERT_EQ(found.is_known(), expected[p].is_known());
            }
        }
    }
}

// The oracle is a map from keys to what was written into their slots.
TEST(PairCache, slots_follow_their_pairs) {
    PairCache cache;
    std::map<PairKey, double> written;
    Rng rng(5, 2);
    double tag = 0;
    std::vector<PairKey> last;
    for (int step = 0; step < 300; ++step) {
        const double share = step % 10 == 0 ? rng.uniform(0, 1) : 0.5;
        std::vector<PairKey> keys;
        for (std::uint64_t a = 1; a < 6; ++a)
            for (std::uint64_t b = a + 1; b < 8; ++b)
                for (std::uint32_t c = 0; c < 2; ++c) {
                    const PairKey key{a, b, c, 1 - c};
                    const bool stays = written.count(key) && rng.uniform(0, 1) < 0.9;
                    if (stays || rng.uniform(0, 1) < 0.3 * share) keys.push_back(key);
                }
        std::sort(keys.begin(), keys.end());
        cache.match(places_in(last, keys));
        last = keys;
        std::map<PairKey, double> now;
        std::set<const PairCache::Slot*> slots;
        for (std::size_t p = 0; p < keys.size(); ++p) {
            PairCache::Slot& slot = cache[p];
            ASSERT_TRUE(slots.insert(&slot).second) << "two pairs share a slot";
            if (const auto it = written.find(keys[p]); it != written.end()) {
                ASSERT_EQ(slot.contact_margin, it->second);
                ASSERT_EQ(slot.axis.x, it->second);
            } else {
                ASSERT_TRUE(is_blank(slot));
            }
            tag += 1;
            slot.contact_margin = slot.screen_margin = slot.axis.x = now[keys[p]] = tag;
            slot.has_near = true;
        }
        written = now;
    }
}

// What was counted stays counted when the pair goes.
TEST(PairCache, counts_the_narrow_phases_of_all_pairs) {
    PairCache cache;
    const std::vector<PairKey> both{{1, 0, 2, 0}, {1, 0, 3, 0}}, second{{1, 0, 3, 0}};
    cache.match(places_in({}, both));
    cache[0].calls += 2, cache[1].calls += 3;
    EXPECT_EQ(cache.calls(), 5u);
    cache.match(places_in(both, second));
    EXPECT_EQ(cache[0].calls, 3u);
    EXPECT_EQ(cache.calls(), 5u);
}

}  // namespace
}  // namespace impuls
