// A scene as a tree of texts, between the fields and the printed file. write.cpp builds it,
// print.cpp lays it out.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "impuls/scene.h"

namespace impuls {

struct Node {
    enum class Kind { Text, List, Object };
    Kind kind = Kind::Text;
    std::string text{};                                 // Kind::Text: as it is printed
    std::vector<std::pair<std::string, Node>> parts{};  // key ("" in lists) and value
};

// Everything on one line.
std::string print_line(const Node& node);
// Lines of at most about 100 characters, with comments at their places.
std::string print_pretty(const Node& node, const std::map<std::string, Comments>& comments);

}  // namespace impuls
