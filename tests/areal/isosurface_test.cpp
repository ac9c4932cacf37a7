// Generator S: forces against closed forms, roles that may be exchanged, shares of the depth, its tangent
// (spec: areal-contact T3, T7, T9, T19).
#include <gtest/gtest.h>

#include "areal/forms.h"
#include "math/rotation.h"

namespace impuls::areal {
namespace {

constexpr double kLayer = 1e8;

ArealPair iso_pair(const Surface& lower, const Surface& upper, double share_lower, double spacing) {
    ArealPair pair;
    ArealLaw law;
    law.stiffness = kLayer;
    pair.bind(lower, upper, law, share_lower, spacing);
    return pair;
}

// The plane is rigid: the contact surface lies on it, and depth is the distance to the sphere:
// F = Int k (R - sqrt(r^2 + (R - d)^2)) dA = pi k (R a^2 - 2/3 (R^3 - (R - d)^3)).
TEST(SpecAreal, T7_isosurface_of_a_sphere_on_a_plane) {
    const double r = 0.1, d = 0.04 * r, a2 = 2 * r * d - d * d, a = std::sqrt(a2);
    const double exact = kPi * kLayer * (r * a2 - 2.0 / 3 * (r * r * r - std::pow(r - d, 3)));
    const Surface ball = mesh_surface(sphere_mesh(r, 0.05 * a));
    std::vector<double> sizes, errors;
    for (const double share : {0.5, 0.25, 0.125}) {
        ArealPair pair = iso_pair(plane_surface(), ball, 0, share * a);
        double sum = 0;
        for (int k = 0; k < 4; ++k)
            sum += std::abs(reaction(pair, {{0.013 * k, r - d, 0.007 * k}, {}}).force.y / exact - 1) / 4;
        sizes.push_back(share), errors.push_back(sum);
    }
    EXPECT_LT(errors[2], 0.02) << errors[0] << ' ' << errors[1] << ' ' << errors[2];
    EXPECT_GE(order_of(sizes, errors), 1.9) << errors[0] << ' ' << errors[1] << ' ' << errors[2];
}

TEST(SpecAreal, T3_the_surface_divides_the_depth_by_stiffness) {
    const double r = 0.1, d = 0.004;
    const Surface ball = mesh_surface(sphere_mesh(r, 0.01));
    for (const double share : {0.5, 0.25, 0.0}) {
        ArealPair pair = iso_pair(plane_surface(), ball, share, 0.004);
        const Pose X{{0, r - d, 0}, {}};
        pair.find_elements(X, {});
        ASSERT_EQ(pair.patches().size(), 1u);
        double deepest = 0, at = 0;
        for (const Element& e : pair.elements())
            if (e.depth > deepest) deepest = e.depth, at = e.center.y;
        EXPECT_NEAR(at, -share * deepest, 0.02 * d) << share;
    }
}

TEST(SpecAreal, T19_isosurface_does_not_know_who_is_base) {
    const Surface a = mesh_surface(sphere_mesh(0.1, 0.02)), b = mesh_surface(sphere_mesh(0.1, 0.02));
    const Pose X{{0.05, 0.18, 0.03}, {}};
    // The grid belongs to the base: the same one only when it is moved by whole spacings.
    ArealPair ab = iso_pair(a, b, 0.5, 0.01), ba = iso_pair(b, a, 0.5, 0.01);
    const Vec3 of_b = reaction(ab, X).force, of_a = reaction(ba, inverse(X)).force;
    EXPECT_LT(length(of_b + of_a), 1e-10 * length(of_b));
}

TEST(SpecAreal, tangent_of_the_isosurface_is_that_of_central_differences) {
    const double r = 0.1;
    ArealPair pair = iso_pair(plane_surface(), mesh_surface(sphere_mesh(r, 0.004)), 0.3, 0.006);
    const Pose X{{0.0131, r - 0.006, 0.0072}, turned({}, {0.1, 0.2, 0.3})};
    Tangent tangent;
    pair.press(X, {}, &tangent);
    double largest = 0;
    for (const auto& row : tangent.by)
        for (std::size_t k = 0; k < 6; ++k) largest = std::max(largest, std::abs(row[k]));
    for (std::size_t k = 0; k < 3; ++k) {
        Vec3 d{};
        d[static_cast<int>(k)] = 1e-8;
        const auto up = pair.press({X.position + d, X.orientation}, {}).force;
        const Vec3 high = plain(up), low = plain(pair.press({X.position - d, X.orientation}, {}).force);
        for (int i = 0; i < 3; ++i)  // distances to flat triangles have creases
            EXPECT_NEAR(tangent.by[static_cast<std::size_t>(i)][k], (high[i] - low[i]) / 2e-8,
                        0.02 * largest);
    }
}

}  // namespace
}  // namespace impuls::areal
