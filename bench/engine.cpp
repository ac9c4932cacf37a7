// The list of engines (engine.h). CMake defines HAS_… for each library it found.
#include "bench/engine.h"

namespace impuls::bench {
namespace {

[[maybe_unused]] Engine missing(const char* name, const char* package) {
    Engine engine;
    engine.name = name;
    engine.package = package;
    engine.variants = {""};
    return engine;
}

}  // namespace

std::vector<Engine> engines() {
    std::vector<Engine> all{impuls_engine()};
#ifdef HAS_BULLET
    all.push_back(bullet_engine());
#else
    all.push_back(missing("bullet", "libbullet-dev"));
#endif
#ifdef HAS_ODE
    all.push_back(ode_engine());
#else
    all.push_back(missing("ode", "libode-dev"));
#endif
#ifdef HAS_MUJOCO
    all.push_back(mujoco_engine());
#else
    all.push_back(missing("mujoco", "libmujoco-dev"));
#endif
#ifdef HAS_DART
    all.push_back(dart_engine());
#else
    all.push_back(missing("dart", "libdart-collision-bullet-dev"));
#endif
#ifdef HAS_SIMBODY
    all.push_back(simbody_engine());
#else
    all.push_back(missing("simbody", "libsimbody-dev"));
#endif
    return all;
}

}  // namespace impuls::bench
