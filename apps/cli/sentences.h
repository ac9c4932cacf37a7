// What shapes, joints, forces, commands and parts of methods are, in a sentence each: for people who look for
// one. Called by the lists of families.cpp.
#pragma once

#include <string_view>

namespace impuls::cli {

// "" for a name without one. The family ("joint", "friction") tells apart what shares a name with another.
const char* sentence(std::string_view name, std::string_view family = "");

}  // namespace impuls::cli
