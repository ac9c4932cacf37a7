// Forces of a scene together (acting_forces.h).
#include "dynamics/acting_forces.h"

#include <algorithm>
#include <cmath>

namespace impuls {
namespace {

// From `now` to now + dt, sampled at three times.
double most_magnitude(const ForceSet& forces, std::size_t f, double now, double dt) {
    double most = 0;
    for (const double share : {0.0, 0.5, 1.0})
        most = std::max(most, std::abs(value_at(forces.magnitude[f], now + share * dt)));
    return most;
}

}  // namespace

bool ties(const ForceSet& forces, const BodySet& bodies, std::size_t f) {
    const auto is_there = [&](std::uint32_t k) { return k == kNoBody || bodies.is_active[k]; };
    return forces.is_enabled[f] && is_there(forces.a[f]) && is_there(forces.b[f]);
}

bool begins_or_ends(const ForceSet& forces, std::size_t f, double now, double then) {
    for (const double time : {forces.from[f], forces.until[f]})
        if (time > 0 && time >= now && time < then) return true;
    return false;
}

void find_pulls(const ForceSet& forces, const BodySet& bodies, const Vec3& gravity, double now, double dt,
                std::vector<double>& pull) {
    pull.clear();
    if (forces.size() == 0) return;
    pull.resize(bodies.size());
    for (std::size_t k = 0; k < bodies.size(); ++k)
        pull[k] = length(external_acceleration(bodies, k, gravity));
    ForceTerms terms;
    for (std::size_t f = 0; f < forces.size(); ++f) {
        if (!ties(forces, bodies, f) || forces.share(f, now, dt) == 0) continue;
        find_terms(forces, f, geometry_of(forces, f, bodies), most_magnitude(forces, f, now, dt), terms);
        const std::uint32_t a = forces.a[f], b = forces.b[f];
        if (a != kNoBody) pull[a] += length(wrench_on(terms, 0).force) * bodies.inv_mass[a];
        if (b != kNoBody) pull[b] += length(wrench_on_b(terms, 1).force) * bodies.inv_mass[b];
    }
}

double potential_of(const ForceSet& forces, const BodySet& bodies, double now) {
    double sum = 0;
    ForceTerms terms;
    for (std::size_t f = 0; f < forces.size(); ++f) {
        if (!ties(forces, bodies, f) || forces.share(f, now, 0) == 0) continue;
        find_terms(forces, f, geometry_of(forces, f, bodies), 1, terms);
        sum += terms.potential;
    }
    return sum;
}

}  // namespace impuls
