// Parameters of contact laws (laws.h).
#include "steppers/force/laws.h"

#include <algorithm>
#include <cmath>

#include "dynamics/laws/impact_forms.h"
#include "steppers/force/tuning.h"

namespace impuls::force_level {
namespace {

// Radius of curvature of a collider where it is round; flat ones have none.
double curvature_radius(const WorldView& view, std::uint32_t collider) {
    const double radius = view.colliders.outline[collider].radius;
    return radius > 0 ? radius : kUnbounded;
}

double smaller_mass(const Island& island, std::uint32_t a, std::uint32_t b) {
    return 1 / std::max(island.nodes[a].inv_mass, island.nodes[b].inv_mass);
}

double hertz_stiffness(const WorldView& view, const IslandPair& pair, double modulus) {
    const auto [ca, cb] = view.pairs.colliders[pair.pair];
    const double radius = laws::in_series(curvature_radius(view, ca), curvature_radius(view, cb));
    return laws::hertz_of(modulus, radius < kUnbounded ? radius : pair.size).stiffness;
}

laws::Bristle<double> bristle_of(const ContactLaw& of, double normal_stiffness, double reduced_mass) {
    const double stiffness = laws::mindlin_ratio(kPoisson) * normal_stiffness;
    return {stiffness, 2 * kDampingRatio * std::sqrt(stiffness * reduced_mass), of.static_friction,
            of.friction};
}

}  // namespace

double weight_of(const WorldView& view, const Island& island, std::uint32_t a, std::uint32_t b) {
    double most = 0;
    for (const std::uint32_t k : {a, b})
        if (island.nodes[k].is_dynamic)
            most = std::max(most, length(view.gravity * view.bodies.gravity_scale[island.nodes[k].body]));
    return most;
}

double reduced_mass(const Island& island, std::uint32_t a, std::uint32_t b) {
    return 1 / (island.nodes[a].inv_mass + island.nodes[b].inv_mass);
}

double larger_mass(const Island& island, std::uint32_t a, std::uint32_t b) {
    double least = kUnbounded;
    for (const std::uint32_t k : {a, b})
        if (island.nodes[k].inv_mass > 0) least = std::min(least, island.nodes[k].inv_mass);
    return 1 / least;
}

double frequency_squared(const WorldView& view, double weight, double size) {
    return weight > 0 && size > 0 ? weight / (view.method.force().sink * size) : 1 / (view.dt * view.dt);
}

double impact_share(const ForceMethod& method) {
    return std::sqrt(2 * method.sink);
}

PairLaw law_of(const WorldView& view, const Island& island, const IslandPair& pair) {
    const ForceMethod& method = view.method.force();
    const ContactLaw& of = *pair.law;
    const double weight = weight_of(view, island, pair.a, pair.b), size = pair.size;
    const double reduced = reduced_mass(island, pair.a, pair.b), mass = larger_mass(island, pair.a, pair.b);
    const double speed = weight > 0 ? std::sqrt(weight * size) : size / view.dt;
    PairLaw law;
    law.kind = method.contact;
    law.restitution = of.restitution;
    law.friction = {of.static_friction, of.friction,
                    method.slip_speed > 0 ? method.slip_speed : kSlipSpeed * speed};
    law.friction.width = law.friction.slow;
    if (!(method.slip_speed > 0) && weight > 0)
        law.usual_load = smaller_mass(island, pair.a, pair.b) * weight;
    law.impact_speed = kUnbounded;
    law.stiffness = mass * frequency_squared(view, weight, size);
    if (method.friction_law == FrictionLaw::Bristle && of.static_friction > 0)
        law.bristle = bristle_of(of, of.compliance > 0 ? 1 / of.compliance : law.stiffness, reduced);
    if (of.compliance > 0) {  // the scene says how it yields
        law.kind = ContactForce::Linear;
        law.stiffness = 1 / of.compliance;
        law.damping = of.damping;
        return law;
    }
    switch (law.kind) {
        case ContactForce::Penalty:
            law.damping = 2 * kDampingRatio * std::sqrt(law.stiffness * reduced);
            law.impact_speed = method.impact_speed > 0 ? method.impact_speed : impact_share(method) * speed;
            break;
        case ContactForce::Linear:
            law.damping = laws::damping_for(std::max(0.01, of.restitution), law.stiffness, reduced);
            break;
        case ContactForce::Hertz:
        case ContactForce::HuntCrossley: {
            const double depth = method.sink * size;
            law.stiffness =
                of.modulus > 0 ? hertz_stiffness(view, pair, of.modulus) : law.stiffness / std::sqrt(depth);
            if (law.kind == ContactForce::HuntCrossley)
                law.damping = laws::dissipation_for(std::max(0.01, of.restitution), speed);
            break;
        }
        case ContactForce::Spring:
            law.damping = of.restitution;
            break;
        case ContactForce::CorrectedSpring:
            law.damping = of.restitution * of.restitution;
            break;
    }
    return law;
}

laws::SlidingFriction<double> friction_under(const PairLaw& law, double load) {
    laws::SlidingFriction<double> friction = law.friction;
    if (load > law.usual_load) friction.slow *= load / law.usual_load;
    return friction;
}

laws::NormalForce<double> normal_force(const PairLaw& law, const laws::NormalState<double>& state) {
    switch (law.kind) {
        case ContactForce::Penalty:
        case ContactForce::Linear:
            return laws::force_of(laws::Linear<double>{law.stiffness, law.damping}, state);
        case ContactForce::Hertz:
            return laws::force_of(laws::Hertz<double>{law.stiffness}, state);
        case ContactForce::HuntCrossley:
            return laws::force_of(laws::HuntCrossley<double>{law.stiffness, law.damping}, state);
        case ContactForce::Spring:
        case ContactForce::CorrectedSpring:
            return laws::force_of(laws::UnloadingSpring<double>{law.stiffness, law.damping}, state);
    }
    return {};
}

}  // namespace impuls::force_level
