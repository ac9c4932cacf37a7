// The swinging chain of the examples under every solver: energy, joints, and the same motion.
#include <gtest/gtest.h>

#include <cstdlib>

#include "impuls/scene_file.h"
#include "impuls/world.h"
#include "support/full_size.h"
#include "support/places.h"
#include "support/slow_build.h"

namespace impuls {
namespace {

struct Swing {
    double energy = 0;  // largest change, as a part of the potential energy that was set free
    double gap = 0;     // largest opening of a joint, m
    Vec3 tip{};         // at the end
};

Swing swing(const std::string& method, double time) {
    Scene scene = load_scene(in_project("scenes/examples/pendulum-chain.json"));
    scene.settings.method = parse_method(method);
    World world(scene);
    const double start = world.frame().energy.total;
    const double weight = 12 * 9.81;
    Swing s;
    double change = 0, lowest = 0;
    while (world.time() < time - 0.5 * world.dt()) {
        const StepStatus status = world.step();
        if (!status.ok) ADD_FAILURE() << method << ": " << status.message;
        if (!status.ok) return s;
        const Frame& frame = world.frame();
        change = std::max(change, std::abs(frame.energy.total - start));
        s.gap = std::max(s.gap, frame.max_joint_error);
        Vec3 centre;
        for (const Vec3& x : frame.positions) centre += x / static_cast<double>(frame.positions.size());
        lowest = std::min(lowest, centre.y);
    }
    s.energy = change / (weight * -lowest);
    s.tip = world.pose(world.find_body("rods[11]")).position;
    return s;
}

TEST(SolversOnAChain, move_it_alike) {
    const double time = is_long() ? 0.4 : kSlowBuild ? 0.015 : 0.03, length = 12 * 0.3;
    // Of second order as they are: beside substeps of fourth order their common error, 4 um after 0.4 s,
    // shows.
    const Swing reference = swing("accurate+composed=off+solver=tree+closure=preview", time);
    EXPECT_LT(reference.energy, 1e-4);
    for (const char* solver : EnumNames<Solver>::names)
        for (const char* closure : EnumNames<Closure>::names) {
            const std::string method = std::string("default+solver=") + solver + "+closure=" + closure;
            const Swing s = swing(method, time);
            EXPECT_LT(s.energy, 1e-5) << method;
            EXPECT_LT(s.gap, 1e-6 * length) << method;
            EXPECT_LT(impuls::length(s.tip - reference.tip), 1e-6 * length) << method;
        }
}

}  // namespace
}  // namespace impuls
