// Elastic solids of equal box-shaped cells, co-rotated: with one rotation R a cell (of its mean gradient) and
// the constant stiffness K of all cells,   f = -R K (R^T (x + tau v) - X). Steps are explicit, in short
// substeps with contacts last, or by the implicit midpoint rule for stiff bodies that touch nothing:   x_m =
// x + h/2 v + h^2/4 (g + f(x_m)/m),  x' = 2 x_m - x,  v' = 2 (x' - x)/h - v, solved by Newton's method, each
// step by conjugate gradients with the factor of the body at rest, turned as the whole body is turned, as
// preconditioner. Called by steppers and tests.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "deformable/contacts.h"
#include "deformable/solid/banded.h"
#include "deformable/solid/cell_mesh.h"
#include "deformable/solid/hexahedron.h"
#include "impuls/executor.h"

namespace impuls::deformable {

struct SolidMaterial {
    double young = 1e6;     // E, Pa
    double poisson = 0.3;   // nu, below 0.5
    double density = 1000;  // kg/m^3
    double relaxation = 0;  // damping over stiffness, s
    double drag = 0;        // rate at which all velocities decay, 1/s
};

enum class SolidScheme { Automatic, Explicit, Implicit };

struct SolidSettings {
    SolidScheme scheme = SolidScheme::Automatic;
    int substeps = 0;              // 0: as many as stability needs (explicit), or one (implicit)
    Executor* executor = nullptr;  // null: the calling thread
};

struct SolidEnergy {
    double kinetic = 0, gravity = 0, elastic = 0;
    double total() const { return kinetic + gravity + elastic; }
};

// What does not change: cells, material, stiffness of a cell, and where nodes gather forces from.
class SolidModel {
  public:
    SolidModel(CellMesh mesh, const SolidMaterial& material);  // throws InputError

    CellMesh mesh;
    SolidMaterial material;
    CellStiffness stiffness{};
    std::array<Vec3, 8> rest{};           // corners of a cell about its centre
    std::vector<double> mass{};           // of nodes
    std::vector<std::uint32_t> gather{};  // places 8 * cell + corner, by node
    std::vector<std::uint32_t> gather_begin{};
    std::vector<std::uint32_t> order{};  // of nodes along the longest axis: place in the band
    std::size_t band = 0;                // in nodes
    double longest_substep = 0;          // limit of explicit steps, s
};

struct ImplicitScratch;

class Solid {
  public:
    // pinned: numbers of nodes that move on with the velocity they have.
    Solid(CellMesh mesh, const SolidMaterial& material, std::span<const std::uint32_t> pinned = {});
    ~Solid();
    Solid(Solid&&) noexcept;
    Solid& operator=(Solid&&) noexcept;

    std::size_t size() const { return state_.size(); }
    int substeps_for(double dt, const SolidSettings& settings) const;
    // Advances by dt; returns the number of substeps.
    int advance(double dt, const SolidSettings& settings, const Vec3& gravity,
                std::span<Contacts* const> contacts = {});

    // Static displacements under gravity, linear, at rest, with the pinned nodes fixed. False when nothing
    // holds it.
    bool sag(const Vec3& gravity, std::vector<Vec3>& displacement) const;
    // Lowest frequency that is no rigid motion, Hz, by inverse iteration; of a free body, or with its pins
    // fixed.
    double lowest_frequency() const;

    SolidEnergy energy(const Vec3& gravity);
    double volume() const;                 // of all cells as they are
    std::uint32_t inverted_cells() const;  // whose mean gradient has no positive determinant
    const SolidModel& model() const { return *model_; }
    Particles& state() { return state_; }
    const Particles& state() const { return state_; }
    const Surface& surface() const { return surface_; }
    Surface& surface() { return surface_; }

  private:
    void find_rotations(const Columns& x, Executor* executor);
    void find_forces(const Columns& x, const Columns& v, double relaxation, Executor* executor);
    void explicit_step(double h, const SolidSettings& settings, const Vec3& gravity,
                       std::span<Contacts* const> contacts);
    void implicit_step(double h, const SolidSettings& settings, const Vec3& gravity);
    void make_preconditioner(double h);
    void multiply(const Columns& d, double inertia, Columns& result, Executor* executor);

    std::unique_ptr<SolidModel> model_;
    Particles state_;
    Columns p_, f_;
    Surface surface_;
    std::vector<Mat3> rotation_;     // of cells
    std::vector<Vec3> cell_forces_;  // 8 a cell
    std::unique_ptr<ImplicitScratch> implicit_;
};

}  // namespace impuls::deformable
