// Rows of the comparison, and the files they are kept in: JSON (read again by `report`) and CSV.
#pragma once

#include <string>
#include <vector>

#include "bench/catalog.h"
#include "bench/measure.h"
#include "bench/statistics.h"

namespace impuls::bench {

// One engine, method and number of threads on one scene.
struct Row {
    std::string scene{};
    SceneKind kind = SceneKind::Rest;
    std::size_t bodies = 0;
    std::string engine{}, variant{};
    int threads = 1;
    std::string end{};  // name_of(RunEnd) or "not installed"
    std::string message{};
    int steps = 0, wanted_steps = 0;
    int repeats = 0;
    double spread = 1;    // worst / best of the means of the repeats
    StepTimes times{};    // of the best repeat
    double cpu_mean = 0;  // ms of processor time a step, best repeat
    double ratio = 0;  // time / our default method's on one thread, both over the first `ratio_steps` steps
    int ratio_steps = 0;
    std::int64_t contacts = 0;
    bool has_quality = false;
    Quality quality{};

    std::string label() const;  // "bullet", "impuls fast", "ode 2T"
};

// Broad and narrow phase alone (collision_replay.cpp).
struct CollisionRow {
    std::string scene{}, engine{};
    int threads = 1;
    std::string end{};
    double ms = 0;                          // median over steps of the median over repeats
    std::int64_t points = 0, touching = 0;  // in the last step; touching: of depth >= 0
    double max_depth = 0;                   // m
    double ratio = 0;                       // time / the fastest peer's on one thread
    double speed_up = 0;                    // against one thread of the same engine
};

struct Results {
    std::string machine{}, date{}, note{};
    bool is_quick = false;
    double cap_s = 0;
    std::vector<std::pair<std::string, std::string>> engines{};  // "bullet 3.24", settings
    std::vector<Row> rows{};
    std::vector<CollisionRow> collision{};
};

// "amd-epyc-2": processor and cores, as the name of a folder.
std::string machine_name();

// The date as 2026-01-31.
std::string today();

// bench/results/<machine>; made when it is not there.
std::string results_folder();

void write_json(const Results& results, const std::string& file);
void write_csv(const Results& results, const std::string& file);
// Throws FileError, or InputError when the file is not ours.
Results read_json(const std::string& file);

}  // namespace impuls::bench
