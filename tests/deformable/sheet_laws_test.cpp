// Laws of sheets and ropes against closed forms: a catenary, a pendulum, the heavy elastica, a plate,
// momentum; and claims T1 to T10 of the text that cloth comes from, as the study restates them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/rng.h"
#include "deformable/cloths.h"

namespace impuls::deformable {
namespace {

// A rope of n nodes along x, mass per length w; ends weigh half.
Cloth rope_along_x(int n, double spacing, double w) {
    Cloth rope = flat_cloth(1, n, spacing, 1);
    for (double& k : rope.k) k = 1 / (w * spacing);
    rope.k.front() *= 2, rope.k.back() *= 2;
    return rope;
}

TEST(SpecDeformable, T1_one_row_is_met_by_few_sweeps) {
    const double h = 1.0 / 30;
    Cloth pair = flat_cloth(1, 2, 1, 2);
    pair.k[0] = 0;
    SheetSettings settings;
    settings.substeps = 1;
    double error[2];
    for (const int sweeps : {1, 4}) {
        Sheet sheet(pair.shape, {1e18}, pair.k);
        sheet.load(pair.places, std::vector<Vec3>{{}, {0, 5, 0}});
        settings.sweeps = sweeps;
        sheet.advance(h, settings, {});
        error[sweeps / 4] = std::abs(length(sheet.state().x.at(1)) - 1);
    }
    EXPECT_LE(error[0], 2e-4);  // 5 rad/s, a sixth of a radian
    EXPECT_LE(error[1], 1e-12);
}

TEST(SpecDeformable, T2_free_cloth_keeps_its_momentum) {
    for (const SheetSolver solver :
         {SheetSolver::Strips, SheetSolver::GaussSeidel, SheetSolver::MicroSteps}) {
        Cloth cloth = flat_cloth(12, 15, 0.1, 1);
        Rng rng(3, 9);
        std::vector<Vec3> v;
        Vec3 before{}, spin_before{};
        double sum = 0;
        for (std::size_t i = 0; i < cloth.k.size(); ++i) {
            v.push_back({rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)});
            cloth.k[i] *= rng.uniform(0.5, 2);
            before += v[i] * (1 / cloth.k[i]);
            spin_before += cross(cloth.places[i], v[i]) * (1 / cloth.k[i]);
            sum += length(v[i]) / cloth.k[i];
        }
        Sheet sheet(cloth.shape, {1e4, 20, 1e-3, 1e-4}, cloth.k);
        sheet.load(cloth.places, v);
        SheetSettings settings;
        settings.solver = solver;
        settings.substeps = solver == SheetSolver::MicroSteps ? 100 : 10;
        for (int i = 0; i < 100; ++i) sheet.advance(1e-2, settings, {});
        Vec3 after{}, spin{};
        for (const std::uint32_t i : sheet.surface().nodes) {
            after += sheet.state().v.at(i) * (1 / sheet.state().k[i]);
            spin += cross(sheet.state().x.at(i), sheet.state().v.at(i)) * (1 / sheet.state().k[i]);
        }
        EXPECT_LE(length(after - before), 1e-10 * sum);
        // Rows act along the preview, not along the edges as they are: of first order in the substep.
        EXPECT_LE(length(spin - spin_before), (solver == SheetSolver::MicroSteps ? 1e-9 : 1e-3) * sum);
    }
}

TEST(SpecDeformable, T3_substeps_of_the_default_keep_a_taut_cloth_from_stretching) {
    Sheet sheet = hanging_cloth(41, 1e7);
    double most = 0;
    for (int i = 0; i < 180; ++i) {
        sheet.advance(1.0 / 60, {}, {kDown, {}, {}});
        most = std::max(most, sheet.largest_stretch());
    }
    EXPECT_LE(most, 0.015);
    EXPECT_GT(most, 0);
}

TEST(SpecDeformable, T4_gauss_seidel_needs_more_than_four_times_the_substeps) {
    double stretch[2] = {0, 0};
    for (const bool by_strips : {true, false}) {
        Sheet sheet = hanging_cloth(20, 1e7);
        SheetSettings settings;
        settings.solver = by_strips ? SheetSolver::Strips : SheetSolver::GaussSeidel;
        settings.substeps = by_strips ? 32 : 128;
        for (int i = 0; i < 90; ++i) {
            sheet.advance(1.0 / 60, settings, {kDown, {}, {}});
            stretch[by_strips] = std::max(stretch[by_strips], sheet.largest_stretch());
        }
    }
    EXPECT_LT(stretch[1], stretch[0]);
}

TEST(SpecDeformable, T8_all_rows_at_once_leave_no_visible_stretch) {
    Sheet sheet = hanging_cloth(20, 1e13);
    SheetSettings settings;
    settings.solver = SheetSolver::Global;
    settings.substeps = 1;
    settings.sweeps = 2;
    for (int i = 0; i < 60; ++i) {
        sheet.advance(1e-3, settings, {kDown, {}, {}});
        EXPECT_LE(sheet.largest_stretch(), 1e-6);
    }
}

TEST(SpecDeformable, T8_strips_come_to_what_all_rows_at_once_give) {
    Sheet global = hanging_cloth(10, 1e4), strips = hanging_cloth(10, 1e4);
    SheetSettings settings;
    settings.substeps = 1;
    settings.sweeps = 20;
    settings.solver = SheetSolver::Global;
    global.advance(1e-3, settings, {kDown, {}, {}});
    // Sweeps begin anew each time, so their compliance is met by the first alone: compare rows without it.
    Columns p = global.state().x;
    EXPECT_LE(global.largest_stretch(), 1e-4);
    settings.solver = SheetSolver::Strips;
    strips.advance(1e-3, settings, {kDown, {}, {}});
    for (const std::uint32_t i : strips.surface().nodes)
        EXPECT_LE(length(strips.state().x.at(i) - p.at(i)), 1e-6) << i;
}

TEST(SpecDeformable, T10_a_destroyed_sheet_comes_together_again) {
    Cloth cloth = flat_cloth(20, 20, 0.1, 1);
    Rng rng(5, 5);
    for (Vec3& p : cloth.places)
        p += Vec3{rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5)};
    Sheet sheet = make(cloth, {1e6, 0, 0, 0, 2});
    SheetSettings settings;
    settings.repair_speed = 1;
    settings.substeps = 80;
    for (int i = 0; i < 300; ++i) sheet.advance(1.0 / 60, settings, {});
    EXPECT_LE(sheet.largest_stretch(), 0.01);
    EXPECT_LT(sheet.energy({}).kinetic, 1);
}

