// Search for events (events.h): regula falsi with halved weights and bisection for crossings, golden section
// and a parabola for extrema.
#include "math/integrators/events.h"

#include <algorithm>
#include <cmath>

namespace impuls::integrators {

EventFinder::EventFinder(Crossings& functions, std::size_t state_size, const EventOptions& options)
    : functions_(functions), options_(options), samples_(static_cast<std::size_t>(options.parts) + 1) {
    fit(state_size);
}

void EventFinder::fit(std::size_t state_size) {
    state_.resize(state_size);
    scratch_.resize(functions_.count());
    for (Sample& s : samples_) s.values.resize(functions_.count()), s.slopes.resize(functions_.count());
    events_.reserve(4 * functions_.count() * samples_.size());
}

void EventFinder::sample(Integrator& integrator, double t, Vector& values) {
    integrator.interpolate(t, state_);
    functions_.values(t, state_, values);
}

double EventFinder::value(Integrator& integrator, std::size_t function, double t) {
    sample(integrator, t, scratch_);
    return scratch_[function];
}

std::span<const Event> EventFinder::find(Integrator& integrator) {
    events_.clear();
    fit(integrator.state().size());
    const double from = integrator.time_before(), h = integrator.time() - from;
    if (!(h > 0)) return events_;
    const double beside = 1e-4 * h / options_.parts;  // slopes by differences
    for (std::size_t k = 0; k < samples_.size(); ++k) {
        Sample& s = samples_[k];
        const bool is_last = k + 1 == samples_.size();
        s.time = is_last ? integrator.time() : from + h * static_cast<double>(k) / options_.parts;
        sample(integrator, s.time, s.values);
        sample(integrator, is_last ? s.time - beside : s.time + beside, s.slopes);
        for (std::size_t i = 0; i < s.slopes.size(); ++i)
            s.slopes[i] = is_last ? s.values[i] - s.slopes[i] : s.slopes[i] - s.values[i];
    }
    for (std::size_t i = 0; i < functions_.count(); ++i)
        for (std::size_t k = 0; k + 1 < samples_.size(); ++k)
            search(integrator, i, samples_[k], samples_[k + 1]);
    // By insertion: few, and no memory is taken.
    for (std::size_t k = 1; k < events_.size(); ++k)
        for (std::size_t j = k; j > 0 && events_[j].time < events_[j - 1].time; --j)
            std::swap(events_[j], events_[j - 1]);
    return events_;
}

std::span<const Event> EventFinder::first() const {
    std::size_t n = 0;
    while (n < events_.size() && events_[n].time - events_[0].time <= options_.tolerance) ++n;
    return std::span(events_).first(n);
}

void EventFinder::search(Integrator& integrator, std::size_t function, const Sample& a, const Sample& b) {
    const double at_a = a.values[function], at_b = b.values[function];
    if (at_a == 0 && at_b == 0) return;
    if (at_a * at_b < 0) return cross(integrator, function, a.time, at_a, b.time, at_b);
    // Zero at an end: what matters is on which side it was, or will be, inside.
    const double sign = at_a != 0 ? (at_a > 0 ? 1 : -1) : at_b > 0 ? 1 : -1;
    const bool turns = sign * a.slopes[function] < 0 && sign * b.slopes[function] > 0;
    if (!turns) {
        // Leaving zero is no event; reaching it is one, unless it turns back there.
        if (at_b == 0) events_.push_back({function, b.time, sign > 0 ? -1 : 1});
        return;
    }
    const double t = extremum(integrator, function, a.time, b.time, sign),
                 least = value(integrator, function, t);
    if (sign * least < 0) {
        if (at_a != 0) cross(integrator, function, a.time, at_a, t, least);
        if (at_b != 0) cross(integrator, function, t, least, b.time, at_b);
    } else if (std::abs(least) <= options_.touch && t > a.time && at_a != 0) {
        events_.push_back({function, t, 0});
    }
}

void EventFinder::cross(Integrator& integrator, std::size_t function, double from, double at_from, double to,
                        double at_to) {
    const int direction = at_to > 0 ? 1 : -1;
    double weight_from = at_from, weight_to = at_to;
    for (int round = 0; round < 200 && to - from > options_.tolerance; ++round) {
        double t = to - weight_to * (to - from) / (weight_to - weight_from);
        // Every third time the middle, so that the bracket shrinks whatever the function is like; and a
        // little to the side of the root, so that the other end comes near too.
        const double inside = 0.25 * options_.tolerance;
        if (round % 3 == 2 || !(t > from && t < to)) t = from + 0.5 * (to - from);
        t = std::clamp(t + (round % 2 == 0 ? inside : -inside), from + inside, to - inside);
        if (!(t > from && t < to)) break;
        const double here = value(integrator, function, t);
        if (here == 0 || (here > 0) == (at_to > 0)) {
            to = t, weight_to = here == 0 ? at_to * 1e-30 : here, weight_from *= 0.5;
        } else {
            from = t, weight_from = here, weight_to *= 0.5;
        }
    }
    events_.push_back({function, to, direction});
}

// Where sign * g is least in [from, to].
double EventFinder::extremum(Integrator& integrator, std::size_t function, double from, double to,
                             double sign) {
    constexpr double kGolden = 0.6180339887498949;
    const double whole = to - from, lowest = from, highest = to;
    double a = to - kGolden * (to - from), b = from + kGolden * (to - from);
    double at_a = sign * value(integrator, function, a), at_b = sign * value(integrator, function, b);
    while (to - from > 1e-5 * whole) {
        if (at_a < at_b) {
            to = b, b = a, at_b = at_a, a = to - kGolden * (to - from);
            at_a = sign * value(integrator, function, a);
        } else {
            from = a, a = b, at_a = at_b, b = from + kGolden * (to - from);
            at_b = sign * value(integrator, function, b);
        }
    }
    // The vertex of a parabola through points far enough apart for rounding not to matter.
    const double middle = 0.5 * (from + to), apart = 1e-4 * whole;
    if (middle - apart < lowest || middle + apart > highest) return middle;
    const double before = sign * value(integrator, function, middle - apart),
                 here = sign * value(integrator, function, middle),
                 after = sign * value(integrator, function, middle + apart);
    const double bend = before - 2 * here + after;
    return bend > 0 ? middle + std::clamp(0.5 * (before - after) / bend, -1.0, 1.0) * apart : middle;
}

}  // namespace impuls::integrators
