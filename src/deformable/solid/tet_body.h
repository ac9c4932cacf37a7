// Bodies of tetrahedra, explicit: co-rotated linear elements, f = -R K (R^T x - X). They lock
// (docs/internals/deformable.md) and are here for meshes that fit a boundary, and to compare with; solid.h is
// for numbers. And the text's impulse for the volume of one tetrahedron (Bender 2014, 4.4.1.2): scaled about
// its centre of mass, or, where a corner does not move, along the gradient of the volume. Called by tests.
#pragma once

#include <span>
#include <vector>

#include "deformable/contacts.h"
#include "deformable/solid/cell_mesh.h"

namespace impuls::deformable {

struct TetMesh {
    std::vector<Vec3> nodes{};
    std::vector<Tetrahedron> tets{};
};
TetMesh tets_of(const CellMesh& cells);

struct TetMaterial {
    double young = 1e6, poisson = 0.3;  // Pa
    double density = 1000;
};

inline double tet_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    return dot(b - a, cross(c - a, d - a)) / 6;
}
// Brings the volume of one tetrahedron to `rest` exactly; k are inverse masses.
void restore_volume(std::array<Vec3, 4>& p, const std::array<double, 4>& k, double rest);

class TetBody {
  public:
    TetBody(TetMesh mesh, const TetMaterial& material,
            std::span<const std::uint32_t> pinned = {});  // throws InputError

    // One substep, shorter than the longest.
    void advance(double h, const Vec3& gravity, std::span<Contacts* const> contacts = {});
    double longest_substep() const { return longest_substep_; }
    double volume() const;

    const TetMesh& mesh() const { return mesh_; }
    Particles& state() { return state_; }
    const Particles& state() const { return state_; }
    const Surface& surface() const { return surface_; }

  private:
    void add_elements();

    TetMesh mesh_;
    Particles state_;
    Columns p_, f_;
    Surface surface_;
    std::vector<double> volume_;
    std::vector<Mat3> gradient_;  // inverse of the edges at rest
    std::vector<std::array<double, 144>> stiffness_;
    double longest_substep_ = 0;
};

}  // namespace impuls::deformable
