// Islands: groups of dynamic bodies connected by pairs or joints. Static and kinematic bodies connect
// nothing. Islands are numbered by their lowest body; everything inside an island is in ascending order.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dynamics/body_set.h"
#include "dynamics/joint.h"

namespace impuls {

struct Islands {
    // Island i holds bodies[body_start[i] .. body_start[i + 1]), and likewise pairs and joints.
    std::vector<std::uint32_t> bodies{}, body_start{};
    std::vector<std::uint32_t> pairs{}, pair_start{};
    std::vector<std::uint32_t> joints{}, joint_start{};
    std::vector<std::uint32_t> free_bodies{};  // not static, in no island with pairs or joints

    std::size_t size() const { return body_start.empty() ? 0 : body_start.size() - 1; }

    // `pairs` are pairs of body numbers, at least one of each dynamic.
    void build(const BodySet& set, std::span<const std::pair<std::uint32_t, std::uint32_t>> body_pairs,
               const JointSet& joint_set);

  private:
    std::uint32_t root(std::uint32_t k);
    void connect(const BodySet& set, std::uint32_t a, std::uint32_t b);

    std::vector<std::uint32_t> parent_{}, island_of_{}, degree_{}, cursor_{};
};

}  // namespace impuls
