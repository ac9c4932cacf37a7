// Names and stable ids of things that live in dense arrays. Ids keep their slot while entries move down.
// Slots that are free are used again, under another generation.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "base/compact.h"
#include "base/name_list.h"
#include "impuls/errors.h"
#include "impuls/ids.h"

namespace impuls {

template <class Tag>
class IdTable {
  public:
    std::size_t size() const { return slot_of_.size(); }
    Id<Tag> id(std::size_t dense) const {
        IMPULS_ASSERT_INDEX(dense, slot_of_.size());
        IMPULS_ASSERT(slots_[slot_of_[dense]].dense == dense);
        return {slot_of_[dense], slots_[slot_of_[dense]].generation};
    }
    std::string name(std::size_t dense) const {
        IMPULS_ASSERT_INDEX(dense, slot_of_.size());
        return names_[slot_of_[dense]];
    }

    Id<Tag> find(std::string_view name) const {
        const std::uint32_t slot = names_.find(name);
        return slot == NameList::kNone ? Id<Tag>{} : Id<Tag>{slot, slots_[slot].generation};
    }
    bool has(std::string_view name) const { return names_.find(name) != NameList::kNone; }

    // The entry an id stands for; throws InputError for an empty or stale id.
    std::uint32_t dense(Id<Tag> id) const {
        if (id.index >= slots_.size() || slots_[id.index].generation != id.generation ||
            slots_[id.index].dense == kFree)
            throw InputError("id of something that is not in this world (any more)");
        IMPULS_ASSERT_INDEX(slots_[id.index].dense, slot_of_.size());
        return slots_[id.index].dense;
    }

    // For a new last entry.
    void add(std::string_view name) {
        auto slot = static_cast<std::uint32_t>(slots_.size());
        if (free_.empty()) {
            slots_.emplace_back();
        } else {
            slot = free_.back();
            free_.pop_back();
        }
        slots_[slot].dense = static_cast<std::uint32_t>(slot_of_.size());
        slot_of_.push_back(slot);
        names_.set(slot, name);
    }

    // The name is free from now on; the entry stays until `erase`.
    void release(std::string_view name) {
        const std::uint32_t slot = names_.find(name);
        IMPULS_ASSERT(slot != NameList::kNone);
        slots_[slot].dense = kFree;
        ++slots_[slot].generation;
        free_.push_back(slot);
        names_.clear(slot);
    }

    // Removes the entries that were released; later ones move down.
    void erase(std::span<const std::uint8_t> is_dead) {
        compact(slot_of_, is_dead);
        for (std::size_t k = 0; k < slot_of_.size(); ++k)
            slots_[slot_of_[k]].dense = static_cast<std::uint32_t>(k);
    }

  private:
    static constexpr std::uint32_t kFree = 0xffffffffu;
    struct Slot {
        std::uint32_t generation = 0;
        std::uint32_t dense = kFree;
    };
    std::vector<Slot> slots_{};
    std::vector<std::uint32_t> slot_of_{}, free_{};
    NameList names_{};  // by slot
};

// Of a world.
struct WorldIds {
    IdTable<BodyTag> body_ids{};
    IdTable<JointTag> joint_ids{};
    IdTable<ForceTag> force_ids{};
};

}  // namespace impuls
