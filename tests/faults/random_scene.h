// Small worlds at random, the same for the same seed on every machine: 1 to 12 bodies of all shapes, with and
// without joints, on a floor, in a box without gravity, or hanging; nothing overlaps and nothing drives them.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "impuls/scene.h"

namespace impuls::faults {

Scene random_scene(std::uint64_t seed);

// What may go wrong in one.
enum class Wrong { Gained, Torn, Crushed, Lost, Failed, Slow };
inline constexpr std::array<const char*, 6> kWrongNames{"gained energy", "torn joint",  "crushed body",
                                                        "lost body",     "failed step", "endless step"};

struct RandomVerdict {
    std::array<bool, kWrongNames.size()> wrong{};
    // Largest gain (base/energy_gain.h), joint error and lasting penetration, relative to sizes.
    double gain = 0, joint_error = 0, penetration = 0;
    bool is_fine() const;
    std::string text() const;
};

// For at most 400 steps, in a process of its own.
RandomVerdict judge_random(std::uint64_t seed, const std::string& preset);

}  // namespace impuls::faults
