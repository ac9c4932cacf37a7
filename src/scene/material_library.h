// Materials that scenes may name without describing them (docs/manual/materials.md). A scene's own material
// of the same name wins. Called by validation, expansion, commands and `impuls list materials`.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "impuls/materials.h"
#include "impuls/scene.h"

namespace impuls {

struct LibraryMaterial {
    MaterialDesc material{};
    std::string source{}, friction_source{};  // the first: of density, E and Poisson's ratio
};
std::span<const LibraryMaterial> material_library();
// Friction between two different materials, dry and clean.
struct LibraryPair {
    const char *a, *b;
    double static_friction, friction;
    const char* source;
};
std::span<const LibraryPair> library_pairs();
// Null when it has none of that name.
const LibraryMaterial* find_library_material(const std::string& name);

// What holds between two of the library: friction of the pair where the library has it, and the composite
// restitution, by the energy that each of the two stores (Coaplen, Stronge, Ravani 2004):
//     e^2 = (e_a^2 E_b + e_b^2 E_a) / (E_a + E_b)
ContactDesc library_contact(const MaterialDesc& a, const MaterialDesc& b);

// Adds the materials of the library that the expanded scene and its bodies (their materials' names) name and
// that it does not have, with what holds between each two of them, unless the scene says so itself.
void add_library_materials(Scene& scene, const std::set<std::string>& of_bodies);

}  // namespace impuls
