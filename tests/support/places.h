// Where the project and its built program lie on this machine; only places.cpp is compiled with that, so that
// all other tests compile alike everywhere.
#pragma once

#include <string>

namespace impuls {

std::string in_project(const std::string& path);  // "scenes/x.json" -> its full path
std::string built_program();                      // the command line

}  // namespace impuls
