// Grains that come while a world runs: at a rate, or the next when all rest (state.h). Places are drawn from
// the number of the grain and the step alone.
#include <algorithm>
#include <cmath>
#include <variant>

#include "base/rng.h"
#include "granular/coupling/state.h"

namespace impuls::granular {
namespace {

constexpr std::uint64_t kFeeds = 1ull << 42;  // streams beside those of the grains themselves

bool is_free_place(const GrainState& state, const Vec3& p, double radius) {
    const Grains& all = state.system.grains;
    for (std::size_t k = 0; k < all.count(); ++k) {
        const double reach = radius + state.system.kinds[all.kind[k]].shape.radius * all.size[k];
        if (length_squared(all.x[k] - p) < reach * reach) return false;
    }
    return true;
}

// One more grain of a feed, if there is room.
bool feed_one(GrainState& state, const GrainsView& view, std::uint32_t set, const FeedPlace& feed) {
    const GrainsDesc& desc = view.parts().grains[set];
    const double radius = largest_grain(*state.kinds, set);
    Rng draw(
        static_cast<std::uint64_t>(desc.seed) + kFeeds,
        static_cast<std::uint64_t>(state.made[set]) * 4096 + static_cast<std::uint64_t>(view.step) % 4096);
    for (int tries = 0; tries < 20; ++tries) {
        Vec3 p;
        for (int k = 0; k < 3; ++k) p[k] = draw.uniform(feed.lower[k] + radius, feed.upper[k] - radius);
        if (!is_free_place(state, p, radius)) continue;
        add_grain_of(state, view, set, p);
        return true;
    }
    return false;
}

}  // namespace

void feed_grains(GrainState& state, const GrainsView& view) {
    const auto& sets = view.parts().grains;
    const std::size_t before = state.system.grains.count();
    for (std::uint32_t k = 0; k < sets.size(); ++k) {
        const auto* feed = std::get_if<FeedPlace>(&sets[k].place);
        if (!feed) continue;
        if (feed->rate) {
            const double due = std::min(std::floor(view.time() * *feed->rate + 1e-9) + 1,
                                        static_cast<double>(sets[k].count));
            while (static_cast<double>(state.made[k]) < due && feed_one(state, view, k, *feed)) {
            }
        } else if (state.made[k] < sets[k].count) {
            double most = 0;
            for (const Vec3& v : state.system.grains.v) most = std::max(most, dot(v, v));
            if (most < *feed->rest * *feed->rest) feed_one(state, view, k, *feed);
        }
    }
    if (state.system.grains.count() == before) return;
    prepare(state.system);
    if (!view.parts().granular.substep) state.substep = longest_substep(state.system);
}

}  // namespace impuls::granular
