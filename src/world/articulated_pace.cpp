// How long the substeps of islands of joints alone are, and whether a step is taken as it came out
// (articulated.h).
#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "world/articulated.h"
#include "world/state.h"

namespace impuls {
namespace {

constexpr int kMostTries = 16;  // to take one substep
// A composition is of fourth order in its length, a substep of second: with errors alike its bodies may turn
// by the root of `turn`, sqrt(kFarther turn), 0.21 rad at turn = 0.02. What spins gain counts for more than
// in a substep; with twice kGain the tree of 127 rods is twice as far off after 1 s, for 4 % less time.
constexpr double kFarther = 2.2, kGain = 1.3;

double fourth_root(double x) {
    return std::sqrt(std::sqrt(x));
}

}  // namespace

// Accelerations that the joints' own motion asks for: for a ball those of its two points towards the bodies'
// axes of rotation, else the change of J v along a small piece of the way.
void ArticulatedWork::set_centripetal() {
    const auto links = tree_.links();
    double spin = 0;
    for (const Body& body : bodies_) spin = std::max(spin, length_squared(body.w));
    const double piece = spin > 0 ? 1e-4 / std::sqrt(spin) : 0;  // s
    if (has_rows_) {
        for (Body& body : bodies_) {
            body.next = body.pose;
            body.next.position += body.v * piece;
            body.next.orientation = turned(body.pose.orientation, body.w * piece);
        }
    }
    bend_ = 0;
    for (const JointWork& joint : joints_) {
        const Body &child = bodies_[joint.child], &parent = bodies_[joint.parent];
        if (joint.is_ball) {
            ArticulatedTree::Link& link = links[joint.link];
            link.c = cross(parent.w, cross(parent.w, link.p)) - cross(child.w, cross(child.w, link.a));
            continue;
        }
        bend_ = std::max(bend_, make_rows_of(joint, true, piece, false));
        for (std::size_t r = 0; r < joint.row_count; ++r) {
            // J v is 0 now, but for rounding.
            wanted(joint, r) = piece > 0 ? -velocity_of(rows_.rows[r]) / piece : 0;
        }
    }
    for (std::size_t k = 0; k < moving_; ++k) {
        const Body& body = bodies_[k];
        links[k].f = body.acceleration * body.mass;
        links[k].t = body.torque - cross(body.w, body.l);
    }
}

// How long a substep or composition from here may be: see the head of the header.
double ArticulatedWork::longest_step(double turn) {
    const double gain = (is_composed_ ? kGain : 4) * turn;
    if (is_composed_) turn = std::sqrt(kFarther * turn);
    set_centripetal();
    tree_.solve(true);
    double spin4 = 0, gain4 = 0, along = 0;
    for (std::size_t k = 0; k < moving_; ++k) {
        const Vec3 &w = bodies_[k].w, &change = tree_.links()[k].dw;
        const double w2 = length_squared(w), change2 = length_squared(change);
        spin4 += w2 * w2, gain4 += change2 * change2, along += w2 * dot(w, change);
    }
    double h = pace_;
    if (bend_ > 0) h = std::min(h, turn / bend_);
    if (gain4 > 0) h = std::min(h, std::sqrt(gain / fourth_root(gain4)));  // from rest
    if (spin4 > 0) {
        const double spin = fourth_root(spin4), rate = along / spin4;
        h = std::min(h, turn / std::max(spin + 0.5 * turn * rate, 0.3 * spin));
    }
    return h;
}

// Whether all bodies are where numbers still tell places apart.
bool ArticulatedWork::is_sound() const {
    for (std::size_t k = 0; k < moving_; ++k) {
        const Body& body = bodies_[k];
        if (!is_finite(body.v) || !is_finite(body.w) || !is_finite(body.pose.orientation) ||
            !(length(body.pose.position) < 0x1p52 * size_))
            return false;
    }
    return true;
}

double ArticulatedWork::kinetic_energy() const {
    double sum = 0;
    for (std::size_t k = 0; k < moving_; ++k)
        sum += 0.5 * (bodies_[k].mass * dot(bodies_[k].v, bodies_[k].v) + dot(bodies_[k].l, bodies_[k].w));
    return sum;
}

// With the potential of constant forces.
double ArticulatedWork::energy() const {
    double sum = kinetic_energy();
    for (std::size_t k = 0; k < moving_; ++k)
        sum -= bodies_[k].mass * dot(bodies_[k].acceleration, bodies_[k].pose.position);
    return sum;
}

// Energy that comes or goes by itself, where nothing else can change it: a substep has jumped over a
// stretched or a folded configuration.
ArticulatedWork::Change ArticulatedWork::judge(double before) const {
    double weight = 0;
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
        const Body& body = bodies_[k];
        if (k >= moving_ && (body.v != Vec3{} || body.w != Vec3{})) return Change::None;
        if (body.torque != Vec3{}) return Change::None;
        weight += body.mass * length(body.acceleration);
    }
    const double change = energy() - before,
                 allowed = (has_loops_ ? 0.001 : 0.005) * kinetic_energy() + 1e-3 * weight * size_;
    if (change > allowed) return Change::Gain;
    return change < -allowed && !is_damped_ ? Change::Loss : Change::None;
}

