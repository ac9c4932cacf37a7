// Study of bounding boxes of convex polyhedra: nanoseconds a box by min-max, ellipsoid and climbing for 4 to
// 462 vertices on a sphere, and the method that is chosen (constants in geometry/polyhedron_bounds.cpp). Run
// by ./impuls bench polyhedron-boxes.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/rng.h"
#include "bench/studies.h"
#include "geometry/polyhedron_bounds.h"

namespace impuls {
namespace {

Polyhedron ring_sphere(int rings, int points) {
    std::vector<Vec3> v{{0, 0, 1}, {0, 0, -1}};
    for (int r = 1; r <= rings; ++r)
        for (int k = 0; k < points; ++k) {
            const double t = std::numbers::pi * r / (rings + 1);
            const double f = 2 * std::numbers::pi * (k + 0.5 * (r % 2)) / points;
            v.push_back({std::sin(t) * std::cos(f), std::sin(t) * std::sin(f), std::cos(t)});
        }
    return make_polyhedron(convex_hull(v).hull);
}

template <class Box>
double nanoseconds(const std::vector<Pose>& poses, Box&& box) {
    double best = 1e30, sum = 0;
    for (int run = 0; run < 500; ++run) {
        const auto start = std::chrono::steady_clock::now();
        for (const Pose& X : poses) sum += box(X).max.x;
        const std::chrono::duration<double, std::nano> t = std::chrono::steady_clock::now() - start;
        best = std::min(best, t.count() / double(poses.size()));
    }
    return std::isfinite(sum) ? best : -1;
}

void study() {
    Rng rng(1, 0);
    std::vector<Pose> poses;
    for (int k = 0; k < 200; ++k) poses.push_back({{0, 0, 0}, rng.rotation()});
    fmt::print("{:>8}{:>10}{:>11}{:>8}{:>11}  {}\n", "vertices", "min-max", "ellipsoid", "climb", "looseness",
               "chosen");
    for (const auto& [rings, points] : {std::pair{1, 4},
                                        {2, 5},
                                        {4, 4},
                                        {4, 5},
                                        {8, 5},
                                        {10, 5},
                                        {6, 10},
                                        {10, 10},
                                        {20, 10},
                                        {15, 20},
                                        {23, 20}}) {
        const Polyhedron p = ring_sphere(rings, points);
        constexpr const char* names[]{"min-max", "ellipsoid", "climb"};
        fmt::print("{:>8}{:>10.1f}{:>11.1f}{:>8.1f}{:>11.3f}  {}\n", p.hull.vertices.size(),
                   nanoseconds(poses, [&](const Pose& X) { return bounds_min_max(p.view(), X); }),
                   nanoseconds(poses, [&](const Pose& X) { return bounds_ellipsoid(p.boxes, X); }),
                   nanoseconds(poses, [&](const Pose& X) { return bounds_climb(p.view(), p.boxes, X); }),
                   p.boxes.looseness, names[static_cast<int>(p.boxes.method)]);
    }
}

}  // namespace

int bench::polyhedron_box_study(int, char**) {
    study();
    return 0;
}

}  // namespace impuls
