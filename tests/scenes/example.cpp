// Opening the shipped example scenes (example.h).
#include "scenes/example.h"
#include "support/places.h"

namespace impuls {

World open_example(const std::string& name, const Overrides& overrides) {
    return World(load_scene(in_project("scenes/examples/" + name + ".json"), overrides));
}

}  // namespace impuls
