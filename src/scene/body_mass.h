// Mass, centre and inertia of a described body: from its shape and density, as far as the description does
// not give them. Called where bodies are made, and for energies of single bodies.
#pragma once

#include "geometry/mass_properties.h"
#include "impuls/bodies.h"
#include "impuls/materials.h"

namespace impuls {

MassProperties mass_of(const BodyDesc& desc, const MaterialDesc& material);

}  // namespace impuls
