// K = sum over 2 x 2 x 2 Gauss points of B^T D B V / 8, with the internal modes of QM6 condensed:
// K = K_uu - K_ua K_aa^-1 K_au. Sources: Zienkiewicz and Taylor, The Finite Element Method, 10 (incompatible
// modes) and 11 (B-bar). Called through hexahedron.h.
#include "deformable/solid/hexahedron.h"

#include <cmath>
#include <vector>

namespace impuls::deformable {
namespace {

using Strain = std::array<double, 6>;  // xx, yy, zz, xy, yz, zx (engineering shear)

// Strain of a shape function with gradient g, displaced along axis.
Strain strain_of(const Vec3& g, int axis) {
    Strain e{};
    e[static_cast<std::size_t>(axis)] = g[axis];
    if (axis == 0) e[3] = g.y, e[5] = g.z;
    if (axis == 1) e[3] = g.x, e[4] = g.z;
    if (axis == 2) e[4] = g.y, e[5] = g.x;
    return e;
}

Strain stress_of(const Strain& e, double young, double poisson) {
    const double lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson)),
                 shear = young / (2 * (1 + poisson));
    const double trace = lambda * (e[0] + e[1] + e[2]);
    return {trace + 2 * shear * e[0],
            trace + 2 * shear * e[1],
            trace + 2 * shear * e[2],
            shear * e[3],
            shear * e[4],
            shear * e[5]};
}

double work(const Strain& s, const Strain& e) {
    double sum = 0;
    for (std::size_t i = 0; i < 6; ++i) sum += s[i] * e[i];
    return sum;
}

// Takes out the unknowns from n on: K_uu - K_ua K_aa^-1 K_au, by elimination from the last.
void condense(std::vector<double>& k, int all, int n) {
    for (int p = all - 1; p >= n; --p)
        for (int i = 0; i < p; ++i) {
            const double f =
                k[static_cast<std::size_t>(i * all + p)] / k[static_cast<std::size_t>(p * all + p)];
            for (int j = 0; j < p; ++j)
                k[static_cast<std::size_t>(i * all + j)] -= f * k[static_cast<std::size_t>(p * all + j)];
        }
}

}  // namespace

CellStiffness cell_stiffness(const Vec3& size, double young, double poisson, CellKind kind) {
    constexpr int kAll = 33;
    const double place = 1 / std::sqrt(3.0), part = size.x * size.y * size.z / 8;
    std::vector<double> k(kAll * kAll, 0.0);
    for (int point = 0; point < 8; ++point) {
        const Vec3 at{point & 1 ? place : -place, point & 2 ? place : -place, point & 4 ? place : -place};
        std::array<Strain, kAll> strain{};
        for (int i = 0; i < 8; ++i) {
            const Vec3 s{i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0};
            const Vec3 f{1 + s.x * at.x, 1 + s.y * at.y, 1 + s.z * at.z};
            const Vec3 g{s.x * f.y * f.z / (4 * size.x), s.y * f.z * f.x / (4 * size.y),
                         s.z * f.x * f.y / (4 * size.z)};
            const Vec3 mean{s.x / (4 * size.x), s.y / (4 * size.y), s.z / (4 * size.z)};
            for (int axis = 0; axis < 3; ++axis) {
                Strain& e = strain[static_cast<std::size_t>(3 * i + axis)];
                e = strain_of(g, axis);
                if (kind == CellKind::BBar)
                    for (std::size_t j = 0; j < 3; ++j) e[j] += (mean[axis] - g[axis]) / 3;
            }
        }
        for (int mode = 0; mode < 3; ++mode) {
            Vec3 g{};
            g[mode] = -4 * at[mode] / size[mode];
            for (int axis = 0; axis < 3; ++axis)
                strain[static_cast<std::size_t>(24 + 3 * mode + axis)] = strain_of(g, axis);
        }
        for (std::size_t i = 0; i < kAll; ++i) {
            const Strain stress = stress_of(strain[i], young, poisson);
            for (std::size_t j = 0; j < kAll; ++j) k[i * kAll + j] += part * work(stress, strain[j]);
        }
    }
    if (kind == CellKind::QM6) condense(k, kAll, 24);
    CellStiffness result{};
    for (std::size_t i = 0; i < 24; ++i)
        for (std::size_t j = 0; j < 24; ++j) result[i * 24 + j] = 0.5 * (k[i * kAll + j] + k[j * kAll + i]);
    return result;
}

std::array<double, 12 * 12> tetrahedron_stiffness(const std::array<Vec3, 4>& corners, double young,
                                                  double poisson) {
    const Mat3 edges{corners[1] - corners[0], corners[2] - corners[0], corners[3] - corners[0]};
    const Mat3 gradients = transpose(inverse(edges));
    const double volume = determinant(edges) / 6;
    const std::array<Vec3, 4> g{-(gradients.c0 + gradients.c1 + gradients.c2), gradients.c0, gradients.c1,
                                gradients.c2};
    std::array<double, 12 * 12> k{};
    for (std::size_t i = 0; i < 12; ++i) {
        const Strain stress = stress_of(strain_of(g[i / 3], static_cast<int>(i % 3)), young, poisson);
        for (std::size_t j = 0; j < 12; ++j)
            k[i * 12 + j] = volume * work(stress, strain_of(g[j / 3], static_cast<int>(j % 3)));
    }
    return k;
}

double largest_eigenvalue(const double* matrix, int n) {
    const auto size = static_cast<std::size_t>(n);
    std::vector<double> x(size), y(size);
    for (std::size_t i = 0; i < size; ++i) x[i] = 1 + 0.37 * static_cast<double>(i * i % 11);
    double value = 0;
    for (int round = 0; round < 300; ++round) {
        double squared = 0;
        for (std::size_t i = 0; i < size; ++i) {
            y[i] = 0;
            for (std::size_t j = 0; j < size; ++j) y[i] += matrix[i * size + j] * x[j];
            squared += y[i] * y[i];
        }
        value = std::sqrt(squared);
        if (!(value > 0)) return 0;
        for (std::size_t i = 0; i < size; ++i) x[i] = y[i] / value;
    }
    return value;
}

}  // namespace impuls::deformable
