// Every law of `impuls validate` as a test; those by every preset are in tests/faults, with known limits.
#include "validate/laws.h"
#include "support/full_size.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace impuls {
namespace {

class Laws : public testing::TestWithParam<std::size_t> {};

TEST_P(Laws, holds_within_its_bound) {
    const std::string name = laws()[GetParam()].name;
    if (name == "four_bars_40" && !is_long()) GTEST_SKIP() << "with IMPULS_LONG only";
#ifndef NDEBUG  // thousands of steps each: too slow with sanitizers
    for (const char* slow : {"pendulum", "spring", "squeezer", "governor"})
        if (name == slow) GTEST_SKIP() << "in Release only";
#endif
    for (const LawResult& r : laws()[GetParam()].check())
        EXPECT_TRUE(r.ok) << r.name << ": analytic " << r.analytic << ", ours " << r.value
                          << ", relative error " << r.rel_error << ", bound " << r.bound;
}

std::vector<std::size_t> laws_of_one_preset() {
    std::vector<std::size_t> chosen;
    for (std::size_t k = 0; k < laws().size(); ++k)
        if (!laws()[k].is_by_preset) chosen.push_back(k);
    return chosen;
}

INSTANTIATE_TEST_SUITE_P(All, Laws, testing::ValuesIn(laws_of_one_preset()),
                         [](const auto& law) { return std::string(laws()[law.param].name); });

TEST(Law, verdict_counts_by_preset) {
    LawResult held = law_result("x", 1, 1, 0.1, 1), missed = law_result("y", 1, 2, 0.1, 1), fast = missed;
    fast.preset = "fast";
    EXPECT_EQ(law_verdict({held, missed, fast}),
              "default 1 of 2 laws within bounds; fast 0 of 1 laws within bounds");
}

// A law that cannot be missed would prove nothing: the arithmetic must say no.
TEST(Law, result_misses_a_tight_bound) {
    EXPECT_FALSE(law_result("x", 1, 1.1, 0.05, 0.01).ok);
    EXPECT_TRUE(law_result("x", 1, 1.1, 0.2, 0.01).ok);
    EXPECT_FALSE(law_result("x", 1, std::nan(""), 0.05, 0.01).ok);
}

}  // namespace
}  // namespace impuls
