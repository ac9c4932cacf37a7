// Expansion in parts, for those who do not keep a description of every body (descriptions.h). Scenes are
// valid ones; expand() in include/impuls/scene.h is all of it at once.
#pragma once

#include <functional>

#include "impuls/scene.h"

namespace impuls {

// Throws InputError with all problems.
void require_valid(const Scene& scene);
Scene expand_all_but_bodies(const Scene& scene);
// Where an expanded body comes from: its description, and which copy of it it is.
struct BodyOrigin {
    std::size_t part = 0, element = 0;  // of scene_parts(), of that part's bodies
    std::int64_t copy = 0, number = 0;  // among its copies; among all bodies
};
// Visits the bodies in their order, each as expanded.
void for_each_body(const Scene& scene, const std::function<void(BodyDesc&&, const BodyOrigin&)>& visit);
// The same for one alone.
BodyDesc expanded_body(const Scene& scene, const BodyOrigin& origin);

}  // namespace impuls
