// Expressions of time in scene files: told from others by their t, and rewritten so that the scene's
// variables in them are numbers wherever they are evaluated. Called by the scene reader.
#pragma once

#include <string>

#include "scene/expression.h"

namespace impuls {

// Whether t is in it, and no variable of the scene.
bool is_of_time(const std::string& text, const Scope& scope);
// 2*f*t becomes 2*({f})*t, where the scene has a variable f.
std::string with_braces(const std::string& text, const Scope& scope);

}  // namespace impuls
