// Building solids, their forces and explicit substeps (solid.h). Forces are found by cell and then gathered
// by node in a fixed order, so that chunks may run on any thread. Explicit substeps are symplectic: v from
// the forces at x, then x. Called by steppers and tests; implicit steps are in implicit.cpp.
#include "deformable/solid/solid.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/index.h"
#include "deformable/solid/cell_forces.h"
#include "deformable/solid/implicit_scratch.h"
#include "impuls/errors.h"

namespace impuls::deformable {
namespace {

constexpr double kStablePart =
    0.95;  // of the limit of explicit steps, itself that of one free cell and so below the body's
constexpr int kFewSubsteps =
    16;  // beyond these, an implicit step is cheaper (90 cells: 0.43 against 0.31 ms)
constexpr std::size_t kCellChunk = 64;  // cells of a chunk of parallel work

void check_solid(const CellMesh& mesh, const SolidMaterial& m) {
    const auto check = [](bool is_good, const char* what) {
        if (!is_good) throw InputError(what);
    };
    check(!mesh.cells.empty(), "a solid needs at least one cell");
    check(m.young > 0 && std::isfinite(m.young), "Young's modulus must be positive");
    check(m.poisson > -1 && m.poisson < 0.5, "Poisson's ratio must be above -1 and below 0.5");
    check(m.density > 0 && std::isfinite(m.density), "the density of a solid must be positive");
    check(m.relaxation >= 0 && m.drag >= 0, "damping and drag of a solid must not be negative");
}

Corners corners_of(const Columns& x, const Cell& cell) {
    Corners c;
    const Vec3 origin = x.at(cell[0]);
    for (std::size_t i = 0; i < 8; ++i) c[i] = x.at(cell[i]) - origin;
    return c;
}

template <class Body>
void chunked(Executor* executor, std::size_t n, std::size_t grain, Body&& body) {
    if (executor && n > grain)
        executor->parallel_for(n, grain, body);
    else
        body(std::size_t{0}, n);
}

}  // namespace

SolidModel::SolidModel(CellMesh cells, const SolidMaterial& m) : mesh(std::move(cells)), material(m) {
    check_solid(mesh, m);
    // B-bar where QM6 begins to lock (study: 1.7 % against 0.7 % at nu = 0.49).
    stiffness =
        cell_stiffness(mesh.size, m.young, m.poisson, m.poisson > 0.45 ? CellKind::BBar : CellKind::QM6);
    for (std::size_t i = 0; i < 8; ++i)
        rest[i] = {i & 1 ? mesh.size.x : 0, i & 2 ? mesh.size.y : 0, i & 4 ? mesh.size.z : 0};
    const double part = m.density * mesh.size.x * mesh.size.y * mesh.size.z / 8;
    mass.assign(mesh.nodes.size(), 0.0);
    std::vector<std::vector<std::uint32_t>> at(mesh.nodes.size());
    for (std::uint32_t c = 0; c < mesh.cells.size(); ++c)
        for (std::uint32_t i = 0; i < 8; ++i) {
            mass[mesh.cells[c][i]] += part;
            at[mesh.cells[c][i]].push_back(8 * c + i);
        }
    gather_begin.push_back(0);
    for (const auto& places : at) {
        gather.insert(gather.end(), places.begin(), places.end());
        gather_begin.push_back(static_cast<std::uint32_t>(gather.size()));
    }
    Vec3 low = mesh.nodes[0], high = low;
    for (const Vec3& p : mesh.nodes)
        for (int axis = 0; axis < 3; ++axis)
            low[axis] = std::min(low[axis], p[axis]), high[axis] = std::max(high[axis], p[axis]);
    const Vec3 extent = high - low;
    const int longest = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
    std::vector<std::uint32_t> sorted(mesh.nodes.size());
    std::iota(sorted.begin(), sorted.end(), 0u);
    std::stable_sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
        return mesh.nodes[a][longest] < mesh.nodes[b][longest] - 0.5 * mesh.size[longest];
    });
    order.resize(sorted.size());
    for (std::uint32_t i = 0; i < sorted.size(); ++i) order[sorted[i]] = i;
    for (const Cell& cell : mesh.cells)
        for (const std::uint32_t a : cell)
            for (const std::uint32_t b : cell)
                band = std::max<std::size_t>(band, order[a] > order[b] ? order[a] - order[b] : 0);
    longest_substep = 2 / std::sqrt(largest_eigenvalue(stiffness.data(), 24) / part);
}

Solid::Solid(CellMesh mesh, const SolidMaterial& material, std::span<const std::uint32_t> pinned)
    : model_(std::make_unique<SolidModel>(std::move(mesh), material)) {
    const std::size_t n = model_->mesh.nodes.size();
    state_ = Particles(n);
    p_ = f_ = Columns(n);
    for (std::size_t i = 0; i < n; ++i) {
        state_.x.set(i, model_->mesh.nodes[i]);
        state_.k[i] = 1 / model_->mass[i];
    }
    for (const std::uint32_t i : pinned) {
        if (i >= n) throw InputError("a pin of a solid names a node that it does not have");
        state_.k[i] = 0;
    }
    rotation_.resize(model_->mesh.cells.size());
    cell_forces_.resize(8 * model_->mesh.cells.size());
    surface_.triangles = outer_triangles(model_->mesh);
    for (const Triangle& t : surface_.triangles)
        surface_.nodes.insert(surface_.nodes.end(), t.begin(), t.end());
    std::sort(surface_.nodes.begin(), surface_.nodes.end());
    surface_.nodes.erase(std::unique(surface_.nodes.begin(), surface_.nodes.end()), surface_.nodes.end());
}

