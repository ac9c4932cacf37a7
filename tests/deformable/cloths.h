// Sheets that several tests of this folder use.
// cloth50: the study's 5 m, 5 kg, two corners pinned at rest distance, flat start; equal masses a node.
// Called by the tests beside this file.
#pragma once

#include <vector>

#include "deformable/sheet.h"

namespace impuls::deformable {

inline constexpr Vec3 kDown{0, -9.81, 0};

struct Cloth {
    std::vector<Vec3> places{};
    std::vector<double> k{};
    SheetShape shape{};
};

// n x n nodes in the plane y = 0, equal masses; nothing is pinned.
inline Cloth flat_cloth(int rows, int columns, double spacing, double mass) {
    Cloth cloth;
    cloth.shape = {rows, columns, {spacing, spacing}};
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) {
            cloth.places.push_back({c * spacing, 0, r * spacing});
            cloth.k.push_back(rows * columns / mass);
        }
    return cloth;
}

inline Sheet make(const Cloth& cloth, const SheetMaterial& material) {
    Sheet sheet(cloth.shape, material, cloth.k);
    sheet.load(cloth.places, std::vector<Vec3>(cloth.places.size()));
    return sheet;
}

inline Sheet hanging_cloth(int n, double stretch) {
    Cloth cloth = flat_cloth(n, n, 5.0 / (n - 1), 5);
    cloth.k[0] = cloth.k[static_cast<std::size_t>(n - 1)] = 0;
    SheetMaterial material;
    material.stretch = stretch;
    return make(cloth, material);
}

}  // namespace impuls::deformable
