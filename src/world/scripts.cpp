// What changes with time by itself: bodies that move by script (math/motion/script.h), courses of axes and of
// magnitudes. Scripted bodies are where their scripts say at every time; between the ends of a substep
// steppers move them straight on. A body that stands now and moves within the step counts as moving: it has
// the speed of the whole step until a stepper asks again, so that what rests on it wakes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/course.h"
#include "math/motion/rotation_spline.h"
#include "world/state.h"

namespace impuls {
namespace {

double start_of(const WorldState& s) {
    return static_cast<double>(s.step) * s.dt;
}

// As in collect(): (step + 1) dt, not start + dt, so that the next step begins with the same bits.
double end_of(const WorldState& s) {
    return static_cast<double>(s.step + 1) * s.dt;
}

bool is_finite_motion(const Motion& m) {
    return is_finite(m.pose.position) && is_finite(m.pose.orientation) && is_finite(m.v) && is_finite(m.w);
}

bool stop(WorldState& s, const std::string& what, double time) {
    s.output.status = {false,
                       fmt::format("step {}: {} is not finite at t = {:.6g} s", s.step + 1, what, time)};
    return false;
}

// When it is not finite in the next step; NaN: it is.
double bad_time(const WorldState& s, const Course& course) {
    if (course.varies())
        for (const double share : {0.0, 0.5, 1.0}) {
            const double time = start_of(s) + share * s.dt;
            if (!std::isfinite(value_at(course, time))) return time;
        }
    return std::numeric_limits<double>::quiet_NaN();
}

bool are_axes_sound(WorldState& s, std::size_t j) {
    bool is_sound = true;
    visit_axes(s.joints.joint[j], [&](const char* axis, const AxisDesc& a) {
        const auto look = [&](const Course& course, const char* field) {
            const double time = is_sound ? bad_time(s, course) : std::nan("");
            if (!std::isnan(time))
                is_sound = stop(s, fmt::format("joint '{}': {}.{}", s.joint_ids.name(j), axis, field), time);
        };
        if (a.speed) look(*a.speed, "speed");
        if (a.target) look(*a.target, "target");
        if (a.max_force) look(*a.max_force, "max_force");
        look(a.rest, "rest");
    });
    return is_sound;
}

bool are_courses_sound(WorldState& s) {
    for (std::size_t j = 0; j < s.joints.size(); ++j)
        if (s.joints.is_timed[j] && s.joints.holds(j) && !are_axes_sound(s, j)) return false;
    for (std::size_t f = 0; f < s.forces.size(); ++f) {
        if (!s.forces.magnitude[f].varies() || s.forces.share(f, start_of(s), s.dt) == 0) continue;
        const double time = bad_time(s, s.forces.magnitude[f]);
        if (!std::isnan(time))
            return stop(s,
                        fmt::format("body '{}': force '{}': magnitude", s.body_ids.name(s.forces.b[f]),
                                    s.force_ids.name(f)),
                        time);
    }
    return true;
}

}  // namespace

void place_scripts(WorldState& s) {
    for (const auto k : s.bodies.scripted) {
        const Motion m = scripted_motion(s.bodies, k, start_of(s));
        s.bodies.pose[k] = m.pose;
        s.bodies.v[k] = m.v;
        s.bodies.w[k] = m.w;
    }
}

bool begin_scripts(WorldState& s) {
    for (const auto k : s.bodies.scripted)
        for (const double time : {start_of(s), end_of(s)})
            if (!is_finite_motion(scripted_motion(s.bodies, k, time)))
                return stop(s, fmt::format("body '{}': motion", s.body_ids.name(k)), time);
    if (!are_courses_sound(s)) return false;
    place_scripts(s);
    for (const auto k : s.bodies.scripted) {
        if (s.bodies.v[k] != Vec3{} || s.bodies.w[k] != Vec3{}) continue;
        const Motion chord = scripted_chord(s.bodies, k, start_of(s), s.dt);
        s.bodies.v[k] = chord.v;
        s.bodies.w[k] = chord.w;
    }
    return true;
}

void advance_scripts(WorldState& s) {
    for (const auto k : s.bodies.scripted)
        if (s.bodies.is_active[k]) s.islands.next[k] = scripted_motion(s.bodies, k, end_of(s));
}

// How far the end of the step is from where the present velocity leads, twice; and the fastest rotation.
double scripted_reach(const WorldState& s, std::size_t k) {
    const Motion end = scripted_motion(s.bodies, k, end_of(s));
    const Vec3 off = end.pose.position - s.bodies.pose[k].position - s.bodies.v[k] * s.dt;
    const double turn =
        length(log_of(normalized(end.pose.orientation * conjugate(s.bodies.pose[k].orientation))));
    const double most = std::max({turn, length(s.bodies.w[k]) * s.dt, length(end.w) * s.dt});
    return 2 * length(off) + most * s.bodies.radius[k];
}

}  // namespace impuls
