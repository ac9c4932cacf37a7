// Names and stable ids of things that live in dense arrays. Ids keep their slot while entries move down.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/assert.h"
#include "base/compact.h"
#include "impuls/errors.h"
#include "impuls/ids.h"

namespace impuls {

template <class Tag>
class IdTable {
  public:
    std::size_t size() const { return slot_of_.size(); }
    Id<Tag> id(std::size_t dense) const {
        IMPULS_ASSERT_INDEX(dense, slot_of_.size());
        IMPULS_ASSERT(slots_[slot_of_[dense]].is_used && slots_[slot_of_[dense]].dense == dense);
        return {slot_of_[dense], slots_[slot_of_[dense]].generation};
    }

    Id<Tag> find(std::string_view name) const {
        const auto it = by_name_.find(std::string(name));
        return it == by_name_.end() ? Id<Tag>{} : Id<Tag>{it->second, slots_[it->second].generation};
    }
    bool has(const std::string& name) const { return by_name_.contains(name); }

    // The entry an id stands for; throws InputError for an empty or stale id.
    std::uint32_t dense(Id<Tag> id) const {
        if (id.index >= slots_.size() || slots_[id.index].generation != id.generation ||
            !slots_[id.index].is_used)
            throw InputError("id of something that is not in this world (any more)");
        IMPULS_ASSERT_INDEX(slots_[id.index].dense, slot_of_.size());
        return slots_[id.index].dense;
    }

    // For a new last entry.
    void add(const std::string& name) {
        IMPULS_ASSERT(!has(name));
        std::uint32_t slot = static_cast<std::uint32_t>(slots_.size());
        if (free_.empty()) {
            slots_.emplace_back();
        } else {
            slot = free_.back();
            free_.pop_back();
        }
        slots_[slot].is_used = true;
        slots_[slot].dense = static_cast<std::uint32_t>(slot_of_.size());
        slot_of_.push_back(slot);
        by_name_.emplace(name, slot);
    }

    // The name is free from now on; the entry stays until `erase`.
    void release(const std::string& name) {
        const auto it = by_name_.find(name);
        IMPULS_ASSERT(it != by_name_.end());
        const std::uint32_t slot = it->second;
        slots_[slot].is_used = false;
        ++slots_[slot].generation;
        free_.push_back(slot);
        by_name_.erase(it);
    }

    // Removes the entries that were released; later ones move down.
    void erase(std::span<const std::uint8_t> is_dead) {
        compact(slot_of_, is_dead);
        for (std::size_t k = 0; k < slot_of_.size(); ++k)
            slots_[slot_of_[k]].dense = static_cast<std::uint32_t>(k);
    }

  private:
    struct Slot {
        std::uint32_t generation = 0;
        std::uint32_t dense = 0;
        bool is_used = false;
    };
    std::vector<Slot> slots_{};
    std::vector<std::uint32_t> slot_of_{}, free_{};
    std::unordered_map<std::string, std::uint32_t> by_name_{};
};

}  // namespace impuls
