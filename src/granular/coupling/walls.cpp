// Bodies of a world as walls of its grains: obstacles of their shapes, and where these go in a step
// (state.h).
#include <algorithm>

#include "granular/coupling/state.h"
#include "math/motion/rotation_spline.h"

namespace impuls::granular {
namespace {

// Where a body is, and how it goes on in this step.
void begin_wall(const GrainsView& view, std::size_t k, ObstacleBody& b) {
    b.X_WP = view.bodies.pose[k];
    b.v = b.w = {};
    b.is_enabled = view.bodies.is_active[k] && view.bodies.collides[k];
    b.surface = view.bodies.surface_velocity[k];
    const bool is_advanced =
        std::binary_search(view.advanced.begin(), view.advanced.end(), static_cast<std::uint32_t>(k));
    if (view.bodies.kind[k] == BodyKind::Static || !is_advanced) return;
    const Motion& next = view.next[k];
    b.v = (next.pose.position - b.X_WP.position) / view.dt;
    b.w = log_of(normalized(next.pose.orientation * conjugate(b.X_WP.orientation))) / view.dt;
}

}  // namespace

void update_walls(GrainState& state, const GrainsView& view) {
    if (!state.is_any()) return;
    std::vector<Obstacle> obstacles;
    std::vector<ObstacleBody> bodies;
    std::vector<std::uint64_t> uids;
    std::vector<std::uint32_t> walls, moved(state.system.obstacles.size(), kNoPatch);
    std::size_t old = 0, old_first = 0;
    for (std::size_t k = 0; k < view.bodies.size(); ++k) {
        if (view.bodies.is_sensor[k] || !view.bodies.collides[k]) continue;
        const auto number = static_cast<std::uint32_t>(bodies.size());
        const std::size_t first = obstacles.size();
        make_obstacles(view.described.body(view.bodies.uid[k]).shape, inverse(view.bodies.X_BP[k]), number,
                       view.bodies.material[k], obstacles);
        if (obstacles.size() == first) continue;
        const std::uint64_t uid = view.bodies.uid[k];
        while (old < state.uids.size() && state.uids[old] < uid) old_first += state.walls[old++];
        ObstacleBody body;
        body.X_WP = body.listed = view.bodies.pose[k];
        if (old < state.uids.size() && state.uids[old] == uid &&
            state.walls[old] == obstacles.size() - first) {
            body = state.system.bodies[old];
            for (std::size_t i = 0; i < state.walls[old]; ++i)
                moved[old_first + i] = static_cast<std::uint32_t>(first + i);
        }
        bodies.push_back(body);
        uids.push_back(uid);
        walls.push_back(static_cast<std::uint32_t>(obstacles.size() - first));
    }
    replace_obstacles(state.system, std::move(obstacles), std::move(bodies), moved);
    state.uids = std::move(uids);
    state.walls = std::move(walls);
    bind_free_bodies(state, view.bodies);
}

void begin_walls(GrainState& state, const GrainsView& view) {
    for (std::size_t b = 0; b < state.uids.size(); ++b)
        begin_wall(view, place_of_uid(view.bodies, state.uids[b]), state.system.bodies[b]);
}

}  // namespace impuls::granular
