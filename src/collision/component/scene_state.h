// What a CollisionScene holds: slots of proxies, a tree over their boxes.
#pragma once

#include <optional>
#include <vector>

#include "collision/broad/box_tree.h"
#include "collision/component/solid.h"

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
    std::vector<Aabb> boxes{};            // of `seen`
    std::vector<std::uint32_t> fields{};  // slots with height fields: solid below their boxes
    BoxTree tree{};
    std::size_t alive = 0;

    Slot& at(ProxyId id);
    ProxyId id_of(std::uint32_t slot) const { return {slot, seen[slot].generation}; }
    // Slots of which the boxes overlap `box`, ascending.
    std::vector<std::uint32_t> near(const Aabb& box, std::uint32_t mask, bool sensors) const;
    bool passes(std::uint32_t slot, std::uint32_t mask, bool sensors) const {
        return (seen[slot].filter.layer & mask) != 0 && (sensors || !seen[slot].sensor);
    }
};

inline Aabb grown(const Aabb& box, double by) {
    return {box.min - Vec3{by, by, by}, box.max + Vec3{by, by, by}};
}

}  // namespace impuls
