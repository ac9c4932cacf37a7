// What integrators remember of an island from step to step (the length of the next step, values of the steps
// before): state, hashed and in checkpoints. It belongs to the lowest uid of the island's bodies, and holds
// as long as its stamp is that of the state before the step: whatever changes bodies, forces or gravity
// between steps, or makes it another island, makes the integrator start afresh. Called by the force stepper
// and by the world, which keeps it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace impuls {

struct OdeMemory {
    std::uint64_t uid = 0, stamp = 0;
    std::uint32_t first = 0, count = 0;  // among the numbers
};

// Of all islands, by uid.
struct OdeMemories {
    std::vector<OdeMemory> entries{};
    std::vector<double> numbers{};

    void clear() {
        entries.clear();
        numbers.clear();
    }
    void add(std::uint64_t uid, std::uint64_t stamp, std::span<const double> values) {
        entries.push_back({uid, stamp, static_cast<std::uint32_t>(numbers.size()),
                           static_cast<std::uint32_t>(values.size())});
        numbers.insert(numbers.end(), values.begin(), values.end());
    }
    std::span<const double> of(const OdeMemory& entry) const {
        return std::span(numbers).subspan(entry.first, entry.count);
    }
    // Empty when there are none.
    std::span<const double> find(std::uint64_t uid, std::uint64_t stamp) const {
        for (std::size_t low = 0, high = entries.size(); low < high;) {
            const std::size_t middle = low + (high - low) / 2;
            if (entries[middle].uid == uid)
                return entries[middle].stamp == stamp ? of(entries[middle]) : std::span<const double>{};
            (entries[middle].uid < uid ? low : high) = entries[middle].uid < uid ? middle + 1 : middle;
        }
        return {};
    }
};

}  // namespace impuls
