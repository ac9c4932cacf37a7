// Impulses that hold faces together (held_faces.h).
#include "solvers/held_faces.h"

#include <algorithm>
#include <cmath>

#include "solvers/complementarity.h"
#include "solvers/tuning.h"

namespace impuls {

bool HeldFaces::suits(const Problem& problem, double speed) {
    const ContactRows& c = problem.contacts;
    if (c.size() < 2 || c.size() > tuning::kMostPivoted || !problem.rows.rows.empty() || !(speed > 0))
        return false;
    bool is_uneven = false;
    for (std::size_t k = 0; k < c.size(); ++k) {
        if (!is_rigid(problem.nodes, c, k) || c.is_given[k] || c.compliance[k] > 0) return false;
        const auto [heavy, light] =
            std::minmax(problem.nodes.inv_mass[c.a[k]], problem.nodes.inv_mass[c.b[k]]);
        is_uneven |= heavy > 0 && light > tuning::kStrain * heavy;
    }
    return is_uneven;
}

void HeldFaces::find_faces(const ContactRows& c) {
    faces_.clear();
    for (std::size_t k = 0; k < c.size(); ++k) {
        if (k == 0 || c.a[k] != c.a[k - 1] || c.b[k] != c.b[k - 1]) faces_.push_back({k, k, {}, 0});
        faces_.back().end = k + 1;
    }
    for (Face& face : faces_) {
        const double count = static_cast<double>(face.end - face.first);
        for (std::size_t k = face.first; k < face.end; ++k) face.centre += c.rb[k] / count;
        for (std::size_t k = face.first; k < face.end; ++k)
            face.radius = std::max(face.radius, length(c.rb[k] - face.centre));
    }
}

void HeldFaces::find_modes(const ContactRows& c) {
    modes_.assign(3 * c.size(), {});
    for (const Face& face : faces_)
        for (std::size_t k = face.first; k < face.end; ++k) {
            // d . (y_1 + y_2 x r) = d . y_1 + (r x d) . y_2
            const auto set = [&](std::size_t row, const Vec3& d, const Vec3& at) {
                const Vec3 turn = face.radius > 0 ? cross((at - face.centre) / face.radius, d) : Vec3{};
                modes_[row] = {d.x, d.y, d.z, turn.x, turn.y, turn.z};
            };
            set(3 * k, c.n[k], c.rb[k]);
            if (!(c.friction[k] > 0)) continue;
            set(3 * k + 1, c.t1[k], c.rb[k] + c.shift[k]);
            set(3 * k + 2, c.t2[k], c.rb[k] + c.shift[k]);
        }
}

// Adds P_f^T A P_g, and its transpose in its place.
void HeldFaces::add_coupling(std::size_t f, std::size_t g) {
    const std::size_t n = lack_.size();
    std::array<std::array<double, kModes>, kModes> sum{};
    for (std::size_t k = 3 * faces_[f].first; k < 3 * faces_[f].end; ++k)
        for (std::size_t l = 3 * faces_[g].first; l < 3 * faces_[g].end; ++l) {
            if (!is_held_[k / 3] || !is_held_[l / 3]) continue;
            const double a = system_.coupling(k, l);
            for (std::size_t i = 0; i < kModes; ++i)
                for (std::size_t j = 0; j < kModes; ++j) sum[i][j] += modes_[k][i] * a * modes_[l][j];
        }
    for (std::size_t i = 0; i < kModes; ++i)
        for (std::size_t j = 0; j < kModes; ++j)
            matrix_[(kModes * f + i) * n + kModes * g + j] = matrix_[(kModes * g + j) * n + kModes * f + i] =
                sum[i][j];
}

void HeldFaces::assemble(const Problem& problem) {
    const ContactRows& c = problem.contacts;
    lack_.assign(kModes * faces_.size(), 0);
    matrix_.assign(lack_.size() * lack_.size(), 0);
    const auto is_of = [&](std::uint32_t node, const Face& face) {
        return problem.nodes.inv_mass[node] > 0 && (node == c.a[face.first] || node == c.b[face.first]);
    };
    for (std::size_t f = 0; f < faces_.size(); ++f) {
        for (std::size_t k = faces_[f].first; k < faces_[f].end; ++k) {
            if (!is_held_[k]) continue;
            const std::array<double, 3> bias{c.bias[k], c.bias_1[k], c.bias_2[k]};
            for (std::size_t i = 0; i < 3; ++i) {
                const double w = system_.velocity(problem.nodes, 3 * k + i) + bias[i];
                for (std::size_t m = 0; m < kModes; ++m) lack_[kModes * f + m] -= modes_[3 * k + i][m] * w;
            }
        }
        for (std::size_t g = 0; g <= f; ++g)
            if (is_of(c.a[faces_[f].first], faces_[g]) || is_of(c.b[faces_[f].first], faces_[g]))
                add_coupling(f, g);
    }
}

// y, improved once by what it leaves of the equations, and x = P y.
void HeldFaces::solve(const ContactRows& c) {
    const std::size_t n = lack_.size();
    factors_.factor(matrix_, n, tuning::kHeldRedundant);
    y_ = lack_;
    factors_.solve(y_);
    rest_ = lack_;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) rest_[i] -= matrix_[i * n + j] * y_[j];
    factors_.solve(rest_);
    for (std::size_t i = 0; i < n; ++i) y_[i] += rest_[i];
    x_.assign(3 * c.size(), 0);
    for (std::size_t f = 0; f < faces_.size(); ++f)
        for (std::size_t k = 3 * faces_[f].first; k < 3 * faces_[f].end; ++k)
            for (std::size_t m = 0; m < kModes && is_held_[k / 3]; ++m)
                x_[k] += modes_[k][m] * y_[kModes * f + m];
}

