// Reads and writes the known limits (limits.h). A line: scene | law | preset | measured | always or long.
#include "faults/limits.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>

#include "faults/random_runs.h"
#include "support/full_size.h"
#include "support/places.h"

namespace impuls::faults {

namespace {

constexpr const char* kListFile = "tests/faults/known_limits.txt";
constexpr const char* kPageFile = "docs/manual/known-limits.md";
constexpr const char* kMarker = "<!-- From here on written by `test_faults --limits`. -->\n";
constexpr const char* kHead =
    "# Laws that are still missed: scene | law | preset | measured | always, long (with IMPULS_LONG "
    "only) or brief (without).\n"
    "# Each must fail; take a line out when its law holds. `test_faults --limits` writes list and page "
    "anew.\n";

std::string file_text(const std::string& path) {
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

Limit limit_of(const std::string& line) {
    std::vector<std::string> parts;
    std::stringstream in(line);
    for (std::string part; std::getline(in, part, '|');) parts.push_back(trimmed(part));
    parts.resize(5);
    return {parts[0], parts[1], parts[2], parts[3], parts[4] == "long", parts[4] == "brief"};
}

std::string row_of(const Limit& limit) {
    if (limit.scene == kValidate)
        return "| `impuls validate` | " + limit.law + " | there | " + limit.value +
               " | there | apps/validate |\n";
    if (limit.scene == kRandomScene)
        return "| " + limit.scene + " | " + limit.law + " | 0 | " + limit.value +
               " | 0 | worlds at random, tests/faults/random_scene.h |\n";
    for (const FaultScene& fault : fault_scenes())
        for (const FaultLaw& law : fault.laws)
            for (std::size_t p = 0; p < kPresets.size(); ++p)
                if (limit.scene == fault.name && limit.law == law.name && limit.preset == kPresets[p])
                    return "| " + limit.scene + " | " + limit.law + " | " + number(law.reference()) + " | " +
                           limit.value + " | " + number(law.bars[p]) + " | " + law.source + " |\n";
    return "";
}

bool is_of_no_scene(const Limit& limit) {
    return limit.scene == kValidate || limit.scene == kRandomScene;
}

// What a run misses now. With IMPULS_LONG only what a brief run does not miss is marked as long; of runs that
// are too long now, what is known stays.
void add_limits(const FaultScene& fault, std::size_t preset, const std::vector<Limit>& before,
                std::vector<Limit>& limits) {
    const bool runs = is_judged(fault, preset);
    const auto is_here = [&](const Limit& l) {
        return l.scene == fault.name && l.preset == kPresets[preset];
    };
    if (runs)
        for (const Finding& finding : judge(fault, preset).findings) {
            if (finding.holds) continue;
            const bool was_brief = std::any_of(before.begin(), before.end(), [&](const Limit& l) {
                return is_here(l) && l.law == finding.law->name && !l.is_long_only;
            });
            limits.push_back({fault.name, finding.law->name, kPresets[preset], number(finding.value),
                              is_long() && !was_brief});
        }
    std::copy_if(before.begin(), before.end(), std::back_inserter(limits), [&](const Limit& l) {
        return is_here(l) && (!runs || (is_long() ? l.is_brief_only : l.is_long_only));
    });
}

void add_preset_laws(std::vector<Limit>& limits) {
    for (const Law& law : laws())
        if (law.is_by_preset)
            for (const LawResult& r : law.check())
                if (!r.ok) limits.push_back({kValidate, r.name, r.preset, number(r.value)});
}

void add_random_worlds(std::vector<Limit>& limits) {
    for (const std::string preset : kPresets) {
        const RandomTally tally = run_random(preset, 1, kRandomWorlds, {}, "");
        for (std::size_t k = 0; k < kWrongNames.size(); ++k)
            if (tally.counts[k] > 0)
                limits.push_back({kRandomScene, kWrongNames[k], preset,
                                  std::to_string(tally.counts[k]) + " of " + std::to_string(kRandomWorlds)});
    }
}

}  // namespace

std::vector<Limit> read_limits() {
    std::vector<Limit> limits;
    std::ifstream in(in_project(kListFile));
    for (std::string line; std::getline(in, line);)
        if (!line.empty() && line[0] != '#') limits.push_back(limit_of(line));
    return limits;
}

bool is_known(const std::vector<Limit>& limits, const FaultScene& fault, const FaultLaw& law,
              std::size_t preset) {
    for (const Limit& limit : limits)
        if (limit.scene == fault.name && limit.law == law.name && limit.preset == kPresets[preset])
            return is_long() ? !limit.is_brief_only : !limit.is_long_only;
    return false;
}

bool is_known(const std::vector<Limit>& limits, const LawResult& result) {
    for (const Limit& limit : limits)
        if (limit.scene == kValidate && limit.law == result.name) return true;
    return false;
}

int known_count(const std::vector<Limit>& limits, const char* wrong, const std::string& preset) {
    for (const Limit& limit : limits)
        if (limit.scene == kRandomScene && limit.law == wrong && limit.preset == preset)
            return std::stoi(limit.value);
    return 0;
}

std::string limits_page(const std::vector<Limit>& limits) {
    std::string page;
    for (std::size_t p = 0; p < kPresets.size(); ++p) {
        int judged = 0;
        for (const FaultScene& fault : fault_scenes())
            for (const FaultLaw& law : fault.laws) judged += !std::isnan(law.bars[p]);
        std::string rows;
        int missed = 0;
        for (const Limit& limit : limits)
            if (limit.preset == kPresets[p])
                rows += row_of(limit), missed += limit.scene != kRandomScene && limit.scene != kValidate;
        page += "\n## " + std::string(kPresets[p]) + "\n\n" + std::to_string(judged - missed) + " of " +
                std::to_string(judged) + " laws hold.\n";
        if (!rows.empty())
            page +=
                "\n| scene | law | reference | measured | allowed error | source |\n"
                "| --- | --- | --- | --- | --- | --- |\n" +
                rows;
    }
    return page;
}

std::string page_on_disk() {
    const std::string text = file_text(in_project(kPageFile));
    const auto at = text.find(kMarker);
    return at == std::string::npos ? "" : text.substr(at + std::string(kMarker).size());
}

void write_page() {
    const std::string text = file_text(in_project(kPageFile));
    std::ofstream page(in_project(kPageFile));
    page << text.substr(0, text.find(kMarker)) << kMarker << limits_page(read_limits());
}

void write_limits() {
    const std::vector<Limit> before = read_limits();
    std::vector<Limit> limits;
    for (const FaultScene& fault : fault_scenes())
        for (std::size_t p = 0; p < kPresets.size(); ++p) add_limits(fault, p, before, limits);
    if (is_long()) {
        std::copy_if(before.begin(), before.end(), std::back_inserter(limits), is_of_no_scene);
    } else {
        add_preset_laws(limits);
        add_random_worlds(limits);
    }
    std::ofstream list(in_project(kListFile));
    list << kHead;
    for (const Limit& l : limits)
        list << l.scene << " | " << l.law << " | " << l.preset << " | " << l.value << " | "
             << (l.is_long_only    ? "long"
                 : l.is_brief_only ? "brief"
                                   : "always")
             << "\n";
    list.close();
    write_page();
}

}  // namespace impuls::faults