// y = a cosh(x / a) over span D and length S: sinh(D / 2a) = S / 2a; sag = a (cosh(D / 2a) - 1).
double catenary_sag(double span, double arc) {
    double low = 1e-3, high = 1e3;
    for (int i = 0; i < 200; ++i) {
        const double a = std::sqrt(low * high);
        (span / (2 * a) > 600 || 2 * a * std::sinh(span / (2 * a)) > arc ? low : high) = a;
    }
    return low * (std::cosh(span / (2 * low)) - 1);
}

TEST(SpecDeformable, Catenary_sags_as_cosh_and_converges) {
    const double arc = 1.25, span = 1;
    double error[2];
    for (const int n : {16, 32}) {
        Cloth rope = rope_along_x(n + 1, arc / n, 0.1);
        for (Vec3& p : rope.places) {  // an even zigzag that fits the span
            const double t = p.x / arc;
            p = {span * t, -0.75 * std::min(t, 1 - t), 0};
        }
        rope.k.front() = rope.k.back() = 0;
        Sheet sheet = make(rope, {1e6, 0, 0, 0, 4});
        for (int i = 0; i < 300; ++i) sheet.advance(1.0 / 60, {}, {kDown, {}, {}});
        error[n / 32] = -sheet.state().x.at(static_cast<std::size_t>(n / 2)).y / catenary_sag(span, arc) - 1;
    }
    EXPECT_LE(std::abs(error[1]), 2e-3);
    EXPECT_NEAR(error[0] / error[1], 4, 0.8);
}

TEST(SpecDeformable, Pendulum_of_particles_swings_as_the_elliptic_integral_says) {
    Cloth rope = flat_cloth(1, 2, 1, 2);
    rope.k[0] = 0;  // starts at rest at 90 degrees
    Sheet sheet = make(rope, {1e9});
    SheetSettings settings;
    settings.substeps = 100;
    // K(sin(45 deg)) by the arithmetic-geometric mean; a quarter of a period is K sqrt(l / g).
    double a = 1, g = std::sqrt(0.5);
    for (int i = 0; i < 8; ++i) {
        const double mean = 0.5 * (a + g);
        g = std::sqrt(a * g);
        a = mean;
    }
    const double quarter = 1.5707963267948966 / a / std::sqrt(9.81), dt = quarter / 100;
    double before = 1;
    for (int i = 1; i < 400; ++i) {
        sheet.advance(dt, settings, {kDown, {}, {}});
        const double x = sheet.state().x.at(1).x;
        if (before > 0 && x <= 0) {
            EXPECT_NEAR(i - x / (x - before), 100, 0.1);
            EXPECT_NEAR(length(sheet.state().v.at(1)), std::sqrt(2 * 9.81), 5e-3);
            return;
        }
        before = x;
    }
    FAIL() << "never upright";
}

