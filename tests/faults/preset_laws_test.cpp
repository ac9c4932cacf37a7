// The laws of `impuls validate` that every preset is held to: within bounds, or a known limit and missed.
#include <gtest/gtest.h>

#include "base/energy_gain.h"
#include "faults/limits.h"
#include "faults/random_runs.h"
#include "reference/patches.h"
#include "support/full_size.h"

namespace impuls::faults {
namespace {

class PresetLaws : public testing::TestWithParam<std::size_t> {};

TEST_P(PresetLaws, hold_or_are_known_limits) {
    if (kSlowBuild) GTEST_SKIP() << "in Release only: thousands of steps each";
    const std::vector<Limit> limits = read_limits();
    for (const LawResult& r : laws()[GetParam()].check()) {
        const bool known = is_known(limits, r);
        EXPECT_NE(r.ok, known) << r.name << ": analytic " << r.analytic << ", ours " << r.value
                               << ", relative error " << r.rel_error << ", bound " << r.bound
                               << (known ? ". It holds: remove it from tests/faults/known_limits.txt" : "");
    }
}

std::vector<std::size_t> preset_laws() {
    std::vector<std::size_t> chosen;
    for (std::size_t k = 0; k < laws().size(); ++k)
        if (laws()[k].is_by_preset) chosen.push_back(k);
    return chosen;
}

INSTANTIATE_TEST_SUITE_P(All, PresetLaws, testing::ValuesIn(preset_laws()),
                         [](const auto& info) { return std::string(laws()[info.param].name); });

TEST(PresetLaw, time_of_spin_and_slide_is_that_of_the_quadrature) {
    EXPECT_NEAR(reference::stop_time({.v = 1, .w = 2, .radius = 0.2, .mu = 0.3}), 0.36862, 1e-5);
}

// The definition of energy from nothing, by hand.
TEST(EnergyGain, is_relative_to_the_energy_at_work) {
    EnergyGain gain;
    gain.note({.kinetic = 0, .potential = 10, .total = 10});
    gain.note({.kinetic = 4, .potential = 5, .total = 9});  // 5 J released, 1 J lost
    EXPECT_EQ(gain.largest(), 0);
    gain.note({.kinetic = 4.009, .potential = 5, .total = 9.009});  // 9 mJ from nothing
    EXPECT_NEAR(gain.largest(), 0.009 / 9.009, 1e-12);
    gain.note({.kinetic = 6, .potential = 5, .total = 11}, 2);  // 2 J by a drive: no more from nothing
    EXPECT_NEAR(gain.largest(), 0.009 / 9.009, 1e-12);
    EnergyGain at_rest(1000);  // lifting by sizes takes 1 kJ: 0.9 mJ up is rounding, 2 mJ are not
    at_rest.note({.kinetic = 0, .potential = 5, .total = 5});
    at_rest.note({.kinetic = 0, .potential = 5.0009, .total = 5.0009});
    EXPECT_LE(at_rest.largest(), EnergyGain::kAllowed);
    at_rest.note({.kinetic = 0, .potential = 5.002, .total = 5.002});
    EXPECT_GT(at_rest.largest(), EnergyGain::kAllowed);
}

}  // namespace
}  // namespace impuls::faults
