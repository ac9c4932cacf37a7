// Implicit midpoint steps of solids, and what else needs a factor of the stiffness: static sag and
// frequencies (solid.h). Newton's matrix is (4/h^2) M + sum R K R^T (warped stiffness); conjugate gradients
// take it cell by cell. Without them, Newton with the factor at rest diverges as soon as cells turn by a
// tenth of a radian (study, 2).
#include "deformable/solid/implicit_scratch.h"

#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "deformable/solid/cell_forces.h"
#include "deformable/solid/solid.h"

namespace impuls::deformable {
namespace {

constexpr double kNewtonTolerance = 1e-5;  // largest correction over the size of a cell
constexpr int kMostNewton = 10;
constexpr double kGradientTolerance = 1e-3;  // of the residual at the start
constexpr int kMostGradients = 400;

double dot_of(const Columns& a, const Columns& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a.x[i] * b.x[i] + a.y[i] * b.y[i] + a.z[i] * b.z[i];
    return sum;
}

// inertia M + K at rest in the order of the band; pinned nodes keep a unit diagonal.
bool factor_at_rest(const SolidModel& model, const std::vector<double>& k, double inertia,
                    BandedCholesky& factor) {
    factor.reset(3 * model.mass.size(), 3 * model.band + 2);
    for (std::size_t i = 0; i < model.mass.size(); ++i)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::size_t row = 3 * model.order[i] + axis;
            factor.at(row, row) = k[i] > 0 ? inertia * model.mass[i] : 1;
        }
    for (const Cell& cell : model.mesh.cells)
        for (std::size_t a = 0; a < 24; ++a)
            for (std::size_t b = 0; b < 24; ++b) {
                if (!(k[cell[a / 3]] > 0 && k[cell[b / 3]] > 0)) continue;
                const std::size_t row = 3 * model.order[cell[a / 3]] + a % 3,
                                  column = 3 * model.order[cell[b / 3]] + b % 3;
                if (row >= column) factor.at(row, column) += model.stiffness[a * 24 + b];
            }
    return factor.factor();
}

}  // namespace

void Solid::make_preconditioner(double h) {
    if (!implicit_) implicit_ = std::make_unique<ImplicitScratch>();
    ImplicitScratch& s = *implicit_;
    if (s.h == h) return;
    factor_at_rest(*model_, state_.k, 4 / (h * h), s.factor);
    s.h = h;
    s.packed.resize(3 * size());
    for (Columns* c :
         {&s.start, &s.guess, &s.residual, &s.direction, &s.product, &s.preconditioned, &s.correction})
        *c = Columns(size());
}

// (inertia M + sum R K R^T) d with the rotations as they are; pinned nodes give 0.
void Solid::multiply(const Columns& d, double inertia, Columns& result, Executor* executor) {
    auto by_cells = [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            const Cell& cell = model_->mesh.cells[c];
            const Mat3 back = transpose(rotation_[c]);
            Corners u;
            for (std::size_t i = 0; i < 8; ++i) u[i] = back * d.at(cell[i]);
            cell_force(model_->stiffness, u, rotation_[c], &cell_forces_[8 * c]);
        }
    };
    if (executor)
        executor->parallel_for(rotation_.size(), 64, by_cells);
    else
        by_cells(0, rotation_.size());
    for (std::size_t i = 0; i < size(); ++i) {
        Vec3 sum = d.at(i) * (inertia * model_->mass[i]);
        for (std::uint32_t g = model_->gather_begin[i]; g < model_->gather_begin[i + 1]; ++g)
            sum -= cell_forces_[model_->gather[g]];
        result.set(i, state_.k[i] > 0 ? sum : Vec3{});
    }
}

