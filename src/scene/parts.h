// The files a scene is made of: the scene itself and, for every include, the included scene with its name
// prefix and place. A file included twice is two parts. Called by validation and expansion.
#pragma once

#include <string>
#include <vector>

#include "impuls/scene.h"

namespace impuls {

struct ScenePart {
    const Scene* scene = nullptr;
    std::string prefix{};  // "arm/" or ""
    Pose X_WI{};           // place of the included scene in the world
};

inline constexpr std::size_t kMaxParts = 10'000;

// Included parts before the scene that includes them. Stops at kMaxParts + 1 parts.
std::vector<ScenePart> scene_parts(const Scene& scene);
// Each scene once, in the order of the parts.
std::vector<const Scene*> distinct_scenes(const std::vector<ScenePart>& parts);

// How many copies a generator makes (1 without), before `where`; may be any double.
double copies_of(const std::optional<Repeat>& repeat);

// A problem of one scene with its place: that of the value, or of what it lies in.
Issue issue_at(const Scene& scene, const std::string& path, const std::string& message);
// In file order, the first file first, without repetitions.
std::vector<Issue> in_file_order(std::vector<Issue> issues, const std::string& first_file);

}  // namespace impuls
