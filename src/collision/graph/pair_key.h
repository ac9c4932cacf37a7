// The lasting name of a pair of elements. An element is a part of an object that touches: a collider of a
// body, a triangle, edge or particle of a range of particles, a cell or a grain; an object has one uid, and
// numbers its elements. Contacts, caches and checkpoints are ordered by it.
#pragma once

#include <compare>
#include <cstdint>

namespace impuls {

// The objects' uids, and numbers of elements in them. The order is by a, then by b.
struct PairKey {
    std::uint64_t uid_a = 0, uid_b = 0;
    std::uint32_t element_a = 0, element_b = 0;
    friend constexpr bool operator==(const PairKey&, const PairKey&) = default;
    friend constexpr auto operator<=>(const PairKey& x, const PairKey& y) {
        if (const auto c = x.uid_a <=> y.uid_a; c != 0) return c;
        if (const auto c = x.element_a <=> y.element_a; c != 0) return c;
        if (const auto c = x.uid_b <=> y.uid_b; c != 0) return c;
        return x.element_b <=> y.element_b;
    }
};

}  // namespace impuls