void Solid::implicit_step(double h, const SolidSettings& settings, const Vec3& gravity) {
    make_preconditioner(h);
    ImplicitScratch& s = *implicit_;
    const double inertia = 4 / (h * h), keep = 1 / (1 + h * model_->material.drag);
    // Damping over stiffness acts through the midpoint's displacement: tau v_m = 2 tau / h (x_m - x).
    const double damped = 2 * model_->material.relaxation / h;
    for (std::size_t i = 0; i < size(); ++i) {
        const bool is_free = state_.k[i] > 0;
        const Vec3 v = state_.v.at(i);
        s.start.set(i, state_.x.at(i) + v * (0.5 * h));
        s.guess.set(i, s.start.at(i) + (is_free ? gravity * (0.25 * h * h) : Vec3{}));
    }
    // The rotation of the whole body, by which the factor at rest is turned.
    Vec3 center{}, rest{};
    double mass = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        center += s.guess.at(i) * model_->mass[i];
        rest += model_->mesh.nodes[i] * model_->mass[i];
        mass += model_->mass[i];
    }
    center *= 1 / mass, rest *= 1 / mass;
    Mat3 fit{{}, {}, {}};
    for (std::size_t i = 0; i < size(); ++i) {
        const Vec3 d = (s.guess.at(i) - center) * model_->mass[i], e = model_->mesh.nodes[i] - rest;
        fit = fit + Mat3{d * e.x, d * e.y, d * e.z};
    }
    const Mat3 turn = nearest_rotation(fit), back = transpose(turn);
    const auto precondition = [&](const Columns& r, Columns& z) {
        for (std::size_t i = 0; i < size(); ++i) {
            const Vec3 local = back * r.at(i);
            double* at = &s.packed[3 * model_->order[i]];
            at[0] = local.x, at[1] = local.y, at[2] = local.z;
        }
        s.factor.solve(s.packed.data());
        for (std::size_t i = 0; i < size(); ++i) {
            const double* at = &s.packed[3 * model_->order[i]];
            z.set(i, state_.k[i] > 0 ? turn * Vec3{at[0], at[1], at[2]} : Vec3{});
        }
    };
    const double size_of_cell = std::min({model_->mesh.size.x, model_->mesh.size.y, model_->mesh.size.z});
    s.iterations = 0;
    for (s.newton = 0; s.newton < kMostNewton; ++s.newton) {
        find_rotations(s.guess, settings.executor);
        for (std::size_t i = 0; i < size(); ++i)  // the rate of the midpoint, for damping
            p_.set(i, (s.guess.at(i) - state_.x.at(i)) * (2 / h));
        find_forces(s.guess, p_, model_->material.relaxation, settings.executor);
        for (std::size_t i = 0; i < size(); ++i) {
            const Vec3 push =
                f_.at(i) + (gravity - (s.guess.at(i) - s.start.at(i)) * inertia) * model_->mass[i];
            s.residual.set(i, state_.k[i] > 0 ? push : Vec3{});
            s.correction.set(i, {});
        }
        precondition(s.residual, s.preconditioned);
        s.direction = s.preconditioned;
        double rz = dot_of(s.residual, s.preconditioned);
        const double goal = kGradientTolerance * kGradientTolerance * rz;
        for (int i = 0; i < kMostGradients && rz > goal; ++i, ++s.iterations) {
            // With damping, K acts on (1 + 2 tau / h) d.
            multiply(s.direction, inertia / (1 + damped), s.product, settings.executor);
            const double alpha = rz / ((1 + damped) * dot_of(s.direction, s.product));
            for (std::size_t j = 0; j < size(); ++j) {
                s.correction.add(j, s.direction.at(j) * alpha);
                s.residual.add(j, s.product.at(j) * (-alpha * (1 + damped)));
            }
            precondition(s.residual, s.preconditioned);
            const double next = dot_of(s.residual, s.preconditioned), beta = next / rz;
            rz = next;
            for (std::size_t j = 0; j < size(); ++j)
                s.direction.set(j, s.preconditioned.at(j) + s.direction.at(j) * beta);
        }
        double most = 0;
        for (std::size_t i = 0; i < size(); ++i) {
            s.guess.add(i, s.correction.at(i));
            most = std::max(most, length_squared(s.correction.at(i)));
        }
        if (s.newton > 0 && std::sqrt(most) < kNewtonTolerance * size_of_cell) break;
    }
    for (std::size_t i = 0; i < size(); ++i) {
        const Vec3 x = state_.x.at(i), next = s.guess.at(i) * 2 - x;
        if (state_.k[i] > 0) state_.v.set(i, ((next - x) * (2 / h) - state_.v.at(i)) * keep);
        state_.x.set(i, next);
    }
}

