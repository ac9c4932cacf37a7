// Opening the shipped example scenes (example.h).
#include "scenes/example.h"

namespace impuls {

World open_example(const std::string& name, const Overrides& overrides) {
    return World(
        load_scene(std::string(IMPULS_SOURCE_DIR) + "/scenes/examples/" + name + ".json", overrides));
}

}  // namespace impuls
