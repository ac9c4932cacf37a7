// What a public Solid holds: the colliders of its shape.
#pragma once

#include <vector>

#include "collision/query/group.h"
#include "impuls/collision.h"

namespace impuls {

struct Solid::Parts {
    std::vector<Collider> colliders{};
    double size = 0;  // of the smallest bounded part; 0 when none has one
};

inline ColliderGroup group_of(const Solid& solid) {
    return solid.parts().colliders;
}

std::vector<TouchPoint> contacts(const Solid& a, const Pose& X_WA, const Solid& b, const Pose& X_WB,
                                 double margin);

}  // namespace impuls
