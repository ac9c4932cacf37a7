// Cost of a step against the number of bodies: settled piles of cubes and of spheres, with their contacts,
// and the same piles asleep, alone and beside one ball that is awake. Exponents are fitted over all sizes.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/statistics.h"
#include "bench/studies.h"
#include "collision/moving_grains.h"
#include "impuls/executor.h"
#include "impuls/frame.h"
#include "impuls/scene.h"
#include "impuls/world.h"

namespace impuls::bench {
namespace {

constexpr int kLayers = 8;
constexpr int kLowLayers = 3;  // a large pile that is higher trembles for seconds before it sleeps

// `count` bodies in layers on a plane. Cubes lie on two by two others; spheres in a crate, in the hollows of
// the layer below.
Scene pile(int count, bool are_spheres, const std::string& method, int layers = kLayers) {
    Scene scene;
    scene.settings.method = parse_method(method);
    scene.settings.dt = 1.0 / 60;
    scene.materials.emplace_back().name = "m";
    scene.materials[0].friction = 0.6;
    const auto add = [&](const std::string& name, const Shape& shape, const Vec3& at, BodyKind kind) {
        BodyDesc b;
        b.name = name, b.shape = shape, b.position = at, b.kind = kind, b.material = "m";
        scene.bodies.push_back(b);
    };
    add("ground", Plane{}, {}, BodyKind::Static);
    const int side = std::max(2, static_cast<int>(std::lround(std::sqrt(count / double(layers)))));
    if (are_spheres)
        for (int k = 0; k < 4; ++k) {
            const double middle = 0.5 * (side - 1), away = 0.5 * side + 1, way = k % 2 ? away : -away;
            const Vec3 size = k < 2 ? Vec3{2, 40, side + 4.0} : Vec3{side + 4.0, 40, 2};
            add("wall" + std::to_string(k), Box{size},
                {middle + (k < 2 ? way : 0), 20, middle + (k < 2 ? 0 : way)}, BodyKind::Static);
        }
    for (int layer = 0, k = 0; k < count; ++layer) {
        const bool is_odd = layer % 2 == 1;
        const int width = are_spheres && is_odd ? side - 1 : side;
        const double shift = !is_odd       ? 0
                             : are_spheres ? 0.5
                                           : 0.25,
                     gap = are_spheres ? 1 : 1.05, rise = are_spheres ? std::sqrt(0.5) : 1;
        for (int in = 0; in < width * width && k < count; ++in, ++k)
            add("b" + std::to_string(k), are_spheres ? Shape{Sphere{0.5}} : Shape{Box{{1, 1, 1}}},
                {gap * (in % width) + shift, 0.5 + rise * layer, gap * (in / width) + shift},
                BodyKind::Dynamic);
    }
    return scene;
}

// Stacks of ten that do not touch each other.
Scene stacks(int count, const std::string& method) {
    Scene scene = pile(4, false, method);
    const BodyDesc cube = scene.bodies.back();
    scene.bodies.resize(1);
    const int side = static_cast<int>(std::ceil(std::sqrt(count / 10.0)));
    for (int k = 0; k < count; ++k) {
        BodyDesc& b = scene.bodies.emplace_back(cube);
        b.name = "b" + std::to_string(k);
        b.position = {2.0 * (k / 10 % side), 0.5 + k % 10, 2.0 * (k / 10 / side)};
    }
    return scene;
}

// Bounces for ever, far enough away to touch nothing else.
Scene with_ball(Scene scene) {
    scene.materials.emplace_back().name = "rubber";
    scene.materials.back().restitution = 1;
    BodyDesc& ball = scene.bodies.emplace_back();
    ball.name = "ball", ball.shape = Sphere{0.5}, ball.position = {-9, 2, -9}, ball.material = "rubber";
    return scene;
}

struct Cost {
    double ms = 0, worst_ms = 0;
    std::size_t contacts = 0;
};

Cost cost_of(const Scene& scene, int settle, int steps) {
    World world(scene, std::make_shared<Executor>(1));
    for (int k = 0; k < settle; ++k) world.step();
    std::vector<double> times;
    for (int k = 0; k < steps; ++k) {
        const auto start = std::chrono::steady_clock::now();
        world.step();
        times.push_back(1e3 *
                        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return {median(times), *std::max_element(times.begin(), times.end()), world.frame().contacts.size()};
}

template <class Make>
void grow(const char* name, const std::string& method, int largest, int settle, int steps, Make&& make) {
    std::vector<double> n, contacts, ms;
    fmt::print("\n{}, {}\n{:>8}{:>10}{:>12}{:>12}{:>14}{:>14}\n", name, method, "bodies", "contacts",
               "ms a step", "worst ms", "us a body", "us a contact");
    for (int count = 100; count <= largest; count = count % 3 ? count * 3 : count / 3 * 10) {
        const Cost cost = cost_of(make(count), settle, steps);
        n.push_back(count), contacts.push_back(static_cast<double>(cost.contacts)), ms.push_back(cost.ms);
        fmt::print("{:>8}{:>10}{:>12.4f}{:>12.4f}{:>14.3f}{:>14.3f}\n", count, cost.contacts, cost.ms,
                   cost.worst_ms, 1e3 * cost.ms / count, 1e3 * cost.ms / std::max(1.0, contacts.back()));
        std::fflush(stdout);
    }
    fmt::print("exponent: {:.3f} in bodies, {:.3f} in contacts\n", fitted_exponent(n, ms),
               fitted_exponent(contacts, ms));
}

int largest_of(int argc, char** argv) {
    const int largest = argc > 1 ? std::atoi(argv[1]) : 100000;
    if (largest >= 300) return largest;
    fmt::print(stderr, "{}: {} is not a number of at least 300 bodies\n", argv[0], argv[1]);
    return 0;
}

}  // namespace

int growth_study(int argc, char** argv) {
    const int largest = largest_of(argc, argv);
    if (largest == 0) return 2;
    const auto cubes = [](const char* method) { return [=](int n) { return pile(n, false, method); }; };
    grow("settled cubes", "fast", largest, 60, 20, cubes("fast"));
    grow("settled cubes", "default", std::min(largest, 10000), 60, 20,
         cubes("default"));  // ten times as long
    grow("settled spheres", "fast", largest, 60, 20, [](int n) { return pile(n, true, "fast"); });
    return 0;
}

int asleep_study(int argc, char** argv) {
    const int largest = largest_of(argc, argv);
    if (largest == 0) return 2;
    constexpr const char* kMethod = "fast+sleep=on";
    const auto cubes = [](int n) { return pile(n, false, kMethod, kLowLayers); };
    const auto columns = [](int n) { return stacks(n, kMethod); };
    grow("one island, nobody awake", kMethod, largest, 60, 20, cubes);
    grow("one island, a ball awake", kMethod, largest, 60, 200, [&](int n) { return with_ball(cubes(n)); });
    grow("stacks of ten, a ball awake", kMethod, largest, 60, 200,
         [&](int n) { return with_ball(columns(n)); });
    return 0;
}

}  // namespace impuls::bench
