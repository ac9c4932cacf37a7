// Scene by preset as a table of values, references and verdicts, for whoever works on them.
#pragma once

#include <string>

namespace impuls::faults {

// Of the scenes whose names hold `part` ("": all) by the presets named (comma separated; "": all).
void print_table(const std::string& part, const std::string& presets);

}  // namespace impuls::faults
