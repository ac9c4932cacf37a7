// Faces of boxes inside a compound that another part covers. A body that slides over parts lying flush would
// bump into such a face at every joint; the narrow phase leaves them out. Called by make_colliders.
#pragma once

#include <cstdint>
#include <span>

#include "collision/collider.h"

namespace impuls {

// Sets `covered` of every box among the parts of one compound: a face is covered when one other box part,
// turned by right angles only, holds the whole face and lies beyond it. All within 1e-6 of the smaller size.
void mark_covered_faces(std::span<Collider> parts);

// True when the direction n, in the box's frame, points out of a covered face (by more than a hair).
inline bool leaves_through_covered(std::uint8_t covered, const Vec3& n) {
    constexpr double kHair = 1e-6;
    for (int axis = 0; axis < 3; ++axis) {
        if (n[axis] > kHair && (covered >> (2 * axis + 1) & 1)) return true;
        if (n[axis] < -kHair && (covered >> (2 * axis) & 1)) return true;
    }
    return false;
}

}  // namespace impuls
