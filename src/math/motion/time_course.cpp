// Way against time (time_course.h): ds/dt = s'/t', d2s/dt2 = s''/t'^2 - s' t''/t'^3.
#include "math/motion/time_course.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "math/bspline.h"

namespace impuls {

TimeCourse::TimeCourse(std::span<const Control> controls) {
    IMPULS_ASSERT(controls.size() >= 4);
    std::vector<Vec3> points;
    for (const Control& c : controls) {
        IMPULS_ASSERT(points.empty() || c.time > points.back().x);
        points.push_back({c.time, c.way, 0});
    }
    spline_ = Spline::of_controls(points, even_breaks(points.size()));
}

// Times of controls at the mean of three breaks each make t linear in v, so that s(t) is a B-spline itself.
TimeCourse TimeCourse::eased(double duration, double way, double ease) {
    constexpr int kSpans = 40;
    std::vector<Control> controls;
    for (int k = 0; k < kSpans + 3; ++k) {
        const auto knot = [&](int j) { return std::clamp(j, 0, kSpans); };
        const double share = (knot(k - 2) + knot(k - 1) + knot(k)) / (3.0 * kSpans);
        // Constant acceleration, constant speed, constant deceleration.
        const double top = 1 / (1 - ease);
        double s = top * (share - 0.5 * ease);
        if (share < ease) s = 0.5 * top * share * share / ease;
        if (share > 1 - ease) s = 1 - 0.5 * top * (1 - share) * (1 - share) / ease;
        controls.push_back({duration * share, way * s});
    }
    controls[1].way = controls[0].way;  // at rest
    controls[kSpans + 1].way = controls[kSpans + 2].way;
    return TimeCourse(controls);
}

double TimeCourse::parameter_at(double time) const {
    const auto knots = spline_.knots();
    const auto t = [&](double v) { return spline_.at(v).position.x; };
    if (time <= t(knots.front()) || time >= t(knots.back())) {
        const double edge = time <= t(knots.front()) ? knots.front() : knots.back();
        return edge + (time - t(edge)) / spline_.at(edge).first.x;
    }
    double low = knots.front(), high = knots.back();
    double v = low + (high - low) * (time - t(low)) / (t(high) - t(low));
    for (int round = 0; round < 100; ++round) {
        const Spline::Point p = spline_.at(v);
        const double off = p.position.x - time;
        (off > 0 ? high : low) = v;
        double next = v - off / p.first.x;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (std::abs(next - v) <= 1e-16 * (1 + std::abs(v))) break;
        v = next;
    }
    return v;
}

TimeCourse::Point TimeCourse::at(double time) const {
    const Spline::Point p = spline_.at(parameter_at(time));
    const double rate = 1 / p.first.x;
    return {p.position.y, p.first.y * rate, (p.second.y - p.first.y * p.second.x * rate) * rate * rate};
}

}  // namespace impuls
