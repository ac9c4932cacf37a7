// The impulse method and its solvers (bender.h). Signs are the text's: impulse + on body a, - on body
// b, and the gap is b's point less a's.
#include "reference/bender.h"

#include <algorithm>
#include <cmath>
#include <eigen3/Eigen/Dense>

#include "reference/acyclic_parts.h"
#include "solvers/articulated_tree.h"

namespace impuls::reference {

struct Bender::Linear {
    Eigen::MatrixXd matrix{};
    Eigen::LLT<Eigen::MatrixXd> factor{};
    Eigen::VectorXd right{};
    ArticulatedTree tree{};
    std::unique_ptr<AcyclicParts> parts{};
};

namespace {

// Change of the velocity at r by an impulse at s of the same body: E/m - [r] I^-1 [s].
Mat3 point_response(double mass, const Mat3& inverse_inertia, const Vec3& r, const Vec3& s) {
    return diagonal(Vec3{1, 1, 1} * (1 / mass)) - skew(r) * inverse_inertia * skew(s);
}

std::size_t place(int body) {
    return static_cast<std::size_t>(body);
}

}  // namespace

Bender::Bender(Solver solver, const System& system, const BenderOptions& options)
    : solver_(solver),
      system_(system),
      options_(options),
      ahead_(system.rods.size()),
      is_stale_(system.rods.size(), 1),
      response_(system.joints.size()),
      total_(system.joints.size()),
      left_(system.joints.size()),
      wanted_(system.joints.size()),
      impulses_(system.joints.size()),
      linear_(std::make_unique<Linear>()) {
    if (solver_ == Solver::S4) linear_->parts = std::make_unique<AcyclicParts>(system_);
    if (solver_ != Solver::S3) return;
    for (const Joint& joint : system_.joints)
        linear_->tree.add(ArticulatedTree::Kind::Ball,
                          joint.a == kWorld ? ArticulatedTree::kNone : static_cast<std::uint32_t>(joint.a));
}
Bender::~Bender() = default;
Bender::Bender(Bender&&) noexcept = default;

// Arms and inertias as the bodies lie, and what each joint alone answers to an impulse.
void Bender::refresh(const States& states) {
    for (std::size_t k = 0; k < system_.joints.size(); ++k) {
        const Joint& joint = system_.joints[k];
        Response& r = response_[k];
        const State& b = states[place(joint.b)];
        r.r_b = rotate(b.q, joint.p_b);
        r.inverse_b = inverse_inertia(system_.rods[place(joint.b)], b.q);
        if (joint.a != kWorld) {
            const State& a = states[place(joint.a)];
            r.r_a = joint.is_line() ? b.x + r.r_b - a.x : rotate(a.q, joint.p_a);
            r.inverse_a = inverse_inertia(system_.rods[place(joint.a)], a.q);
        }
        if (solver_ != Solver::S1) continue;
        Mat3 response = point_response(system_.rods[place(joint.b)].mass, r.inverse_b, r.r_b, r.r_b);
        if (joint.a != kWorld)
            response =
                response + point_response(system_.rods[place(joint.a)].mass, r.inverse_a, r.r_a, r.r_a);
        if (!joint.is_line()) {
            r.inverse_k = inverse(response);
            continue;
        }
        const Vec3 line =
            normalized(joint.a == kWorld ? joint.line : rotate(states[place(joint.a)].q, joint.line));
        const Vec3 y = normalized(cross(line, std::abs(line.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}));
        const Vec3 z = cross(line, y);
        const double yy = dot(y, response * y), yz = dot(y, response * z), zz = dot(z, response * z);
        const double d = yy * zz - yz * yz;
        const auto outer = [](const Vec3& u, const Vec3& v) { return Mat3{u * v.x, u * v.y, u * v.z}; };
        r.inverse_k =
            outer(y, y) * (zz / d) + outer(z, z) * (yy / d) - (outer(y, z) + outer(z, y)) * (yz / d);
    }
}

void Bender::factor(const States& states) {
    refresh(states);
    if (solver_ == Solver::S1) return;
    if (solver_ == Solver::S4) return linear_->parts->factor(states);
    if (solver_ == Solver::S3) {
        const auto links = linear_->tree.links();
        for (std::size_t k = 0; k < links.size(); ++k) {
            links[k].mass = system_.rods[k].mass;
            links[k].inertia = inertia(system_.rods[k], states[k].q);
            links[k].a = response_[k].r_b, links[k].p = response_[k].r_a;
        }
        linear_->tree.factor();
        return;
    }
    const auto n = static_cast<Eigen::Index>(system_.joints.size());
    linear_->matrix.setZero(3 * n, 3 * n);
    const auto add = [&](Eigen::Index i, Eigen::Index j, int body, const Mat3& inverse_inertia, const Vec3& r,
                         const Vec3& s, double sign) {
        const Mat3 k = point_response(system_.rods[place(body)].mass, inverse_inertia, r, s) * sign;
        for (int column = 0; column < 3; ++column)
            for (int row = 0; row < 3; ++row) linear_->matrix(3 * i + row, 3 * j + column) += k[column][row];
    };
    // Joints that share a body: those of each body among themselves.
    std::vector<std::vector<Eigen::Index>> of_body(system_.rods.size());
    for (Eigen::Index k = 0; k < n; ++k) {
        const Joint& joint = system_.joints[static_cast<std::size_t>(k)];
        of_body[place(joint.b)].push_back(k);
        if (joint.a != kWorld) of_body[place(joint.a)].push_back(k);
    }
    for (std::size_t body = 0; body < of_body.size(); ++body)
        for (const Eigen::Index i : of_body[body])
            for (const Eigen::Index j : of_body[body]) {
                const Response &u = response_[static_cast<std::size_t>(i)],
                               &v = response_[static_cast<std::size_t>(j)];
                const bool i_first = system_.joints[static_cast<std::size_t>(i)].a == static_cast<int>(body),
                           j_first = system_.joints[static_cast<std::size_t>(j)].a == static_cast<int>(body);
                add(i, j, static_cast<int>(body), i_first ? u.inverse_a : u.inverse_b,
                    i_first ? u.r_a : u.r_b, j_first ? v.r_a : v.r_b, i_first == j_first ? 1 : -1);
            }
    linear_->factor.compute(linear_->matrix);
}

const std::vector<Vec3>& Bender::solve(const std::vector<Vec3>& velocities) {
    if (solver_ == Solver::S3) {
        const auto links = linear_->tree.links();
        for (std::size_t k = 0; k < links.size(); ++k) links[k].c = -velocities[k];
        linear_->tree.solve();
        for (std::size_t k = 0; k < links.size(); ++k) impulses_[k] = -links[k].impulse;
        return impulses_;
    }
    const auto n = static_cast<Eigen::Index>(velocities.size());
    linear_->right.resize(3 * n);
    for (Eigen::Index k = 0; k < n; ++k)
        for (int i = 0; i < 3; ++i) linear_->right(3 * k + i) = velocities[static_cast<std::size_t>(k)][i];
    linear_->factor.solveInPlace(linear_->right);
    for (Eigen::Index k = 0; k < n; ++k)
        for (int i = 0; i < 3; ++i) impulses_[static_cast<std::size_t>(k)][i] = linear_->right(3 * k + i);
    return impulses_;
}

// Where free flight brings the bodies whose velocities changed since the last look.
void Bender::look_ahead(const States& states) {
    for (std::size_t k = 0; k < states.size(); ++k) {
        if (!is_stale_[k]) continue;
        ahead_[k] = flown(system_.rods[k], states[k], system_.gravity, options_.h);
        is_stale_[k] = 0;
    }
}

Vec3 Bender::error(const Joint& joint, bool is_position, const States& states) {
    if (!is_position) return slip_of(joint, states);
    for (const int body : {joint.a, joint.b}) {
        if (body == kWorld || !is_stale_[place(body)]) continue;
        ahead_[place(body)] =
            flown(system_.rods[place(body)], states[place(body)], system_.gravity, options_.h);
        is_stale_[place(body)] = 0;
    }
    return gap_of(joint, ahead_);
}

void Bender::push(States& states, const Joint& joint, const Vec3& impulse) {
    const Response& r = response_[static_cast<std::size_t>(&joint - system_.joints.data())];
    State& b = states[place(joint.b)];
    b.v -= impulse / system_.rods[place(joint.b)].mass;
    b.w -= r.inverse_b * cross(r.r_b, impulse);
    is_stale_[place(joint.b)] = 1;
    if (joint.a == kWorld) return;
    State& a = states[place(joint.a)];
    a.v += impulse / system_.rods[place(joint.a)].mass;
    a.w += r.inverse_a * cross(r.r_a, impulse);
    is_stale_[place(joint.a)] = 1;
}

void Bender::apply(States& states, const std::vector<Vec3>& impulses) {
    for (std::size_t k = 0; k < impulses.size(); ++k) push(states, system_.joints[k], impulses[k]);
}

// S1: one impulse for each joint that is not within its tolerance. True when there was one.
bool Bender::sweep(States& states, bool is_position) {
    const double limit = is_position ? options_.position_tolerance : options_.velocity_tolerance;
    bool is_changed = false;
    for (std::size_t k = 0; k < system_.joints.size(); ++k) {
        const Joint& joint = system_.joints[k];
        const Vec3 off = error(joint, is_position, states);
        if (length_squared(off) <= limit * limit) continue;
        Vec3 p = response_[k].inverse_k * off * (is_position ? 1 / options_.h : 1);
        if (is_position) {
            const Vec3 sum = total_[k] + p;
            const double size = length(sum), cap = options_.most_impulse;
            if (cap > 0 && size > cap) p = sum * (cap / size) - total_[k];
            total_[k] += p;
        }
        push(states, joint, p);
        is_changed = true;
    }
    return is_changed;
}

// S2, S3: impulses of all joints that change their velocities by these.
void Bender::change(States& states, const std::vector<Vec3>& velocities) {
    const std::vector<Vec3>& p = solve(velocities);
    if (solver_ == Solver::S2) return apply(states, p);
    const auto links = linear_->tree.links();  // S3 knows the change of motion as well
    for (std::size_t k = 0; k < links.size(); ++k)
        states[k].v += links[k].dv, states[k].w += links[k].dw, is_stale_[k] = 1;
}

// S2, S3: impulses of all joints for all errors.
bool Bender::solve_all(States& states, bool is_position) {
    if (is_position) look_ahead(states);
    double worst = 0;
    for (std::size_t k = 0; k < system_.joints.size(); ++k) {
        const Joint& joint = system_.joints[k];
        wanted_[k] = is_position ? gap_of(joint, ahead_) : slip_of(joint, states);
        worst = std::max(worst, length_squared(wanted_[k]));
        if (!is_position) continue;
        wanted_[k] *= 1 / options_.h;
        total_[k] += wanted_[k];
    }
    const double limit = options_.position_tolerance;
    if (is_position && worst <= limit * limit) {
        // What is left open is found again by the next step, as what was left before this one was.
        for (std::size_t k = 0; k < total_.size(); ++k)
            total_[k] += wanted_[k] - left_[k], left_[k] = wanted_[k];
        return false;
    }
    change(states, wanted_);
    return true;
}

// Temporal coherence (3.5.2): S1 begins with the impulses of the last step. S2 and S3 begin with the errors
// that the last step would have made without impulses, if that is too much: a solve without a look ahead,
// which is most of a round. (Impulses of neighbouring joints nearly cancel, so those of the last step, now
// that the bodies have turned, leave errors almost as large as there were; the errors hardly change.)
int Bender::begin_warm(States& states) {
    if (solver_ == Solver::S1) apply(states, total_);
    if (solver_ == Solver::S1 || solver_ == Solver::S4) return 0;
    double worst = 0;
    for (const Vec3& velocity : total_) worst = std::max(worst, length_squared(velocity));
    const double limit = options_.position_tolerance / options_.h;
    if (worst <= limit * limit) {
        std::fill(total_.begin(), total_.end(), Vec3{});
        return 0;
    }
    change(states, total_);
    return 1;
}

// S4: one part after the other, each for the errors that those before have left.
bool Bender::solve_parts(States& states, bool is_position) {
    const double limit = is_position ? options_.position_tolerance : options_.velocity_tolerance;
    bool is_changed = false;
    for (std::size_t part = 0; part < linear_->parts->count(); ++part) {
        if (is_position) look_ahead(states);
        double worst = 0;
        for (const std::size_t k : linear_->parts->joints_of(part)) {
            const Joint& joint = system_.joints[k];
            const Vec3 off = is_position ? gap_of(joint, ahead_) : slip_of(joint, states);
            worst = std::max(worst, length_squared(off));
            wanted_[k] = off * (is_position ? 1 / options_.h : 1);
        }
        if (worst <= limit * limit) continue;
        linear_->parts->solve(part, wanted_, states);
        std::fill(is_stale_.begin(), is_stale_.end(), 1);
        is_changed = true;
    }
    return is_changed;
}

bool Bender::round(States& states, bool is_position) {
    if (solver_ == Solver::S1) return sweep(states, is_position);
    return solver_ == Solver::S4 ? solve_parts(states, is_position) : solve_all(states, is_position);
}

int Bender::repeat(States& states, bool is_position, bool& is_closed) {
    for (int k = 0; k < options_.max_rounds; ++k) {
        if (!round(states, is_position)) return k;
        if (!is_position && (solver_ == Solver::S2 || solver_ == Solver::S3)) return 1;  // exact
        if (!std::isfinite(states[0].v.x)) break;
    }
    is_closed = false;
    return options_.max_rounds;
}

BenderCounts Bender::step(States& states) {
    BenderCounts counts;
    if (!is_fresh_) factor(states);
    std::fill(is_stale_.begin(), is_stale_.end(), 1);
    if (options_.has_warm_start)
        counts.foreseen = begin_warm(states);
    else
        std::fill(total_.begin(), total_.end(), Vec3{});
    counts.position = repeat(states, true, counts.is_closed);
    look_ahead(states);
    states = ahead_;
    factor(states);
    is_fresh_ = true;
    if (options_.has_velocity_phase) counts.velocity = repeat(states, false, counts.is_closed);
    return counts;
}

}  // namespace impuls::reference
