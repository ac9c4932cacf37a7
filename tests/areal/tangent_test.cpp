// The tangent of the wrench against central differences, with damping and friction; forces as gradients of
// the energy; action and reaction; what is kept between calls.
#include <gtest/gtest.h>

#include "areal/forms.h"
#include "base/rng.h"
#include "math/rotation.h"

namespace impuls::areal {
namespace {

constexpr double kStiff = 2e8;

Surface bumpy(double size, int n, double height, double phase) {
    return mesh_surface(sheet(size, n, [=](const Vec3& x) {
        return x + Vec3{0, height * std::sin(40 * x.x + phase) * std::cos(35 * x.z + 2 * phase), 0};
    }));
}

Pose changed(const Pose& X, std::size_t k, double by) {
    Vec3 d{};
    d[static_cast<int>(k % 3)] = by;
    return k < 3 ? Pose{X.position + d, X.orientation} : Pose{X.position, turned(X.orientation, d)};
}
Twist changed(const Twist& motion, std::size_t k, double by) {
    Twist out = motion;
    Vec<double>& of = k < 3 ? out.v : out.w;
    (k % 3 == 0 ? of.x : k % 3 == 1 ? of.y : of.z) += by;
    return out;
}
std::array<double, 6> numbers(const Pressed<double>& p) {
    return {p.force.x, p.force.y, p.force.z, p.torque.x, p.torque.y, p.torque.z};
}

void compare_with_differences(ArealPair& pair, const Pose& X, const Twist& motion, double length,
                              double speed) {
    Tangent tangent;
    const std::array<double, 6> here = numbers(pair.press(X, motion, &tangent));
    double size = 0;
    for (const double f : here) size = std::max(size, std::abs(f));
    ASSERT_GT(size, 0);
    for (std::size_t k = 0; k < kDirections; ++k) {
        const double h = (k < 3 ? length : k < 6 ? length : speed) * 1e-6;
        const auto at = [&](double by) {
            return numbers(k < 6 ? pair.press(changed(X, k, by), motion)
                                 : pair.press(X, changed(motion, k - 6, by)));
        };
        const std::array<double, 6> up = at(h), down = at(-h);
        double largest = 0;
        for (std::size_t i = 0; i < 6; ++i) largest = std::max(largest, std::abs(tangent.by[i][k]));
        for (std::size_t i = 0; i < 6; ++i)
            EXPECT_NEAR(tangent.by[i][k], (up[i] - down[i]) / (2 * h),
                        2e-5 * largest + 1e-9 * size / (1e6 * h))
                << "component " << i << " by direction " << k;
    }
}

TEST(SpecAreal, tangent_is_that_of_central_differences) {
    ArealLaw law;
    law.stiffness = kStiff;
    const Pose X{{0.003, 0.0032, -0.004}, turned(turned({}, {0, 0.3, 0}), {0.004, 0, -0.006})};
    const Twist motion{{0.02, -0.05, 0.03}, {0.2, 0.5, -0.1}};
    Surface lower = bumpy(0.3, 24, 0.003, 0.1), upper = bumpy(0.2, 20, 0.002, 1.3);
    {  // faces down
        TriangleMesh mesh;
        mesh.vertices = upper.triangles->vertices;
        for (auto t : upper.triangles->triangles) mesh.triangles.push_back({t[0], t[2], t[1]});
        upper = mesh_surface(mesh);
    }
    for (int kind = 0; kind < 4; ++kind) {
        law.dissipation = kind == 1 ? 0.7 : 0;
        law.damping = kind >= 2 ? 3e5 : 0, law.ramp = 4e-3;
        law.friction = kind == 3 ? laws::SlidingFriction<double>{0.6, 0.4, 0.02, 0.02}
                                 : laws::SlidingFriction<double>{0, 0, 1, 0};
        ArealPair pair;
        pair.bind(lower, upper, law);
        compare_with_differences(pair, X, motion, 0.001, 0.1);
        // On a plane as well.
        pair.bind(plane_surface(), upper, law);
        ASSERT_TRUE(pair.a_is_base());
        compare_with_differences(pair, {{0, -0.001, 0}, X.orientation}, motion, 0.001, 0.1);
    }
}

// Undamped pressure has a potential: power of the wrench is the loss of energy.
TEST(SpecAreal, T11_forces_are_the_gradient_of_the_energy) {
    ArealLaw law;
    law.stiffness = kStiff;
    ArealPair pair;
    pair.bind(mesh_surface(sphere_mesh(0.1, 0.012)), mesh_surface(sphere_mesh(0.08, 0.01)), law);
    const Pose X{{0.02, 0.17, 0.03}, turned({}, {0.3, 0.2, 0.1})};
    const Pressed<double> here = pair.press(X, {});
    for (std::size_t k = 0; k < 6; ++k) {
        const double h = 1e-7;
        const double change =
            (pair.press(changed(X, k, h), {}).energy - pair.press(changed(X, k, -h), {}).energy) / (2 * h);
        // On the target: the opposite, about its own origin.
        const Vec3 force = -plain(here.force),
                   moment = cross(X.position, plain(here.force)) - plain(here.torque);
        const double along = k < 3 ? force[static_cast<int>(k)] : moment[static_cast<int>(k - 3)];
        EXPECT_NEAR(along, -change, 1e-6 * length(force)) << k;
    }
}

// Lists of candidates that were found elsewhere change no bit of the result.
TEST(SpecAreal, what_is_kept_between_calls_changes_nothing) {
    ArealLaw law;
    law.stiffness = kStiff;
    const Surface a = mesh_surface(sphere_mesh(0.1, 0.02)), b = mesh_surface(sphere_mesh(0.08, 0.01));
    ArealPair kept;
    kept.bind(a, b, law);
    int steps = 0;
    for (double x = 0; x < 0.01; x += 0.0001, ++steps) {
        const Pose X{{x, std::sqrt(0.177 * 0.177 - x * x), 0}, turned({}, {0, 0, 9 * x})};
        ArealPair fresh;
        fresh.bind(a, b, law);
        ASSERT_EQ(numbers(kept.press(X, {})), numbers(fresh.press(X, {})));
    }
    EXPECT_LT(kept.searches(), steps / 4) << "most calls need no search";
}

}  // namespace
}  // namespace impuls::areal
