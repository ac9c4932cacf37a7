// Distance constraints along paths of particles, each path solved directly: the scalar form of grid/kernel.h
// for ropes, triangle meshes (paths that share no edge) and, with one edge a path, Gauss-Seidel. It is the
// oracle of the lanes, with the same bits. Paths of a group share no particle, so that a group may run in any
// order. Chains may also cover an edge graph: cover_by_paths.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "deformable/columns.h"

namespace impuls::deformable {

// Paths one after the other; edge e of a path lies between its nodes e and e + 1.
struct Chains {
    std::vector<std::uint32_t> nodes{};   // of all paths
    std::vector<std::uint32_t> begin{0};  // of path i in nodes: begin[i] to begin[i + 1]
    std::vector<double> squared{};     // rest length squared of the edge after a node; unused after the last
    std::vector<double> compliance{};  // l^2 / stiffness likewise

    std::size_t size() const { return begin.size() - 1; }
    void add(std::span<const std::uint32_t> path, std::span<const double> length,
             std::span<const double> stiffness);
};

struct ChainScratch {
    std::vector<double> g{}, c{};
};

// One Newton step for all rows of each path, one path after the other; h is the substep.
void solve_chains(const Chains& chains, const std::vector<double>& k, double h, Columns& p,
                  ChainScratch& scratch);
// The same for chains that may be destroyed: of the error that is there at the start of the substep, in x,
// each row takes away at most what closes at `speed` (m/s), so that parts come together again without being
// thrown.
void repair_chains(const Chains& chains, const std::vector<double>& k, double h, double speed,
                   const Columns& x, Columns& p, ChainScratch& scratch);

// Stored energy: sum of C^2 / (2 l^2 / s) with C = (|d|^2 - l^2) / 2.
double stretch_energy(const Chains& chains, const Columns& x);
// Largest |d| / l - 1, at least 0.
double largest_stretch(const Chains& chains, const Columns& x);

// Paths that go through every edge once, greedily the straightest way on, each as long as it gets.
// Deterministic: edges are tried in their order.
std::vector<std::vector<std::uint32_t>> cover_by_paths(const Columns& x,
                                                       std::span<const std::array<std::uint32_t, 2>> edges);

}  // namespace impuls::deformable
