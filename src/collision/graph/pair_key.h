// The lasting name of a pair of colliders. Contacts, caches and checkpoints are ordered by it.
#pragma once

#include <compare>
#include <cstdint>

namespace impuls {

// Body uids and the colliders' numbers in their bodies.
struct PairKey {
    std::uint64_t uid_a = 0;
    std::uint32_t collider_a = 0;
    std::uint64_t uid_b = 0;
    std::uint32_t collider_b = 0;
    friend constexpr auto operator<=>(const PairKey&, const PairKey&) = default;
};

}  // namespace impuls
