// One row of a joint, as it is given to BlockRows (rows.h) and comes back.
#pragma once

#include <cstdint>

#include "impuls/vec.h"

namespace impuls {

// Rate: linear_a . v_a + angular_a . w_a + linear_b . v_b + angular_b . w_b.
struct BlockRow {
    std::uint32_t a = 0, b = 0;  // bodies
    Vec3 linear_a{}, angular_a{}, linear_b{}, angular_b{};
    double error = 0, cap = 0;  // what is off, and how much of it counts at most
    // Of equations that are factored, with rows of the time b T of the pass (FactoredRows::kAhead): the rate
    // that is wanted is drift (1 - t/(b T)), as these rows say of velocities that keep to those of the time
    // t.
    double drift = 0;
    double impulse = 0;  // of a substep: guess, and in the last one
    double sum = 0;      // result: of all substeps
    // Those that are no equations, see block::RowBatch.
    double lower = 0, upper = 0, bias = 0, stiffness = 0, yields = 0;
    bool is_limit = false, is_spring = false;
};

}  // namespace impuls
