// What a CollisionScene holds: slots of proxies, and an index over those of the last update.
#pragma once

#include <optional>
#include <vector>

#include "collision/component/solid.h"
#include "collision/query/query_index.h"

namespace impuls {

struct CollisionScene::State {
    struct Slot {
        std::uint32_t generation = 0;
        std::optional<Solid> solid{};  // none: free
        Pose pose{};
        Filter filter{};
        bool sensor = false;
    };
    std::vector<Slot> slots{};
    std::vector<Slot> seen{};  // as of the last update
    std::vector<std::uint32_t> free{};
    QueryIndex index{};  // of `seen`
    double largest = 0;  // size
    std::size_t alive = 0;

    Slot& at(ProxyId id);
    ProxyId id_of(std::uint32_t slot) const { return {slot, seen[slot].generation}; }
    QuerySelection selection(const ProxyFilter& filter) const;
};

}  // namespace impuls
