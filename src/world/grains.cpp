// Grains in the step of a world (grain_state.h).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/rng.h"
#include "dynamics/add.h"
#include "math/motion/rotation_spline.h"
#include "world/state.h"

namespace impuls {
namespace {

using granular::ObstacleBody;

constexpr std::uint64_t kFeeds = 1ull << 42;  // streams beside those of the grains themselves

std::size_t place_of_uid(const WorldState& s, std::uint64_t uid) {
    const auto at = std::lower_bound(s.bodies.uid.begin(), s.bodies.uid.end(), uid);
    return at != s.bodies.uid.end() && *at == uid ? static_cast<std::size_t>(at - s.bodies.uid.begin())
                                                  : s.bodies.size();
}

// Heights that grains may fall through: from the lowest wall or grain to the highest grain, or box of a feed.
double height_of(const WorldState& s, double& speed) {
    const Vec3 up = length(s.gravity) > 0 ? s.gravity / -length(s.gravity) : Vec3{0, 1, 0};
    double low = 1e300, high = -1e300;
    const auto add = [&](const Vec3& p) {
        low = std::min(low, dot(up, p)), high = std::max(high, dot(up, p));
    };
    for (const Vec3& x : s.grains.system.grains.x) add(x);
    for (const GrainsDesc& desc : s.described.parts().grains) {
        if (const auto* feed = std::get_if<FeedPlace>(&desc.place)) add(feed->lower), add(feed->upper);
        speed = std::max(speed, length(desc.velocity));
    }
    for (const granular::Obstacle& o : s.grains.system.obstacles)
        low = std::min(low, dot(up, (s.grains.system.bodies[o.body].X_WP * o.X_BO).position) -
                                (o.kind == granular::ObstacleKind::Solid ? o.shape.radius : 0));
    for (std::size_t k = 0; k < s.bodies.size(); ++k) speed = std::max(speed, length(s.bodies.v[k]));
    return high - low;
}

// As the description of `modulus` says.
double soft_modulus(const WorldState& s, double density) {
    double speed = 0;
    const double height = height_of(s, speed);
    const double modulus = 5000 * density * (length(s.gravity) * height + speed * speed);
    return modulus > 0 ? modulus : 1e6;
}

void make_laws(WorldState& s) {
    granular::System& system = s.grains.system;
    const GranularDesc& method = s.described.parts().granular;
    const auto& materials = s.described.parts().materials;
    double density = 0;
    for (const GrainsDesc& desc : s.described.parts().grains)
        density = std::max(density, material_of(s.described.parts(), desc.material).density);
    const double modulus = method.modulus.value_or(soft_modulus(s, density));
    system.materials = static_cast<std::uint32_t>(materials.size());
    system.laws.resize(materials.size() * materials.size());
    for (std::uint32_t a = 0; a < system.materials; ++a)
        for (std::uint32_t b = 0; b < system.materials; ++b) {
            const ContactLaw& law = s.laws.between(a, b);
            granular::PairLaw& out = system.laws[a * system.materials + b];
            out.normal = method.law == GrainLaw::Volume      ? granular::NormalLaw::Volume
                         : method.law == GrainLaw::Potential ? granular::NormalLaw::Potential
                         : method.law == GrainLaw::Linear    ? granular::NormalLaw::Linear
                                                             : granular::NormalLaw::Hertz;
            out.modulus = modulus, out.damping = granular::damping_of(law.restitution);
            out.sticking = law.static_friction, out.sliding = law.friction;
            out.rolling = law.rolling, out.rolling_share = method.rolling, out.torsion = law.torsion;
            out.cohesion = method.cohesion;
        }
}

void add_grain_of(WorldState& s, std::uint32_t set, const Vec3& place) {
    GrainState& g = s.grains;
    const GrainsDesc& desc = s.described.parts().grains[set];
    const DrawnGrain drawn = draw_grain(*g.kinds, desc, set, g.made[set]++);
    const std::uint32_t number =
        granular::add_grain(g.system, drawn.kind, drawn.size, place, drawn.orientation, set);
    granular::set_velocity(g.system, number, desc.velocity, {});
}

bool is_free_place(const GrainState& g, const Vec3& p, double radius) {
    const granular::Grains& all = g.system.grains;
    for (std::size_t k = 0; k < all.count(); ++k) {
        const double reach = radius + g.system.kinds[all.kind[k]].shape.radius * all.size[k];
        if (length_squared(all.x[k] - p) < reach * reach) return false;
    }
    return true;
}

// One more grain of a feed, if there is room.
bool feed_one(WorldState& s, std::uint32_t set, const FeedPlace& feed) {
    const GrainsDesc& desc = s.described.parts().grains[set];
    const double radius = largest_grain(*s.grains.kinds, set);
    Rng draw(
        static_cast<std::uint64_t>(desc.seed) + kFeeds,
        static_cast<std::uint64_t>(s.grains.made[set]) * 4096 + static_cast<std::uint64_t>(s.step) % 4096);
    for (int tries = 0; tries < 20; ++tries) {
        Vec3 p;
        for (int k = 0; k < 3; ++k) p[k] = draw.uniform(feed.lower[k] + radius, feed.upper[k] - radius);
        if (!is_free_place(s.grains, p, radius)) continue;
        add_grain_of(s, set, p);
        return true;
    }
    return false;
}

void feed_grains(WorldState& s) {
    const auto& sets = s.described.parts().grains;
    const double time = static_cast<double>(s.step) * s.dt;
    const std::size_t before = s.grains.system.grains.count();
    for (std::uint32_t k = 0; k < sets.size(); ++k) {
        const auto* feed = std::get_if<FeedPlace>(&sets[k].place);
        if (!feed) continue;
        if (feed->rate) {
            const double due =
                std::min(std::floor(time * *feed->rate + 1e-9) + 1, static_cast<double>(sets[k].count));
            while (static_cast<double>(s.grains.made[k]) < due && feed_one(s, k, *feed)) {
            }
        } else if (s.grains.made[k] < sets[k].count) {
            double most = 0;
            for (const Vec3& v : s.grains.system.grains.v) most = std::max(most, dot(v, v));
            if (most < *feed->rest * *feed->rest) feed_one(s, k, *feed);
        }
    }
    if (s.grains.system.grains.count() == before) return;
    granular::prepare(s.grains.system);
    if (!s.described.parts().granular.substep) s.grains.substep = granular::longest_substep(s.grains.system);
}

// Where a body is, and how it goes on in this step.
void begin_wall(const WorldState& s, std::size_t k, ObstacleBody& b) {
    b.X_WP = s.bodies.pose[k];
    b.v = b.w = {};
    b.is_enabled = s.bodies.is_active[k] && s.bodies.collides[k];
    b.surface = s.bodies.surface_velocity[k];
    const bool is_advanced = std::binary_search(s.active.lists.bodies.begin(), s.active.lists.bodies.end(),
                                                static_cast<std::uint32_t>(k));
    if (s.bodies.kind[k] == BodyKind::Static || !is_advanced) return;
    const Motion& next = s.islands.next[k];
    b.v = (next.pose.position - b.X_WP.position) / s.dt;
    b.w = log_of(normalized(next.pose.orientation * conjugate(b.X_WP.orientation))) / s.dt;
}

}  // namespace

void make_grains(WorldState& s) {
    const auto& sets = s.described.parts().grains;
    if (sets.empty()) return;
    GrainState& g = s.grains;
    g.kinds = std::make_shared<const GrainKinds>(make_grain_kinds(sets));
    g.made.assign(sets.size(), 0);
    const Scene& parts = s.described.parts();
    for (const GrainKinds::Kind& kind : g.kinds->kinds) {
        const MaterialDesc& material = material_of(parts, sets[kind.set].material);
        g.system.kinds.push_back(
            {kind.shape, static_cast<std::uint32_t>(&material - parts.materials.data()), material.density});
    }
    for (std::uint32_t k = 0; k < sets.size(); ++k)
        for (const Vec3& p : grain_places(*g.kinds, sets[k], k)) add_grain_of(s, k, p);
    g.system.integrator = parts.granular.integrator;
    update_walls(s);
    make_laws(s);
    granular::prepare(g.system);
    g.substep = parts.granular.substep.value_or(granular::longest_substep(g.system));
    Vec3 far;
    for (const GrainsDesc& desc : sets)
        std::visit(
            [&](const auto& p) {
                for (int i = 0; i < 3; ++i)
                    far[i] = std::max({far[i], std::abs(p.lower[i]), std::abs(p.upper[i])});
            },
            desc.place);
    for (const granular::Obstacle& o : g.system.obstacles)
        if (o.kind == granular::ObstacleKind::Solid)
            for (int i = 0; i < 3; ++i)
                far[i] =
                    std::max(far[i], std::abs(g.system.bodies[o.body].X_WP.position[i]) + o.shape.radius);
    g.reach = 10 * length(far);
}

void update_walls(WorldState& s) {
    GrainState& g = s.grains;
    if (!g.is_any()) return;
    std::vector<granular::Obstacle> obstacles;
    std::vector<ObstacleBody> bodies;
    std::vector<std::uint64_t> uids;
    std::vector<std::uint32_t> walls, moved(g.system.obstacles.size(), granular::kNoPatch);
    std::size_t old = 0, old_first = 0;
    for (std::size_t k = 0; k < s.bodies.size(); ++k) {
        if (s.bodies.is_sensor[k] || !s.bodies.collides[k]) continue;
        const auto number = static_cast<std::uint32_t>(bodies.size());
        const std::size_t first = obstacles.size();
        granular::make_obstacles(description_of(s, k).shape, inverse(s.bodies.X_BP[k]), number,
                                 s.bodies.material[k], obstacles);
        if (obstacles.size() == first) continue;
        const std::uint64_t uid = s.bodies.uid[k];
        while (old < g.uids.size() && g.uids[old] < uid) old_first += g.walls[old++];
        ObstacleBody body;
        body.X_WP = body.listed = s.bodies.pose[k];
        if (old < g.uids.size() && g.uids[old] == uid && g.walls[old] == obstacles.size() - first) {
            body = g.system.bodies[old];
            for (std::size_t i = 0; i < g.walls[old]; ++i)
                moved[old_first + i] = static_cast<std::uint32_t>(first + i);
        }
        bodies.push_back(body), uids.push_back(uid);
        walls.push_back(static_cast<std::uint32_t>(obstacles.size() - first));
    }
    granular::replace_obstacles(g.system, std::move(obstacles), std::move(bodies), moved);
    g.uids = std::move(uids), g.walls = std::move(walls);
}

void advance_grains(WorldState& s, const StopRequest* stop) {
    GrainState& g = s.grains;
    if (!g.is_any() || !s.output.status.ok) return;
    feed_grains(s);
    g.system.gravity = s.gravity;
    for (std::size_t b = 0; b < g.uids.size(); ++b)
        begin_wall(s, place_of_uid(s, g.uids[b]), g.system.bodies[b]);
    const auto substeps = static_cast<std::int64_t>(std::ceil(s.dt / g.substep * (1 - 1e-9)));
    const double h = s.dt / static_cast<double>(std::max<std::int64_t>(substeps, 1));
    for (std::int64_t k = 0; k < substeps; ++k) {
        check_stop(stop);
        granular::step(g.system, h, *s.executor);
    }
    for (std::size_t k = 0; k < g.system.grains.count(); ++k)
        if (!is_finite(g.system.grains.x[k]) || !is_finite(g.system.grains.v[k])) {
            const auto& name = s.described.parts().grains[g.system.grains.group[k]].name;
            s.output.status = {false, fmt::format("grain {} of '{}' is not finite", k, name)};
            return;
        }
}

void watch_grains(WorldState& s) {
    GrainState& g = s.grains;
    if (!g.is_any() || !s.output.status.ok) return;
    static const std::string nobody;
    const std::string& name = s.described.parts().grains.front().name;
    const double time = static_cast<double>(s.step) * s.dt;
    const granular::StepNotes& notes = g.system.notes;
    if (notes.deepest > 0.05)
        s.output.warnings.note({WarningKind::GrainOverlap, name, nobody, notes.deepest, 0.05, ""}, time);
    if (notes.stiffest > 0.4)
        s.output.warnings.note({WarningKind::GrainSubstep, name, nobody, notes.stiffest, 0.4, ""}, time);
    double farthest = 0;
    std::uint32_t set = 0;
    for (std::size_t k = 0; k < g.system.grains.count(); ++k)
        if (const double d = length_squared(g.system.grains.x[k]); d > farthest)
            farthest = d, set = g.system.grains.group[k];
    if (farthest > g.reach * g.reach)
        s.output.warnings.note({WarningKind::GrainLost, s.described.parts().grains[set].name, nobody,
                                std::sqrt(farthest), g.reach, "m from the origin"},
                               time);
}

}  // namespace impuls
