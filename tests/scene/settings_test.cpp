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
    ASSERT_EQ(method_presets().size(), 6u);
    EXPECT_EQ(method_presets()[0].preset, "default");
    const Method accurate = resolve(parse_method("accurate"));
    EXPECT_EQ(accurate.rows().substeps, 32);
    EXPECT_EQ(accurate.rows().iterations, 8);
    EXPECT_EQ(accurate.integrator, Integrator::Rk4);
    const Method fast = resolve(parse_method("fast"));
    EXPECT_TRUE(fast.is<BlocksMethod>());
    EXPECT_EQ(fast.rows().substeps, 4);
    EXPECT_EQ(fast.rows().iterations, 1);
    const Method erleben = resolve(parse_method("erleben+shock=off+weight=0.5"));
    ASSERT_TRUE(erleben.is<VelocityMethod>());
    EXPECT_EQ(erleben.velocity().shock, Switch::Off);
    EXPECT_EQ(erleben.velocity().weight, 0.5);
    const Method bender = resolve(parse_method("bender"));
    EXPECT_EQ(bender.rows().solver, Solver::ImpulseIteration);
    EXPECT_EQ(bender.rattle().closure, Closure::Preview);
    EXPECT_EQ(bender.rattle().articulated, Switch::Off);
    const Method aero = resolve(parse_method("aero"));
    ASSERT_TRUE(aero.is<ForceMethod>());
    EXPECT_EQ(aero.integrator, Integrator::DormandPrince);
    EXPECT_EQ(aero.force().contact, ContactForce::Penalty);
    EXPECT_EQ(aero.rows().substeps, 8) << "what it leaves to the impulse stepper goes by the default preset";
    const Method plain = resolve({});
    EXPECT_EQ(plain.rows().substeps, 8);
    EXPECT_EQ(plain.rows().iterations, 2);
    EXPECT_EQ(plain.integrator, Integrator::SemiImplicit);
}

// What the presets meant before their options were grouped by stepper.
TEST(Settings, PresetsAreWhatTheyWere) {
    EXPECT_EQ(method_text(resolve(parse_method("default"))),
              "default+integrator=semi_implicit+sleep=off+stepper=impulse+solver=sparse+friction=cone"
              "+friction_directions=8+substeps=8+iterations=2+warm_start=1+closure=preview"
              "+impacts=propagating+shock=off+articulated=on+composed=off+turn=0.08+tolerance=1e-06+budget=0"
              "+blocks_from=9");
    EXPECT_EQ(method_text(resolve(parse_method("accurate"))),
              "accurate+integrator=rk4+sleep=off+stepper=impulse+solver=sparse+friction=cone"
              "+friction_directions=8+substeps=32+iterations=8+warm_start=1+closure=preview"
              "+impacts=propagating+shock=off+articulated=on+composed=on+turn=0.02+tolerance=1e-09+budget=0"
              "+blocks_from=0");
    EXPECT_EQ(
        method_text(resolve(parse_method("fast"))),
        "fast+integrator=semi_implicit+sleep=off+stepper=blocks+solver=sparse+friction=cone"
        "+friction_directions=8+substeps=4+iterations=1+warm_start=1+closure=preview"
        "+impacts=propagating+shock=off+articulated=on+composed=off+turn=0.08+tolerance=1e-06+budget=0");
    EXPECT_EQ(method_text(resolve(parse_method("erleben"))),
              "erleben+integrator=semi_implicit+sleep=on+stepper=velocity+solver=sparse+friction=cone"
              "+friction_directions=8+substeps=1+iterations=10+warm_start=0+correction=projection"
              "+correction_iterations=5+erp=0.2+shock=on+weight=0.01");
}

TEST(Settings, ShortFormChangesParts) {
    const Method method = resolve(parse_method("accurate+substeps=16+integrator=reference"));
    EXPECT_EQ(method.preset, "accurate");
    EXPECT_EQ(method.rows().substeps, 16);
    EXPECT_EQ(method.rows().iterations, 8);
    EXPECT_EQ(method.integrator, Integrator::Reference);
    EXPECT_EQ(resolve(parse_method("substeps=3")).rows().substeps, 3);
}

