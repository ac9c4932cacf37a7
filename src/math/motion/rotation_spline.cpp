// Splines of rotations (rotation_spline.h). Rates are gathered factor by factor, in body axes: with R the
// rotation of a factor that turns with W = w B', an angular velocity before it becomes R^T w + W, its rate
// R^T w' - W x R^T w + W'.
#include "math/motion/rotation_spline.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "math/bspline.h"
#include "math/functions.h"
#include "math/rotation.h"

namespace impuls {

Vec3 log_of(const Quat& q) {
    const Vec3 v{q.x, q.y, q.z};
    const double size = length(v), sign = q.w < 0 ? -1 : 1;
    if (size < 1e-9) return v * (2 * sign);
    return v * (sign * 2 * functions::atan2(size, std::abs(q.w)) / size);
}

RotationSpline::RotationSpline(std::span<const Quat> controls, std::span<const double> breaks)
    : controls_(controls.begin(), controls.end()), breaks_(breaks.begin(), breaks.end()) {
    IMPULS_ASSERT(breaks_.size() >= 2 && controls_.size() == breaks_.size() + 2);
    find_turns();
}

void RotationSpline::find_turns() {
    turns_.assign(1, {});
    for (std::size_t k = 1; k < controls_.size(); ++k)
        turns_.push_back(log_of(conjugate(controls_[k - 1]) * controls_[k]));
}

// Two controls at each end are its key, so that it rests there; the others are moved by what is missing at
// the keys, until nothing is.
RotationSpline RotationSpline::through(std::span<const Key> keys) {
    std::vector<Quat> controls{keys.front().rotation};
    std::vector<double> breaks;
    for (const Key& key : keys) controls.push_back(key.rotation), breaks.push_back(key.time);
    controls.push_back(keys.back().rotation);
    RotationSpline spline(controls, breaks);
    for (int round = 0; round < 200; ++round) {
        double worst = 0;
        std::vector<Vec3> missing(keys.size());
        for (std::size_t k = 1; k + 1 < keys.size(); ++k) {
            missing[k] = log_of(conjugate(spline.at(keys[k].time).rotation) * keys[k].rotation);
            worst = std::max(worst, length(missing[k]));
        }
        if (worst < 1e-15) break;
        for (std::size_t k = 1; k + 1 < keys.size(); ++k)
            spline.controls_[k + 1] = normalized(spline.controls_[k + 1] * rotation_by(missing[k]));
        spline.find_turns();
    }
    return spline;
}

Orientation RotationSpline::at(double time) const {
    const CubicBasis basis = cubic_basis(breaks_, std::clamp(time, breaks_.front(), breaks_.back()));
    const bool is_outside = time < breaks_.front() || time > breaks_.back();
    Quat q = controls_[basis.first];
    Vec3 w, change;  // body axes
    double value = 1, slope = 0, bend = 0;
    for (std::size_t j = 1; j < 4; ++j) {
        value -= basis.value[j - 1], slope -= basis.slope[j - 1], bend -= basis.bend[j - 1];
        const Vec3& turn = turns_[basis.first + j];
        const Quat factor = rotation_by(turn * value);
        const Vec3 own = turn * slope, carried = rotate_inverse(factor, w);
        change = rotate_inverse(factor, change) - cross(own, carried) + turn * bend;
        w = carried + own;
        q = q * factor;
    }
    q = normalized(q);
    if (is_outside) return {q, {}, {}, false};
    return {q, rotate(q, w), rotate(q, change), false};
}

}  // namespace impuls
