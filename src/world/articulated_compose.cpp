// Substeps of islands of joints alone that are composed to one of fourth order (articulated.h).
//
// A substep S(h) is symmetric, S(h) S(-h) = 1, so it is the flow of a modified equation in even powers of h:
// S(h) = exp(h A + h^3 B + h^5 ...). In S(g1 h) ... S(g5 h) with sum g = 1 the term of h^3 is B sum g^3, and
// a palindrome has no even terms: where sum g^3 = 0 the composition is symmetric and of fourth order. Suzuki
// (Phys. Lett. A 146, 1990) takes g, g, 1 - 4g, g, g with g = 1/(4 - 4^(1/3)) (Hairer, Lubich and Wanner,
// Geometric Numerical Integration, II.4, V.3.2). Three stages (Yoshida) have an error 70 to 100 times
// larger at the same length, and no real composition does without steps backwards.
//
// Those are why an island is composed only if its bodies have no damping: that would grow backwards. All else
// that acts here (weight, constant forces, kinematic bodies) is as good in either direction; whatever is not
// (contacts, limits, motors, springs, friction) is no work for this method anyway. With a budget substeps are
// too few for it. The choice depends on descriptions, not on what happened.
#include <algorithm>

#include "world/articulated.h"
#include "world/state.h"

namespace impuls {
namespace {

constexpr double kOuter = 0.41449077179437573714;  // g
constexpr double kSuzuki[] = {kOuter, kOuter, 1 - 4 * kOuter, kOuter, kOuter};

// The force F at the joints is smooth, but that of a position phase of length h is F + h C and that of a
// velocity phase F - h C at its end, C from what a substep does to the joints' third derivatives. So between
// two substeps, lengths `last` and `h`, C = (force - end) / (last + h), and the next position phase, of
// length n, will need about now + (h + n) C; `force` becomes this for n = h. It saves one look of four.
template <class T>
void follow(T& force, T& slope, T& end, const T& now, double last, double h) {
    if (last != 0) slope = (force - end) * (1 / (last + h));
    force = now + slope * (2 * h);
    end = now;
}

}  // namespace

bool ArticulatedWork::may_compose() const {
    return world_->method.composed == Switch::On && world_->method.budget == 0 && !is_damped_;
}

// One substep, or the stages of a composition, of length h in all. False: joints do not close, and the state
// is the one before.
bool ArticulatedWork::take(double h) {
    if (!is_composed_) {
        if (!close_joints(h)) return false;
        finish(h);
        return true;
    }
    keep();
    int most = 0;
    for (const double stage : kSuzuki) {
        if (!close_joints(stage * h)) {
            go_back();
            return false;
        }
        most = std::max(most, turns_);
        finish(stage * h);
    }
    turns_ = most;
    return true;
}

void ArticulatedWork::keep() {
    kept_.bodies = bodies_, kept_.joints = joints_;
    kept_.numbers = numbers_, kept_.angles = angles_, kept_.slopes = slopes_, kept_.ends = ends_;
    kept_.last = last_;
}

void ArticulatedWork::go_back() {
    bodies_ = kept_.bodies, joints_ = kept_.joints;
    numbers_ = kept_.numbers, angles_ = kept_.angles, slopes_ = kept_.slopes, ends_ = kept_.ends;
    last_ = kept_.last;
    update(0);
}

// After the velocity phase of a substep of length h: what the next one begins with.
void ArticulatedWork::follow_forces(double h) {
    for (JointWork& joint : joints_) {
        if (joint.is_ball) {
            const Vec3 now = tree_.links()[joint.link].impulse * (2 / h);
            follow(joint.force, joint.slope, joint.end, now, last_, h);
        }
        for (std::size_t r = 0; r < joint.row_count; ++r) {
            const auto n = joint.first_number + r;
            follow(numbers_[n], slopes_[n], ends_[n], impulse_of(joint, r) * (2 / h), last_, h);
        }
    }
    last_ = h;
}

}  // namespace impuls
