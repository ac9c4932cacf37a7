// Scripts from descriptions (script.h). With the pose (p, R) in which the scene places the body and the
// motion (x, Q) within it: place p + R x, rotation R Q, rates turned by R.
#include "math/motion/script.h"

#include <algorithm>
#include <cmath>

#include "math/bspline.h"
#include "math/course.h"
#include "math/functions.h"
#include "math/motion/easing.h"
#include "math/motion/path_motion.h"
#include "math/motion/rotation_spline.h"

namespace impuls {
namespace {

ArcLength path_of(const SplinePlace& d) {
    return ArcLength(d.through ? Spline(d.points, d.closed, d.points.front())
                               : Spline::of_controls(d.points, even_breaks(d.points.size())));
}

TimeCourse course_of(const SplinePlace& d, double way) {
    if (!d.course.empty()) {
        std::vector<TimeCourse::Control> controls;
        for (const CoursePoint& point : d.course) controls.push_back({point.time, point.way});
        return TimeCourse(controls);
    }
    if (d.ease > 0) return TimeCourse::eased(d.duration, way, d.ease);
    std::vector<TimeCourse::Control> line;
    for (const double share : {0.0, 1.0 / 3, 2.0 / 3, 1.0}) line.push_back({d.duration * share, way * share});
    return TimeCourse(line);
}

// Where an eased motion has come to rest it stays.
double course_time(const SplinePlace& d, double t) {
    return d.course.empty() && d.ease > 0 ? std::clamp(t, 0.0, d.duration) : t;
}

using PlaceFunction = std::function<Moving(double)>;
using TurnFunction = std::function<Orientation(double)>;

PlaceFunction placing_of(const KeyPlace& d) {
    std::vector<KeyedValue::Key> keys;
    for (const PlaceKey& key : d.keys) keys.push_back({key.time, key.position, key.easing});
    return [motion = KeyedValue(keys)](double t) { return motion.at(t); };
}

PlaceFunction placing_of(const FormulaPlace& d) {
    return [x = compiled(d.x), y = compiled(d.y), z = compiled(d.z)](double t) {
        const Jet a = jet_at(x, t), b = jet_at(y, t), c = jet_at(z, t);
        return Moving{
            {a.value, b.value, c.value}, {a.first, b.first, c.first}, {a.second, b.second, c.second}};
    };
}

PlaceFunction placing_of(const TablePlace& d) {
    FormulaPlace columns;
    Course* const of[3] = {&columns.x, &columns.y, &columns.z};
    for (int k = 0; k < 3; ++k) {
        of[k]->times = d.times;
        of[k]->between = d.between;
        for (const Vec3& p : d.positions) of[k]->values.push_back(p[k]);
    }
    return placing_of(columns);
}

TurnFunction through(const std::vector<RotationSpline::Key>& keys) {
    if (keys.size() == 1)
        return [q = keys.front().rotation](double) { return Orientation{q, {}, {}, false}; };
    return [spline = RotationSpline::through(keys)](double t) { return spline.at(t); };
}

TurnFunction turning_of(const SplineTurn& d) {
    std::vector<RotationSpline::Key> keys;
    for (const TurnKey& key : d.keys) keys.push_back({key.time, normalized(key.orientation)});
    return through(keys);
}

TurnFunction turning_of(const TableTurn& d) {
    std::vector<RotationSpline::Key> keys;
    for (std::size_t k = 0; k < d.times.size(); ++k)
        keys.push_back({d.times[k], normalized(d.orientations[k])});
    return through(keys);
}

TurnFunction turning_of(const KeyTurn& d) {
    std::vector<KeyedRotation::Key> keys;
    for (const TurnKey& key : d.keys) keys.push_back({key.time, normalized(key.orientation), key.easing});
    return [motion = KeyedRotation(keys)](double t) { return motion.at(t); };
}

TurnFunction turning_of(const FormulaTurn& d) {
    return [axis = normalized(d.axis), angle = compiled(d.angle)](double t) {
        const Jet a = jet_at(angle, t);
        const auto [s, c] = functions::sin_cos(0.5 * a.value);
        return Orientation{{c, axis.x * s, axis.y * s, axis.z * s}, axis * a.first, axis * a.second, false};
    };
}

// A frame by directions where there is one; where there is none, the one that was last, found by going back
// in steps that double, and if there was none either, the one that comes: a function of the time alone.
TurnFunction frame_along(std::function<Moving(double)> direction, const Vec3& up, double scale) {
    return [direction = std::move(direction), up, scale](double t) {
        const Orientation now = along(direction(t), up, {});
        if (!now.is_degenerate) return now;
        for (const double side : {-1.0, 1.0})
            for (int k = 0; k < 30; ++k) {
                const Orientation near = along(direction(t + side * scale * std::ldexp(1.0, k - 20)), up, {});
                if (!near.is_degenerate) return Orientation{near.rotation, {}, {}, true};
            }
        return now;
    };
}

Moving to_world(const Pose& X, const Moving& m) {
    return {X * m.value, rotate(X.orientation, m.first), rotate(X.orientation, m.second)};
}

}  // namespace

Script::Script(const MotionDesc& motion, const Pose& placed) : start_(motion.start), placed_(placed) {
    double scale = 1;  // s: what steps in time are relative to
    if (motion.place) {
        if (const auto* d = std::get_if<SplinePlace>(&*motion.place)) {
            const ArcLength path = path_of(*d);
            const auto moves = std::make_shared<const PathMotion>(path, course_of(*d, path.total()));
            scale = moves->course().duration();
            const auto rests = [d = *d](double t) { return course_time(d, t); };
            place_ = [moves, rests](double t) { return moves->at(rests(t)).place; };
            tangent_ = [moves, rests](double t) { return moves->at(rests(t)).tangent; };
        } else {
            std::visit(
                [&](const auto& d) {
                    if constexpr (!std::is_same_v<std::decay_t<decltype(d)>, SplinePlace>)
                        place_ = placing_of(d);
                },
                *motion.place);
            tangent_ = [place = place_](double t) {
                const Moving m = place(t);
                return Moving{m.first, m.second, {}};
            };
        }
    }
    if (!motion.turn) return;
    const auto place = place_ ? place_ : [](double) { return Moving{}; };
    std::visit(
        [&](const auto& d) {
            using Turn = std::decay_t<decltype(d)>;
            if constexpr (std::is_same_v<Turn, TangentTurn>) {
                turn_ = frame_along(tangent_, d.up, scale);
            } else if constexpr (std::is_same_v<Turn, LookAtTurn>) {
                turn_ = frame_along(
                    [place, target = d.target](double t) {
                        const Moving m = place(t);
                        return Moving{target - m.value, -m.first, -m.second};
                    },
                    d.up, scale);
            } else {
                turn_ = turning_of(d);
            }
        },
        *motion.turn);
}

Script::State Script::at(double time) const {
    const double t = time - start_;
    State state{to_world(placed_, place_ ? place_(t) : Moving{}), turn_ ? turn_(t) : Orientation{}};
    Orientation& o = state.turn;
    o.rotation = normalized(placed_.orientation * o.rotation);
    o.angular_velocity = rotate(placed_.orientation, o.angular_velocity);
    o.angular_acceleration = rotate(placed_.orientation, o.angular_acceleration);
    return state;
}

}  // namespace impuls
