// The table of a sweep: a row a run, by their numbers; what was varied, how it ended, what came out.
#pragma once

#include <json/value.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "cli/sweep_grid.h"
#include "io/plot/figure.h"

namespace impuls::cli {

// What is kept of a run: of the summary of `impuls run --json` what does not depend on the machine.
::Json::Value sweep_row(int exit_code, const std::string& out, const std::string& err);
bool is_complete(const ::Json::Value& row);

class SweepTable {
  public:
    SweepTable(const Grid& grid, const std::map<std::size_t, ::Json::Value>& rows);

    std::string csv() const;
    // Columns against the first varied path that has numbers; one line for each combination of the other
    // paths, but seeds: of these the mean. Throws InputError for an unknown column, or when nothing is varied
    // by numbers.
    Figure figure(const std::string& title, const std::vector<std::string>& columns) const;

  private:
    std::vector<std::string> default_columns() const;
    double number(std::size_t run, const std::string& column) const;

    const Grid& grid_;
    const std::map<std::size_t, ::Json::Value>& rows_;
    std::vector<std::string> results_{};  // columns after the varied paths
};

}  // namespace impuls::cli
