// Judging final poses (quality.h).
#include "bench/quality.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace impuls::bench {
namespace {

double up_of(const Model& model, const Vec3& p) {
    return -dot(p, normalized(model.gravity));
}

// Without static bodies there is nothing to fall below.
double lowest_static(const Model& model) {
    double low = std::numeric_limits<double>::infinity();
    for (const ModelBody& body : model.bodies)
        if (body.is_static) low = std::min(low, up_of(model, body.X_WP.position));
    return std::isinf(low) ? -low : low;
}

}  // namespace

double joint_gap(const Model& model, const std::vector<BodyState>& states) {
    double gap = 0;
    const auto at = [&](int k, const Vec3& p) {
        return k < 0 ? p : states[static_cast<std::size_t>(k)].X_WP * p;
    };
    for (const ModelJoint& j : model.joints) {
        const double d = length(at(j.a, j.p_A) - at(j.b, j.p_B));
        if (!(d <= gap)) gap = d;  // NaN counts
    }
    return gap;
}

double energy(const Model& model, const std::vector<BodyState>& states) {
    double sum = 0;
    for (std::size_t k = 0; k < states.size(); ++k) {
        const ModelBody& body = model.bodies[k];
        if (body.is_static) continue;
        const BodyState& s = states[k];
        const Vec3 w = rotate_inverse(s.X_WP.orientation, s.w);
        sum += 0.5 * body.mass * length_squared(s.v) + 0.5 * dot(scale(body.moments, w), w) -
               body.mass * dot(model.gravity, s.X_WP.position);
    }
    return sum;
}

double energy_scale(const Model& model) {
    double sum = 0;
    for (const ModelBody& body : model.bodies)
        sum += body.mass * length(model.gravity) * length(body.X_WP.position);
    return sum;
}

std::vector<BodyState> start_states(const Model& model) {
    std::vector<BodyState> out;
    for (const ModelBody& body : model.bodies) out.push_back({body.X_WP, body.v, body.w});
    return out;
}

Quality check_states(const Model& model, const std::vector<BodyState>& states) {
    Quality q;
    const double floor = lowest_static(model);
    double speeds = 0, heights = 0;
    std::size_t n = 0;
    for (std::size_t k = 0; k < states.size(); ++k) {
        const ModelBody& body = model.bodies[k];
        if (body.is_static) continue;
        const Vec3& p = states[k].X_WP.position;
        if (!is_finite(p) || up_of(model, p) < floor) {
            ++q.lost;
            continue;
        }
        const Vec3 moved = p - body.X_WP.position;
        const double up = up_of(model, moved);
        const Vec3 across = moved + normalized(model.gravity) * up;
        q.sink = std::max(q.sink, -up);
        q.lateral = std::max(q.lateral, length(across));
        speeds += length_squared(states[k].v), heights += up_of(model, p);
        ++n;
    }
    if (n > 0)
        q.speed_rms = std::sqrt(speeds / static_cast<double>(n)),
        q.mean_height = heights / static_cast<double>(n);
    if (model.has_contacts()) q.overlaps = check_overlaps(model, states);
    return q;
}

}  // namespace impuls::bench
