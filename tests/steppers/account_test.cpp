// The energy account (steppers/account.h) against its formula, and energies against closed forms.
#include "steppers/account.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/constants.h"

namespace impuls {
namespace {

TEST(EnergyAccount, allows_what_its_formula_says) {
    const EnergyAccount account({100, 40});
    // T_0 (1 + kGain s) + W + kWork |W| + correction, with W = V_0 - V.
    EXPECT_DOUBLE_EQ(account.allowed({0, 40}), 100 * 1.005);
    EXPECT_DOUBLE_EQ(account.allowed({0, 40}, 0), 100);
    EXPECT_DOUBLE_EQ(account.allowed({0, 40}, 0.25), 100 * (1 + 0.25 * 0.005));
    EXPECT_DOUBLE_EQ(account.allowed({0, 10}), 100.5 + 30 + 0.3);
    EXPECT_DOUBLE_EQ(account.allowed({0, 60}), 100.5 - 20 + 0.2);
    EXPECT_DOUBLE_EQ(account.allowed({0, 40}, 1, 7), 107.5);
    EXPECT_DOUBLE_EQ(account.allowed({55, 40}), account.allowed({0, 40}));
    const double most = account.allowed({0, 60}, 0.5, 3);
    EXPECT_TRUE(account.balances({most, 60}, 0.5, 3));
    EXPECT_FALSE(account.balances({std::nextafter(most, 1e9), 60}, 0.5, 3));
    EXPECT_EQ(EnergyAccount().allowed({0, 0}), 0);
}

// m g s of work in a fall of s.
TEST(EnergyAccount, balances_a_free_fall_and_a_throw) {
    const double mass = 3, t = 0.1;
    for (const double start : {-5.0, 0.0, 5.0}) {
        const auto energy = [&](double time) {
            IslandEnergy e;
            e.add(mass, {1, 1, 1}, {0, -kG, 0}, {{0, 7 + start * time - 0.5 * kG * time * time, 0}, {}},
                  {0, start - kG * time, 0}, {});
            return e;
        };
        const IslandEnergy before = energy(0), after = energy(t);
        EXPECT_NEAR(after.kinetic + after.potential, before.kinetic + before.potential, 1e-12 * 206);
        EXPECT_TRUE(EnergyAccount(before).balances(after));
    }
}

TEST(EnergyAccount, does_not_balance_gains_or_what_is_no_number) {
    const EnergyAccount account({100, 40});
    EXPECT_TRUE(account.balances({100, 40}));
    EXPECT_TRUE(account.balances({0, 40}));
    EXPECT_FALSE(account.balances({101, 40}));
    EXPECT_FALSE(account.balances({100, 41}));  // lifted by nothing
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(account.balances({nan, 40}));
    EXPECT_FALSE(account.balances({100, nan}));
    EXPECT_FALSE(account.balances({std::numeric_limits<double>::infinity(), 40}));
}

// m (b^2 + c^2) / 12 about each axis of a box; the energy does not depend on how the world sees it.
TEST(IslandEnergy, of_a_spinning_box) {
    const double mass = 6, a = 1, b = 2, c = 3;
    const Vec3 inertia = Vec3{b * b + c * c, a * a + c * c, a * a + b * b} * (mass / 12);
    const double angle = 0.7;
    const Quat tilted = Quat{std::cos(angle / 2), 0, std::sin(angle / 2), 0};  // about y
    const auto kinetic = [&](const Quat& q, const Vec3& v, const Vec3& w) {
        IslandEnergy e;
        e.add(mass, inertia, {}, {{4, 5, 6}, q}, v, w);
        EXPECT_EQ(e.potential, 0);
        return e.kinetic;
    };
    EXPECT_NEAR(kinetic({}, {}, {2, 0, 0}), 0.5 * 6.5 * 4, 1e-12);
    EXPECT_NEAR(kinetic({}, {}, {0, 2, 0}), 0.5 * 5 * 4, 1e-12);
    EXPECT_NEAR(kinetic({}, {}, {0, 0, 2}), 0.5 * 2.5 * 4, 1e-12);
    EXPECT_NEAR(kinetic({}, {1, 2, 2}, {}), 0.5 * 6 * 9, 1e-12);
    // About the diagonal d of the box: I = m (a^2 b^2 + b^2 c^2 + c^2 a^2) / (6 (a^2 + b^2 + c^2)).
    const Vec3 diagonal = Vec3{a, b, c} / std::sqrt(14.0);
    const double about_it = mass * (4 + 36 + 9) / (6 * 14.0);
    EXPECT_NEAR(kinetic({}, {}, diagonal * 3), 0.5 * about_it * 9, 1e-12);
    EXPECT_NEAR(kinetic(tilted, {}, rotate(tilted, diagonal * 3)), 0.5 * about_it * 9, 1e-12);
    // World x against a box turned about y: I_x cos^2 + I_z sin^2.
    const double cosine = std::cos(angle), sine = std::sin(angle);
    EXPECT_NEAR(kinetic(tilted, {1, 0, 0}, {2, 0, 0}),
                0.5 * 6 + 0.5 * (6.5 * cosine * cosine + 2.5 * sine * sine) * 4, 1e-12);
}

TEST(IslandEnergy, adds_bodies) {
    IslandEnergy e;
    e.add(2, {}, {0, -10, 0}, {{0, 3, 0}, {}}, {1, 0, 0}, {});
    e.add(1, {}, {0, 5, 0}, {{9, 4, 0}, {}}, {0, 0, 2}, {});
    EXPECT_DOUBLE_EQ(e.kinetic, 1 + 2);
    EXPECT_DOUBLE_EQ(e.potential, 60 - 20);
}

}  // namespace
}  // namespace impuls
