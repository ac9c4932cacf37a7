// Motion along splines (path_motion.h).
#include "math/motion/path_motion.h"

#include <cmath>

namespace impuls {

PathMotion::PathMotion(ArcLength path, TimeCourse course)
    : path_(std::move(path)), course_(std::move(course)) {
    for (const double u : path_.stops()) stops_.push_back(path_.length_at(u));
}

PathMotion::State PathMotion::regular(double s, const TimeCourse::Point& course) const {
    const double u = path_.parameter_at(s);
    const Spline::Point c = path_.spline().at(u);
    State state;
    state.place.value = c.position;
    state.tangent.value = c.first;
    const double square = length_squared(c.first);
    if (!(square > 0)) return state;
    const double u_s = 1 / std::sqrt(square), u_ss = -dot(c.first, c.second) / (square * square);
    const double u_t = u_s * course.speed,
                 u_tt = u_ss * course.speed * course.speed + u_s * course.acceleration;
    state.place.first = c.first * u_t;
    state.place.second = c.second * (u_t * u_t) + c.first * u_tt;
    state.tangent.first = c.second * u_t;
    state.tangent.second = path_.spline().third(u) * (u_t * u_t) + c.second * u_tt;
    return state;
}

PathMotion::State PathMotion::at(double time) const {
    constexpr double kNear = 1e-4;  // of the length of the path
    const TimeCourse::Point course = course_.at(time);
    const double s = course.way, near = kNear * path_.total();
    State state = regular(s, course);
    for (const double stop : stops_) {
        if (!(std::abs(s - stop) < near)) continue;
        // At the ends of the path there is only one side.
        const bool has_left = stop - near > 0, has_right = stop + near < path_.total();
        const State left = regular(has_left ? stop - near : stop + near, course),
                    right = regular(has_right ? stop + near : stop - near, course);
        const double share = (s - (stop - near)) / (2 * near);
        const auto between = [share](const Vec3& a, const Vec3& b) { return a * (1 - share) + b * share; };
        state.place.first = between(left.place.first, right.place.first);
        state.place.second = between(left.place.second, right.place.second);
        state.tangent = {between(left.tangent.value, right.tangent.value),
                         between(left.tangent.first, right.tangent.first),
                         between(left.tangent.second, right.tangent.second)};
        state.is_degenerate = true;
        break;
    }
    return state;
}

}  // namespace impuls
