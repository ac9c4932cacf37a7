// Neighbours: for each grain those with a larger number, then the obstacles near it, ascending. Found by a
// grid of cells, hashed so that no region is too large; kept until something has moved by half the skin.
// Pairs that go on keep their axis and, if they touch, their patch. Order and content do not depend on
// threads. Memory: 24 bytes a near pair; a patch 152 more. Called by step.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "granular/contact.h"
#include "granular/grains.h"
#include "granular/obstacle.h"
#include "impuls/executor.h"

namespace impuls::granular {

inline constexpr std::uint32_t kObstacle = 0x80000000u, kNoPatch = 0xffffffffu;

struct NearPair {
    std::uint32_t b = 0;  // a grain, or kObstacle + an obstacle
    PairAxis axis{};
    std::uint32_t patch = kNoPatch;
};

// Of a touching pair: what it remembers, and what it did last.
struct TouchingPatch {
    PatchMemory memory{};
    Vec3 force{}, torque{}, center{};  // on b; the centre relative to a
    float area = 0, depth = 0, normal = 0, energy = 0;
};

struct Pairs {
    std::vector<NearPair> near{};
    std::vector<std::uint32_t> first{};  // by grain, and one end
    std::vector<TouchingPatch> patches{};
    std::vector<std::uint32_t> unused{};  // of these, the last is taken first
    double skin = 0;
    bool is_current = false;
};

// Scratch space of the search.
struct PairSearchSpace {
    struct Cell {
        std::int32_t x, y, z;
    };
    std::vector<Cell> cells{};
    std::vector<std::uint32_t> order{}, start{}, fill{}, first{};
    std::vector<std::vector<NearPair>> found{};  // by chunk of grains
    std::vector<NearPair> next{};
    std::vector<std::uint32_t> kept{};
};

inline constexpr std::size_t kGrainChunk = 64;

void find_neighbours(const Grains& grains, const std::vector<GrainKind>& kinds,
                     const std::vector<Obstacle>& obstacles, const std::vector<ObstacleBody>& bodies,
                     Executor& executor, Pairs& pairs, PairSearchSpace& space);
// Whether something moved by half the skin since.
bool are_neighbours_old(const Grains& grains, const std::vector<Obstacle>& obstacles,
                        const std::vector<ObstacleBody>& bodies, const Pairs& pairs);

}  // namespace impuls::granular
