// Elastic solids against the study's bar (2.0 x 0.5 x 0.5 m, rho 1000, E = 1e7, clamped at x = 0): sag 0.0979
// m and first frequency 1.950 Hz at nu = 0.3, 0.0942 m and 1.987 Hz at nu = 0.49, of a fine three-dimensional
// mesh; patch tests, energy, momentum, spinning, and recovery from inversion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/rng.h"
#include "deformable/solid/solid.h"
#include "support/full_size.h"

namespace impuls::deformable {
namespace {

constexpr Vec3 kGravity{0, -9.81, 0};

Solid bar(const std::array<int, 3>& cells, const SolidMaterial& material) {
    CellMesh mesh = box_cells({0, -0.25, -0.25}, {2, 0.5, 0.5}, cells);
    std::vector<std::uint32_t> pinned;
    for (std::uint32_t i = 0; i < mesh.nodes.size(); ++i)
        if (mesh.nodes[i].x < 1e-9) pinned.push_back(i);
    return Solid(std::move(mesh), material, pinned);
}

double tip(const Solid& solid, const std::vector<Vec3>& displacement) {
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < displacement.size(); ++i)
        if (solid.model().mesh.nodes[i].x > 2 - 1e-9) sum -= displacement[i].y, ++count;
    return sum / count;
}
double sag_of(const Solid& solid) {
    std::vector<Vec3> displacement;
    EXPECT_TRUE(solid.sag(kGravity, displacement));
    return tip(solid, displacement);
}
double tip_now(const Solid& solid) {
    std::vector<Vec3> displacement;
    for (std::size_t i = 0; i < solid.size(); ++i)
        displacement.push_back(solid.state().x.at(i) - solid.model().mesh.nodes[i]);
    return tip(solid, displacement);
}

TEST(SpecDeformable, Bar_sags_and_swings_as_the_continuum) {
    const Solid coarse = bar({10, 3, 3}, {1e7, 0.3, 1000});
    EXPECT_NEAR(sag_of(coarse) / 0.0979, 1, 0.03);
    EXPECT_NEAR(coarse.lowest_frequency() / 1.950, 1, 0.01);
    const Solid fine = bar({20, 5, 5}, {1e7, 0.3, 1000});
    EXPECT_NEAR(sag_of(fine) / 0.0979, 1, 0.006);
    EXPECT_NEAR(fine.lowest_frequency() / 1.950, 1, 0.002);
}

TEST(SpecDeformable, Bar_does_not_lock_when_nearly_incompressible) {
    const Solid fine = bar({20, 5, 5}, {1e7, 0.49, 1000});
    EXPECT_NEAR(sag_of(fine) / 0.0942, 1, 0.03);
    EXPECT_NEAR(fine.lowest_frequency() / 1.987, 1, 0.01);
}

// Forces of the eight cells around a node against the divergence of the stress of a smooth displacement
// u = (sin 2x cos y, sin y cos 3z, cos x sin 2z): the error falls with the square of the size of cells. (The
// sag of the clamped bar converges more slowly, for its stresses are singular at the edges of the clamp.)
TEST(SpecDeformable, Bar_converges_under_refinement) {
    const double young = 1e6, poisson = 0.3, shear = young / (2 * (1 + poisson));
    const double lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    const auto u = [](const Vec3& p) {
        return Vec3{std::sin(2 * p.x) * std::cos(p.y), std::sin(p.y) * std::cos(3 * p.z),
                    std::cos(p.x) * std::sin(2 * p.z)};
    };
    const Vec3 at{0.4, 0.7, 0.3};
    // mu laplace u + (lambda + mu) grad div u, div u = 2 cos 2x cos y + cos y cos 3z + 2 cos x cos 2z
    const Vec3 p = at, laplace = {-5 * u(p).x, -10 * u(p).y, -5 * u(p).z};
    const Vec3 gradient{-4 * std::sin(2 * p.x) * std::cos(p.y) - 2 * std::sin(p.x) * std::cos(2 * p.z),
                        -2 * std::cos(2 * p.x) * std::sin(p.y) - std::sin(p.y) * std::cos(3 * p.z),
                        -3 * std::cos(p.y) * std::sin(3 * p.z) - 4 * std::cos(p.x) * std::sin(2 * p.z)};
    const Vec3 exact = laplace * shear + gradient * (lambda + shear);
    double error[2];
    for (const CellKind kind : {CellKind::QM6, CellKind::BBar}) {
        for (int level = 0; level < 2; ++level) {
            const double h = 0.1 / (1 << level);
            const CellStiffness k = cell_stiffness({h, h, h}, young, poisson, kind);
            Vec3 force{};
            for (std::size_t cell = 0; cell < 8; ++cell) {  // in which the node is corner 7 - cell
                const Vec3 low = at + Vec3{cell & 1 ? 0.0 : -h, cell & 2 ? 0.0 : -h, cell & 4 ? 0.0 : -h};
                for (std::size_t j = 0; j < 24; ++j) {
                    const std::size_t i = j / 3;
                    const Vec3 corner = low + Vec3{i & 1 ? h : 0.0, i & 2 ? h : 0.0, i & 4 ? h : 0.0};
                    for (std::size_t axis = 0; axis < 3; ++axis)
                        force[static_cast<int>(axis)] -=
                            k[(3 * (7 - cell) + axis) * 24 + j] * u(corner)[static_cast<int>(j % 3)];
                }
            }
            error[level] = length(force / (h * h * h) - exact);
        }
        EXPECT_GE(std::log2(error[0] / error[1]), 1.8);
        EXPECT_LE(error[1], 0.01 * length(exact));
    }
}

// f = 4.73004^2 / 2 pi sqrt(EI / rho A) / L^2 of a slender free bar (Euler and Bernoulli), less what shear
// and rotatory inertia take at 1 : 40: about (1 - 0.5 (4.73 r / L)^2 (1 + E / k G)) with r^2 = I / A.
TEST(SpecDeformable, Slender_free_bar_rings_as_the_closed_form_says) {
    const Solid solid(box_cells({}, {2, 0.05, 0.05}, {40, 1, 1}), {1e7, 0.3, 1000});
    const double r2 = 0.05 * 0.05 / 12, beta = 4.730040745 / 2;
    const double thin = beta * beta / 6.283185307179586 * std::sqrt(1e7 / 1000 * r2);
    EXPECT_NEAR(solid.lowest_frequency() / (thin * (1 - 0.5 * beta * beta * r2 * (1 + 2.6 / 0.85))), 1, 5e-3);
}

// Any constant gradient is carried exactly by all kinds of cells (patch test): forces inside vanish.
TEST(SpecDeformable, Cells_pass_the_patch_test) {
    const Mat3 gradient{{0.01, 0.002, -0.003}, {0.004, -0.02, 0.001}, {-0.001, 0.003, 0.015}};
    for (const CellKind kind : {CellKind::QM6, CellKind::BBar}) {
        const CellStiffness k = cell_stiffness({0.2, 0.3, 0.15}, 1e6, 0.3, kind);
        std::array<double, 24> u{}, f{};
        for (std::size_t i = 0; i < 8; ++i) {
            const Vec3 x{i & 1 ? 0.2 : 0.0, i & 2 ? 0.3 : 0.0, i & 4 ? 0.15 : 0.0}, d = gradient * x;
            for (int axis = 0; axis < 3; ++axis) u[3 * i + static_cast<std::size_t>(axis)] = d[axis];
        }
        for (std::size_t i = 0; i < 24; ++i)
            for (std::size_t j = 0; j < 24; ++j) f[i] += k[i * 24 + j] * u[j];
        // Traction on the faces at x: stress times area / 4, by Hooke's law.
        const double shear = 1e6 / 2.6, lambda = 1e6 * 0.3 / (1.3 * 0.4), trace = 0.01 - 0.02 + 0.015;
        const Vec3 sx{lambda * trace + 2 * shear * 0.01, shear * (0.002 + 0.004), shear * (-0.003 - 0.001)};
        Vec3 sum{};
        for (const std::size_t i : {1u, 3u, 5u, 7u}) sum += {f[3 * i], f[3 * i + 1], f[3 * i + 2]};
        const Vec3 expected = sx * (0.3 * 0.15);
        EXPECT_LE(length(sum - expected), 1e-10 * length(expected) + 1e-9);
    }
}

struct Swing {
    double frequency = 0, mean = 0, energy = 0;
};
Swing swing(Solid& solid, const SolidSettings& settings, int steps) {
    const double dt = 1.0 / 60, start = solid.energy(kGravity).total();
    Swing result;
    double least = 0, most = 0, scale = 0, before = 0, first = -1, last = 0;
    int crossings = 0;
    for (int i = 1; i <= steps; ++i) {
        solid.advance(dt, settings, kGravity);
        const double y = tip_now(solid) - 0.0965;
        if (before > 0 && y <= 0) {
            last = (i - y / (y - before)) * dt;
            if (first < 0) first = last;
            ++crossings;
        }
        before = y;
        const SolidEnergy e = solid.energy(kGravity);
        scale = std::max(scale, -(e.gravity));
        least = std::min(least, e.total() - start), most = std::max(most, e.total() - start);
        result.mean += (y + 0.0965) / steps;
    }
    result.frequency = (crossings - 1) / (last - first);
    result.energy = std::max(most, -least) / scale;
    return result;
}

TEST(SpecDeformable, Bar_swings_by_explicit_steps) {
    Solid solid = bar({10, 3, 3}, {1e7, 0.3, 1000});
    SolidSettings settings;
    settings.scheme = SolidScheme::Explicit;
    const Swing result = swing(solid, settings, std::max(90, amount(300, 600)));
    EXPECT_NEAR(result.frequency / 1.950, 1, 0.01);
    EXPECT_LE(result.energy, 0.003);
    EXPECT_LE(solid.substeps_for(1.0 / 60, settings), 16);
}

TEST(SpecDeformable, Bar_swings_by_implicit_steps_and_keeps_its_energy) {
    Solid solid = bar({10, 3, 3}, {1e7, 0.3, 1000});
    SolidSettings settings;
    settings.scheme = SolidScheme::Implicit;
    const Swing result = swing(solid, settings, std::max(90, amount(300, 600)));
    EXPECT_NEAR(result.frequency / 1.950, 1, 0.01);
    EXPECT_LE(result.energy, 1e-3);
}

TEST(SpecDeformable, T2_free_solid_spins_on_and_keeps_its_momentum) {
    for (const SolidScheme scheme : {SolidScheme::Explicit, SolidScheme::Implicit}) {
        Solid solid(box_cells({-1, -0.25, -0.25}, {2, 0.5, 0.5}, {8, 2, 2}), {1e6, 0.3, 1000});
        Vec3 momentum{}, spin{};
        double sum = 0;
        for (std::size_t i = 0; i < solid.size(); ++i) {
            const Vec3 v = cross({0, 0, 5}, solid.state().x.at(i)) + Vec3{0.3, 0.1, 0};
            solid.state().v.set(i, v);
            momentum += v / solid.state().k[i];
            spin += cross(solid.state().x.at(i), v) / solid.state().k[i];
            sum += length(v) / solid.state().k[i];
        }
        const double before = solid.energy({}).total();
        SolidSettings settings;
        settings.scheme = scheme;
        for (int i = 0; i < 120; ++i) solid.advance(1.0 / 60, settings, {});
        Vec3 after{}, spin_after{};
        for (std::size_t i = 0; i < solid.size(); ++i) {
            after += solid.state().v.at(i) / solid.state().k[i];
            spin_after += cross(solid.state().x.at(i), solid.state().v.at(i)) / solid.state().k[i];
        }
        EXPECT_LE(length(after - momentum), 1e-10 * sum);
        EXPECT_LE(length(spin_after - spin), 2e-3 * length(spin));
        EXPECT_NEAR(solid.energy({}).total() / before, 1, 0.01);
    }
}

TEST(SpecDeformable, T26_an_inverted_and_a_flattened_solid_recover) {
    for (const double squeeze : {-1.0, 0.0}) {
        Solid solid(box_cells({-0.3, -0.3, -0.3}, {0.6, 0.6, 0.6}, {3, 3, 3}), {1e5, 0.3, 1000, 5e-3, 0.5});
        for (std::size_t i = 0; i < solid.size(); ++i) {
            Vec3 p = solid.state().x.at(i);
            p.y = p.y * squeeze + 1e-4 * p.x * p.x;
            solid.state().x.set(i, p);
        }
        SolidSettings settings;
        settings.scheme = SolidScheme::Explicit;
        for (int i = 0; i < 300; ++i) solid.advance(1.0 / 60, settings, {});
        EXPECT_EQ(solid.inverted_cells(), 0u);
        EXPECT_NEAR(solid.volume() / 0.216, 1, 0.02);
        EXPECT_LE(solid.energy({}).elastic, 1e-2);
    }
}

}  // namespace
}  // namespace impuls::deformable
