// Faces of boxes inside a compound that another part covers. A body that slides over parts lying flush would
// bump into such a face at every joint; the narrow phase leaves them out. Called by make_colliders.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "collision/collider.h"

namespace impuls {

// Sets `covered` of every box among the parts of one compound: a face is covered when one other box part,
// turned by right angles only, holds the whole face and lies beyond it. All within 1e-6 of the smaller size.
void mark_covered_faces(std::span<Collider> parts);

// What becomes of a contact normal n that points out of the box, in its frame: false when it leaves through a
// covered face; a component so small that the contact is at the rim is removed.
inline bool avoid_covered(std::uint8_t covered, Vec3& n) {
    constexpr double kRim = 1e-3;
    bool is_changed = false;
    for (int axis = 0; axis < 3; ++axis) {
        const int side = n[axis] > 0 ? 1 : 0;
        if (n[axis] == 0 || !(covered >> (2 * axis + side) & 1)) continue;
        if (std::abs(n[axis]) > kRim) return false;
        n[axis] = 0;
        is_changed = true;
    }
    if (is_changed) n = normalized(n);
    return true;
}

}  // namespace impuls
