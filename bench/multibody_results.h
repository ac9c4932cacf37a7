// What `impuls bench multibody` measures, the files it is kept in, and its section of docs/benchmarks.md.
#pragma once

#include <string>
#include <vector>

#include "bench/claims.h"

namespace impuls::bench {

// One method on one size of the text's tree or chain.
struct MultibodyRow {
    std::string experiment{}, method{};  // "tree" or "chain"
    double tolerance = 0;                // m and m/s; 0: none
    int joints = 0, steps = 0;
    double ms = 0;       // processor time a step
    double text_ms = 0;  // the text's figure; 0: it gives none
    double rounds = 0;   // of the position phase, mean: sweeps of S1, solves of S2 and S3
    double gap = 0;      // m, largest of any joint at the end of any step

    std::string label() const;
};

// The linear-time kernel alone.
struct KernelRow {
    std::string shape{};  // "chain" or "tree"
    int joints = 0;
    double factor_ns = 0, solve_ns = 0, bytes = 0;  // of a joint
};

struct MultibodyResults {
    std::string machine{}, date{}, note{};
    double budget_s = 0;  // of a cell
    std::vector<MultibodyRow> rows{};
    std::vector<KernelRow> kernel{};
    std::vector<Claim> claims{};
};

// JSON and CSV beside each other, `file` without ending.
void write_multibody(const MultibodyResults& results, const std::string& file);
MultibodyResults read_multibody(const std::string& file);

// Tables as Markdown; charts are expected under `charts`.
std::string multibody_markdown(const MultibodyResults& results, const std::string& charts);
void write_multibody_charts(const MultibodyResults& results, const std::string& folder);

}  // namespace impuls::bench
