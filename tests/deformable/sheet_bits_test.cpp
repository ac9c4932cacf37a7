// The bits of sheets: lanes against the scalar chains, instruction sets, threads, lengths of steps, scales;
// and that steps allocate nothing. All comparisons are exact.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "deformable/cloths.h"
#include "support/counting_new.h"

namespace impuls::deformable {
namespace {

// A crumpled sheet with a few pins.
Sheet crumpled(int rows, int columns, const SheetMaterial& material) {
    Cloth cloth = flat_cloth(rows, columns, 0.1, 0.3);
    Rng rng(11, 4);
    for (std::size_t i = 0; i < cloth.places.size(); ++i) {
        cloth.places[i] += Vec3{rng.uniform(-0.03, 0.03), rng.uniform(-0.03, 0.03), rng.uniform(-0.03, 0.03)};
        cloth.k[i] = i % 17 == 3 ? 0 : cloth.k[i] * rng.uniform(0.5, 2);
    }
    return make(cloth, material);
}

std::vector<Vec3> places_of(const Sheet& sheet) {
    std::vector<Vec3> x(sheet.size()), v(sheet.size());
    sheet.store(x, v);
    x.insert(x.end(), v.begin(), v.end());
    return x;
}

const SheetMaterial kAll{1e5, 30, 1e-4, 1e-3, 0.1, 1.2};

TEST(SpecDeformable, T7_strips_in_lanes_have_the_bits_of_chains) {
    for (const auto& [rows, columns] : {std::pair{7, 9}, {1, 13}, {33, 6}, {5, 2}, {12, 40}}) {
        Sheet sheet = crumpled(rows, columns, {1e5});
        Columns p = sheet.state().x;
        ChainScratch scratch;
        const double h = 1e-3;
        const Vec3 g{0, -9.81, 0};
        for (const std::uint32_t i : sheet.surface().nodes)
            if (sheet.state().k[i] > 0) p.set(i, p.at(i) + h * (sheet.state().v.at(i) + h * g));
        solve_chains(sheet.strips(), sheet.state().k, h, p, scratch);
        SheetSettings settings;
        settings.substeps = 1;
        sheet.advance(h, settings, {g, {}, {}});
        for (const std::uint32_t i : sheet.surface().nodes)
            ASSERT_EQ(sheet.state().x.at(i), p.at(i)) << rows << ' ' << i;
    }
}

TEST(SpecDeformable, T5_bits_depend_neither_on_threads_nor_on_the_instruction_set) {
    Executor team(3);
    for (const SheetSolver solver : {SheetSolver::Strips, SheetSolver::MicroSteps}) {
        std::vector<std::vector<Vec3>> results;
        for (int variant = 0; variant < 3; ++variant) {
            Sheet sheet = crumpled(70, 13, kAll);
            SheetSettings settings;
            settings.solver = solver;
            settings.substeps = solver == SheetSolver::Strips ? 40 : 200;
            if (variant == 1) settings.kernel = &kBaselineGridKernel;
            if (variant == 2) settings.executor = &team;
            for (int i = 0; i < 2; ++i) sheet.advance(1.0 / 600, settings, {kDown, {3, 1, 0}, {}});
            results.push_back(places_of(sheet));
        }
        for (const Vec3& p : results[0]) ASSERT_TRUE(is_finite(p));
        EXPECT_TRUE(results[0] == results[1]);
        EXPECT_TRUE(results[0] == results[2]);
    }
}

TEST(SpecDeformable, Steps_of_a_thirtieth_with_twice_the_substeps_are_the_same) {
    Sheet a = hanging_cloth(20, 1e6), b = hanging_cloth(20, 1e6);
    SheetSettings settings;
    for (int i = 0; i < 30; ++i) {
        settings.substeps = 40;
        a.advance(1.0 / 60, settings, {kDown, {}, {}});
        a.advance(1.0 / 60, settings, {kDown, {}, {}});
        settings.substeps = 80;
        b.advance(1.0 / 30, settings, {kDown, {}, {}});
    }
    EXPECT_TRUE(places_of(a) == places_of(b));
}

// Lengths times s, times as they are: accelerations times s, stiffness (N/m) as it is, D times s^2, air over
// s.
TEST(SpecDeformable, Sheets_know_no_lengths_of_their_own) {
    const double s = 128;
    SheetMaterial scaled = kAll;
    scaled.bending *= s * s, scaled.air /= s * s * s;
    Cloth small = flat_cloth(12, 12, 0.125, 0.5), large = flat_cloth(12, 12, 0.125 * s, 0.5);
    small.k[0] = large.k[0] = 0;
    Sheet a = make(small, kAll), b = make(large, scaled);
    for (int i = 0; i < 20; ++i) {
        const int n = a.advance(1.0 / 64, {}, {kDown, {2, 0, 1}, {}});
        EXPECT_EQ(b.advance(1.0 / 64, {}, {kDown * s, Vec3{2, 0, 1} * s, {}}), n);
    }
    std::vector<Vec3> x = places_of(a);
    for (Vec3& p : x) p *= s;
    EXPECT_TRUE(x == places_of(b));
}

TEST(SpecDeformable, Steps_of_sheets_allocate_nothing) {
    for (const SheetSolver solver :
         {SheetSolver::Strips, SheetSolver::GaussSeidel, SheetSolver::Global, SheetSolver::MicroSteps}) {
        Sheet sheet = crumpled(10, 10, kAll);
        SheetSettings settings;
        settings.solver = solver;
        settings.substeps = 5;
        sheet.advance(1e-3, settings, {kDown, {}, {}});
        const long before = allocations;
        for (int i = 0; i < 3; ++i) sheet.advance(1e-3, settings, {kDown, {}, {}});
        EXPECT_EQ(allocations, before);
    }
}

}  // namespace
}  // namespace impuls::deformable
