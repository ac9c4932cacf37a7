// The force stepper: bodies move under forces, as a differential equation with error control (ode.h;
// docs/manual/force-level.md). The user gives a tolerance, not a step. Contacts are forces (contacts.h);
// what is too fast for them is an impact, located on the curve between steps (events.h) and resolved at once
// (impacts.h); joints hold exactly (joints.h). Moments at which forces of the scene begin or end are hit.
// AERO's model (spec: workbench part 2), with its formulas corrected.
#pragma once

#include <memory>
#include <vector>

#include "math/integrators/integrator.h"
#include "steppers/force/events.h"
#include "steppers/force/impacts.h"
#include "steppers/force/ode.h"
#include "steppers/island.h"
#include "steppers/results.h"

namespace impuls::force_level {

// An equation of a size with its integrator, kept for the next island of that size.
struct Engine {
    IslandOde ode;
    std::unique_ptr<integrators::Integrator> integrator{};
    Engine(std::size_t bodies, bool needs_positions) : ode(bodies, needs_positions) {}
};

// An impact of the step, with its impulse as the force; told with the point that it became.
struct Strike {
    Touch touch{};
    bool is_told = false;
};

struct Scratch {
    Contacts contacts{};
    Joints joints{};
    Bodies bodies{};
    Impacts impacts{};
    std::vector<std::unique_ptr<Engine>> engines{};
    std::vector<double> made_for{};  // numbers of the method that the engines were made with
    std::vector<double> y{}, scales{}, stops{};
    std::vector<IslandNode> saved{};  // before the step
    std::vector<Strike> strikes{};    // in this step
    std::vector<std::uint32_t> strike_order{};
    integrators::Memory memory{};
    std::unique_ptr<Events> events{};
};

// None: it can try. Depends on the present state alone.
Refusal fits(const WorldView& view, const Island& island);
// Advances the island by a step; where it cannot, the island is as before.
Refusal advance(const WorldView& view, Island& island, Scratch& scratch, Results& results, Outcome& outcome);

}  // namespace impuls::force_level
