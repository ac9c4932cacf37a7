// Worlds at force level with what their tests ask for: steps, and what is looked at.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "force/scenes.h"
#include "support/full_size.h"

namespace impuls::at_force_level {

// A world with what its tests ask for.
struct Watched {
    World world;
    explicit Watched(const Scene& scene) : world(scene) {}

    void step() {
        const StepStatus status = world.step();
        ASSERT_TRUE(status.ok) << status.message;
        for (const Outcome& outcome : world.outcomes())
            ASSERT_EQ(outcome.stepper, IslandStepper::ForceLevel)
                << EnumNames<Refusal>::names[static_cast<std::size_t>(
                       outcome.refused[static_cast<std::size_t>(IslandStepper::ForceLevel)])];
    }
    void run(double until) {
        while (world.time() < until - 1e-9) ASSERT_NO_FATAL_FAILURE(step());
    }
    BodyId id(const std::string& name) const { return world.find_body(name); }
    Vec3 at(const std::string& name) const { return world.pose(id(name)).position; }
    Vec3 v(const std::string& name) const { return world.velocity(id(name)); }
    Vec3 w(const std::string& name) const { return world.angular_velocity(id(name)); }
    // What the books are off by since the start, J.
    double unbooked() {
        const auto& e = world.frame().energy;
        const double sum = e.total + e.dissipated - e.supplied;
        if (!is_begun) start = sum, is_begun = true;
        return sum - start;
    }
    double start = 0;
    bool is_begun = false;
};

}  // namespace impuls::at_force_level
