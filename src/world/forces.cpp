// Forces of the scene as the world sees them: which tie bodies together, how much they can accelerate a body,
// when they begin and end, and what potential energy they hold. What they do within a step is the steppers'
// business (steppers/forces.h).
#include <algorithm>
#include <cmath>

#include "world/state.h"

namespace impuls {
namespace {

double time_of(const WorldState& s) {
    return static_cast<double>(s.step) * s.dt;
}

// Whether force f begins or ends to act in the next step. Each moment belongs to one step.
bool is_due(const WorldState& s, std::size_t f) {
    const double now = time_of(s), then = static_cast<double>(s.step + 1) * s.dt;
    for (const double time : {s.forces.from[f], s.forces.until[f]})
        if (time > 0 && time >= now && time < then) return true;
    return false;
}

// In the next step, as far as three looks tell.
double most_magnitude(const WorldState& s, std::size_t f) {
    double most = 0;
    for (const double share : {0.0, 0.5, 1.0})
        most = std::max(most, std::abs(value_at(s.forces.magnitude[f], time_of(s) + share * s.dt)));
    return most;
}

}  // namespace

bool ties(const WorldState& s, std::size_t f) {
    const auto is_there = [&](std::uint32_t k) { return k == kNoBody || s.bodies.is_active[k]; };
    return s.forces.is_enabled[f] && is_there(s.forces.a[f]) && is_there(s.forces.b[f]);
}

void update_pulls(WorldState& s) {
    s.islands.pull.clear();
    if (s.forces.size() == 0) return;
    s.islands.pull.resize(s.bodies.size());
    for (std::size_t k = 0; k < s.bodies.size(); ++k)
        s.islands.pull[k] = length(external_acceleration(s.bodies, k, s.gravity));
    ForceTerms terms;
    for (std::size_t f = 0; f < s.forces.size(); ++f) {
        if (!ties(s, f) || s.forces.share(f, time_of(s), s.dt) == 0) continue;
        find_terms(s.forces, f, geometry_of(s.forces, f, s.bodies), most_magnitude(s, f), terms);
        const std::uint32_t a = s.forces.a[f], b = s.forces.b[f];
        if (a != kNoBody) s.islands.pull[a] += length(wrench_on(terms, 0).force) * s.bodies.inv_mass[a];
        if (b != kNoBody) s.islands.pull[b] += length(wrench_on_b(terms, 1).force) * s.bodies.inv_mass[b];
    }
}

double pull_of(const WorldState& s, std::size_t body) {
    return body < s.islands.pull.size() ? s.islands.pull[body]
                                        : length(external_acceleration(s.bodies, body, s.gravity));
}

bool has_due_forces(const WorldState& s) {
    for (std::size_t f = 0; f < s.forces.size(); ++f)
        if (is_due(s, f)) return true;
    return false;
}

void wake_due_forces(WorldState& s) {
    std::vector<std::uint32_t> bodies;
    for (std::size_t f = 0; f < s.forces.size(); ++f) {
        if (!is_due(s, f)) continue;
        for (const auto k : {s.forces.a[f], s.forces.b[f]})
            if (k != kNoBody) bodies.push_back(k);
    }
    wake(s, bodies);
}

double potential_of_forces(const WorldState& s) {
    double sum = 0;
    ForceTerms terms;
    for (std::size_t f = 0; f < s.forces.size(); ++f) {
        if (!ties(s, f) || s.forces.share(f, time_of(s), 0) == 0) continue;
        find_terms(s.forces, f, geometry_of(s.forces, f, s.bodies), 1, terms);
        sum += terms.potential;
    }
    return sum;
}

}  // namespace impuls
