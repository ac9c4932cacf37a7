// Which names a scene will have once expanded, without making them: `cubes` with 10^6 copies is one entry.
// Called by validation for duplicates and references.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "impuls/scene.h"

namespace impuls {

class NameTable {
  public:
    // The description that gave a name: an element of the scene's list of bodies or joints.
    struct Origin {
        const Scene* scene = nullptr;
        std::size_t number = 0;
    };

    // Each returns the description that has the name already, if any.
    std::optional<Origin> add(const std::string& name, Origin origin);
    std::optional<Origin> add_copies(const std::string& name, std::int64_t first, std::int64_t count,
                                     Origin origin);

    bool has(const std::string& name) const;
    // " (did you mean …)", or how to name a copy of a generator.
    std::string suggestion(const std::string& name) const;

  private:
    struct Range {
        std::int64_t end = 0;
        Origin origin{};
    };
    std::unordered_map<std::string, Origin> single_{};
    std::unordered_map<std::string, std::map<std::int64_t, Range>>
        copies_{};  // name -> first number -> range
};

// "cubes[17]" as {"cubes", 17}; nothing when it has not that form.
std::optional<std::pair<std::string, std::int64_t>> copy_number(const std::string& name);

}  // namespace impuls
