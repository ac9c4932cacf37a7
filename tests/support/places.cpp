// The two paths that the build tells.
#include "support/places.h"

namespace impuls {

std::string in_project(const std::string& path) {
    std::string full = IMPULS_SOURCE_DIR;
    full += '/';
    full += path;
    return full;
}

std::string built_program() {
    return IMPULS_CLI;
}

}  // namespace impuls
