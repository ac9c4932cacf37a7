// The page, as files compressed with gzip inside the program. The list is written by studio/embed.mjs from
// what the build of the page made. Called by the server.
#pragma once

#include <span>
#include <string_view>

namespace impuls::studio {

struct Asset {
    std::string_view target;  // of a request: /assets/index-abc.js
    std::string_view type;    // media type
    std::string_view gzip;
};

std::span<const Asset> assets();

}  // namespace impuls::studio
