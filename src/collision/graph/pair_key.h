// The lasting name of a pair of colliders. Contacts, caches and checkpoints are ordered by it.
#pragma once

#include <compare>
#include <cstdint>

namespace impuls {

// Body uids and the colliders' numbers in their bodies. The order is by a, then by b.
struct PairKey {
    std::uint64_t uid_a = 0, uid_b = 0;
    std::uint32_t collider_a = 0, collider_b = 0;
    friend constexpr bool operator==(const PairKey&, const PairKey&) = default;
    friend constexpr auto operator<=>(const PairKey& x, const PairKey& y) {
        if (const auto c = x.uid_a <=> y.uid_a; c != 0) return c;
        if (const auto c = x.collider_a <=> y.collider_a; c != 0) return c;
        if (const auto c = x.uid_b <=> y.uid_b; c != 0) return c;
        return x.collider_b <=> y.collider_b;
    }
};

}  // namespace impuls
