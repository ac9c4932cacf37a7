// Four boxes side by side, one value of each in a row, so that one box is tested against all four at once.
// Lanes of NaN are found by nothing. Used by the nodes of BoxTree.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <array>
#include <limits>

#include "geometry/aabb.h"

namespace impuls {

struct alignas(64) Lanes {
    double min[3][4];
    double max[3][4];
};

inline void set_lane(Lanes& lanes, unsigned k, const Aabb& box) {
    for (int i = 0; i < 3; ++i) lanes.min[i][k] = box.min[i], lanes.max[i][k] = box.max[i];
}

inline Aabb lane(const Lanes& lanes, unsigned k) {
    return {{lanes.min[0][k], lanes.min[1][k], lanes.min[2][k]},
            {lanes.max[0][k], lanes.max[1][k], lanes.max[2][k]}};
}

// A box that overlaps nothing, not even an infinite one.
inline Aabb nowhere() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return {{nan, nan, nan}, {nan, nan, nan}};
}

inline void include(Aabb& box, const Aabb& other) {  // NaN is passed over
    box.min.x = std::min(box.min.x, other.min.x), box.max.x = std::max(box.max.x, other.max.x);
    box.min.y = std::min(box.min.y, other.min.y), box.max.y = std::max(box.max.y, other.max.y);
    box.min.z = std::min(box.min.z, other.min.z), box.max.z = std::max(box.max.z, other.max.z);
}

// Box around the lanes; nowhere when all are.
inline Aabb around(const Lanes& lanes) {
    Aabb box;
    for (unsigned k = 0; k < 4; ++k) include(box, lane(lanes, k));
    return is_empty(box) ? nowhere() : box;
}

// Bit k: lane k overlaps the box.
inline unsigned overlap_mask(const Lanes& lanes, const Aabb& box) {
#if defined(__SSE2__)
    unsigned mask = 0;
    for (unsigned half = 0; half < 2; ++half) {
        const auto below = [&](int i) {
            return _mm_and_pd(_mm_cmple_pd(_mm_load_pd(&lanes.min[i][2 * half]), _mm_set1_pd(box.max[i])),
                              _mm_cmple_pd(_mm_set1_pd(box.min[i]), _mm_load_pd(&lanes.max[i][2 * half])));
        };
        const __m128d all = _mm_and_pd(_mm_and_pd(below(0), below(1)), below(2));
        mask |= static_cast<unsigned>(_mm_movemask_pd(all)) << (2 * half);
    }
    return mask;
#else
    unsigned mask = 0;
    for (unsigned k = 0; k < 4; ++k) mask |= static_cast<unsigned>(overlaps(lane(lanes, k), box)) << k;
    return mask;
#endif
}

// Bit k: the segment from + s way, 0 <= s <= t_max, meets lane k, first at s = t[k] (slabs, Kay & Kajiya,
// SIGGRAPH 1986). A segment along a face counts as inside.
inline unsigned segment_mask(const Lanes& lanes, const Vec3& from, const Vec3& way, double t_max,
                             std::array<double, 4>& t) {
    constexpr double kRounding = 1 + 0x1p-50;  // of the quotients
    unsigned mask = 0;
    for (unsigned k = 0; k < 4; ++k) {
        double enter = 0, leave = t_max;
        bool meets = lanes.min[0][k] <= lanes.max[0][k];
        for (int i = 0; i < 3; ++i) {
            const double low = lanes.min[i][k] - from[i], high = lanes.max[i][k] - from[i];
            if (way[i] == 0) {
                meets = meets && low <= 0 && high >= 0;
            } else {
                const double a = low / way[i], b = high / way[i];
                enter = std::max(enter, std::min(a, b)), leave = std::min(leave, std::max(a, b));
            }
        }
        t[k] = enter;
        mask |= static_cast<unsigned>(meets && enter <= leave * kRounding) << k;
    }
    return mask;
}

// Distance between boxes: no point of one is nearer to the other.
inline double gap(const Aabb& a, const Aabb& b) {
    Vec3 d;
    for (int i = 0; i < 3; ++i) d[i] = std::max({0.0, a.min[i] - b.max[i], b.min[i] - a.max[i]});
    return length(d);
}

}  // namespace impuls
