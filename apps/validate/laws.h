// Laws with a known answer, checked by simulating them: the content of `impuls validate`. Each law is one
// function in one of the files beside this one, and one line in law_list.cpp; tests run the same functions.
#pragma once

#include <string>
#include <vector>

namespace impuls {

// One number: what theory says, what the simulation gave, and how far it may be off.
struct LawResult {
    std::string name;
    double analytic = 0, value = 0, rel_error = 0, bound = 0, dt = 0;
    bool ok = false;
    std::string note{};              // units, how the number was taken
    std::string preset = "default";  // by which it was simulated
};

// A law and the function that checks it; it may give several results.
struct Law {
    const char* name;
    const char* about;
    std::vector<LawResult> (*check)();
    bool is_by_preset = false;  // gives results by every preset, some of which are known limits
};

// The family list of laws.
const std::vector<Law>& laws();

// "default 38 of 40 laws within bounds; …", a part for each preset that has results.
std::string law_verdict(const std::vector<LawResult>& results);

// rel_error = |value - analytic| / scale (0 takes |analytic|), ok when within the bound.
LawResult law_result(std::string name, double analytic, double value, double bound, double dt,
                     std::string note = {}, double scale = 0);

}  // namespace impuls
