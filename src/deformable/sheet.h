// Sheets (cloth on a grid) and ropes (a grid of one row): many short substeps with one cheap sweep each,
// contacts last.
//   predict   v += h (g + k f),  p = x + h v
//   strips    rows, then columns, each a tridiagonal system with the directions of the preview
//   (grid/kernel.h) contacts  move p (contacts.h) take      v = (p - x) / h,  x = p
// Stiffness is a material constant; substeps are chosen so that it is met. Other solvers of the same rows are
// there to compare with: Gauss-Seidel, all rows at once, and explicit springs, which keep energy. Called by
// steppers and tests.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "deformable/chains.h"
#include "deformable/contacts.h"
#include "deformable/global_rows.h"
#include "deformable/grid/forces.h"
#include "deformable/grid/kernel.h"
#include "impuls/executor.h"

namespace impuls::deformable {

struct SheetShape {
    int rows = 2, columns = 2;  // nodes; one row: a rope
    GridSpacing spacing{};      // rest lengths, m
};

struct SheetMaterial {
    double stretch = 1e7;   // E t of a sheet, N/m; EA of a rope, N
    double shear = 0;       // G t, N/m
    double bending = 0;     // D of a sheet, N m; EI of a rope, N m^2
    double relaxation = 0;  // damping over stiffness of shear and bending, s
    double drag = 0;        // rate at which all velocities decay, 1/s
    double air = 0;         // density of the air times drag coefficient, kg/m^3
};

enum class SheetSolver { Strips, GaussSeidel, Global, MicroSteps };

struct SheetSettings {
    SheetSolver solver = SheetSolver::Strips;
    int substeps = 0;  // 0: as many as the material needs (Sheet::substeps_for)
    int sweeps = 1;
    double repair_speed =
        0;  // above 0, for sheets that begin destroyed: edges come to their lengths at it, m/s
    Executor* executor = nullptr;        // null: the calling thread
    const GridKernel* kernel = nullptr;  // null: the fastest that runs here
};

// What acts on a sheet during a step.
struct Surroundings {
    Vec3 gravity{};
    Vec3 wind{};
    std::span<Contacts* const> contacts{};
};

struct SheetEnergy {
    double kinetic = 0, gravity = 0, stretch = 0, shear = 0, bending = 0;
    double total() const { return kinetic + gravity + stretch + shear + bending; }
};

class Sheet {
  public:
    // inverse_masses: one a node, row by row; 0 pins it. Throws InputError by name of what is wrong.
    Sheet(const SheetShape& shape, const SheetMaterial& material, std::span<const double> inverse_masses);

    std::size_t size() const { return surface_.nodes.size(); }
    // Number in the columns of node (row, column); columns are padded.
    std::uint32_t node(int row, int column) const {
        return static_cast<std::uint32_t>(row * pitch_ + column);
    }

    // Row by row, without padding. A pinned node moves on with the velocity it has.
    void load(std::span<const Vec3> places, std::span<const Vec3> velocities);
    void store(std::span<Vec3> places, std::span<Vec3> velocities) const;

    // Largest number of substeps that strips (or the settings' solver) need for a step of dt.
    int substeps_for(double dt, const SheetSettings& settings, const Surroundings& around) const;
    // Advances by dt and returns the number of substeps.
    int advance(double dt, const SheetSettings& settings, const Surroundings& around);

    SheetEnergy energy(const Vec3& gravity) const;
    double largest_stretch() const { return deformable::largest_stretch(strips_, state_.x); }
    const SheetShape& shape() const { return shape_; }
    const SheetMaterial& material() const { return material_; }
    const Particles& state() const { return state_; }
    Particles& state() { return state_; }
    // Nodes that exist, and two triangles a cell, in numbers of the columns.
    const Surface& surface() const { return surface_; }
    const Chains& strips() const { return strips_; }

  private:
    Grid grid();
    void add_forces(const Surroundings& around);
    void sweep(const SheetSettings& settings, const GridKernel& kernel, double h);
    void substep(const SheetSettings& settings, const GridKernel& kernel, const Surroundings& around,
                 double h);
    void micro_step(const GridKernel& kernel, const Surroundings& around, double h);
    double stiffness_along() const;
    double stiffness_down() const;

    SheetShape shape_;
    SheetMaterial material_;
    int padded_rows_ = 0, pitch_ = 0;
    Particles state_;
    Columns p_, f_;
    Surface surface_;
    Chains strips_;  // rows, then columns
    Chains edges_;   // each alone, for Gauss-Seidel
    ChainScratch chain_scratch_;
    std::unique_ptr<GlobalRows> global_;
    std::vector<double> scratch_;  // by chunk
    bool has_forces_ = false;
};

}  // namespace impuls::deformable
