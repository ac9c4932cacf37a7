// Every law of `impuls validate` as a test.
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

INSTANTIATE_TEST_SUITE_P(All, Laws, testing::Range<std::size_t>(0, laws().size()),
                         [](const auto& law) { return std::string(laws()[law.param].name); });

// A law that cannot be missed would prove nothing: the arithmetic must say no.
TEST(Law, result_misses_a_tight_bound) {
    EXPECT_FALSE(law_result("x", 1, 1.1, 0.05, 0.01).ok);
    EXPECT_TRUE(law_result("x", 1, 1.1, 0.2, 0.01).ok);
    EXPECT_FALSE(law_result("x", 1, std::nan(""), 0.05, 0.01).ok);
}

}  // namespace
}  // namespace impuls
