// Sorting the edges of triangles (edge_runs.h). Called by triangle surfaces and contact surfaces.
#include "geometry/edge_runs.h"

#include <algorithm>
#include <tuple>

namespace impuls {

std::vector<EdgeRun> sorted_edge_runs(std::span<const std::array<std::uint32_t, 3>> triangles) {
    std::vector<EdgeRun> runs;
    runs.reserve(3 * triangles.size());
    for (std::uint32_t t = 0; t < triangles.size(); ++t)
        for (std::uint32_t i = 0; i < 3; ++i) {
            const std::uint32_t a = triangles[t][i], b = triangles[t][(i + 1) % 3];
            runs.push_back({std::min(a, b), std::max(a, b), a < b, t, i});
        }
    const auto key = [](const EdgeRun& r) { return std::tie(r.low, r.high, r.upwards, r.triangle, r.edge); };
    std::sort(runs.begin(), runs.end(), [&](const EdgeRun& a, const EdgeRun& b) { return key(a) < key(b); });
    return runs;
}

}  // namespace impuls
