// Stack freezing beside plain sweeps: columns of cubes by height, time of a step and how deep they sink.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>

#include "bench/studies.h"
#include "impuls/frame.h"
#include "impuls/scene.h"
#include "impuls/scene_file.h"
#include "impuls/world.h"

namespace impuls::bench {
namespace {

void stand(int n, const char* method) {
    Scene scene = load_scene(std::string(IMPULS_SOURCE_DIR) + "/scenes/examples/frozen-column.json",
                             {{"variables.n", std::to_string(n)}, {"measure", "[]"}});
    scene.settings.method = parse_method(method);
    World world(scene);
    const Vec3 start = world.frame().positions[static_cast<std::size_t>(n)];
    const int steps = 100;
    double deepest = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 0; k < steps; ++k) {
        world.step();
        deepest = std::max(deepest, world.frame().max_penetration);
    }
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    fmt::print("{:>7}  {:<30}{:>10.3f}{:>14.4f}{:>14.4f}\n", n, method, time.count() / steps, 1e3 * deepest,
               1e3 * length(world.frame().positions[static_cast<std::size_t>(n)] - start));
    std::fflush(stdout);
}

}  // namespace

int freezing_study(int argc, char** argv) {
    const int largest = argc > 1 ? std::atoi(argv[1]) : 200;
    if (largest < 25) {
        fmt::print(stderr, "freezing: columns have 25 cubes or more\n");
        return 2;
    }
    fmt::print("{:>7}  {:<30}{:>10}{:>14}{:>14}\n", "cubes", "method", "ms/step", "deepest mm", "top off mm");
    for (int n = 25; n <= largest; n *= 2)
        for (const char* method :
             {"default", "default+substeps=1+blocks_from=0", "default+substeps=1+blocks_from=0+shock=on"})
            stand(n, method);
    return 0;
}

}  // namespace impuls::bench
