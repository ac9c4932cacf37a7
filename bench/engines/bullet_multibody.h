// Bullet in joint coordinates, a variant of the engine "bullet".
#pragma once

#include <memory>

#include "bench/engine.h"

namespace impuls::bench {

std::unique_ptr<Simulation> make_bullet_multibody(const Model& model);

}  // namespace impuls::bench
