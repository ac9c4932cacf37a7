// turned_freely for two symmetric tops at once, one a lane (free_rotation.h): the same operations in the same
// order, so each gets the bits that it gets alone. Nearly a third of the time of islands of joints alone is
// spent here.
#include <cmath>

#include "math/free_rotation.h"
#include "math/rotation.h"

namespace impuls {
namespace {

using Pair [[gnu::vector_size(16)]] = double;

struct PairVec {
    Pair x, y, z;
};
struct PairQuat {
    Pair w, x, y, z;
};

inline Pair dot(const PairVec& a, const PairVec& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline PairVec cross(const PairVec& a, const PairVec& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline PairQuat product(const PairQuat& a, const PairQuat& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

// rotation_by() of v times s, without halvings; `is_far` where there would be some.
inline PairQuat rotation_of(const PairVec& v, const Pair& s, bool& is_far) {
    const PairVec angle{v.x * s, v.y * s, v.z * s};
    const Pair p2 = 0.25 * dot(angle, angle);
    is_far = is_far || !(p2[0] <= 0.25 && p2[1] <= 0.25);
    const HalfTurn<Pair> half = half_turn(p2);
    const Pair scale = 0.5 * half.sinc;
    return {half.cosine, angle.x * scale, angle.y * scale, angle.z * scale};
}

}  // namespace

void turned_freely(FreeTop& a, FreeTop& b, double h) {
    const auto alone = [h](FreeTop& top) {
        top.q = turned_freely(top.q, top.l, top.inverse_inertia, top.axis, h);
    };
    if (a.axis > 2 || b.axis > 2) return alone(a), alone(b);
    const int other_a = a.axis == 0 ? 1 : 0, other_b = b.axis == 0 ? 1 : 0;
    const PairQuat q{{a.q.w, b.q.w}, {a.q.x, b.q.x}, {a.q.y, b.q.y}, {a.q.z, b.q.z}};
    const PairVec l{{a.l.x, b.l.x}, {a.l.y, b.l.y}, {a.l.z, b.l.z}};
    const auto is_axis = [&](int k) { return Pair{a.axis == k ? 1.0 : 0.0, b.axis == k ? 1.0 : 0.0}; };
    const PairVec e{is_axis(0), is_axis(1), is_axis(2)}, u{q.x, q.y, q.z};
    const Pair along{a.inverse_inertia[a.axis], b.inverse_inertia[b.axis]},
        across{a.inverse_inertia[other_a], b.inverse_inertia[other_b]};
    PairVec t = cross(u, e);
    t.x = 2.0 * t.x, t.y = 2.0 * t.y, t.z = 2.0 * t.z;
    const PairVec n = cross(u, t);
    const Pair spin =
        dot({e.x + q.w * t.x + n.x, e.y + q.w * t.y + n.y, e.z + q.w * t.z + n.z}, l) * (along - across);
    bool is_far = false;
    const PairQuat left = rotation_of(l, across * h, is_far), right = rotation_of(e, spin * h, is_far);
    if (is_far) return alone(a), alone(b);
    const PairQuat r = product(product(left, q), right);
    const Pair square = r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z;
    const Pair s = 1.0 / Pair{std::sqrt(square[0]), std::sqrt(square[1])};
    const Pair w = r.w * s, x = r.x * s, y = r.y * s, z = r.z * s;
    a.q = {w[0], x[0], y[0], z[0]};
    b.q = {w[1], x[1], y[1], z[1]};
}

}  // namespace impuls
