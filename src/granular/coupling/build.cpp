// Grains of a scene when a world is built: kinds, laws of each two materials, and those that are there from
// the start (state.h).
#include <algorithm>
#include <cmath>
#include <variant>

#include "dynamics/add.h"
#include "granular/coupling/state.h"

namespace impuls::granular {
namespace {

// Heights that grains may fall through: from the lowest wall or grain to the highest grain, or box of a feed.
double height_of(const GrainState& state, const GrainsView& view, double& speed) {
    const Vec3 up = length(view.gravity) > 0 ? view.gravity / -length(view.gravity) : Vec3{0, 1, 0};
    double low = 1e300, high = -1e300;
    const auto add = [&](const Vec3& p) {
        low = std::min(low, dot(up, p));
        high = std::max(high, dot(up, p));
    };
    for (const Vec3& x : state.system.grains.x) add(x);
    for (const GrainsDesc& desc : view.parts().grains) {
        if (const auto* feed = std::get_if<FeedPlace>(&desc.place)) {
            add(feed->lower);
            add(feed->upper);
        }
        speed = std::max(speed, length(desc.velocity));
    }
    for (const Obstacle& o : state.system.obstacles)
        low = std::min(low, dot(up, (state.system.bodies[o.body].X_WP * o.X_BO).position) -
                                (o.kind == ObstacleKind::Solid ? o.shape.radius : 0));
    for (std::size_t k = 0; k < view.bodies.size(); ++k) speed = std::max(speed, length(view.bodies.v[k]));
    return high - low;
}

// As the description of `modulus` says.
double soft_modulus(const GrainState& state, const GrainsView& view, double density) {
    double speed = 0;
    const double height = height_of(state, view, speed);
    const double modulus = 5000 * density * (length(view.gravity) * height + speed * speed);
    return modulus > 0 ? modulus : 1e6;
}

void make_laws(GrainState& state, const GrainsView& view) {
    System& system = state.system;
    const GranularDesc& method = view.parts().granular;
    const auto& materials = view.parts().materials;
    double density = 0;
    for (const GrainsDesc& desc : view.parts().grains)
        density = std::max(density, material_of(view.parts(), desc.material).density);
    const double modulus = method.modulus.value_or(soft_modulus(state, view, density));
    system.materials = static_cast<std::uint32_t>(materials.size());
    system.laws.resize(materials.size() * materials.size());
    for (std::uint32_t a = 0; a < system.materials; ++a)
        for (std::uint32_t b = 0; b < system.materials; ++b) {
            const ContactLaw& law = view.laws.between(a, b);
            PairLaw& out = system.laws[a * system.materials + b];
            out.normal = method.law == GrainLaw::Volume      ? NormalLaw::Volume
                         : method.law == GrainLaw::Potential ? NormalLaw::Potential
                         : method.law == GrainLaw::Linear    ? NormalLaw::Linear
                                                             : NormalLaw::Hertz;
            out.modulus = modulus;
            out.damping = damping_of(law.restitution);
            out.sticking = law.static_friction;
            out.sliding = law.friction;
            out.rolling = law.rolling;
            out.rolling_share = method.rolling;
            out.torsion = law.torsion;
            out.cohesion = method.cohesion;
        }
}

// From the origin to where grains begin and to the walls, m.
double farthest_place(const GrainState& state, const std::vector<GrainsDesc>& sets) {
    Vec3 far;
    for (const GrainsDesc& desc : sets)
        std::visit(
            [&](const auto& p) {
                for (int i = 0; i < 3; ++i)
                    far[i] = std::max({far[i], std::abs(p.lower[i]), std::abs(p.upper[i])});
            },
            desc.place);
    for (const Obstacle& o : state.system.obstacles)
        if (o.kind == ObstacleKind::Solid)
            for (int i = 0; i < 3; ++i)
                far[i] =
                    std::max(far[i], std::abs(state.system.bodies[o.body].X_WP.position[i]) + o.shape.radius);
    return length(far);
}

}  // namespace

void add_grain_of(GrainState& state, const GrainsView& view, std::uint32_t set, const Vec3& place) {
    const GrainsDesc& desc = view.parts().grains[set];
    const DrawnGrain drawn = draw_grain(*state.kinds, desc, set, state.made[set]++);
    const std::uint32_t number =
        add_grain(state.system, drawn.kind, drawn.size, place, drawn.orientation, set);
    set_velocity(state.system, number, desc.velocity, {});
}

void make_grains(GrainState& state, const GrainsView& view) {
    const auto& sets = view.parts().grains;
    if (sets.empty()) return;
    state.kinds = std::make_shared<const GrainKinds>(make_grain_kinds(sets));
    state.made.assign(sets.size(), 0);
    const Scene& parts = view.parts();
    for (const GrainKinds::Kind& kind : state.kinds->kinds) {
        const MaterialDesc& material = material_of(parts, sets[kind.set].material);
        state.system.kinds.push_back(
            {kind.shape, static_cast<std::uint32_t>(&material - parts.materials.data()), material.density});
    }
    for (std::uint32_t k = 0; k < sets.size(); ++k)
        for (const Vec3& p : grain_places(*state.kinds, sets[k], k)) add_grain_of(state, view, k, p);
    state.system.integrator = parts.granular.integrator;
    update_walls(state, view);
    make_laws(state, view);
    prepare(state.system);
    state.substep = parts.granular.substep.value_or(longest_substep(state.system));
    state.reach = 10 * farthest_place(state, sets);
}

}  // namespace impuls::granular
