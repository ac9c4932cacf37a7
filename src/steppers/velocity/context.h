// What the velocity stepper works on beside a substep's own (substep/context.h). Scratch structs by topic.
#pragma once

#include <vector>

#include "steppers/substep/context.h"

namespace impuls::velocity {

using namespace substep;

// Shock propagation (shock.cpp): what is left for the layers to do.
struct ShockWork {
    std::vector<Vec3> late_v{}, late_w{};  // by node: the part of the kick that the layers give
    std::vector<std::uint32_t> bearing{};  // by node: points that bear it from below
    std::vector<std::uint32_t> joints{};   // in the problem, in the order of their rows
};

struct Scratch {
    substep::Scratch substep{};
    ShockWork shock{};
    std::vector<Vec3> saved_v{}, saved_w{};  // velocities before a rebound, or while positions are corrected
};

struct Velocity : Substep {
    ShockWork& shock;
    std::vector<Vec3>&saved_v, &saved_w;

    Velocity(const WorldView& the_view, Island& the_island, Scratch& scratch, Results& the_results,
             Outcome& the_outcome)
        : Substep(the_view, the_island, scratch.substep, the_results, the_outcome),
          shock(scratch.shock),
          saved_v(scratch.saved_v),
          saved_w(scratch.saved_w) {}
};

// One solve of several in a substep.
struct Pass {
    double share;  // of the substep's forces
    double warm;   // share of the last impulses that it begins with
    bool is_last;  // of its rows in this substep: the next one begins from its impulses
    bool has_all;  // all edges: stiff forces are solved with them
};

}  // namespace impuls::velocity
