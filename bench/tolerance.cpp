// Study of tolerance: ./impuls bench tolerance. Error at the end against the tolerance of force level, decade
// by decade, of the runs that tests/force/tolerance_test.cpp judges: the rows of the table of
// docs/manual/force-level.md, and its picture, docs/images/force-tolerance.svg.
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "bench/chart.h"
#include "bench/studies.h"
#include "force/tolerance_scenes.h"
#include "impuls/errors.h"

namespace impuls {

int bench::tolerance_study(int, char**) {
    using namespace at_force_level;
    std::vector<ToleranceErrors> errors;
    std::vector<ChartSeries> series;
    std::string head = "| tolerance |", rule = "| --- |", slopes = "| slope |";
    for (const ToleranceCase& run : kToleranceCases) {
        const ToleranceErrors& found = errors.emplace_back(errors_of(run));
        head += fmt::format(" {} |", run.name), rule += " --- |",
            slopes += fmt::format(" {:.2f} |", found.slope);
        ChartSeries& s = series.emplace_back();
        s.label = run.name;
        for (int decade = kLastDecade; decade >= kFirstDecade; --decade)
            s.points.emplace_back(std::pow(10.0, -decade),
                                  found.error[static_cast<std::size_t>(decade - kFirstDecade)]);
    }
    fmt::print("{}\n{}\n", head, rule);
    for (int decade = kFirstDecade; decade <= kLastDecade; ++decade) {
        fmt::print("| 1e-{} |", decade);
        for (const ToleranceErrors& found : errors)
            fmt::print(" {:.1e} |", found.error[static_cast<std::size_t>(decade - kFirstDecade)]);
        fmt::print("\n");
    }
    fmt::print("{}\n", slopes);
    for (const double factor : {1.0, 100.0}) {
        ChartSeries& s = series.emplace_back();
        s.label = factor > 1 ? "100 tolerance" : "tolerance";
        for (const int decade : {kLastDecade, kFirstDecade})
            s.points.emplace_back(std::pow(10.0, -decade), factor * std::pow(10.0, -decade));
    }
    const std::string file = std::string(IMPULS_SOURCE_DIR) + "/docs/images/force-tolerance.svg";
    std::ofstream out(file);
    out << series_svg("Force level: error at the end", "tolerance", "error, m", series);
    out.close();
    if (!out) throw FileError("cannot write " + file);
    fmt::print("written: {}\n", file);
    return 0;
}

}  // namespace impuls
