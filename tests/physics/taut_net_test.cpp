// A net of rigid plates pulled taut between its corners cannot move at all: whatever row of it sags is longer
// than the way between its ends. Its equations depend on each other in that place, and nearly do beside it,
// so that rows of a substep's start say little of its end; what is tested is that joints close all the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "impuls/scene_file.h"
#include "impuls/world.h"
#include "support/full_size.h"
#include "support/places.h"

namespace impuls {
namespace {

struct NetRun {
    double gap = 0;     // m, largest in any step
    double energy = 0;  // J, largest change
    double scale = 0;   // J: what the net would gain by falling as far as it is wide
};

NetRun run_net(int n, int steps, const std::string& method) {
    Scene scene =
        load_scene(in_project("scenes/bench/joint-grid.json"), {{"variables.n", std::to_string(n)}});
    scene.settings.method = parse_method(method);
    World world(scene);
    const double start = world.frame().energy.total, width = 0.5 * n, mass = 25.0 * n * n;
    NetRun run;
    run.scale = mass * 9.81 * width;
    for (int k = 0; k < steps; ++k) {
        EXPECT_TRUE(world.step().ok);
        run.gap = std::max(run.gap, world.frame().max_joint_error);
        run.energy = std::max(run.energy, std::abs(world.frame().energy.total - start));
    }
    return run;
}

// Plates are 0.5 m wide: a gap of 0.1 mm is 1/5000 of that.
TEST(TautNet, closes_to_a_tenth_of_a_millimetre_under_default) {
    const int n = is_long() ? 20 : kSlowBuild ? 5 : 12;
    const NetRun run = run_net(n, is_long() ? 120 : 30, "default");
    EXPECT_LT(run.gap, 1e-4) << n;
    EXPECT_LT(run.energy, 1e-3 * run.scale) << n;
}

}  // namespace
}  // namespace impuls
