// Bodies, joints and scenes of the reference methods (rods.h).
#include "reference/rods.h"

#include <algorithm>
#include <cmath>

namespace impuls::reference {
namespace {

const State kStill{};

const State& state_of(const States& states, int body) {
    return body == kWorld ? kStill : states[static_cast<std::size_t>(body)];
}

Quat rate(const Quat& q, const Vec3& w) {  // q' = w q / 2
    const Quat d = Quat{0, w.x, w.y, w.z} * q;
    return {0.5 * d.w, 0.5 * d.x, 0.5 * d.y, 0.5 * d.z};
}

Quat moved(const Quat& q, const Quat& d, double h) {
    return {q.w + h * d.w, q.x + h * d.x, q.y + h * d.y, q.z + h * d.z};
}

Vec3 without(const Vec3& v, const Vec3& direction) {
    return v - direction * (dot(v, direction) / length_squared(direction));
}

}  // namespace

bool System::is_tree() const {
    if (joints.size() != rods.size()) return false;
    for (std::size_t k = 0; k < joints.size(); ++k)
        if (joints[k].b != static_cast<int>(k) || joints[k].a >= joints[k].b || joints[k].is_line())
            return false;
    return true;
}

int System::row_count() const {
    int count = 0;
    for (const Joint& joint : joints) count += joint.rows();
    return count;
}

Rod box_rod(double mass, double length, double width) {
    const double across = mass * (length * length + width * width) / 12;
    return {mass, {mass * width * width / 6, across, across}, {}};
}

Scenario chain(int n, double length, double width, double mass, double gravity) {
    Scenario s;
    s.system.gravity = {0, -gravity, 0};
    const Vec3 half{0.5 * length, 0, 0};
    for (int k = 0; k < n; ++k) {
        s.system.rods.push_back(box_rod(mass, length, width));
        s.system.joints.push_back({k - 1, k, k == 0 ? Vec3{} : half, -half, {}});
        s.start.push_back({{(k + 0.5) * length, 0, 0}, {}, {}, {}});
    }
    return s;
}

Scenario tree(int levels) {
    Scenario s;
    std::vector<double> heading, size;
    for (int k = 0; k < (1 << levels) - 1; ++k) {
        const int parent = k == 0 ? kWorld : (k - 1) / 2, depth = static_cast<int>(std::log2(k + 1));
        const auto p = static_cast<std::size_t>(std::max(parent, 0));
        size.push_back(0.1 * std::pow(1.5, levels - 1 - depth));
        heading.push_back(k == 0 ? 0 : heading[p] + (k % 2 ? 0.7 : -0.7) / depth);
        const double width = 0.04, l = size.back();
        s.system.rods.push_back(box_rod(600 * l * width * width, l, width));
        const Joint joint{parent, k, {k == 0 ? 0 : 0.5 * size[p], 0, 0}, {-0.5 * l, 0, 0}, {}};
        s.system.joints.push_back(joint);
        State state{{}, from_axis_angle({0, 1, 0}, heading.back()), {}, {}};
        state.x = point_of(s.start, parent, joint.p_a) - rotate(state.q, joint.p_b);
        s.start.push_back(state);
    }
    return s;
}

Vec3 point_of(const States& states, int body, const Vec3& p) {
    const State& s = state_of(states, body);
    return s.x + rotate(s.q, p);
}

Vec3 point_velocity(const States& states, int body, const Vec3& p) {
    const State& s = state_of(states, body);
    return s.v + cross(s.w, rotate(s.q, p));
}

Vec3 gap_of(const Joint& joint, const States& states) {
    const Vec3 gap = point_of(states, joint.b, joint.p_b) - point_of(states, joint.a, joint.p_a);
    return joint.is_line() ? without(gap, rotate(state_of(states, joint.a).q, joint.line)) : gap;
}

Vec3 slip_of(const Joint& joint, const States& states) {
    // With a line the point of a is the one opposite to b's, so that the impulses have no moment.
    const Vec3 at_b = point_of(states, joint.b, joint.p_b);
    const State& a = state_of(states, joint.a);
    const Vec3 u_b = point_velocity(states, joint.b, joint.p_b);
    if (!joint.is_line()) return u_b - point_velocity(states, joint.a, joint.p_a);
    return without(u_b - (a.v + cross(a.w, at_b - a.x)), rotate(a.q, joint.line));
}

double largest_gap(const System& system, const States& states) {
    double worst = 0;
    for (const Joint& joint : system.joints) worst = std::max(worst, length(gap_of(joint, states)));
    return worst;
}

double largest_slip(const System& system, const States& states) {
    double worst = 0;
    for (const Joint& joint : system.joints) worst = std::max(worst, length(slip_of(joint, states)));
    return worst;
}

double energy(const System& system, const States& states) {
    double sum = 0;
    for (std::size_t k = 0; k < states.size(); ++k) {
        const Rod& rod = system.rods[k];
        const State& s = states[k];
        const Vec3 w = rotate_inverse(s.q, s.w);
        sum += 0.5 * rod.mass * length_squared(s.v) + 0.5 * dot(scale(rod.moments, w), w) -
               rod.mass * dot(system.gravity, s.x);
    }
    return sum;
}

double farthest(const States& a, const States& b) {
    double worst = 0;
    for (std::size_t k = 0; k < a.size(); ++k) worst = std::max(worst, length(a[k].x - b[k].x));
    return worst;
}

Mat3 inertia(const Rod& rod, const Quat& q) {
    const Mat3 r = to_matrix(q);
    return r * diagonal(rod.moments) * transpose(r);
}

Mat3 inverse_inertia(const Rod& rod, const Quat& q) {
    const Mat3 r = to_matrix(q);
    const Vec3& i = rod.moments;
    return r * diagonal({1 / i.x, 1 / i.y, 1 / i.z}) * transpose(r);
}

Vec3 free_angular_acceleration(const Rod& rod, const State& state) {
    const Vec3 w = rotate_inverse(state.q, state.w), torque = rotate_inverse(state.q, rod.torque);
    const Vec3 rest = torque - cross(w, scale(rod.moments, w));
    return rotate(state.q, {rest.x / rod.moments.x, rest.y / rod.moments.y, rest.z / rod.moments.z});
}

State flown(const Rod& rod, const State& state, const Vec3& gravity, double h) {
    const auto at = [&](const Quat& q, const Vec3& w) {
        return free_angular_acceleration(rod, {{}, q, {}, w});
    };
    const auto turn = [&](const Quat& d, double step) { return normalized(moved(state.q, d, step)); };
    const Quat q1 = rate(state.q, state.w);
    const Vec3 w1 = at(state.q, state.w), at2 = state.w + w1 * (0.5 * h);
    const Quat half1 = turn(q1, 0.5 * h), q2 = rate(half1, at2);
    const Vec3 w2 = at(half1, at2), at3 = state.w + w2 * (0.5 * h);
    const Quat half2 = turn(q2, 0.5 * h), q3 = rate(half2, at3);
    const Vec3 w3 = at(half2, at3), at4 = state.w + w3 * h;
    const Quat full = turn(q3, h), q4 = rate(full, at4);
    const Vec3 w4 = at(full, at4);
    State out;
    out.x = state.x + state.v * h + gravity * (0.5 * h * h);
    out.v = state.v + gravity * h;
    const auto mean = [](double a, double b, double c, double d) { return (a + 2 * b + 2 * c + d) / 6; };
    out.q = turn({mean(q1.w, q2.w, q3.w, q4.w), mean(q1.x, q2.x, q3.x, q4.x), mean(q1.y, q2.y, q3.y, q4.y),
                  mean(q1.z, q2.z, q3.z, q4.z)},
                 h);
    out.w = state.w + (w1 + 2.0 * w2 + 2.0 * w3 + w4) * (h / 6);
    return out;
}

}  // namespace impuls::reference
