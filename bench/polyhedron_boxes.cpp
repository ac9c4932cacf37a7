// Study of bounding boxes of convex polyhedra: nanoseconds a box by min-max, ellipsoid and climbing for 4 to
// 462 vertices on a sphere, and the method that is chosen (constants in geometry/polyhedron_bounds.cpp). Run
// by ./impuls bench polyhedron-boxes.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <vector>

#include "base/rng.h"
#include "bench/studies.h"
#include "geometry/grains.h"
#include "geometry/polyhedron_bounds.h"

namespace impuls {
namespace {

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
    for (const int vertices : grain_vertex_counts()) {
        const Polyhedron p = make_grain(vertices);
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
