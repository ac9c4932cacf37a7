// Smoothness, conforming contact, rims and large meshes (spec: areal-contact T8, T9, T17, T18, T20).
#include <gtest/gtest.h>

#include <algorithm>

#include "areal/forms.h"
#include "support/counting_new.h"
#include "support/full_size.h"

namespace impuls::areal {
namespace {

ArealPair pressed_pair(const Surface& lower, const Surface& upper, double stiffness = 1e8) {
    ArealPair pair;
    ArealLaw law;
    law.stiffness = stiffness;
    pair.bind(lower, upper, law);
    return pair;
}

// A sphere rolls over a plane at constant depth: the thesis' surface flips and spikes there. At edges of 0.4
// contact radii: rms noise 0.5 %, no change from pose to pose above 0.05 %; at 0.2: 0.1 % rms.
TEST(SpecAreal, T9_rolling_is_smooth) {
    const double r = 0.1, d = 0.02 * r, a = std::sqrt(2 * r * d - d * d);
    const int poses = is_long() ? 10000 : 400;
    for (const auto& [edge, rms_allowed] : {std::pair{0.4, 5e-3}, std::pair{0.2, 1e-3}}) {
        ArealPair pair = pressed_pair(plane_surface(), mesh_surface(sphere_mesh(r, edge * a)));
        double sum = 0, squares = 0, jump = 0, last = 0;
        for (int k = 0; k < poses; ++k) {
            const Quat q = from_axis_angle({0.6, 0.1, 1}, 1.25e-3 * k);
            const double f = reaction(pair, {{0, r - d, 0}, q}).force.y;
            if (k > 0) jump = std::max(jump, std::abs(f - last));
            sum += f, squares += f * f, last = f;
        }
        const double mean = sum / poses, rms = std::sqrt(std::max(0.0, squares / poses - mean * mean));
        EXPECT_LE(rms / mean, rms_allowed) << edge;
        EXPECT_LE(jump / mean, 5e-4) << edge;
    }
}

// The same sphere meshed in five ways.
TEST(SpecAreal, T8_the_mesh_hardly_matters) {
    const double r = 0.1, d = 0.02 * r, a = std::sqrt(2 * r * d - d * d);
    double least = 1e300, most = 0;
    for (int k = 0; k < 5; ++k) {
        ArealPair pair = pressed_pair(plane_surface(), mesh_surface(sphere_mesh(r, (0.2 + 0.01 * k) * a)));
        const double f = reaction(pair, {{0, r - d, 0}, from_axis_angle({1, k * 1.0, 2}, 0.7 * k)}).force.y;
        least = std::min(least, f), most = std::max(most, f);
    }
    EXPECT_LE(most / least - 1, 0.01);
}

// An open sheet pressed beyond its rim: the force is that of the part that is there.
TEST(SpecAreal, T17_an_open_sheet_is_pressed_up_to_its_rim) {
    const auto flat = [](const Vec3& x) { return x; };
    ArealPair pair = pressed_pair(mesh_surface(sheet(0.2, 6, flat)), mesh_surface(box_mesh({0.3, 0.1, 0.1})));
    // The block hangs over: 0.2 x 0.1 and, moved by 0.12, 0.13 x 0.1 of it are pressed.
    const double d = 0.002;
    EXPECT_NEAR(reaction(pair, {{0, 0.05 - d, 0}, {}}).force.y / (1e8 * 0.02 * d), 1, 1e-9);
    EXPECT_NEAR(reaction(pair, {{0.12, 0.05 - d, 0}, {}}).force.y / (1e8 * 0.013 * d), 1, 1e-9);
}

// A pin in a bore with 1/1000 of clearance: the patch goes far around. Rays from the bore, radius B, to the
// pin, radius P, displaced by e: u(t) = depth along the bore's normal; F = -dW/de.
TEST(SpecAreal, T18_pin_in_bore) {
    const double bore = 0.02, pin = bore * (1 - 1e-3), length = 0.03, stiff = 1e11;
    const auto energy = [&](double e) {  // per length
        return 0.5 * stiff *
               integral(
                   -kPi / 2, kPi / 2,
                   [&](double t) {
                       // The bore's normal is inwards; from it outwards by u to the pin's surface.
                       const double reach =
                           e * std::cos(t) + std::sqrt(pin * pin - std::pow(e * std::sin(t), 2));
                       const double u = std::max(0.0, reach - bore);
                       return u * u * bore;
                   },
                   20000);
    };
    for (const double more : {1.5, 3.0, 6.0}) {  // displacement over clearance
        const double e = more * (bore - pin), h = 1e-9;
        const double exact = length * (energy(e + h) - energy(e - h)) / (2 * h);
        const int around = is_long() ? 2000 : 600;
        // A ring: the bore's wall, open, outside and inside alike but for its facing; and a pin without ends.
        TriangleMesh wall = lathe({{bore, -0.6 * length}, {bore, 0.6 * length}}, around);
        for (auto& t : wall.triangles) std::swap(t[1], t[2]);
        TriangleMesh rod = lathe({{pin, -0.5 * length}, {pin, 0.5 * length}}, around);
        ArealPair pair = pressed_pair(mesh_surface(wall), mesh_surface(rod), stiff);
        const Reaction r = reaction(pair, {{e, 0, 0}, from_axis_angle({0, 1, 0}, 0.001)});
        EXPECT_NEAR(-r.force.x / exact, 1, 0.01) << more;
    }
}

// 2 10^4 triangles each (10^5 in full), a small patch: work goes with the patch and what is near it, not with
// the meshes; trees are gone down once in a while, and nothing is allocated. How long it takes: impuls bench
// micro
// --benchmark_filter=areal.
TEST(SpecAreal, T20_large_meshes_with_a_small_patch) {
    for (const int n : is_long() ? std::vector<int>{50, 100, 224} : std::vector<int>{50, 100}) {
        ArealPair pair = bowls(n);
        pair.find_elements(pressed_bowl(pair, 0), {});
        double area = 0;
        for (const Patch& patch : pair.patches()) area += patch.area;
        const double edge = 1.0 / n, per_area = 2.0 * n * n;
        // A triangle of one sheet, as large as the other's, meets one at least, and four squares of two at
        // most.
        const auto elements = static_cast<double>(pair.elements().size());
        EXPECT_GT(elements, 20);
        EXPECT_GT(elements, area * per_area);
        EXPECT_LT(elements, 8 * (area + 4 * edge * std::sqrt(kPi * area)) * per_area) << n;
        // Rays are an edge long, and the list holds on for another quarter: the gap 0.1 r^2 is less within r.
        const double near = kPi * (1.25 * edge + 4e-4) / 0.1;
        EXPECT_LT(static_cast<double>(pair.candidates()), 8 * near * per_area) << n;
        const long searches = pair.searches(), before = allocations;
        for (int k = 0; k < 40; ++k) pair.press(pressed_bowl(pair, 1e-3 * edge * k), {});
        EXPECT_EQ(allocations - before, 0) << n;
        EXPECT_EQ(pair.searches() - searches, 0) << "40 thousandths of an edge are less than a quarter";
    }
}

}  // namespace
}  // namespace impuls::areal