bool Solid::sag(const Vec3& gravity, std::vector<Vec3>& displacement) const {
    BandedCholesky factor;
    if (!factor_at_rest(*model_, state_.k, 0, factor)) return false;
    std::vector<double> x(3 * size());
    for (std::size_t i = 0; i < size(); ++i)
        for (int axis = 0; axis < 3; ++axis)
            x[3 * model_->order[i] + idx(axis)] = state_.k[i] > 0 ? model_->mass[i] * gravity[axis] : 0;
    factor.solve(x.data());
    displacement.clear();
    for (std::size_t i = 0; i < size(); ++i) {
        const double* at = &x[3 * model_->order[i]];
        displacement.push_back({at[0], at[1], at[2]});
    }
    return true;
}

double Solid::lowest_frequency() const {
    const SolidModel& m = *model_;
    // A free body's stiffness is singular: with a small part of the mass it is not, and rigid motions are
    // taken out.
    const bool is_free = std::all_of(state_.k.begin(), state_.k.end(), [](double k) { return k > 0; });
    const double size = m.mesh.size.x * static_cast<double>(m.mesh.cells.size());
    const double shift = is_free ? m.material.young / (m.material.density * size * size) * 1e-3 : 0;
    BandedCholesky factor;
    if (!factor_at_rest(m, state_.k, shift, factor)) return 0;
    std::vector<double> x(3 * this->size()), y(x.size()), mass(x.size());
    std::vector<std::vector<double>> rigid;
    for (int mode = 0; is_free && mode < 6; ++mode) rigid.emplace_back(x.size());
    for (std::size_t i = 0; i < this->size(); ++i)
        for (int axis = 0; axis < 3; ++axis) {
            const std::size_t row = 3 * m.order[i] + idx(axis);
            mass[row] = state_.k[i] > 0 ? m.mass[i] : 0;
            x[row] = 1 + 0.1 * axis + 0.01 * static_cast<double>(i * i % 7);
            for (int mode = 0; is_free && mode < 6; ++mode) {
                Vec3 unit{};
                unit[mode % 3] = 1;
                rigid[idx(mode)][row] = mode < 3 ? unit[axis] : cross(unit, m.mesh.nodes[i])[axis];
            }
        }
    const auto product = [&](const std::vector<double>& a, const std::vector<double>& b) {
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i) sum += mass[i] * a[i] * b[i];
        return sum;
    };
    const auto normalise = [&](std::vector<double>& a, std::size_t modes) {
        for (std::size_t mode = 0; mode < modes; ++mode) {
            const double part = product(a, rigid[mode]);
            for (std::size_t i = 0; i < a.size(); ++i) a[i] -= part * rigid[mode][i];
        }
        const double scale = 1 / std::sqrt(product(a, a));
        for (double& value : a) value *= scale;
    };
    for (std::size_t mode = 0; mode < rigid.size(); ++mode) normalise(rigid[mode], mode);
    double value = 0;
    for (int round = 0; round < 100; ++round) {  // (K + shift M) y = M x
        normalise(x, rigid.size());
        for (std::size_t i = 0; i < x.size(); ++i) y[i] = mass[i] * x[i];
        factor.solve(y.data());
        value = product(x, y);  // 1 / (omega^2 + shift)
        x.swap(y);
    }
    return std::sqrt(1 / value - shift) / 6.283185307179586;
}

}  // namespace impuls::deformable
