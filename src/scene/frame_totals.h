// Sums over a frame that are quantities: forces of contacts, times of stages. Called by quantity.cpp.
#pragma once

#include <algorithm>
#include <cmath>

#include "impuls/frame.h"

namespace impuls {

inline Vec3 contact_force(const Frame& frame, std::size_t body) {
    Vec3 sum;
    for (const Contact& c : frame.contacts) {
        if (c.b == body) sum += c.force;
        if (c.a == body) sum -= c.force;
    }
    return sum;
}

inline double total_normal_force(const Frame& frame) {
    double sum = 0;
    for (const Contact& c : frame.contacts) sum += std::abs(dot(c.force, c.normal));
    return sum;
}

inline double max_contact_force(const Frame& frame) {
    double most = 0;
    for (const Contact& c : frame.contacts) most = std::max(most, length_squared(c.force));
    return std::sqrt(most);
}

inline double all_stages(const Frame& frame) {
    double sum = 0;
    for (const double seconds : frame.stage_seconds) sum += seconds;
    return sum;
}

}  // namespace impuls