// EI theta'' = -w (L - s) cos theta, theta(0) = 0, theta'(L) = 0, by shooting and RK4; depth of the tip.
double elastica_depth(double w, double bending, double arc) {
    const int n = 2000;
    const double ds = arc / n;
    double low = 0, high = 10 * w * arc * arc / bending, depth = 0;
    for (int trial = 0; trial < 100; ++trial) {
        double theta = 0, rate = 0.5 * (low + high), y = 0;
        const auto bend = [&](double s, double t) { return -w * (arc - s) * std::cos(t) / bending; };
        for (int i = 0; i < n; ++i) {
            const double s = i * ds, a1 = bend(s, theta), v2 = rate + 0.5 * ds * a1;
            const double a2 = bend(s + 0.5 * ds, theta + 0.5 * ds * rate), v3 = rate + 0.5 * ds * a2;
            const double a3 = bend(s + 0.5 * ds, theta + 0.5 * ds * v2), v4 = rate + ds * a3;
            const double a4 = bend(s + ds, theta + ds * v3), old = theta;
            theta += ds / 6 * (rate + 2 * v2 + 2 * v3 + v4);
            rate += ds / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
            y += ds * std::sin(0.5 * (old + theta));
        }
        (rate > 0 ? high : low) = 0.5 * (low + high);
        depth = y;
    }
    return depth;
}

TEST(SpecDeformable, Elastica_hangs_as_its_equation_says) {
    const int n = 24;
    const double ds = 0.04, w = 0.05, arc = (n - 1.5) * ds;  // clamped in the middle of the first edge
    const double bending = w * 9.81 * arc * arc * arc / 8;   // the tip hangs by more than half the length
    Cloth rope = rope_along_x(n, ds, w);
    rope.k[0] = rope.k[1] = 0;
    Sheet sheet = make(rope, {1e5, 0, bending, 0, 4});
    for (int i = 0; i < 360; ++i) sheet.advance(1.0 / 60, {}, {kDown, {}, {}});
    const double depth = elastica_depth(w * 9.81, bending, arc);
    EXPECT_GT(depth, 0.5 * arc);
    EXPECT_NEAR(-sheet.state().x.at(n - 1).y / depth, 1, 5e-3);
}

// A square plate on four simply supported sides under q: w = 0.00406235 q a^4 / D (Timoshenko; any nu).
TEST(SpecDeformable, Plate_on_four_sides_sags_as_its_equation_says) {
    const int n = 17;
    const double spacing = 1.0 / (n - 1), mass = 0.02;
    Cloth cloth = flat_cloth(n, n, spacing, mass);
    for (int i = 0; i < n; ++i)
        for (const int at : {i, (n - 1) * n + i, i * n, i * n + n - 1})
            cloth.k[static_cast<std::size_t>(at)] = 0;
    const double q = 9.81 * mass / (spacing * spacing) / (n * n), bending = 0.5;
    // Soft in its plane, which a flat plate does not feel yet.
    Sheet sheet = make(cloth, {1e-3, 0, bending, 0, 10});
    for (int i = 0; i < 200; ++i) sheet.advance(1.0 / 60, {}, {kDown, {}, {}});
    const double center = -sheet.state().x.at(sheet.node(n / 2, n / 2)).y;
    EXPECT_NEAR(center / (0.00406235 * q / bending), 1, 0.02);
}

TEST(SpecDeformable, Wind_lifts_a_sheet_as_its_drag_says) {
    Cloth cloth = flat_cloth(4, 4, 0.5, 1);
    SheetMaterial material;
    material.air = 1.5, material.bending = 50;  // stays flat
    Sheet sheet = make(cloth, material);
    const double area = 1.5 * 1.5, speed = std::sqrt(2 * 9.81 / (1.5 * area));
    for (int i = 0; i < 300; ++i) sheet.advance(1.0 / 60, {}, {kDown, {}, {}});
    Vec3 momentum{};
    for (const std::uint32_t i : sheet.surface().nodes)
        momentum += sheet.state().v.at(i) * (1 / sheet.state().k[i]);
    EXPECT_NEAR(-momentum.y, speed, 0.02 * speed);
}

}  // namespace
}  // namespace impuls::deformable
