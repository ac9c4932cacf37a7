// Impacts that leave bodies deep in each other (deep.h).
#include "steppers/impulse/deep.h"

#include <algorithm>

#include "steppers/impulse/memory.h"
#include "steppers/impulse/tuning.h"

namespace impuls::impulse {
namespace {

void measure_depths(const Impulse& s, std::vector<double>& out) {
    out.assign(s.island.pairs.size(), 0);
    for (std::size_t k = 0; k < s.contacts.points.size(); ++k) {
        if (!s.contacts.points[k].is_present) continue;
        double& depth = out[s.contacts.point_pair[k]];
        depth = std::max(depth, -s.contacts.points[k].separation);
    }
}

}  // namespace

// Particles are swept, and their sizes say nothing of what they are part of.
bool may_get_deep(Impulse& s, double h) {
    if (!s.island.particles.ranges.empty()) return false;
    bool is_fast = false;
    for (std::size_t k = 0; k < s.island.dynamic_count && !is_fast; ++k) {
        const double radius = s.view.bodies.radius[s.island.nodes[k].body];
        is_fast =
            h * (length(s.problem.nodes.v[k]) + radius * length(s.problem.nodes.w[k])) > kFastWay * radius;
    }
    if (!is_fast) return false;
    measure_depths(s, s.memory.depths);
    remember_bodies(s);
    return true;
}

bool got_deep(Impulse& s) {
    measure_depths(s, s.memory.depths_now);
    for (std::size_t p = 0; p < s.island.pairs.size(); ++p) {
        const IslandPair& pair = s.island.pairs[p];
        const double before = s.memory.depths[p];
        if (pair.collider_a->field || pair.collider_b->field || before > kOverlap * pair.size) continue;
        if (s.memory.depths_now[p] - before > kDeeper * pair.size) return true;
    }
    return false;
}

}  // namespace impuls::impulse
