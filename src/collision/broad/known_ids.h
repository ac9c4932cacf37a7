// Which boxes of the last call are still there: phases that remember something renumber it with this.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/assert.h"
#include "collision/broad/broad.h"

namespace impuls {

inline constexpr std::uint32_t kNoBox = std::numeric_limits<std::uint32_t>::max();

class KnownIds {
  public:
    // Takes over the ids of this call; true when they differ from those of the last one.
    bool update(std::span<const std::uint64_t> ids) {
        if (std::equal(ids.begin(), ids.end(), ids_.begin(), ids_.end())) return false;
        IMPULS_ASSERT(std::is_sorted(ids.begin(), ids.end()));
        now_.assign(ids_.size(), kNoBox);
        before_.assign(ids.size(), kNoBox);
        for (std::size_t o = 0, n = 0; o < ids_.size() && n < ids.size();) {
            if (ids_[o] == ids[n]) {
                now_[o] = static_cast<std::uint32_t>(n);
                before_[n++] = static_cast<std::uint32_t>(o++);
            } else {
                ++(ids_[o] < ids[n] ? o : n);
            }
        }
        ids_.assign(ids.begin(), ids.end());
        return true;
    }

    // Old number to new number and back, kNoBox where there is none; both ascend.
    std::span<const std::uint32_t> now() const { return now_; }
    std::span<const std::uint32_t> before() const { return before_; }

    // Renumbers values kept for each box; boxes that are new get `fresh`.
    template <class T>
    void carry_over(std::vector<T>& values, std::vector<T>& buffer, const T& fresh) const {
        IMPULS_ASSERT(values.size() == now_.size());
        buffer.clear();
        for (const std::uint32_t o : before_) buffer.push_back(o == kNoBox ? fresh : values[o]);
        std::swap(values, buffer);
    }

    // Renumbers sorted pairs; those of boxes that are gone go too.
    void carry_over(std::vector<Pair>& pairs) const {
        std::size_t kept = 0;
        for (const auto& [a, b] : pairs) {
            if (now_[a] != kNoBox && now_[b] != kNoBox) pairs[kept++] = {now_[a], now_[b]};
        }
        pairs.resize(kept);
    }

  private:
    std::vector<std::uint64_t> ids_;
    std::vector<std::uint32_t> now_, before_;
};

}  // namespace impuls
