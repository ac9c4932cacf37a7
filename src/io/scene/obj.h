// Wavefront OBJ: corner points and faces, nothing else. Called by the scene loader for meshes with a file.
#pragma once

#include <string>

#include "impuls/shapes.h"

namespace impuls {

// Throws InputError that names file and line.
void parse_obj(const std::string& text, const std::string& file, Mesh& mesh);

}  // namespace impuls
