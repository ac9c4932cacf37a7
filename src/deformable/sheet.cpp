// Building sheets and their substep (sheet.h). The default number of substeps follows the study's rule: h
// proportional to the edge over the speed of a free fall along the sheet, h = 0.0145 l / sqrt(g L), measured
// on sheets of 50 x 50 and 100 x 100 nodes with a factor of 1.3 to where stretch rises; and the limits of the
// explicit forces.
#include "deformable/sheet.h"

#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "deformable/tuning.h"
#include "impuls/errors.h"

namespace impuls::deformable {
namespace {

constexpr double kExplicitPart = 0.9;  // of the limit of explicit forces
constexpr int kMostSubsteps = 100000;
constexpr std::size_t kChunk = 8 * kLanes;  // rows or columns of a chunk of parallel work

int padded(int n) {
    return (n + kLanes - 1) / kLanes * kLanes;
}

void check(bool is_good, const char* what) {
    if (!is_good) throw InputError(what);
}

void check_sheet(const SheetShape& s, const SheetMaterial& m, std::span<const double> k) {
    const auto is_positive = [](double value) { return value > 0 && std::isfinite(value); };
    const auto is_at_least_0 = [](double value) { return value >= 0 && std::isfinite(value); };
    check(s.rows >= 1 && s.columns >= 2, "a sheet needs at least 1 row and 2 columns");
    check(is_positive(s.spacing.across) && (s.rows == 1 || is_positive(s.spacing.down)),
          "the spacing of a sheet must be positive");
    check(k.size() == idx(s.rows) * idx(s.columns), "a sheet needs one mass a node");
    check(std::all_of(k.begin(), k.end(), is_at_least_0), "inverse masses must not be negative");
    check(is_positive(m.stretch), "the tensile stiffness of a sheet must be positive");
    check(is_at_least_0(m.shear) && is_at_least_0(m.bending) && is_at_least_0(m.relaxation) &&
              is_at_least_0(m.drag) && is_at_least_0(m.air),
          "shear, bending, damping, drag and air of a sheet must not be negative");
}

}  // namespace

Sheet::Sheet(const SheetShape& shape, const SheetMaterial& material, std::span<const double> inverse_masses)
    : shape_(shape), material_(material) {
    check_sheet(shape, material, inverse_masses);
    padded_rows_ = padded(shape.rows);
    pitch_ = padded(shape.columns);
    const std::size_t n = idx(padded_rows_) * idx(pitch_) + kLanes;  // springs look one node ahead
    state_ = Particles(n);
    p_ = Columns(n);
    for (int r = 0; r < shape.rows; ++r)
        for (int c = 0; c < shape.columns; ++c) {
            state_.k[node(r, c)] = inverse_masses[idx(r) * idx(shape.columns) + idx(c)];
            surface_.nodes.push_back(node(r, c));
            if (r + 1 < shape.rows && c + 1 < shape.columns) {
                surface_.triangles.push_back({node(r, c), node(r + 1, c), node(r + 1, c + 1)});
                surface_.triangles.push_back({node(r, c), node(r + 1, c + 1), node(r, c + 1)});
            }
        }
    has_forces_ = material.shear > 0 || material.bending > 0 || material.air > 0;
    if (has_forces_) f_ = Columns(n);
    const auto add = [&](const std::vector<std::uint32_t>& path, double length, double stiffness) {
        const std::vector<double> lengths(path.size(), length), all(path.size(), stiffness);
        strips_.add(path, lengths, all);
        for (std::size_t e = 0; e + 1 < path.size(); ++e)
            edges_.add(std::span(path).subspan(e, 2), std::span(lengths).subspan(e, 2),
                       std::span(all).subspan(e, 2));
    };
    for (int r = 0; r < shape.rows; ++r) {
        std::vector<std::uint32_t> path;
        for (int c = 0; c < shape.columns; ++c) path.push_back(node(r, c));
        add(path, shape.spacing.across, stiffness_along());
    }
    for (int c = 0; c < shape.columns && shape.rows > 1; ++c) {
        std::vector<std::uint32_t> path;
        for (int r = 0; r < shape.rows; ++r) path.push_back(node(r, c));
        add(path, shape.spacing.down, stiffness_down());
    }
    const std::size_t chunks = (idx(std::max(padded_rows_, pitch_)) + kChunk - 1) / kChunk;
    scratch_.resize(
        std::max(chunks * strip_scratch(std::max(padded_rows_, pitch_)), 6 * idx(pitch_ + kLanes)));
    for (std::vector<double>* column : {&chain_scratch_.g, &chain_scratch_.c})
        column->resize(idx(std::max(shape.rows, shape.columns)));
}

// Of one edge: the width that it stands for over its length.
double Sheet::stiffness_along() const {
    return material_.stretch * (shape_.rows == 1 ? 1 : shape_.spacing.down) / shape_.spacing.across;
}
double Sheet::stiffness_down() const {
    return material_.stretch * shape_.spacing.across / shape_.spacing.down;
}

void Sheet::load(std::span<const Vec3> places, std::span<const Vec3> velocities) {
    IMPULS_ASSERT(places.size() == size() && velocities.size() == size());
    for (std::size_t i = 0; i < size(); ++i) {
        state_.x.set(surface_.nodes[i], places[i]);
        state_.v.set(surface_.nodes[i], velocities[i]);
    }
}

void Sheet::store(std::span<Vec3> places, std::span<Vec3> velocities) const {
    IMPULS_ASSERT(places.size() == size() && velocities.size() == size());
    for (std::size_t i = 0; i < size(); ++i) {
        places[i] = state_.x.at(surface_.nodes[i]);
        velocities[i] = state_.v.at(surface_.nodes[i]);
    }
}

Grid Sheet::grid() {
    Grid g;
    g.rows = shape_.rows, g.columns = shape_.columns, g.padded_rows = padded_rows_, g.pitch = pitch_;
    g.k = state_.k.data();
    g.x = state_.x.x.data(), g.y = state_.x.y.data(), g.z = state_.x.z.data();
    g.vx = state_.v.x.data(), g.vy = state_.v.y.data(), g.vz = state_.v.z.data();
    g.px = p_.x.data(), g.py = p_.y.data(), g.pz = p_.z.data();
    if (has_forces_) g.fx = f_.x.data(), g.fy = f_.y.data(), g.fz = f_.z.data();
    return g;
}

int Sheet::substeps_for(double dt, const SheetSettings& settings, const Surroundings& around) const {
    const GridSpacing& s = shape_.spacing;
    const bool is_rope = shape_.rows == 1;
    const double edge = is_rope ? s.across : std::min(s.across, s.down);
    const double size = std::max(s.across * (shape_.columns - 1), is_rope ? 0 : s.down * (shape_.rows - 1));
    double lightest = 0, fastest = 0;
    for (const std::uint32_t i : surface_.nodes) {
        lightest = std::max(lightest, state_.k[i]);
        fastest = std::max(fastest, length_squared(state_.v.at(i) - state_.v.at(surface_.nodes[0])));
    }
    // omega^2 of the explicit forces, the sum of the largest of each.
    const double width = is_rope ? 1 : s.down;
    double omega =
        (is_rope ? 16 : 64) * material_.bending * width / (edge * edge * edge) + 8 * material_.shear;
    double pace = std::sqrt(std::max(length(around.gravity) * size, 0.25 * fastest)) / (kFallPace * edge);
    if (settings.solver == SheetSolver::MicroSteps) {
        omega += 4 * stiffness_along() + (is_rope ? 0 : 4 * stiffness_down());
        pace = 0;
    }
    const double limit = std::sqrt(omega * lightest) / (2 * kExplicitPart);
    const double rate = std::max({pace, limit, limit * limit * material_.relaxation, 1 / dt});
    return static_cast<int>(std::min(std::ceil(dt * rate), static_cast<double>(kMostSubsteps)));
}

void Sheet::add_forces(const Surroundings& around) {
    if (!has_forces_) return;
    for (std::vector<double>* column : {&f_.x, &f_.y, &f_.z}) std::fill(column->begin(), column->end(), 0.0);
    const Grid g = grid();
    if (material_.bending > 0) add_bending(g, shape_.spacing, material_.bending, material_.relaxation, f_);
    if (material_.shear > 0 && shape_.rows > 1)
        add_shear(g, shape_.spacing, material_.shear, material_.relaxation, f_);
    if (material_.air > 0 && shape_.rows > 1) add_air(g, around.wind, material_.air, f_);
}

namespace {

// Chunks of rows or columns, the same for any number of threads.
template <class Body>
void in_chunks(Executor* executor, int n, const Body& body) {
    const std::size_t all = static_cast<std::size_t>(n);
    if (executor && all > kChunk) {
        executor->parallel_for(all, kChunk, [&](std::size_t begin, std::size_t end) {
            body(begin / kChunk, static_cast<int>(begin), static_cast<int>(end));
        });
        return;
    }
    for (std::size_t begin = 0; begin < all; begin += kChunk)
        body(begin / kChunk, static_cast<int>(begin), static_cast<int>(std::min(all, begin + kChunk)));
}

}  // namespace

void Sheet::sweep(const SheetSettings& settings, const GridKernel& kernel, double h) {
    if (settings.repair_speed > 0)
        return repair_chains(strips_, state_.k, h, settings.repair_speed, state_.x, p_, chain_scratch_);
    if (settings.solver == SheetSolver::GaussSeidel)
        return solve_chains(edges_, state_.k, h, p_, chain_scratch_);
    if (settings.solver == SheetSolver::Global) {
        global_->solve(state_.k, h, p_);
        return;
    }
    const Grid g = grid();
    const double across = shape_.spacing.across * shape_.spacing.across,
                 down = shape_.spacing.down * shape_.spacing.down;
    const StripRow row{across, across / stiffness_along() / (h * h)};
    const StripRow column{down, down / stiffness_down() / (h * h)};
    const std::size_t each = strip_scratch(std::max(padded_rows_, pitch_));
    in_chunks(settings.executor, padded_rows_, [&](std::size_t chunk, int begin, int end) {
        kernel.along_rows(g, row, begin, end, scratch_.data() + chunk * each);
    });
    if (shape_.rows == 1) return;
    in_chunks(settings.executor, pitch_, [&](std::size_t chunk, int begin, int end) {
        kernel.along_columns(g, column, begin, end, scratch_.data() + chunk * each);
    });
}

void Sheet::substep(const SheetSettings& settings, const GridKernel& kernel, const Surroundings& around,
                    double h) {
    const Grid g = grid();
    const Prediction by{h, 1 / (1 + h * material_.drag), around.gravity};
    in_chunks(settings.executor, padded_rows_,
              [&](std::size_t, int begin, int end) { kernel.predict(g, by, begin, end); });
    for (Contacts* contacts : around.contacts) contacts->begin(h);
    for (int i = 0; i < std::max(settings.sweeps, 1); ++i) {
        sweep(settings, kernel, h);
        for (Contacts* contacts : around.contacts) contacts->solve({state_.x, p_, state_.k, h});
    }
    for (Contacts* contacts : around.contacts) contacts->end(h);
    in_chunks(settings.executor, padded_rows_,
              [&](std::size_t, int begin, int end) { kernel.take(g, h, begin, end); });
}

void Sheet::micro_step(const GridKernel& kernel, const Surroundings& around, double h) {
    const Prediction by{h, 1 / (1 + h * material_.drag), around.gravity};
    const double across = shape_.spacing.across * shape_.spacing.across,
                 down = shape_.spacing.down * shape_.spacing.down;
    p_ = state_.x;  // as it was, for contacts
    kernel.springs(grid(), by, {across, stiffness_along() / across},
                   {down, shape_.rows == 1 ? 0 : stiffness_down() / down}, scratch_.data());
    if (around.contacts.empty()) return;
    std::swap(p_, state_.x);
    for (Contacts* contacts : around.contacts) {
        contacts->begin(h);
        contacts->solve({state_.x, p_, state_.k, h});
        contacts->end(h);
    }
    for (const std::uint32_t i : surface_.nodes)
        if (const Vec3 v = (p_.at(i) - state_.x.at(i)) / h; state_.k[i] > 0) state_.v.set(i, v);
    std::swap(p_, state_.x);
}

int Sheet::advance(double dt, const SheetSettings& settings, const Surroundings& around) {
    const GridKernel& kernel = settings.kernel ? *settings.kernel : grid_kernel();
    const int n = settings.substeps > 0 ? settings.substeps : substeps_for(dt, settings, around);
    if (settings.solver == SheetSolver::Global && !global_)
        global_ = std::make_unique<GlobalRows>(strips_, state_.size());
    for (int i = 0; i < n; ++i) {
        add_forces(around);
        if (settings.solver == SheetSolver::MicroSteps)
            micro_step(kernel, around, dt / n);
        else
            substep(settings, kernel, around, dt / n);
    }
    return n;
}

SheetEnergy Sheet::energy(const Vec3& gravity) const {
    SheetEnergy e;
    for (const std::uint32_t i : surface_.nodes) {
        if (!(state_.k[i] > 0)) continue;
        const double mass = 1 / state_.k[i];
        e.kinetic += 0.5 * mass * length_squared(state_.v.at(i));
        e.gravity -= mass * dot(gravity, state_.x.at(i));
    }
    e.stretch = stretch_energy(strips_, state_.x);
    const Grid g = const_cast<Sheet*>(this)->grid();
    if (material_.bending > 0) e.bending = bending_energy(g, shape_.spacing, material_.bending);
    if (material_.shear > 0 && shape_.rows > 1) e.shear = shear_energy(g, shape_.spacing, material_.shear);
    return e;
}

}  // namespace impuls::deformable
