// Impacts at 60 Hz beside steps 64 times finer: a wall hit by a ball at 20 m/s, a heap poured from 5 m. What
// is chaotic in detail has figures that are not: energy left, how far bodies are thrown, how deep they go in.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/studies.h"
#include "impuls/frame.h"
#include "impuls/scene.h"
#include "impuls/scene_file.h"
#include "impuls/world.h"

namespace impuls::bench {
namespace {

// Of the dynamic bodies: root mean square of the way from where they began, and mean height.
struct Place {
    double way = 0, height = 0;
};

Place place_of(const Frame& frame, const std::vector<Vec3>& start) {
    Place p;
    double count = 0;
    for (std::size_t k = 0; k < start.size(); ++k) {
        if (frame.structure->bodies[k].kind != BodyKind::Dynamic) continue;
        Vec3 way = frame.positions[k] - start[k];
        way.y = 0;
        p.way += length_squared(way), p.height += frame.positions[k].y, ++count;
    }
    return {std::sqrt(p.way / count), p.height / count};
}

void run(const Scene& first, const std::string& method, int finer, const std::vector<double>& times) {
    Scene scene = first;
    scene.settings.method = parse_method(method);
    scene.settings.dt = first.settings.dt / finer;
    World world(scene);
    const std::vector<Vec3> start(world.frame().positions.begin(), world.frame().positions.end());
    double deepest = 0;
    fmt::print("{:<10}{:>8.0f}", method, 1 / scene.settings.dt);
    for (const double time : times) {
        while (world.frame().time < time - 0.5 * scene.settings.dt) {
            if (const StepStatus status = world.step(); !status.ok) {
                fmt::print("  {}\n", status.message);
                return;
            }
            deepest = std::max(deepest, world.frame().max_penetration);
        }
        const Place place = place_of(world.frame(), start);
        fmt::print("{:>12.1f}{:>9.3f}{:>9.3f}", world.frame().energy.kinetic, place.way, place.height);
    }
    fmt::print("{:>12.2f}\n", 1e3 * deepest);
    std::fflush(stdout);
}

void compare(const char* file, const std::vector<double>& times, int finest) {
    const Scene scene = expand(load_scene(std::string(IMPULS_SOURCE_DIR) + "/scenes/bench/" + file));
    fmt::print("\n{}: after", scene.title);
    for (const double time : times) fmt::print(" {} s", time);
    fmt::print(": kinetic energy J, way m, height m; deepest mm\n");
    for (const char* method : {"fast", "default", "accurate"}) run(scene, method, 1, times);
    for (int finer = 8; finer <= finest; finer *= 8)
        for (const char* method : {"fast", "default"}) run(scene, method, finer, times);
}

}  // namespace

int impact_study(int argc, char** argv) {
    const int finest = argc > 1 ? std::atoi(argv[1]) : 64;
    if (finest < 1) {
        fmt::print(stderr, "impact: {} is not a number of substeps\n", argv[1]);
        return 2;
    }
    compare("wall.json", {0.1, 0.3, 1.0}, finest);
    compare("heap.json", {1.2, 1.6, 3.0}, finest);
    return 0;
}

}  // namespace impuls::bench
