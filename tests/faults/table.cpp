// Prints values, references and verdicts (table.h). A row per law, a column per preset; NO marks a law
// missed, and * one that is listed as a known limit.
#include "faults/table.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "faults/judge.h"

namespace impuls::faults {

namespace {

struct Cell {
    bool is_there = false;
    Finding finding{};
};
using Row = std::array<Cell, kPresets.size()>;

std::string text_of(const Cell& cell) {
    char text[64] = "-";
    if (cell.is_there)
        std::snprintf(text, sizeof text, "%.5g%s", cell.finding.value, cell.finding.holds ? "" : " NO");
    return text;
}

void print_scene(const FaultScene& fault, const std::array<Judgement, kPresets.size()>& judgements) {
    for (const FaultLaw& law : fault.laws) {
        std::string cells[kPresets.size()], reference = "-";
        for (std::size_t p = 0; p < kPresets.size(); ++p) {
            cells[p] = "-";
            for (const Finding& finding : judgements[p].findings) {
                if (finding.law != &law) continue;
                cells[p] = text_of({true, finding});
                char text[32];
                std::snprintf(text, sizeof text, "%.5g", finding.reference);
                reference = text;
            }
        }
        std::printf("%-24s %-30.30s %12s  %16s %16s %16s %16s\n", fault.name, law.name, reference.c_str(),
                    cells[0].c_str(), cells[1].c_str(), cells[2].c_str(), cells[3].c_str());
    }
    std::printf("%-24s %-30s %12s ", fault.name, "  s of CPU", "");
    for (const Judgement& j : judgements) std::printf(" %16.2f", j.cpu_seconds);
    std::printf("\n");
    for (std::size_t p = 0; p < kPresets.size(); ++p)
        if (!judgements[p].note.empty())
            std::printf("%-24s   %s: %.90s\n", fault.name, kPresets[p], judgements[p].note.c_str());
    std::fflush(stdout);
}

}  // namespace

void print_table(const std::string& part, const std::string& presets) {
    std::array<int, kPresets.size()> held{}, judged{};
    std::printf("%-24s %-30s %12s  %16s %16s %16s %16s\n", "scene", "law", "reference", kPresets[0],
                kPresets[1], kPresets[2], kPresets[3]);
    for (const FaultScene& fault : fault_scenes()) {
        if (std::string(fault.name).find(part) == std::string::npos) continue;
        std::array<Judgement, kPresets.size()> judgements;
        for (std::size_t p = 0; p < kPresets.size(); ++p) {
            if (!is_judged(fault, p)) continue;
            if (!presets.empty() &&
                ("," + presets + ",").find("," + std::string(kPresets[p]) + ",") == std::string::npos)
                continue;
            judgements[p] = judge(fault, p);
            for (const Finding& finding : judgements[p].findings) ++judged[p], held[p] += finding.holds;
        }
        print_scene(fault, judgements);
    }
    for (std::size_t p = 0; p < kPresets.size(); ++p)
        std::printf("%s: %d of %d laws hold\n", kPresets[p], held[p], judged[p]);
}

}  // namespace impuls::faults
