// Where the pairs of a sorted list were in the list before it, or would have been: what is kept for pairs
// follows them so. Used by the world's pairs and by the pair cache.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/assert.h"
#include "collision/broad/broad.h"
#include "collision/graph/pair_key.h"

namespace impuls {

// A place in the list before. Of a pair that was not there it is that of the first one after it.
class LastPlace {
  public:
    LastPlace() = default;
    LastPlace(std::size_t place, bool is_known)
        : bits_(static_cast<std::uint32_t>(place) << 1 | static_cast<std::uint32_t>(is_known)) {
        IMPULS_ASSERT(place < std::size_t{1} << 31);
    }
    std::uint32_t place() const { return bits_ >> 1; }
    bool is_known() const { return bits_ & 1; }

  private:
    std::uint32_t bits_ = 0;
};

// Looks up pairs of an ascending list, from `first` on, in another one.
template <class Key>
class PlaceFinder {
  public:
    PlaceFinder(std::span<const Key> list, const Key& first)
        : list_(list),
          at_(static_cast<std::size_t>(std::lower_bound(list.begin(), list.end(), first) - list.begin())) {}

    // Keys must be looked up in ascending order. Most are found at the next place.
    LastPlace find(const Key& key) {
        if (at_ < list_.size() && list_[at_] == key) return {at_++, true};
        while (at_ < list_.size() && list_[at_] < key) ++at_;
        if (at_ < list_.size() && list_[at_] == key) return {at_++, true};
        return {at_, false};
    }

  private:
    std::span<const Key> list_;
    std::size_t at_;
};

}  // namespace impuls
