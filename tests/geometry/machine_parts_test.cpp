// Gears and cams: closed meshes, volumes against formulas, tooth thickness and contact ratio as in textbooks.
#include "geometry/machine_parts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geometry/mass_properties.h"
#include "geometry/shape_check.h"

namespace impuls {
namespace {

using std::numbers::pi;

TEST(SpurGear, IsAClosedBodyWithItsVolume) {
    for (const double shift : {0.0, 0.3, -0.2})
        for (const double bore : {0.0, 0.01}) {
            SpurGear gear{40, 0.002, 0.03};
            gear.profile_shift = shift, gear.bore = bore, gear.rows = 60;
            EXPECT_TRUE(check_shape(gear).empty());
            // Teeth by Simpson's rule between base (or root) and tip; the disc below, with its fillets apart.
            const GearRadii r = radii_of(gear);
            const double from = std::max(r.base, r.root);
            double teeth = 0;
            const int n = 2000;
            for (int k = 0; k <= n; ++k) {
                const double p = from + (r.tip - from) * k / n;
                teeth += (k == 0 || k == n ? 1 : k % 2 ? 4 : 2) * 2 * half_tooth(gear, p) * p;
            }
            teeth *= (r.tip - from) / n / 3 * 40;
            const double disc = pi * (from * from - bore * bore);
            const double volume = mass_properties(Shape{gear}, 1).mass;
            // Chords of roots and tips are short of their arcs, gaps below the base circle are empty.
            EXPECT_NEAR(volume / (0.03 * (teeth + disc)), 1, 0.01);
        }
}

TEST(SpurGear, HasTeethAsThickAsTheyShouldBe) {
    SpurGear gear{30, 0.003, 0.01};
    const GearRadii r = radii_of(gear);
    EXPECT_NEAR(2 * r.pitch * half_tooth(gear, r.pitch), pi * gear.module / 2, 1e-15);
    gear.profile_shift = 0.4;
    EXPECT_NEAR(2 * r.pitch * half_tooth(gear, r.pitch),
                gear.module * (pi / 2 + 2 * 0.4 * std::tan(gear.pressure_angle)), 1e-15);
    gear.backlash = 1e-4;
    EXPECT_NEAR(2 * r.pitch * half_tooth(gear, r.pitch),
                gear.module * (pi / 2 + 2 * 0.4 * std::tan(gear.pressure_angle)) - 1e-4, 1e-15);
    const double before = half_tooth(gear, radii_of(gear).tip);
    gear.tip_relief = 2e-5;
    EXPECT_NEAR((before - half_tooth(gear, radii_of(gear).tip)) * radii_of(gear).tip, 2e-5, 1e-15);
}

// The thesis' pair, by the spec: 1.71... 1.75 is the closed form of standard teeth 40/40 at 20 degrees.
TEST(SpurGear, ContactRatio) {
    const SpurGear gear{40, 0.002, 0.03};
    const double ra = 0.042, rb = 0.04 * std::cos(gear.pressure_angle), a = 0.08;
    const double path = 2 * std::sqrt(ra * ra - rb * rb) - a * std::sin(gear.pressure_angle);
    EXPECT_NEAR(contact_ratio(gear, gear, 0.08), path / (pi * 0.002 * std::cos(gear.pressure_angle)), 1e-12);
    EXPECT_NEAR(contact_ratio(gear, gear, 0.08), 1.75, 0.05);
    EXPECT_LT(contact_ratio(gear, gear, 0.081), contact_ratio(gear, gear, 0.08));
}

TEST(SpurGear, WhatCannotBeIsRefused) {
    SpurGear gear{20, 0.002, 0.01};
    gear.bore = 0.03;
    EXPECT_FALSE(check_shape(gear).empty());
    gear.bore = 0, gear.profile_shift = 1, gear.teeth = 8;
    EXPECT_FALSE(check_shape(gear).empty()) << "pointed teeth";
}

TEST(Cam, IsRoundWithEqualRadiiAndSmoothOtherwise) {
    Cam cam{{0.02, 0.02, 0.02, 0.02}, 0.01, 720};
    EXPECT_TRUE(check_shape(cam).empty());
    EXPECT_NEAR(mass_properties(Shape{cam}, 1).mass, pi * 4e-4 * 0.01, 1e-4 * pi * 4e-6);
    cam.radii.clear();
    for (int k = 0; k < 24; ++k) cam.radii.push_back(0.03 + 0.005 * std::cos(2 * pi * k / 24));
    const Mesh mesh = cam;
    for (int k = 0; k < 720; ++k) {
        const Vec3& v = mesh.vertices[static_cast<std::size_t>(k)];
        EXPECT_NEAR(std::hypot(v.x, v.z), 0.03 + 0.005 * std::cos(2 * pi * k / 720), 1e-6);
    }
    EXPECT_FALSE(check_shape(Cam{{0.1, 0.1}, 0.01, 360}).empty());
}

}  // namespace
}  // namespace impuls
