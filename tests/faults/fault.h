// Scenes in which an engine easily goes wrong, what must hold in each, and from where that is known. One
// list (fault_list.cpp), read by the tests, by the table (main.cpp) and by the page of known limits.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "faults/track.h"

namespace impuls::faults {

inline constexpr std::array<const char*, 4> kPresets{"default", "accurate", "fast", "erleben"};
// Allowed errors by preset; kNotJudged: the preset promises nothing there.
using Bars = std::array<double, kPresets.size()>;
inline constexpr double kNotJudged = std::numeric_limits<double>::quiet_NaN();

// error = |value - reference| / |reference|, or |value| where the reference is 0; it holds when error <= bar.
struct FaultLaw {
    const char* name;
    std::function<double(const Track&)> value;
    std::function<double()> reference;
    Bars bars;
    const char* source;  // where reference and bars come from
};

// The same scene in another way: other time steps, gaps, …; a law's value is the worst of all.
struct Variant {
    std::string name{};
    std::function<void(Scene&)> change{};
};

struct FaultScene {
    const char* name;
    const char* file{nullptr};              // scenes/faults/<file>.json; left out: as the name
    double seconds;                         // simulated by default
    double long_seconds;                    // … and with IMPULS_LONG
    std::vector<std::string> quantities{};  // that laws read, beyond kAlways
    std::vector<FaultLaw> laws{};
    std::vector<Variant> variants{{}};
    const char* method{""};            // added to the preset: "+sleep=on"
    bool is_light = true;              // little enough work for builds with sanitizers
    bool is_long_by_accurate = false;  // by `accurate` with IMPULS_LONG only
    int cpu_limit = 60;                // s, after which a run counts as endless
};

const std::vector<FaultScene>& fault_scenes();

// The parts of the list, by topic.
std::vector<FaultScene> impact_faults();
std::vector<FaultScene> rolling_faults();
std::vector<FaultScene> resting_faults();
std::vector<FaultScene> joint_faults();
std::vector<FaultScene> budget_faults();

// What several of them share.
std::function<double()> exactly(double value);
// No energy from nothing, in every preset.
FaultLaw no_gain();
// |E/E0 - 1| of kinetic energy at the end.
FaultLaw keeps_kinetic_energy(const Bars& bars, const char* source);
std::vector<Variant> time_steps(const std::vector<double>& steps);

}  // namespace impuls::faults
