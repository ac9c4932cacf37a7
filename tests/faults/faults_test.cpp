// Every scene of the list by every preset: a law holds, or is a known limit and misses.
#include <gtest/gtest.h>

#include <cctype>
#include <utility>

#include "faults/judge.h"
#include "faults/limits.h"
#include "faults/random_runs.h"
#include "reference/patches.h"
#include "reference/rolling.h"
#include "support/full_size.h"

namespace impuls::faults {
namespace {

using FaultCase = std::pair<std::size_t, std::size_t>;  // scene, preset

std::vector<FaultCase> fault_cases() {
    std::vector<FaultCase> cases;
    for (std::size_t k = 0; k < fault_scenes().size(); ++k)
        for (std::size_t p = 0; p < kPresets.size(); ++p) {
            bool asks = false;
            for (const FaultLaw& law : fault_scenes()[k].laws) asks |= law.bars[p] == law.bars[p];
            if (asks) cases.emplace_back(k, p);
        }
    return cases;
}

std::string case_name(const testing::TestParamInfo<FaultCase>& info) {
    std::string name =
        std::string(fault_scenes()[info.param.first].name) + "_by_" + kPresets[info.param.second];
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
}

class Faults : public testing::TestWithParam<FaultCase> {};

TEST_P(Faults, hold_or_are_known_limits) {
    const auto [scene, preset] = GetParam();
    const FaultScene& fault = fault_scenes()[scene];
    if (!is_judged(fault, preset)) GTEST_SKIP() << "too long for this build or size of the tests";
    const std::vector<Limit> limits = read_limits();
    const Judgement judgement = judge(fault, preset);
    for (const Finding& f : judgement.findings) {
        const bool known = is_known(limits, fault, *f.law, preset);
        EXPECT_NE(f.holds, known) << fault.name << " by " << kPresets[preset] << ", " << f.law->name
                                  << ": value " << f.value << ", reference " << f.reference << " ("
                                  << f.law->source << "), error " << f.error << ", allowed " << f.bar << ". "
                                  << judgement.note
                                  << (known ? " It holds: remove it from tests/faults/known_limits.txt" : "");
    }
}

INSTANTIATE_TEST_SUITE_P(All, Faults, testing::ValuesIn(fault_cases()), case_name);

TEST(KnownLimits, name_cases_that_exist) {
    for (const Limit& limit : read_limits()) {
        bool found = limit.scene == kRandomScene || limit.scene == kValidate;
        for (const FaultScene& fault : fault_scenes())
            for (const FaultLaw& law : fault.laws)
                for (std::size_t p = 0; p < kPresets.size(); ++p)
                    found |= limit.scene == fault.name && limit.law == law.name &&
                             limit.preset == kPresets[p] && law.bars[p] == law.bars[p];
        EXPECT_TRUE(found) << limit.scene << " | " << limit.law << " | " << limit.preset;
    }
}

TEST(KnownLimits, page_says_what_the_list_says) {
    if (kSlowBuild) GTEST_SKIP() << "in Release only: references take long";
    EXPECT_EQ(page_on_disk(), limits_page(read_limits())) << "write it anew: test_faults --limits";
}

// The judge itself: a law that is missed is seen, and so is a run that does not end.
TEST(FaultJudge, sees_a_miss_and_an_endless_run) {
    FaultScene fault{.name = "seam", .seconds = 0.1, .long_seconds = 0.1, .cpu_limit = 1};
    fault.laws = {{"wrong", [](const Track&) { return 1.02; }, exactly(1), {0.01, 0.03, 0.01, 0.01}, ""}};
    EXPECT_FALSE(judge(fault, 0).findings[0].holds);
    EXPECT_TRUE(judge(fault, 1).findings[0].holds);
    fault.laws[0].value = [](const Track&) { return std::numeric_limits<double>::quiet_NaN(); };
    EXPECT_FALSE(judge(fault, 0).findings[0].holds);
    if (kSlowBuild || is_long()) return;  // the limit is ten times as long there
    fault.laws[0].value = [](const Track& t) {
        double sum = 1;
        while (sum + t.times[0] < 2) sum = 2 / (1 + sum);  // its limit is 1
        return sum;
    };
    const Judgement endless = judge(fault, 0);
    EXPECT_FALSE(endless.findings[0].holds);
    EXPECT_NE(endless.note.find("did not end"), std::string::npos);
}

// References against closed forms that they must contain.
TEST(FaultReference, rolling_solid_keeps_energy_and_rolls_down) {
    const reference::RollingSolid ball{.mass = 2,
                                       .inertia = diagonal({0.2, 0.2, 0.2}),
                                       .shape = diagonal({0.25, 0.25, 0.25}),
                                       .centre = {0, 0.1, 0}};
    reference::RollingState start{.q = from_axis_angle({0, 0, 1}, 0.01)};
    const double before = reference::rolling_energy(ball, start);
    const auto after = reference::rolled(ball, start, 1, 2000);
    EXPECT_NEAR(reference::rolling_energy(ball, after) / before, 1, 1e-10);
    // Small rocking: w^2 = m g d / (I + m (R - d)^2).
    const double rate = std::sqrt(2 * 9.81 * 0.1 / (0.2 + 2 * 0.16));
    EXPECT_NEAR(2 * std::asin(after.q.z), 0.01 * std::cos(rate), 1e-5);
    // A ball that slips reaches 5/7 of its speed after 2 v / (7 mu g).
    const reference::RollingSolid solid{
        .mass = 1, .inertia = diagonal({0.1, 0.1, 0.1}), .shape = diagonal({0.25, 0.25, 0.25})};
    const auto rolling = reference::slipped(solid, 0.3, 1e-4, {.velocity = {1, 0, 0}}, 0.5, 50000);
    EXPECT_NEAR(rolling.velocity.x, 5.0 / 7, 1e-4);
    const double half = 1 / (7 * 0.3 * 9.81);
    EXPECT_NEAR(reference::slipped(solid, 0.3, 1e-4, {.velocity = {1, 0, 0}}, half, 5000).velocity.x, 6.0 / 7,
                1e-4);
}

TEST(FaultReference, patches_and_arches_match_published_figures) {
    EXPECT_NEAR(reference::thinnest_arch(201), 0.1075, 1e-4);  // Milankovitch 1907
    // Farkas et al. 2003: whatever the start, v / (w R) ends near 0.653.
    EXPECT_NEAR(reference::ratio_at({.v = 1, .w = 1 / 0.653}, 0.05), 0.653, 0.005);
    EXPECT_NEAR(reference::stop_time({.v = 1, .w = 1e-9, .mu = 0.3}), 1 / (0.3 * 9.81), 1e-4);
}

}  // namespace
}  // namespace impuls::faults
