// Lagrange multipliers, dense and by Baraff's tree, and Runge-Kutta steps (accelerations.h). Featherstone's
// algorithm is in featherstone.cpp.
#include "reference/accelerations.h"

#include <eigen3/Eigen/Dense>

namespace impuls::reference {
namespace {

using Mat6 = Eigen::Matrix<double, 6, 6>;
using Mat36 = Eigen::Matrix<double, 3, 6>;
using Vec6 = Eigen::Matrix<double, 6, 1>;

Eigen::Vector3d eigen(const Vec3& v) {
    return {v.x, v.y, v.z};
}
Vec3 plain(const Eigen::Vector3d& v) {
    return {v(0), v(1), v(2)};
}
Eigen::Matrix3d eigen(const Mat3& m) {
    Eigen::Matrix3d out;
    out << eigen(m.c0), eigen(m.c1), eigen(m.c2);
    return out;
}

// Rows (1, -[r]) of a point's velocity.
Mat36 point_rows(const Vec3& r) {
    Mat36 j;
    j << Eigen::Matrix3d::Identity(), -eigen(skew(r));
    return j;
}

Vec3 arm(const States& states, int body, const Vec3& p) {
    return rotate(states[static_cast<std::size_t>(body)].q, p);
}

Vec3 centripetal(const States& states, int body, const Vec3& p) {
    if (body == kWorld) return {};
    const Vec3& w = states[static_cast<std::size_t>(body)].w;
    return cross(w, cross(w, arm(states, body, p)));
}

// What J v' must be.
Vec3 wanted(const Joint& joint, const States& states, const Baumgarte& terms) {
    Vec3 g = centripetal(states, joint.a, joint.p_a) - centripetal(states, joint.b, joint.p_b);
    if (terms.alpha > 0 || terms.beta > 0)
        g -= slip_of(joint, states) * (2 * terms.alpha) + gap_of(joint, states) * (terms.beta * terms.beta);
    return g;
}

Mat6 mass_matrix(const Rod& rod, const State& state) {
    Mat6 m = Mat6::Zero();
    m.topLeftCorner<3, 3>().diagonal().setConstant(rod.mass);
    m.bottomRightCorner<3, 3>() = eigen(inertia(rod, state.q));
    return m;
}

// Force and torque: gravity, T - w x I w.
Vec6 force(const System& system, const Rod& rod, const State& state) {
    Vec6 f;
    f << eigen(system.gravity * rod.mass),
        eigen(rod.torque - cross(state.w, inertia(rod, state.q) * state.w));
    return f;
}

Quat rate(const State& s) {
    const Quat d = Quat{0, s.w.x, s.w.y, s.w.z} * s.q;
    return {0.5 * d.w, 0.5 * d.x, 0.5 * d.y, 0.5 * d.z};
}

struct Slope {
    Vec3 x{};
    Quat q{0, 0, 0, 0};
    Vec3 v{}, w{};
};

State moved(const State& s, const Slope& d, double h) {
    return {s.x + d.x * h,
            normalized(Quat{s.q.w + h * d.q.w, s.q.x + h * d.q.x, s.q.y + h * d.q.y, s.q.z + h * d.q.z}),
            s.v + d.v * h, s.w + d.w * h};
}

// Classical Runge-Kutta; `settle` makes a state consistent before it is looked at.
template <class Method, class Settle>
void runge_kutta(const Method& method, const Settle& settle, States& states, double h) {
    const std::size_t n = states.size();
    const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    std::vector<Slope> slope(n), sum(n);
    States now = states;
    for (int stage = 0; stage < 4; ++stage) {
        for (std::size_t k = 0; k < n && stage > 0; ++k) now[k] = moved(states[k], slope[k], part[stage] * h);
        if (stage > 0) settle(now);
        const Accelerations a = method(now);
        for (std::size_t k = 0; k < n; ++k) {
            slope[k] = {now[k].v, rate(now[k]), a[k].v, a[k].w};
            const double c = weight[stage];
            sum[k].x += slope[k].x * c, sum[k].v += slope[k].v * c, sum[k].w += slope[k].w * c;
            sum[k].q = {sum[k].q.w + c * slope[k].q.w, sum[k].q.x + c * slope[k].q.x,
                        sum[k].q.y + c * slope[k].q.y, sum[k].q.z + c * slope[k].q.z};
        }
    }
    for (std::size_t k = 0; k < n; ++k) states[k] = moved(states[k], sum[k], h);
    settle(states);
}

}  // namespace

// A = J M^-1 J^T from the blocks of joints that share a body; then its factorisation is what costs.
Accelerations lagrange_dense(const System& system, const States& states, const Baumgarte& terms) {
    struct Side {  // of a joint on a body
        Eigen::Index joint;
        Mat36 rows;                    // J
        Mat36 pushed = Mat36::Zero();  // J M^-1
    };
    const auto joints = static_cast<Eigen::Index>(system.joints.size());
    std::vector<std::vector<Side>> sides(states.size());
    Eigen::VectorXd right(3 * joints);
    for (Eigen::Index k = 0; k < joints; ++k) {
        const Joint& joint = system.joints[static_cast<std::size_t>(k)];
        sides[static_cast<std::size_t>(joint.b)].push_back({k, point_rows(arm(states, joint.b, joint.p_b))});
        if (joint.a != kWorld)
            sides[static_cast<std::size_t>(joint.a)].push_back(
                {k, -point_rows(arm(states, joint.a, joint.p_a))});
        right.segment<3>(3 * k) = eigen(wanted(joint, states, terms));
    }
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(3 * joints, 3 * joints);
    std::vector<Vec6> motion(states.size());
    for (std::size_t b = 0; b < states.size(); ++b) {
        Mat6 inverse_mass = Mat6::Zero();
        inverse_mass.topLeftCorner<3, 3>().diagonal().setConstant(1 / system.rods[b].mass);
        inverse_mass.bottomRightCorner<3, 3>() = eigen(inverse_inertia(system.rods[b], states[b].q));
        motion[b] = inverse_mass * force(system, system.rods[b], states[b]);
        for (Side& side : sides[b]) {
            side.pushed = side.rows * inverse_mass;
            right.segment<3>(3 * side.joint) -= side.rows * motion[b];
        }
        for (const Side& i : sides[b])
            for (const Side& j : sides[b])
                a.block<3, 3>(3 * i.joint, 3 * j.joint) += i.pushed * j.rows.transpose();
    }
    const Eigen::VectorXd p = a.partialPivLu().solve(right);
    Accelerations out(states.size());
    for (std::size_t b = 0; b < states.size(); ++b) {
        for (const Side& side : sides[b]) motion[b] += side.pushed.transpose() * p.segment<3>(3 * side.joint);
        out[b] = {plain(motion[b].head<3>()), plain(motion[b].tail<3>())};
    }
    return out;
}

// Body k and its joint, whose neighbour towards the root is the parent's body. Leaves have the highest
// numbers, so that going down from n - 1 eliminates children before parents (Bender, algorithms 3.3 and 3.4):
//     D = M - sum of the joints' Y_c^T ... of its children,   X = D^-1 (-J_b^T)      body
//     S = -J_b D^-1 J_b^T,                                     Y = S^-1 (-J_a)        joint
struct BaraffTree::Blocks {
    Mat6 d;
    Eigen::LLT<Mat6> factor;
    Mat36 j_b, j_a, y;
    Eigen::Matrix<double, 6, 3> x;
    Eigen::Matrix3d inverse_s;
    Vec6 body;              // right side, then v'
    Eigen::Vector3d joint;  // right side, then multipliers
};

BaraffTree::BaraffTree() : blocks_(new std::vector<Blocks>) {}
BaraffTree::~BaraffTree() {
    delete blocks_;
}

const Accelerations& BaraffTree::accelerations(const System& system, const States& states,
                                               const Baumgarte& terms) {
    const std::size_t n = states.size();
    std::vector<Blocks>& blocks = *blocks_;
    blocks.resize(n), result_.resize(n);
    for (std::size_t k = 0; k < n; ++k) {
        const Joint& joint = system.joints[k];
        Blocks& b = blocks[k];
        b.d = mass_matrix(system.rods[k], states[k]);
        b.body = force(system, system.rods[k], states[k]);
        b.j_b = point_rows(arm(states, joint.b, joint.p_b));
        if (joint.a != kWorld) b.j_a = -point_rows(arm(states, joint.a, joint.p_a));
        b.joint = -eigen(wanted(joint, states, terms));
    }
    for (std::size_t k = n; k-- > 0;) {
        Blocks& b = blocks[k];
        b.factor.compute(b.d);
        b.x = b.factor.solve(-b.j_b.transpose());
        b.inverse_s = (b.j_b * b.x).inverse();  // 0 - (-J_b) X
        b.joint -= b.x.transpose() * b.body;
        const int parent = system.joints[k].a;
        if (parent == kWorld) continue;
        Blocks& p = blocks[static_cast<std::size_t>(parent)];
        b.y = b.inverse_s * -b.j_a;
        p.d += b.j_a.transpose() * b.y;  // - (-J_a)^T Y
        p.body -= b.y.transpose() * b.joint;
    }
    for (std::size_t k = 0; k < n; ++k) {
        Blocks& b = blocks[k];
        b.joint = b.inverse_s * b.joint;
        const int parent = system.joints[k].a;
        if (parent != kWorld) b.joint -= b.y * blocks[static_cast<std::size_t>(parent)].body;
        b.body = b.factor.solve(b.body) - b.x * b.joint;
        result_[k] = {plain(b.body.head<3>()), plain(b.body.tail<3>())};
    }
    return result_;
}

void step_runge_kutta(const AccelerationMethod& method, States& states, double h) {
    runge_kutta(
        method, [](States&) {}, states, h);
}

void step_featherstone(const System& system, States& states, double h) {
    runge_kutta([&](const States& now) { return featherstone(system, now); },
                [&](States& now) { follow_joints(system, now); }, states, h);
}

}  // namespace impuls::reference
