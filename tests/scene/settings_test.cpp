// Method presets and their short form.
#include "impuls/settings.h"

#include <gtest/gtest.h>

#include "impuls/errors.h"

namespace impuls {
namespace {

std::string complaint(const std::string& text) {
    try {
        parse_method(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Settings, Presets) {
    ASSERT_EQ(method_presets().size(), 5u);
    EXPECT_EQ(method_presets()[0].preset, "default");
    const Method accurate = resolve(parse_method("accurate"));
    EXPECT_EQ(accurate.substeps, 32);
    EXPECT_EQ(accurate.iterations, 8);
    EXPECT_EQ(accurate.integrator, Integrator::Rk4);
    const Method fast = resolve(parse_method("fast"));
    EXPECT_EQ(fast.substeps, 4);
    EXPECT_EQ(fast.iterations, 1);
    const Method erleben = resolve(parse_method("erleben+shock=off+weight=0.5"));
    EXPECT_EQ(erleben.stepper, Stepper::Velocity);
    EXPECT_EQ(erleben.shock, Switch::Off);
    EXPECT_EQ(erleben.weight, 0.5);
    const Method plain = resolve({});
    EXPECT_EQ(plain.substeps, 8);
    EXPECT_EQ(plain.iterations, 2);
    EXPECT_EQ(plain.integrator, Integrator::SemiImplicit);
}

TEST(Settings, ShortFormChangesParts) {
    const Method method = resolve(parse_method("accurate+substeps=16+integrator=reference"));
    EXPECT_EQ(method.preset, "accurate");
    EXPECT_EQ(method.substeps, 16);
    EXPECT_EQ(method.iterations, 8);
    EXPECT_EQ(method.integrator, Integrator::Reference);
    EXPECT_EQ(resolve(parse_method("substeps=3")).substeps, 3);
}

TEST(Settings, ShortFormErrors) {
    EXPECT_EQ(complaint("acurate"), "unknown method 'acurate' (did you mean 'accurate'?)");
    EXPECT_EQ(complaint("fast+substep=3"), "unknown part 'substep' of a method (did you mean 'substeps'?)");
    EXPECT_EQ(complaint("fast+substeps=0"), "substeps: 0 is not between 1 and 10000");
    EXPECT_EQ(complaint("fast+substeps=2.5"), "substeps: '2.5' is not a whole number");
    EXPECT_EQ(complaint("fast+integrator=rk5"), "unknown integrator 'rk5' (did you mean 'rk4'?)");
    EXPECT_EQ(complaint("erleben+weight=1.5"), "weight: 1.5 is not between 0 and 1");
    EXPECT_EQ(complaint("fast+rk4"), "'rk4' is not of the form key=value");
}

// Who asks for a solver is to have it in large islands, too.
TEST(Methods, ChangedPresetsAreNotAdvancedByBlocksUnlessTheySaySo) {
    const auto from = [](const char* text) { return resolve(parse_method(text)).blocks_from; };
    EXPECT_GT(from("default"), 0);
    EXPECT_EQ(from("default+sleep=on"), from("default"));
    EXPECT_EQ(from("default+iterations=20"), 0);
    EXPECT_EQ(from("default+iterations=20+blocks_from=100"), 100);
    EXPECT_EQ(from("accurate"), 0);
    EXPECT_THROW(parse_method("default+blocks_from=-1"), InputError);
}

}  // namespace
}  // namespace impuls
