// The page that plays recordings (player.html), as the build puts it into the program. Called by html.cpp.
#pragma once

#include <string_view>

namespace impuls {

std::string_view player_page();

}  // namespace impuls
