// What acts at the contacts of a pair, as numbers: the laws of dynamics/laws with parameters from materials,
// masses and the method. With the acceleration a by gravity, the pair's size s, the larger mass m and the
// reduced mass m', where nothing else is given:
//     k = m a / (sink s)     so that a body rests `sink` of its size deep      (Hertz: m a / (sink s)^(3/2))
//     c = 2 sqrt(k m')       critical; for the linear law what gives the pair's restitution
// Friction is as stiff as the lighter body's own weight makes it: what carries many times that would be stiff
// beyond all measure. Bristles are as stiff as a linear contact, by Mindlin's ratio, and critically damped.
// Without gravity the time step stands for sqrt(sink s / a). Called by the contacts of
// the stepper.
#pragma once

#include "dynamics/laws/bristle.h"
#include "dynamics/laws/normal.h"
#include "dynamics/laws/sliding.h"
#include "steppers/island.h"

namespace impuls::force_level {

struct PairLaw {
    ContactForce kind = ContactForce::Penalty;
    double stiffness = 0,
           damping = 0;       // damping: dissipation of Hunt and Crossley's law, or the unloading share
    double impact_speed = 0;  // faster approaches are impacts; infinite: there are none
    double restitution = 0;
    laws::SlidingFriction<double> friction{};
    laws::Bristle<double> bristle{};  // stiffness 0: friction is `friction`
    double usual_load = kUnbounded;   // N: under more, friction needs as much more slip
};

// Acceleration by gravity of what can move among the two nodes, the larger one.
double weight_of(const WorldView& view, const Island& island, std::uint32_t a, std::uint32_t b);
// Reduced mass, and the larger one, of what can move among them.
double reduced_mass(const Island& island, std::uint32_t a, std::uint32_t b);
double larger_mass(const Island& island, std::uint32_t a, std::uint32_t b);
// Square of the angular frequency at which a contact of this size yields, for a mass of its own.
double frequency_squared(const WorldView& view, double weight, double size);

// Speed above which an approach is an impact, relative to sqrt(a s): that of a fall from as high as `sink`.
double impact_share(const ForceMethod& method);

PairLaw law_of(const WorldView& view, const Island& island, const IslandPair& pair);
laws::SlidingFriction<double> friction_under(const PairLaw& law, double load);
laws::NormalForce<double> normal_force(const PairLaw& law, const laws::NormalState<double>& state);

}  // namespace impuls::force_level
