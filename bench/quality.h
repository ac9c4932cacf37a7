// What is wrong with where an engine put the bodies, computed by us from poses and velocities alone.
#pragma once

#include <string>
#include <vector>

#include "bench/model.h"
#include "bench/overlap_check.h"

namespace impuls::bench {

struct Quality {
    OverlapReport overlaps{};
    double sink = 0;         // m, farthest any body came down (meant for scenes that start at rest)
    double lateral = 0;      // m, farthest any body went across gravity
    double speed_rms = 0;    // m/s
    double mean_height = 0;  // m, against gravity
    std::size_t lost = 0;    // bodies below everything static, or nowhere at all
    double joint_gap = 0;    // m, largest over joints and steps
    double energy_end = 0, energy_low = 0, energy_high = 0;  // (E - E0) / sum m g |r0|
    double trajectory = -1;  // m, farthest any body is from the reference at 1 s; below 0: not known
};

// Largest distance between the two anchor points of a joint.
double joint_gap(const Model& model, const std::vector<BodyState>& states);
// Kinetic plus potential energy of the dynamic bodies.
double energy(const Model& model, const std::vector<BodyState>& states);
// The energy that would be set free if everything swung down about the origin: sum of m g |r0|.
double energy_scale(const Model& model);

std::vector<BodyState> start_states(const Model& model);

// Everything that the last state tells; joint gap and energy are added by whoever saw all steps.
Quality check_states(const Model& model, const std::vector<BodyState>& states);

}  // namespace impuls::bench
