// Handles to things inside a World. An id stays valid until its thing is removed; a later thing in the same
// slot has another generation, so a stale id is recognised instead of reaching a stranger.
#pragma once

#include <cstdint>

namespace impuls {

template <class Tag>
struct Id {
    std::uint32_t index = 0xffffffffu;
    std::uint32_t generation = 0;
    /// False for a default-made id ("nothing").
    constexpr explicit operator bool() const { return index != 0xffffffffu; }
    friend constexpr bool operator==(const Id&, const Id&) = default;
};

using BodyId = Id<struct BodyTag>;
using JointId = Id<struct JointTag>;
using ForceId = Id<struct ForceTag>;

}  // namespace impuls
