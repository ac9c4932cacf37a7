// Slots that follow their pairs, and reuse of equal questions (pair_cache.h).
#include "collision/graph/pair_cache.h"

#include <cstring>

#include "collision/narrow/narrow.h"

namespace impuls {

void PairCache::match(std::span<const PairKey> keys) {
    const auto is_kept = [&](std::size_t old, std::size_t p) {
        return p < keys.size() && keys[p] == keys_[old];
    };
    std::size_t p = 0;
    constexpr std::uint32_t kNoSlot = 0xffffffffu;
    next_slot_of_.assign(keys.size(), kNoSlot);
    for (std::size_t old = 0; old < keys_.size(); ++old) {
        while (p < keys.size() && keys[p] < keys_[old]) ++p;
        if (is_kept(old, p)) {
            next_slot_of_[p] = slot_of_[old];
        } else {
            Slot& gone = slots_[slot_of_[old]];
            gone.contact.margin = gone.screen.margin = -1;
            free_.push_back(slot_of_[old]);
        }
    }
    for (std::uint32_t& slot : next_slot_of_) {
        if (slot == kNoSlot && free_.empty()) {
            slot = static_cast<std::uint32_t>(slots_.size());
            slots_.emplace_back();
            slots_.back().contact.manifolds.reserve(1), slots_.back().screen.manifolds.reserve(1);
        } else if (slot == kNoSlot) {
            slot = free_.back();
            free_.pop_back();
        }
        slots_[slot].calls = 0;
    }
    std::swap(slot_of_, next_slot_of_);
    keys_.assign(keys.begin(), keys.end());
}

std::uint64_t PairCache::calls() const {
    std::uint64_t sum = 0;
    for (const std::uint32_t slot : slot_of_) sum += slots_[slot].calls;
    return sum;
}

namespace {

bool is_same(const Pose& a, const Pose& b) {
    static_assert(sizeof(Pose) == 7 * sizeof(double));
    return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace

const std::vector<Manifold>& find_manifolds(const Collider& a, const Pose& X_WA, const Collider& b,
                                            const Pose& X_WB, double margin, NarrowResult& known,
                                            std::uint32_t& calls) {
    if (known.margin == margin && is_same(known.X_WA, X_WA) && is_same(known.X_WB, X_WB))
        return known.manifolds;
    ++calls;
    known.X_WA = X_WA, known.X_WB = X_WB, known.margin = margin;
    known.manifolds.clear();
    collide(a, X_WA * a.X_BC, b, X_WB * b.X_BC, margin, known.manifolds);
    return known.manifolds;
}

double rounded_margin(double size, double needed) {
    double margin = 0.02 * size;
    for (int k = 0; k < 1000 && margin < needed && margin > 0; ++k) margin *= 2;
    return margin;
}

}  // namespace impuls
