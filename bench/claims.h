// Claims of texts about time: a measured number beside its bar, kept as JSON and told as a table. Written by
// the studies `multibody` and `claims`, read by the report.
#pragma once

#include <string>
#include <vector>

namespace impuls::bench {

struct Claim {
    std::string name{}, about{};  // the test's id in its text; what is measured
    double value = 0;
    std::string bar{};
    bool holds = false;
};

struct Claims {
    std::string machine{}, date{};
    std::vector<Claim> list{};
};

void write_claims(const Claims& claims, const std::string& file);
Claims read_claims(const std::string& file);
// Rows of a table as Markdown, with its head.
std::string claim_table(const std::vector<Claim>& claims);
// To the terminal; whether all hold.
bool print_claims(const std::vector<Claim>& claims);

}  // namespace impuls::bench
