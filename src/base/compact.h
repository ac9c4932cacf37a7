// Erasing many entries of an array in one pass; the others keep their order. Called where bodies, joints and
// forces are removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace impuls {

// Erases the entries that are flagged; those beyond the flags stay.
template <class List>
void compact(List& list, std::span<const std::uint8_t> is_dead) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < list.size(); ++k) {
        if (k < is_dead.size() && is_dead[k]) continue;
        if (kept != k) list[kept] = std::move(list[k]);
        ++kept;
    }
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(kept), list.end());
}

}  // namespace impuls
