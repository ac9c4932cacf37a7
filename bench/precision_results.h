// What `impuls bench precision` measures: error at the end against processor time, by methods that are set
// finer and finer; the file it is kept in, its charts, and its section of docs/benchmarks.md.
#pragma once

#include <string>
#include <vector>

namespace impuls::bench {

// One method at one setting, on one scene.
struct PrecisionRow {
    std::string scene{}, method{}, setting{};
    bool is_ours = false;
    double ms = 0;      // processor time of the whole run, the least of the rounds
    double error = 0;   // m, root mean square over bodies of how far each is from the reference
    std::string end{};  // "" or why there is no error
};

struct PrecisionResults {
    std::string machine{}, date{};
    int rounds = 0;
    std::vector<PrecisionRow> rows{};
};

void write_precision(const PrecisionResults& results, const std::string& file);
PrecisionResults read_precision(const std::string& file);

// Time that the best of our methods takes to get that error, between neighbouring settings by powers. NaN
// where none of ours gets there.
double our_time(const PrecisionResults& results, const std::string& scene, double error);

std::string precision_markdown(const PrecisionResults& results, const std::string& charts);
void write_precision_charts(const PrecisionResults& results, const std::string& folder);

}  // namespace impuls::bench
