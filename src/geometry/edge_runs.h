// The edges of triangles as each triangle runs through them, sorted so that the runs of one edge follow each
// other: what finding neighbours needs. Called by triangle surfaces and contact surfaces.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace impuls {

struct EdgeRun {
    std::uint32_t low, high;  // vertices
    bool upwards;             // from low to high
    std::uint32_t triangle, edge;

    bool is_along(const EdgeRun& other) const { return low == other.low && high == other.high; }
};

// By edge, then downwards before upwards, then by triangle.
std::vector<EdgeRun> sorted_edge_runs(std::span<const std::array<std::uint32_t, 3>> triangles);

}  // namespace impuls
