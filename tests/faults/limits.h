// The list of laws that are still missed (known_limits.txt), and the page of the manual that is made from it.
// A case on the list must miss its law: one that holds has to be taken off, so that the list is never out of
// date; a case that is not on it must hold.
#pragma once

#include <string>
#include <vector>

#include "faults/judge.h"
#include "validate/laws.h"

namespace impuls::faults {

struct Limit {
    std::string scene{}, law{}, preset{};
    std::string value{};         // as measured when the line was written
    bool is_long_only = false;   // holds in brief runs, misses with IMPULS_LONG
    bool is_brief_only = false;  // misses in brief runs alone
};

std::vector<Limit> read_limits();
bool is_known(const std::vector<Limit>& limits, const FaultScene& fault, const FaultLaw& law,
              std::size_t preset);

// Laws of `impuls validate` by preset are listed as scene "validate".
inline constexpr const char* kValidate = "validate";
bool is_known(const std::vector<Limit>& limits, const LawResult& result);

// How many random worlds are listed to go wrong so; 0 when none is.
int known_count(const std::vector<Limit>& limits, const char* wrong, const std::string& preset);

// The generated part of docs/manual/known-limits.md, by preset; without running anything.
std::string limits_page(const std::vector<Limit>& limits);
// What the page has below its marker now.
std::string page_on_disk();

// Rewrites the generated part of the page from the list.
void write_page();
// Runs everything, rewrites the list, then the page.
void write_limits();

}  // namespace impuls::faults
