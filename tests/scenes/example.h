// The shipped example scenes as worlds, and short ways to ask them. Used by all tests of this folder; one
// TEST for each file of scenes/examples, named after it. Debug builds (with sanitizers) run the heavy ones
// smaller.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "impuls/scene_file.h"
#include "impuls/world.h"
#include "support/constants.h"

namespace impuls {

#ifdef NDEBUG
inline constexpr bool kIsSlowBuild = false;
#else
inline constexpr bool kIsSlowBuild = true;
#endif

World open_example(const std::string& name, const Overrides& overrides = {});

inline void step(World& world) {
    const StepStatus status = world.step();
    ASSERT_TRUE(status.ok) << status.message;
}

inline void run_to(World& world, double time) {
    while (world.time() < time - 0.5 * world.dt()) ASSERT_NO_FATAL_FAILURE(step(world));
}

inline double duration(const World& world) {
    return world.structure()->settings.duration;
}
inline void run_to_end(World& world) {
    run_to(world, duration(world));
}

inline std::string numbered(const std::string& name, int k) {
    return name + "[" + std::to_string(k) + "]";
}
inline Pose pose(const World& world, const std::string& body) {
    return world.pose(world.find_body(body));
}
inline Vec3 position(const World& world, const std::string& body) {
    return pose(world, body).position;
}
inline Vec3 velocity(const World& world, const std::string& body) {
    return world.velocity(world.find_body(body));
}
inline double mass(const World& world, const std::string& body) {
    return world.mass(world.find_body(body));
}
// Where a direction of the body points in the world.
inline Vec3 direction(const World& world, const std::string& body, const Vec3& d) {
    return rotate(pose(world, body).orientation, d);
}

// Sum of the contact forces of a on b, N. With an empty name: of all others on b.
inline Vec3 force_between(World& world, const std::string& a, const std::string& b) {
    const Frame& frame = world.frame();
    const auto& bodies = frame.structure->bodies;
    const auto is = [&](std::uint32_t k, const std::string& name) {
        return name.empty() || (k != kNoBody && bodies[k].name == name);
    };
    Vec3 sum;
    for (const Contact& c : frame.contacts) {
        if (is(c.a, a) && is(c.b, b)) sum += c.force;
        if (is(c.b, a) && is(c.a, b)) sum -= c.force;
    }
    return sum;
}

// Zero crossings of a sampled function, interpolated.
struct Crossings {
    std::vector<double> times{};
    void add(double time, double value) {
        if (!is_first_ && last_ * value < 0)
            times.push_back(last_time_ + (time - last_time_) * last_ / (last_ - value));
        if (value != 0) is_first_ = false, last_ = value, last_time_ = time;
    }

  private:
    bool is_first_ = true;
    double last_ = 0, last_time_ = 0;
};

}  // namespace impuls
