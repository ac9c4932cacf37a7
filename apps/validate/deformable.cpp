// Laws of deformable bodies: ropes, sheets and elastic solids (src/deformable), advanced without a world.
//
// Ropes and sheets are run with drag until they rest. The bar's reference is that of a fine three-dimensional
// mesh, for Timoshenko's beam knows nothing of a clamp that holds the lateral contraction.
#include <array>
#include <cmath>

#include "deformable/sheet.h"
#include "deformable/solid/solid.h"
#include "validate/law_files.h"

namespace impuls {
namespace {

constexpr double kStep = 1.0 / 60;

struct NodeGrid {
    deformable::SheetShape shape{};
    std::vector<Vec3> places{};
    std::vector<double> k{};
    Vec3& at(int row, int column) { return places[place(row, column)]; }
    std::size_t place(int row, int column) const {
        return static_cast<std::size_t>(row * shape.columns + column);
    }
};

NodeGrid flat_grid(int rows, int columns, double spacing, double mass_of_node) {
    NodeGrid grid;
    grid.shape = {rows, columns, {spacing, spacing}};
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) {
            grid.places.push_back({c * spacing, 0, r * spacing});
            grid.k.push_back(1 / mass_of_node);
        }
    return grid;
}

deformable::Sheet rest(const NodeGrid& grid, const deformable::SheetMaterial& material, int steps) {
    deformable::Sheet sheet(grid.shape, material, grid.k);
    sheet.load(grid.places, std::vector<Vec3>(grid.places.size()));
    deformable::Surroundings around;
    around.gravity = {0, -kGravity, 0};
    for (int i = 0; i < steps; ++i) sheet.advance(kStep, {}, around);
    return sheet;
}

}  // namespace

// y = a cosh(x / a): span D and length S give a by sinh(D / 2a) = S / 2a, and the sag a (cosh(D / 2a) - 1).
std::vector<LawResult> check_catenary() {
    const double span = 1, arc = 1.25;
    const int edges = 32;
    NodeGrid rope = flat_grid(1, edges + 1, arc / edges, 0.1 * arc / edges);
    for (Vec3& p : rope.places) {
        const double t = p.x / arc;
        p = {span * t, -0.75 * std::min(t, 1 - t), 0};
    }
    rope.k.front() = rope.k.back() = 0;
    deformable::SheetMaterial material;
    material.stretch = 1e6, material.drag = 4;
    const deformable::Sheet sheet = rest(rope, material, 300);
    double low = 0.05, high = 100;
    for (int i = 0; i < 200; ++i) {
        const double a = std::sqrt(low * high);
        (2 * a * std::sinh(span / (2 * a)) > arc ? low : high) = a;
    }
    return {law_result("catenary: sag", low * (std::cosh(span / (2 * low)) - 1),
                       -sheet.state().x.at(edges / 2).y, 2e-3, kStep, "m, 32 edges")};
}

// EI theta'' = -w (L - s) cos theta, theta(0) = 0, theta'(L) = 0, by shooting.
std::vector<LawResult> check_elastica() {
    const int nodes = 24;
    const double ds = 0.04, weight = 0.05 * kGravity,
                 arc = (nodes - 1.5) * ds;  // clamped amid the first edge
    const double bending = weight * arc * arc * arc / 8;
    NodeGrid rod = flat_grid(1, nodes, ds, 0.05 * ds);
    rod.k.back() *= 2;
    rod.k[0] = rod.k[1] = 0;
    deformable::SheetMaterial material;
    material.stretch = 1e5, material.bending = bending, material.drag = 4;
    const deformable::Sheet sheet = rest(rod, material, 360);
    double low = 0, high = 10 * weight * arc * arc / bending, depth = 0;
    for (int trial = 0; trial < 60; ++trial) {
        const int n = 4000;  // by the midpoint rule
        const double h = arc / n;
        double theta = 0, rate = 0.5 * (low + high), y = 0;
        for (int i = 0; i < n; ++i) {
            const double middle = theta + 0.5 * h * rate;
            const double half = rate - 0.5 * h * weight * (arc - i * h) * std::cos(theta) / bending;
            rate -= h * weight * (arc - (i + 0.5) * h) * std::cos(middle) / bending;
            theta += h * half;
            y += h * std::sin(middle);
        }
        (rate > 0 ? high : low) = 0.5 * (low + high);
        depth = y;
    }
    return {law_result("elastica: depth of the tip", depth, -sheet.state().x.at(nodes - 1).y, 5e-3, kStep,
                       "m, 24 nodes")};
}

// w = 0.00406235 q a^4 / D in the middle (Timoshenko and Woinowsky-Krieger), whatever Poisson's ratio.
std::vector<LawResult> check_plate() {
    const int n = 17;
    const double spacing = 1.0 / (n - 1), mass = 0.02 / (n * n), bending = 0.5;
    NodeGrid grid = flat_grid(n, n, spacing, mass);
    for (int i = 0; i < n; ++i)
        for (const std::size_t at :
             {grid.place(0, i), grid.place(n - 1, i), grid.place(i, 0), grid.place(i, n - 1)})
            grid.k[at] = 0;
    deformable::SheetMaterial material;
    material.stretch = 1e-3, material.bending = bending, material.drag = 10;
    const deformable::Sheet sheet = rest(grid, material, 200);
    return {law_result("plate: sag in the middle",
                       0.00406235 * kGravity * mass / (spacing * spacing) / bending,
                       -sheet.state().x.at(sheet.node(n / 2, n / 2)).y, 0.02, kStep, "m, 17 x 17 nodes")};
}

// 2.0 x 0.5 x 0.5 m, rho 1000, E = 1e7: 0.0979 m and 1.950 Hz at nu = 0.3, 0.0942 m and 1.987 Hz at nu =
// 0.49.
std::vector<LawResult> check_bar() {
    struct Case {
        const char *sag_name, *frequency_name, *note;
        std::array<int, 3> cells;
        double poisson, sag, frequency;
    };
    std::vector<LawResult> results;
    for (const Case& c :
         {Case{"bar: sag", "bar: first frequency", "90 cells", {10, 3, 3}, 0.3, 0.0979, 1.950},
          Case{"bar, nearly incompressible: sag",
               "bar, nearly incompressible: first frequency",
               "500 cells",
               {20, 5, 5},
               0.49,
               0.0942,
               1.987}}) {
        deformable::CellMesh mesh = deformable::box_cells({0, -0.25, -0.25}, {2, 0.5, 0.5}, c.cells);
        std::vector<std::uint32_t> pinned;
        for (std::uint32_t i = 0; i < mesh.nodes.size(); ++i)
            if (mesh.nodes[i].x < 1e-9) pinned.push_back(i);
        const deformable::Solid solid(mesh, {1e7, c.poisson, 1000}, pinned);
        std::vector<Vec3> displacement;
        solid.sag({0, -kGravity, 0}, displacement);
        double sum = 0;
        int count = 0;
        for (std::size_t i = 0; i < displacement.size(); ++i)
            if (mesh.nodes[i].x > 2 - 1e-9) sum -= displacement[i].y, ++count;
        results.push_back(
            law_result(c.sag_name, c.sag, sum / count, 0.03, kStep, std::string("m, ") + c.note));
        results.push_back(law_result(c.frequency_name, c.frequency, solid.lowest_frequency(), 0.01, kStep,
                                     std::string("Hz, ") + c.note));
    }
    return results;
}

}  // namespace impuls
