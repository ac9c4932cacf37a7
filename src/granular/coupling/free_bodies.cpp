// Bodies that move freely among grains (state.h). Their steppers advance them as all others, by the grains'
// substep h; what grains do to them is an impulse half before and half after it, as it is for the grains
// themselves, by the same forces:
//     v += F h/2m, L += T h/2     bodies by their steppers, grains beside them     F, T there     v, L again
// So momentum is handed over and neither won nor lost, and no force is older than a substep: held for a whole
// step of the world, forces of grains throw a plate that is as light as they are. Joints and other contacts
// are solved within h with the velocities that these impulses leave.
#include <algorithm>
#include <cmath>
#include <limits>

#include "granular/coupling/state.h"
#include "math/rotation.h"

namespace impuls::granular {
namespace {

// Bodies far lighter than a grain would take endless steps: below this part of the grains' own substep a
// warning tells that it is too long.
constexpr double kShortest = 1.0 / 30;

// Calls visit(k, wall) for those that move freely.
template <class Walls, class Visit>
void for_free(const GrainState& state, const BodySet& bodies, Walls& walls, Visit&& visit) {
    for (std::size_t b = 0; b < state.uids.size(); ++b) {
        if (!walls[b].is_free()) continue;
        const std::size_t k = place_of_uid(bodies, state.uids[b]);
        if (k < bodies.size()) visit(static_cast<std::uint32_t>(k), walls[b]);
    }
}

}  // namespace

std::size_t place_of_uid(const BodySet& bodies, std::uint64_t uid) {
    const auto at = std::lower_bound(bodies.uid.begin(), bodies.uid.end(), uid);
    return at != bodies.uid.end() && *at == uid ? static_cast<std::size_t>(at - bodies.uid.begin())
                                                : bodies.size();
}

void bind_free_bodies(GrainState& state, const BodySet& bodies) {
    for (std::size_t b = 0; b < state.uids.size(); ++b) {
        ObstacleBody& wall = state.system.bodies[b];
        const std::size_t k = place_of_uid(bodies, state.uids[b]);
        const bool is_free = k < bodies.size() && bodies.is_dynamic(k) && bodies.is_active[k];
        wall.inv_mass = is_free ? bodies.inv_mass[k] : 0;
        wall.inv_inertia =
            is_free ? turned_diagonal(bodies.pose[k].orientation, bodies.inv_inertia[k]) : Mat3{};
        if (!is_free || state.system.has_forces) continue;
        wall.X_WP = bodies.pose[k];
        wall.v = bodies.v[k];
        wall.w = bodies.w[k];
    }
}

bool has_free_bodies(const GrainState& state) {
    const auto& walls = state.system.bodies;
    return std::any_of(walls.begin(), walls.end(), [](const ObstacleBody& b) { return b.is_free(); });
}

std::int64_t substeps_of(const GrainState& state, double dt) {
    const double longest =
        std::clamp(longest_substep_of_bodies(state.system), kShortest * state.substep, state.substep);
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(dt / longest * (1 - 1e-9))));
}

void list_pushed(const GrainState& state, const BodySet& bodies, std::vector<std::uint32_t>& list) {
    list.clear();
    for_free(state, bodies, state.system.bodies, [&](std::uint32_t k, const ObstacleBody& wall) {
        if (wall.contacts > 0) list.push_back(k);
    });
}

void push_bodies(GrainState& state, const GrainsView& view, double time, BodySet& bodies) {
    bind_free_bodies(state, bodies);
    begin(state.system, view.executor);
    for_free(state, bodies, state.system.bodies, [&](std::uint32_t k, const ObstacleBody& wall) {
        bodies.v[k] += wall.force * (wall.inv_mass * time);
        bodies.w[k] += wall.inv_inertia * (wall.torque * time);
    });
}

}  // namespace impuls::granular