// Those that would pull most are not held any more. Returns whether there were any.
bool HeldFaces::let_go(const ContactRows& c) {
    const auto pull = [&](std::size_t k) { return c.least[k] - (c.impulse_n[k] + x_[3 * k]); };
    double most = 0;
    for (std::size_t k = 0; k < c.size(); ++k)
        if (is_held_[k]) most = std::max(most, pull(k));
    for (std::size_t k = 0; k < c.size() && most > 0; ++k)
        if (is_held_[k] && pull(k) >= 0.5 * most) is_held_[k] = 0;
    return most > 0;
}

// Where the guess has bodies go into each other at a point that is not held, it is held again: the worst one.
bool HeldFaces::hold_again(Problem& problem, double speed) {
    const ContactRows& c = problem.contacts;
    start_.take(problem);
    system_.apply_guesses(problem);
    double most = tuning::kHeldGap * speed;
    std::size_t worst = c.size();
    for (std::size_t k = 0; k < c.size(); ++k) {
        const double approach = -(system_.velocity(problem.nodes, 3 * k) + c.bias[k]);
        if (is_held_[k] || approach <= most) continue;
        most = approach;
        worst = k;
    }
    start_.restore(problem);
    if (worst < c.size()) is_held_[worst] = 1;
    return worst < c.size();
}

void HeldFaces::put_guess(ContactRows& c) const {
    for (std::size_t k = 0; k < c.size(); ++k) {
        const double n = std::max(c.least[k], c.impulse_n[k] + x_[3 * k]);
        double p1 = c.impulse_1[k] + x_[3 * k + 1], p2 = c.impulse_2[k] + x_[3 * k + 2];
        const double limit = c.friction[k] * std::max(0.0, n);
        if (!c.friction_set.contains(limit, p1, p2)) c.friction_set.project(limit, p1, p2);
        c.guess_n[k] = n - c.impulse_n[k];
        c.guess_1[k] = p1 - c.impulse_1[k];
        c.guess_2[k] = p2 - c.impulse_2[k];
    }
}

double HeldFaces::error_with_guess(Problem& problem) {
    start_.take(problem);
    system_.apply_guesses(problem);
    const double error = complementarity_error(problem, system_, problem.contacts.friction_set);
    start_.restore(problem);
    return error;
}

void HeldFaces::improve_guess(Problem& problem, double speed) {
    ContactRows& c = problem.contacts;
    system_.build(problem);
    const double error = error_with_guess(problem);
    if (!(error > tuning::kHeldError * speed)) return;
    find_faces(c);
    find_modes(c);
    is_held_.assign(c.size(), 0);
    for (std::size_t k = 0; k < c.size(); ++k)
        is_held_[k] = system_.velocity(problem.nodes, 3 * k) + c.bias[k] <= tuning::kHeldGap * speed;
    kept_ = c;
    double best = error;
    for (int round = 0; round < tuning::kHeldRounds; ++round) {
        assemble(problem);
        solve(c);
        put_guess(c);
        const double now = error_with_guess(problem);
        if (now < best) kept_ = c;
        best = std::min(best, now);
        if (!let_go(c) && !hold_again(problem, speed)) break;
    }
    c.guess_n = kept_.guess_n, c.guess_1 = kept_.guess_1, c.guess_2 = kept_.guess_2;
}

}  // namespace impuls
