// The study's cloth of 50 x 50: stretch and energy together, for strips and for the explicit reference.
// Times are in bench/deformable.cpp.
#include <gtest/gtest.h>

#include <algorithm>

#include "deformable/cloths.h"
#include "support/full_size.h"

namespace impuls::deformable {
namespace {

struct ClothRun {
    double stretch = 0, fallen = 0, energy = 0;  // largest; J released by falling; change after 2 s over that
};
ClothRun run_cloth(Sheet& sheet, const SheetSettings& settings, int steps) {
    const double start = sheet.energy(kDown).total(), dt = 1.0 / 60;
    ClothRun run;
    for (int i = 1; i <= steps; ++i) {
        sheet.advance(dt, settings, {kDown, {}, {}});
        run.stretch = std::max(run.stretch, sheet.largest_stretch());
        if (i <= 120) run.fallen = std::max(run.fallen, -sheet.energy(kDown).gravity);
        if (i == 120) run.energy = (sheet.energy(kDown).total() - start) / run.fallen;
    }
    return run;
}

TEST(SpecDeformable, Cloth50_stretches_less_than_15_permille_and_keeps_its_energy_for_2_s) {
    Sheet sheet = hanging_cloth(50, 1e7);
    SheetSettings settings;
    settings.substeps = 80;
    const ClothRun run = run_cloth(sheet, settings, amount(180, 600));
    EXPECT_LE(run.stretch, 0.015);
    EXPECT_LE(std::abs(run.energy), 0.025);
}

TEST(SpecDeformable, Cloth50_by_explicit_springs_keeps_its_energy) {
    Sheet sheet = hanging_cloth(50, 1.05e6);
    SheetSettings settings;
    settings.substeps = 600;
    settings.solver = SheetSolver::MicroSteps;
    const ClothRun run = run_cloth(sheet, settings, amount(180, 600));
    EXPECT_LE(run.stretch, 0.015);
    EXPECT_LE(std::abs(run.energy), 0.001);
}

}  // namespace
}  // namespace impuls::deformable
