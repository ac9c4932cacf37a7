// One step of one island on its way (step.cpp): what it works with, its integrator (engine.cpp), and what it
// leaves for contacts, joints and books (store.cpp).
#pragma once

#include <memory>
#include <vector>

#include "math/integrators/integrator.h"
#include "steppers/force/areal.h"
#include "steppers/force/events.h"
#include "steppers/force/impacts.h"
#include "steppers/force/ode.h"
#include "steppers/island.h"
#include "steppers/results.h"

namespace impuls::force_level {

// An equation of a size with its integrators, kept for the next island of that size.
struct Engine {
    IslandOde ode;
    // By the room for stretches of bristles, in kGripRoom; made when asked for.
    std::vector<std::unique_ptr<integrators::Integrator>> integrators{};
    Engine(std::size_t bodies, Layout layout) : ode(bodies, layout) {}
};

// An impact of the step, with its impulse as the force; told with the point that it became.
struct Strike {
    Touch touch{};
    bool is_told = false;
};

struct Scratch {
    Contacts contacts{};
    ArealContacts areal{};
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

struct Run {
    const WorldView& view;
    Island& island;
    Scratch& s;
    Results& results;
    Engine* engine = nullptr;
    integrators::Integrator* now = nullptr;
    integrators::Counters before{}, spent{};  // of `now` when it began here; of those before it
    double end = 0;
    long steps = 0;
    bool is_lost = false;

    integrators::Integrator& integrator() { return *now; }
};

// engine.cpp
Engine& engine_for(const WorldView& view, std::size_t bodies, Scratch& s);
// With what the integrator remembers of the step before.
void begin_integrator(Run& run);
// Of the island's memory: the body that it belongs to, and a mark of all that it depends on.
std::uint64_t uid_of(const Run& run);
std::uint64_t stamp_of(const Run& run, double time);
// The bodies where the integrator is.
void take_state(Run& run);
// Friction with memory holds at the points that are found now.
void settle_grips(Run& run);

// store.cpp
void store(Run& run, Outcome& outcome);

}  // namespace impuls::force_level
