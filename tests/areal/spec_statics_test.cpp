// Static forces of pressed layers against closed forms, and their orders of convergence (spec: areal-contact
// 3.4, T1, T7). Where rays start decides how deep a place is: plane and seat are bases here, and forces are
// the gradients of the energy k/2 Int u^2 dA over the base.
#include <gtest/gtest.h>

#include "areal/forms.h"
#include "dynamics/laws/layer.h"
#include "impuls/errors.h"

namespace impuls::areal {
namespace {

using namespace laws;

constexpr double kStiff = 3e8;

ArealPair pair_of(const Surface& lower, const Surface& upper) {
    ArealPair pair;
    ArealLaw law;
    law.stiffness = kStiff;
    pair.bind(lower, upper, law);
    return pair;
}

TEST(SpecAreal, T1_stiffness_of_layers_and_their_series) {
    EXPECT_NEAR(stiffness_of({2.1e9, 0.2, 2e-3}), 2.1e9 * 0.8 / (1.2 * 0.6) / 2e-3, 1e-3);
    EXPECT_NEAR(stiffness_of({2.1e9, 0.2, 2e-3}) / 1.16667e12, 1, 1e-5);
    EXPECT_DOUBLE_EQ(in_series(3, 6), 2);
    EXPECT_DOUBLE_EQ(in_series(0, 6), 6);  // the other one is rigid
    EXPECT_THROW(stiffness_of({1e6, 0.46, 1e-3}), InputError);
    EXPECT_NO_THROW(stiffness_of({1e6, 0.45, 1e-3}));
    // Calibrated to Hertz at a load: equal forces at equal half-widths.
    const double e = 1e9, r = 0.01, a = 5e-4, hertz = 4.0 / 3 * e * a * a * a / r, d = a * a / (2 * r);
    EXPECT_NEAR(kPi * matched_to_sphere(e, a) * r * d * d / hertz, 1, 1e-12);
    const double line = kPi * e * a * a / (4 * r);
    EXPECT_NEAR(matched_to_line(e, a) * 2 * a * a * a / (3 * r) / line, 1, 1e-12);
}

TEST(SpecAreal, T7_sphere_on_a_plane) {
    const double r = 0.1, d = 0.02 * r, a = std::sqrt(2 * r * d - d * d);
    const double exact = kPi * kStiff * (r * d * d - d * d * d / 3);
    std::vector<double> sizes, errors;
    for (const double share : {0.5, 0.25, 0.125}) {
        ArealPair pair = pair_of(plane_surface(), mesh_surface(sphere_mesh(r, share * a)));
        ASSERT_TRUE(pair.a_is_base());
        // Over several orientations, so that no symmetry of the mesh helps.
        double worst = 0;
        for (int k = 0; k < 12; ++k) {
            const Quat q = from_axis_angle({std::sin(1.7 * k), 0.3, std::cos(2.3 * k)}, 0.37 * k);
            worst = std::max(worst, std::abs(reaction(pair, {{0, r - d, 0}, q}).force.y / exact - 1));
        }
        sizes.push_back(share), errors.push_back(worst);
    }
    EXPECT_LT(errors[1], 0.01) << "edge a quarter of the contact's radius";
    EXPECT_GE(order_of(sizes, errors), 1.9) << errors[0] << ' ' << errors[1] << ' ' << errors[2];
}

TEST(SpecAreal, T7_two_spheres) {
    // Rays of the first: from R1 (sin t, cos t) inwards to the second, whose centre is D above.
    const double r1 = 0.1, r2 = 0.06, d = 0.002, D = r1 + r2 - d;
    const auto energy = [&](double at) {
        const double most = std::acos((r1 * r1 + at * at - r2 * r2) / (2 * r1 * at));
        return 0.5 * kStiff * integral(0, most, [&](double t) {
                   const double c = at * std::cos(t), under = std::max(0.0, c * c - at * at + r2 * r2);
                   const double u = r1 - (c - std::sqrt(under));
                   return u * u * 2 * kPi * r1 * r1 * std::sin(t);
               });
    };
    const double h = 1e-6, exact = -(energy(D + h) - energy(D - h)) / (2 * h);
    EXPECT_NEAR(exact / (kPi * kStiff * r1 * r2 / (r1 + r2) * d * d), 1, 0.05);  // the leading term
    const double a = std::sqrt(2 * d * r1 * r2 / (r1 + r2));
    std::vector<double> sizes, errors;
    for (const double share : {0.5, 0.25, 0.125}) {
        ArealPair pair =
            pair_of(mesh_surface(sphere_mesh(r1, share * a)), mesh_surface(sphere_mesh(r2, share * a)));
        ASSERT_TRUE(pair.a_is_base());
        double worst = 0;
        for (int k = 0; k < 6; ++k) {
            const Quat q = from_axis_angle({std::sin(1.7 * k), 0.3, std::cos(2.3 * k)}, 0.37 * k);
            const Vec3 up = rotate(from_axis_angle({1, 0.2 * k, -0.4}, 0.61 * k), {0, 1, 0});
            worst = std::max(worst, std::abs(dot(reaction(pair, {up * D, q}).force, up) / exact - 1));
        }
        sizes.push_back(share), errors.push_back(worst);
    }
    EXPECT_LT(errors[1], 0.01);
    EXPECT_GE(order_of(sizes, errors), 1.9) << errors[0] << ' ' << errors[1] << ' ' << errors[2];
}

TEST(SpecAreal, T7_cylinder_on_a_plane) {
    const double r = 0.05, l = 0.2, d = 0.01 * r, a = std::sqrt(2 * r * d - d * d);
    const double exact = kStiff * l * (r * r * std::acos(1 - d / r) - (r - d) * a);
    std::vector<double> sizes, errors;
    for (const double share : {0.4, 0.2, 0.1}) {
        Collider cylinder;
        cylinder.kind = ColliderKind::Cylinder;
        cylinder.half = {r, l / 2, r}, cylinder.radius = r, cylinder.size = r;
        ArealPair pair = pair_of(plane_surface(), surface_of(cylinder, share * a));
        double worst = 0;
        for (int k = 0; k < 8; ++k) {
            const Quat q = from_axis_angle({1, 0, 0}, kPi / 2) * from_axis_angle({0, 1, 0}, 0.011 * k);
            worst = std::max(worst, std::abs(reaction(pair, {{0, r - d, 0}, q}).force.y / exact - 1));
        }
        sizes.push_back(share), errors.push_back(worst);
    }
    EXPECT_LT(errors[1], 0.01);
    EXPECT_GE(order_of(sizes, errors), 1.9) << errors[0] << ' ' << errors[1] << ' ' << errors[2];
}

TEST(SpecAreal, T7_cone_with_its_point_down) {
    const double tangent = std::tan(0.6), h = 0.1, d = 0.01;
    const double exact = kPi / 3 * kStiff * tangent * tangent * d * d * d;
    std::vector<double> sizes, errors;
    for (const int around : {12, 24, 48}) {
        TriangleMesh mesh = lathe({{1e-9 * h, 0}, {h * tangent, h}}, around);
        ArealPair pair = pair_of(plane_surface(), mesh_surface(mesh));
        sizes.push_back(1.0 / around);
        errors.push_back(std::abs(reaction(pair, {{0, -d, 0}, {}}).force.y / exact - 1));
    }
    EXPECT_GE(order_of(sizes, errors), 1.9) << errors[0] << ' ' << errors[1] << ' ' << errors[2];
    EXPECT_LT(errors[2], 0.01);
}

// A sphere in a conical seat, half-angle A from the axis: with s0 = H cos A along the slant and
// u = sqrt(R^2 - x^2) - H sin A, W = pi k sin A cos A H Int u^2 dx.
TEST(SpecAreal, T7_sphere_in_a_cone) {
    const double r = 0.1, angle = kPi / 4, dn = 0.01 * r, height = (r - dn) / std::sin(angle);
    const double a = std::sqrt(r * r - (r - dn) * (r - dn));
    const auto depth = [&](double x) { return std::sqrt(r * r - x * x) - (r - dn); };
    const double segment = integral(-a, a, depth),
                 square = integral(-a, a, [&](double x) { return depth(x) * depth(x); });
    const double exact =
        kPi * kStiff * std::sin(angle) * std::cos(angle) * (2 * height * std::sin(angle) * segment - square);
    std::vector<double> sizes, errors;
    for (const double share : {2.0, 1.0, 0.5}) {
        // The seat: inside of a cone about y with its apex at the origin; normals inwards.
        const int around = static_cast<int>(std::ceil(2 * kPi * height / (share * a)));
        const double grown = std::sqrt(2 * kPi / around / std::sin(2 * kPi / around));  // equal area
        TriangleMesh seat = lathe({{0.1 * r * grown, 0.1 * r}, {2 * r * grown, 2 * r}}, around);
        for (auto& t : seat.triangles) std::swap(t[1], t[2]);
        ArealPair pair = pair_of(mesh_surface(seat), mesh_surface(sphere_mesh(r, share * a)));
        ASSERT_TRUE(pair.a_is_base());
        double worst = 0;
        for (int k = 0; k < 4; ++k)
            worst = std::max(
                worst,
                std::abs(reaction(pair, {{0, height, 0}, from_axis_angle({1, 0.3, 0.2}, 0.7 * k)}).force.y /
                             exact -
                         1));
        sizes.push_back(share), errors.push_back(worst);
        pair.find_elements({{0, height, 0}, {}}, {});
        EXPECT_EQ(pair.patches().size(), 1u) << "a ring is one patch";
    }
    EXPECT_LT(errors[2], 0.01);
    EXPECT_GE(order_of(sizes, errors), 1.9) << errors[0] << ' ' << errors[1] << ' ' << errors[2];
}

TEST(SpecAreal, T7_flat_block_is_exact) {
    const Vec3 size{0.3, 0.1, 0.2};
    const double d = 0.003;
    ArealPair pair = pair_of(plane_surface(), mesh_surface(box_mesh(size)));
    for (const double turn : {0.0, 0.4, 1.1}) {
        const Pose X{{0.2, 0.5 * size.y - d, -0.4}, from_axis_angle({0, 1, 0}, turn)};
        const Reaction r = reaction(pair, X);
        const double exact = kStiff * size.x * size.z * d;
        EXPECT_NEAR(r.force.y / exact, 1, 1e-10);
        EXPECT_LT(length(r.moment), 1e-10 * exact * size.x);
        EXPECT_LT(std::abs(r.force.x) + std::abs(r.force.z), 1e-10 * exact);
    }
    // On the flat top of a larger box, and of one turned in any way.
    ArealPair on_box = pair_of(mesh_surface(box_mesh({1, 0.4, 1})), mesh_surface(box_mesh(size)));
    const Pose X{{0.11, 0.2 + 0.5 * size.y - d, 0.07}, from_axis_angle({0, 1, 0}, 0.3)};
    const Reaction r = reaction(on_box, X);
    EXPECT_NEAR(r.force.y / (kStiff * size.x * size.z * d), 1, 1e-10);
    EXPECT_LT(length(r.moment), 1e-9 * r.force.y * size.x);
}

// Tilted by t: pressure on face and sides is that of a liquid, so the force is that on the volume below the
// plane, upwards through its centre, to rounding; small tilts give M = k I t. Once one end has lifted off,
// a wedge of the length x is below: F = k L x^2 tan t / 2.
TEST(SpecAreal, T7_tilted_block) {
    const Vec3 size{0.3, 0.1, 0.2};
    const double l = size.x;
    ArealPair pair = pair_of(plane_surface(), mesh_surface(box_mesh(size)));
    const auto tilted = [&](double t, double depth) {  // about z through the middle of its lower face
        const Quat q = from_axis_angle({0, 0, 1}, t);
        return reaction(pair, {rotate(q, {0, 0.5 * size.y, 0}) + Vec3{0, -depth, 0}, q});
    };
    for (const double t : {1e-4, 0.01, 0.1}) {
        const double d = l * t, c = std::cos(t), tangent = std::tan(t);
        const Reaction r = tilted(t, d);
        const double area = l * d / c;
        EXPECT_NEAR(r.force.y / (kStiff * size.z * area), 1, 1e-10) << t;
        EXPECT_LT(std::abs(r.force.x), 1e-10 * r.force.y);
        // Centre of the trapezium in the block's axes; the face's height at s is (d - s sin t) / cos t above.
        const double s = -tangent * l * l * l / 12 / area,
                     n = (l * d * d / (c * c) + tangent * tangent * l * l * l / 12) / 2 / area;
        const Vec3 arm = rotate(from_axis_angle({0, 0, 1}, t), {s, n - 0.5 * size.y, 0});
        EXPECT_NEAR(r.moment.z / (arm.x * r.force.y), 1, 1e-8) << t;
        if (t > 1e-3) continue;
        // Less the little that centre and pressure are not above each other.
        const double level = r.moment.z - (0.5 * size.y - n) * std::sin(t) * r.force.y;
        EXPECT_NEAR(level / (-kStiff * size.z * l * l * l / 12 * t), 1, 1e-6);
    }
    const double t = 0.05, x = 0.12;
    const Reaction lifted = tilted(t, (x - 0.5 * l) * std::sin(t));
    EXPECT_NEAR(lifted.force.y / (kStiff * size.z * x * x * std::tan(t) / 2), 1, 1e-10);
}

TEST(SpecAreal, T6_two_balls_on_a_plane_are_two_patches) {
    const double r = 0.05, d = 0.001;
    TriangleMesh both = sphere_mesh(r, 0.003);
    const auto n = static_cast<std::uint32_t>(both.vertices.size());
    const std::size_t triangles = both.triangles.size();
    for (std::uint32_t k = 0; k < n; ++k) both.vertices.push_back(both.vertices[k] + Vec3{0.3, 0, 0});
    for (std::size_t k = 0; k < triangles; ++k) {
        const auto [a, b, c] = both.triangles[k];
        both.triangles.push_back({a + n, b + n, c + n});
    }
    ArealPair one = pair_of(plane_surface(), mesh_surface(sphere_mesh(r, 0.003)));
    ArealPair two = pair_of(plane_surface(), mesh_surface(both));
    const Pose X{{0, r - d, 0}, {}};
    two.find_elements(X, {});
    ASSERT_EQ(two.patches().size(), 2u);
    const double single = reaction(one, X).force.y;
    for (const Patch& patch : two.patches()) EXPECT_NEAR(-patch.force.y / single, 1, 0.005);
    EXPECT_NEAR(two.patches()[1].center.x - two.patches()[0].center.x, 0.3, 1e-9);
}

}  // namespace
}  // namespace impuls::areal
