// From descriptions of an expanded scene to entries of arrays, by name. Called when a world is built, for
// commands that put something, and to close the joints of a scene (mechanisms/assemble.cpp).
#pragma once

#include <string>

#include "base/id_table.h"
#include "dynamics/body_set.h"
#include "dynamics/force.h"
#include "dynamics/joint.h"
#include "impuls/scene.h"

namespace impuls {

// `parts` has the materials; throws InputError when there is none of the name.
const MaterialDesc& material_of(const Scene& parts, const std::string& name);
void add_body(BodySet& bodies, WorldIds& ids, const BodyDesc& desc, const Scene& parts);
// The bodies are there already.
void add_joint(JointSet& joints, WorldIds& ids, const BodySet& bodies, const JointDesc& desc);
void add_force(ForceSet& forces, WorldIds& ids, const BodySet& bodies, const ForceDesc& desc,
               const Shape& shape_b);

}  // namespace impuls
