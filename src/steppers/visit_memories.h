// What integrators remember (ode_memory.h), as hashes and checkpoints visit it. Called by
// world/visit_state.h.
#pragma once

#include <cstdint>
#include <type_traits>

#include "impuls/errors.h"
#include "steppers/ode_memory.h"

namespace impuls {

// A reader (of memories that are not const) has the bytes that are left, and trusts none of them.
template <class Visitor, class Memories>
void visit_memories(Visitor& visit, Memories& memories) {
    const auto require = [](bool ok) {
        if (!ok) throw InputError("checkpoint is damaged: memory of an integrator");
    };
    std::uint64_t entries = memories.entries.size(), numbers = memories.numbers.size();
    visit(entries);
    visit(numbers);
    if constexpr (!std::is_const_v<Memories>) {
        require(entries <= visit.bytes.size() / 24 && numbers <= visit.bytes.size() / 8);
        memories.entries.resize(entries);
        memories.numbers.resize(numbers);
    }
    for (auto& entry : memories.entries) {
        visit(entry.uid);
        visit(entry.stamp);
        visit(entry.first);
        visit(entry.count);
        require(entry.first <= numbers && entry.count <= numbers - entry.first);
    }
    for (auto& number : memories.numbers) visit(number);
}

}  // namespace impuls
