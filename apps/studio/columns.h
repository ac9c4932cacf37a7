// Numbers of bodies that pages may ask for beside their poses: every column of the group "bodies" of a frame,
// and what is found out here: the island of each body and the stepper that advanced it. Called by packets and
// by the session.
#pragma once

#include <string>
#include <vector>

#include "impuls/frame.h"

namespace impuls::studio {

struct BodyColumn {
    std::string name{};
    std::string unit{};
    std::string about{};
    int parts = 1;
};
const std::vector<BodyColumn>& body_columns();
// -1 when there is none of that name.
int find_body_column(const std::string& name);

// Appends parts x bodies numbers, those of one body side by side.
void read_body_column(const Frame& frame, int column, std::vector<float>& out);

}  // namespace impuls::studio
