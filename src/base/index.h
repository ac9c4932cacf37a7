// Small counters are int, containers count by size_t.
#pragma once

#include <cstddef>

namespace impuls {

constexpr std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

}  // namespace impuls