// What both steppers have is kept; an option comes after or before the stepper that it belongs to.
TEST(Settings, AnotherStepperKeepsWhatItShares) {
    const Method slow = resolve(parse_method("default+correction=stabilisation+stepper=velocity"));
    ASSERT_TRUE(slow.is<VelocityMethod>());
    EXPECT_EQ(slow.velocity().correction, Correction::Stabilisation);
    EXPECT_EQ(slow.velocity().erp, 0.2);
    EXPECT_EQ(slow.velocity().shock, Switch::Off);
    EXPECT_EQ(slow.rows().substeps, 8);
    EXPECT_EQ(slow.sleep, Switch::Off);
    const Method fine = resolve(parse_method("fast+stepper=impulse"));
    ASSERT_TRUE(fine.is<ImpulseMethod>());
    EXPECT_EQ(fine.rows().substeps, 4);
    EXPECT_EQ(std::get<ImpulseMethod>(fine.stepper).blocks_from, 0);
    EXPECT_EQ(method_name(fine), "fast+stepper=impulse");
    EXPECT_EQ(method_name(resolve(parse_method("default+substeps=20"))), "default+substeps=20");
    for (const char* text : {"default+sleep=on", "erleben+weight=0.5", "fast+stepper=velocity+erp=0.3"}) {
        const Method method = resolve(parse_method(text));
        EXPECT_EQ(method_text(resolve(parse_method(method_text(method)))), method_text(method)) << text;
        EXPECT_EQ(method_name(method), text);
    }
}

// What a tolerance is of, and the integrators, are the force stepper's own.
TEST(Settings, ForceStepperHasItsOwnTolerance) {
    const Method force = resolve(parse_method("accurate+stepper=force+substeps=20"));
    ASSERT_TRUE(force.is<ForceMethod>());
    EXPECT_EQ(force.integrator, Integrator::DormandPrince);
    EXPECT_EQ(force.force().tolerance, 1e-8);
    EXPECT_EQ(force.force().substeps, 20);
    EXPECT_EQ(resolve(parse_method("default+stepper=force+tolerance=1e-9")).force().tolerance, 1e-9);
    const Method back = resolve(parse_method("aero+stepper=impulse"));
    EXPECT_EQ(back.integrator, Integrator::SemiImplicit);
    EXPECT_EQ(back.rattle().tolerance, 1e-6);
    EXPECT_EQ(method_name(resolve(parse_method("aero+contact=hertz"))), "aero+contact=hertz");
    EXPECT_EQ(complaint("aero+integrator=rk4").substr(0, 46),
              "integrator: 'rk4' is none of stepper 'force', ");
}

TEST(Settings, ShortFormErrors) {
    EXPECT_EQ(complaint("acurate"), "unknown method 'acurate' (did you mean 'accurate'?)");
    EXPECT_EQ(complaint("fast+substep=3"), "unknown part 'substep' of a method (did you mean 'substeps'?)");
    EXPECT_EQ(complaint("fast+substeps=0"), "substeps: 0 is not between 1 and 10000");
    EXPECT_EQ(complaint("fast+substeps=2.5"), "substeps: '2.5' is not a whole number");
    EXPECT_EQ(complaint("fast+integrator=rk5"), "unknown integrator 'rk5' (did you mean 'rk4'?)");
    EXPECT_EQ(complaint("erleben+weight=1.5"), "weight: 1.5 is not between 0 and 1");
    EXPECT_EQ(complaint("fast+rk4"), "'rk4' is not of the form key=value");
    EXPECT_EQ(complaint("fast+stepper=block"), "unknown stepper 'block' (did you mean 'blocks'?)");
    EXPECT_EQ(complaint("erleben+impacts=propagating"),
              "impacts: the velocity stepper has no such option (only impulse, blocks and force)");
    EXPECT_EQ(complaint("default+weight=0.5"),
              "weight: the impulse stepper has no such option (only velocity)");
}

// Only what is said is changed: blocks are as the preset has them.
TEST(Methods, ChangedPresetsKeepTheirBlocks) {
    const auto from = [](const char* text) {
        return std::get<ImpulseMethod>(resolve(parse_method(text)).stepper).blocks_from;
    };
    EXPECT_GT(from("default"), 0);
    EXPECT_EQ(from("default+sleep=on"), from("default"));
    EXPECT_EQ(from("default+iterations=20"), from("default"));
    EXPECT_EQ(from("default+iterations=20+blocks_from=100"), 100);
    EXPECT_EQ(from("accurate"), 0);
    EXPECT_THROW(parse_method("default+blocks_from=-1"), InputError);
}

}  // namespace
}  // namespace impuls
