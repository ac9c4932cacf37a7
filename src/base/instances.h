// One value per entry of an array in which many entries are equal: each value is kept once, in a table, and
// an entry is its place there (4 bytes). Equal is what has the same bits, so that nothing changes by sharing.
//
//     entries  0 0 0 1 0 2 ...      ->      table  a b c ...
//
// Equal values are found by a small memo of values seen lately; one that was forgotten meanwhile is in the
// table twice, which costs memory alone. Called by dynamics/body_set.h, for what does not change in a step.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/compact.h"

namespace impuls {

// How values of a type are told from each other: those that are nothing but doubles by their bits.
template <class T>
struct InstanceTraits {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(std::uint64_t) == 0);
    static bool is_same(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof a) == 0; }
    static std::uint64_t hash(const T& value) {
        std::array<std::uint64_t, sizeof(T) / sizeof(std::uint64_t)> words;
        std::memcpy(words.data(), &value, sizeof value);
        std::uint64_t h = 0;
        for (const std::uint64_t word : words) h = (std::rotl(h, 23) ^ word) * 0x9e3779b97f4a7c15u;
        return h;
    }
};

template <class T>
class Instances {
  public:
    std::size_t size() const { return of_.size(); }
    const T& operator[](std::size_t k) const {
        IMPULS_ASSERT_INDEX(k, of_.size());
        return table_[of_[k]];
    }
    void reserve(std::size_t count) { of_.reserve(count); }
    void push_back(T value) { of_.push_back(place_of(std::move(value))); }
    void set(std::size_t k, T value) {
        IMPULS_ASSERT_INDEX(k, of_.size());
        of_[k] = place_of(std::move(value));
        if (table_.size() > 2 * of_.size() + kMemo) drop_unused();
    }
    // The last entry becomes entry k.
    void move_last_to(std::size_t k) {
        IMPULS_ASSERT_INDEX(k, of_.size());
        of_[k] = of_.back();
        of_.pop_back();
        if (table_.size() > 2 * of_.size() + kMemo) drop_unused();
    }
    // Erases the entries that are flagged; those beyond the flags stay.
    void erase(std::span<const std::uint8_t> is_dead) {
        compact(of_, is_dead);
        if (table_.size() > 2 * of_.size() + kMemo) drop_unused();
    }
    // The different values, and some that no entry has any more.
    const std::vector<T>& table() const { return table_; }

  private:
    static constexpr std::size_t kMemo = 64;

    std::uint32_t place_of(T value) {
        if (memo_.empty()) memo_.resize(kMemo);
        std::uint32_t& known = memo_[InstanceTraits<T>::hash(value) >> 58];
        static_assert(kMemo == std::size_t{1} << (64 - 58));
        if (known < table_.size() && InstanceTraits<T>::is_same(table_[known], value)) return known;
        known = static_cast<std::uint32_t>(table_.size());
        table_.push_back(std::move(value));
        return known;
    }

    void drop_unused() {
        const std::vector<std::uint32_t> old = std::exchange(of_, {});
        const std::vector<T> values = std::exchange(table_, {});
        memo_.clear();
        std::vector<std::uint32_t> moved(values.size(), kNowhere);
        for (const std::uint32_t place : old) {
            if (moved[place] == kNowhere) {
                moved[place] = static_cast<std::uint32_t>(table_.size());
                table_.push_back(values[place]);
            }
            of_.push_back(moved[place]);
        }
    }

    static constexpr std::uint32_t kNowhere = 0xffffffffu;
    std::vector<T> table_{};
    std::vector<std::uint32_t> of_{};    // by entry: its value in the table
    std::vector<std::uint32_t> memo_{};  // by hash: a place in the table
};

}  // namespace impuls