CommonMotion ArticulatedWork::common_motion() const {
    CommonMotion m;
    if (bodies_.size() > moving_) return m;  // held
    for (const Body& body : bodies_) m.add_mass(body.mass, body.pose.position, body.v);
    m.find_center();
    for (const Body& body : bodies_)
        m.add_turn(body.mass, turned_diagonal(body.pose.orientation, body.inertia), body.pose.position,
                   body.v, body.l);
    m.find_turn();
    return m;
}

// Nobody spins faster than `spin`, and all motion is that much slower; joints stay at rest, and so do the
// momenta of an island that nothing holds.
void ArticulatedWork::slow_down(double share, double spin) {
    const CommonMotion before = common_motion();
    for (std::size_t k = 0; k < moving_; ++k) {
        Body& body = bodies_[k];
        body.next_v = body.v * share;
        body.next_l = body.l * (share * (length(body.w) > spin ? spin / length(body.w) : 1));
    }
    stop_joints(0);
    const auto take = [&](Body& body) {
        body.v = body.next_v, body.l = body.next_l;
        body.w = body.inv_inertia_W * body.l;
    };
    std::for_each(bodies_.begin(), bodies_.begin() + static_cast<std::ptrdiff_t>(moving_), take);
    const CommonMotion after = common_motion();
    const Vec3 lost = before.angular_velocity() - after.angular_velocity();
    for (std::size_t k = 0; k < moving_; ++k) {
        Body& body = bodies_[k];
        body.v += before.velocity_at(body.pose.position) - after.velocity_at(body.pose.position);
        body.w += lost;
        body.l += turned_diagonal(body.pose.orientation, body.inertia) * lost;
    }
}

double ArticulatedWork::fastest_spin() const {
    double spin = 0;
    for (std::size_t k = 0; k < moving_; ++k) spin = std::max(spin, length(bodies_[k].w));
    return spin;
}

// One time step with substeps of `turn`. False: it cannot. With a budget, substeps may become kFar times as
// long; what spins too fast even for them is slowed down.
bool ArticulatedWork::try_step(double turn) {
    constexpr double kMostSubsteps = 4096, kFar = 6;
    if (!(update(0) < kTorn * size_)) return false;
    double rest = world_->dt;
    const bool has_budget = world_->method.budget > 0;
    double left = has_budget ? static_cast<double>(world_->method.budget) : kMostSubsteps;
    if (has_budget) pace_ = std::max(pace_, world_->dt / left);
    stalled_ = kUnbounded;
    while (rest > 0) {
        double pieces = std::max(1.0, std::ceil(rest / longest_step(turn)));
        if (has_budget && pieces > left) {
            if (pieces > kFar * left) slow_down(1, fastest_spin() * kFar * left / pieces);
            pieces = left;
        }
        for (int tries = 0; !take(rest / pieces); ++tries) {
            if (!has_budget || 2 * pieces <= left)
                pieces *= 2, pace_ = rest / pieces;
            else
                slow_down(tries < kMostTries / 2 ? 1 : 0.5, 0.7 * fastest_spin());
            if (pieces > kMostSubsteps || tries > kMostTries) return false;
        }
        left = std::max(1.0, left - 1);
        const double h = rest / pieces;
        if (turns_ >= 8)
            pace_ = std::min(pace_, 0.9 * h);
        else if (turns_ <= 5)
            pace_ *= 1.08;
        rest = pieces == 1 ? 0 : rest - h;
    }
    return is_sound();
}

// Near a singular configuration of a loop tiny errors of position become large ones of direction, so loops
// are closed as far as rounding allows.
void ArticulatedWork::set_tolerance() {
    constexpr double kTight = 1e-12, kRounding = 4e-15;
    double extent = 0;
    for (std::size_t k = 0; k < moving_; ++k)
        extent = std::max(extent, length_squared(bodies_[k].pose.position));
    has_loops_ = std::any_of(joints_.begin(), joints_.end(),
                             [](const JointWork& joint) { return joint.link == kNone; });
    tolerance_ = world_->method.tolerance * size_;
    if (has_loops_)
        tolerance_ = std::min(tolerance_, std::max(kTight * size_, kRounding * std::sqrt(extent)));
}

bool ArticulatedWork::advance(WorldState& s, std::size_t i) {
    const int tries = s.method.budget > 0 ? 1 : 4;
    double turn = s.method.turn;
    for (int k = 0; k < tries; ++k, turn *= 0.25) {
        gather(s, i);
        set_tolerance();
        const double before = energy();
        if (!try_step(turn)) return false;
        const Change change = judge(before);
        if (change == Change::Gain && s.method.budget > 0)
            slow_down(std::sqrt(std::max(0.0, 1 - (energy() - before) / kinetic_energy())), kUnbounded);
        else if (change == Change::Gain && k == tries - 1)
            return false;
        if (change != Change::None && k < tries - 1) continue;  // with shorter substeps
        scatter(s);
        break;
    }
    return true;
}

}  // namespace impuls
