// Numbers from a file of lines with values between commas (or semicolons, or blanks): tables of scripted
// motion. A first line of names and lines after # are skipped. Called by the scene loader.
#pragma once

#include <string>
#include <vector>

namespace impuls {

// Rows of `columns` numbers each. Throws InputError with file and line.
std::vector<std::vector<double>> parse_csv(const std::string& text, const std::string& file,
                                           std::size_t columns);

}  // namespace impuls
