// Comments of a scene file, kept by the path of the value they stand before, beside or after.
// Called by the scene loader when everything was read without problems.
#pragma once

#include <map>
#include <string>

#include "impuls/scene.h"
#include "io/scene/text.h"

namespace impuls {

std::map<std::string, Comments> attach_comments(const SceneText& text);

}  // namespace impuls