Solid::~Solid() = default;
Solid::Solid(Solid&&) noexcept = default;
Solid& Solid::operator=(Solid&&) noexcept = default;

void Solid::find_rotations(const Columns& x, Executor* executor) {
    chunked(executor, rotation_.size(), kCellChunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c)
            rotation_[c] =
                nearest_rotation(mean_gradient(corners_of(x, model_->mesh.cells[c]), model_->mesh.size));
    });
}

void Solid::find_forces(const Columns& x, const Columns& v, double relaxation, Executor* executor) {
    chunked(executor, rotation_.size(), kCellChunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            const Cell& cell = model_->mesh.cells[c];
            const Mat3 back = transpose(rotation_[c]);
            Corners u = corners_of(x, cell);
            if (relaxation > 0)
                for (std::size_t i = 0; i < 8; ++i) u[i] += (v.at(cell[i]) - v.at(cell[0])) * relaxation;
            for (std::size_t i = 0; i < 8; ++i) u[i] = back * u[i] - model_->rest[i];
            cell_force(model_->stiffness, u, rotation_[c], &cell_forces_[8 * c]);
        }
    });
    chunked(executor, state_.size(), 4 * kCellChunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Vec3 sum{};
            for (std::uint32_t g = model_->gather_begin[i]; g < model_->gather_begin[i + 1]; ++g)
                sum += cell_forces_[model_->gather[g]];
            f_.set(i, sum);
        }
    });
}

int Solid::substeps_for(double dt, const SolidSettings& settings) const {
    if (settings.substeps > 0) return settings.substeps;
    if (settings.scheme == SolidScheme::Implicit) return 1;
    // With damping over stiffness tau, sqrt(1 + z^2) - z of the limit is left, z = tau omega / 2.
    const double limit = kStablePart * model_->longest_substep,
                 z = model_->material.relaxation / model_->longest_substep;
    return static_cast<int>(std::ceil(dt / (limit * (std::sqrt(1 + z * z) - z))));
}

void Solid::explicit_step(double h, const SolidSettings& settings, const Vec3& gravity,
                          std::span<Contacts* const> contacts) {
    find_rotations(state_.x, settings.executor);
    find_forces(state_.x, state_.v, model_->material.relaxation, settings.executor);
    const double keep = 1 / (1 + h * model_->material.drag);
    for (std::size_t i = 0; i < state_.size(); ++i) {
        if (state_.k[i] > 0)
            state_.v.set(i, (state_.v.at(i) + h * (gravity + state_.k[i] * f_.at(i))) * keep);
        p_.set(i, state_.x.at(i) + h * state_.v.at(i));
    }
    for (Contacts* c : contacts) {
        c->begin(h);
        c->solve({state_.x, p_, state_.k, h});
        c->end(h);
    }
    if (!contacts.empty())
        for (std::size_t i = 0; i < state_.size(); ++i)
            state_.v.set(i, (p_.at(i) - state_.x.at(i)) * (1 / h));
    std::swap(state_.x, p_);
}

int Solid::advance(double dt, const SolidSettings& settings, const Vec3& gravity,
                   std::span<Contacts* const> contacts) {
    SolidSettings chosen = settings;
    if (chosen.scheme == SolidScheme::Automatic) {
        chosen.scheme = SolidScheme::Explicit;
        if (contacts.empty() && substeps_for(dt, chosen) > kFewSubsteps)
            chosen.scheme = SolidScheme::Implicit;
    }
    const int n = substeps_for(dt, chosen);
    for (int i = 0; i < n; ++i) {
        if (chosen.scheme == SolidScheme::Implicit)
            implicit_step(dt / n, chosen, gravity);
        else
            explicit_step(dt / n, chosen, gravity, contacts);
    }
    return n;
}

SolidEnergy Solid::energy(const Vec3& gravity) {
    SolidEnergy e;
    find_rotations(state_.x, nullptr);
    for (std::size_t c = 0; c < rotation_.size(); ++c) {
        Corners u = corners_of(state_.x, model_->mesh.cells[c]);
        for (std::size_t i = 0; i < 8; ++i) u[i] = transpose(rotation_[c]) * u[i] - model_->rest[i];
        std::array<Vec3, 8> force;
        cell_force(model_->stiffness, u, Mat3{}, force.data());
        for (std::size_t i = 0; i < 8; ++i) e.elastic -= 0.5 * dot(force[i], u[i]);
    }
    for (std::size_t i = 0; i < state_.size(); ++i) {
        e.kinetic += 0.5 * model_->mass[i] * length_squared(state_.v.at(i)) * (state_.k[i] > 0);
        e.gravity -= model_->mass[i] * dot(gravity, state_.x.at(i)) * (state_.k[i] > 0);
    }
    return e;
}

// By five tetrahedra a cell, alternating as split_cell does.
double Solid::volume() const {
    double sum = 0;
    for (std::size_t c = 0; c < model_->mesh.cells.size(); ++c)
        for (const Tetrahedron& t : split_cell(model_->mesh.cells[c], model_->mesh.is_odd[c])) {
            const Vec3 a = state_.x.at(t[0]);
            sum += dot(state_.x.at(t[1]) - a, cross(state_.x.at(t[2]) - a, state_.x.at(t[3]) - a)) / 6;
        }
    return sum;
}

std::uint32_t Solid::inverted_cells() const {
    std::uint32_t count = 0;
    for (const Cell& cell : model_->mesh.cells)
        count += !(determinant(mean_gradient(corners_of(state_.x, cell), model_->mesh.size)) > 0);
    return count;
}

}  // namespace impuls::deformable
