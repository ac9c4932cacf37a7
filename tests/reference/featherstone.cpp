// The articulated-body algorithm (Featherstone 1983; Rigid Body Dynamics Algorithms, 2008, table 7.1). The
// spatial vectors (angular, linear) of a link are about the point o of space where its joint is now, so
// between links there are only shifts, X = (1 0; -[d] 1) with d from the parent's o. A ball joint at p has
// S = (1; [p - o]), here (1; 0), and S' u = (0; p' x u) for a relative angular velocity u in world
// coordinates.
#include <eigen3/Eigen/Dense>

#include "reference/accelerations.h"

namespace impuls::reference {
namespace {

using Mat6 = Eigen::Matrix<double, 6, 6>;
using Mat63 = Eigen::Matrix<double, 6, 3>;
using Vec6 = Eigen::Matrix<double, 6, 1>;

Eigen::Vector3d eigen(const Vec3& v) {
    return {v.x, v.y, v.z};
}
Eigen::Matrix3d cross_matrix(const Vec3& v) {
    Eigen::Matrix3d m;
    m << 0, -v.z, v.y, v.z, 0, -v.x, -v.y, v.x, 0;
    return m;
}
Vec6 pair(const Vec3& angular, const Vec3& linear) {
    Vec6 out;
    out << eigen(angular), eigen(linear);
    return out;
}

struct Link {
    Vec3 origin, arm;  // o, and from there to the centre
    Mat6 inertia, shift;
    Vec6 bias;
    Mat63 u;  // I S, the first three columns of I
    Eigen::Matrix3d inverse_d;
    Vec6 c;
    Eigen::Vector3d rest;
    Vec6 a;
};

// Inertia about o, and v x* I v - f.
void begin(const Rod& rod, const State& state, const Vec3& gravity, Link& link) {
    const Eigen::Matrix3d r = cross_matrix(link.arm);
    const Mat3 about_centre = inertia(rod, state.q);
    Eigen::Matrix3d i;
    i << eigen(about_centre.c0), eigen(about_centre.c1), eigen(about_centre.c2);
    link.inertia << i - rod.mass * r * r, rod.mass * r, -rod.mass * r, rod.mass * Eigen::Matrix3d::Identity();
    const Vec3 momentum = state.v * rod.mass, at_origin = state.v - cross(state.w, link.arm);
    const Vec3 spin = about_centre * state.w + cross(link.arm, momentum);
    const Vec3 weight = gravity * rod.mass;
    link.bias = pair(cross(state.w, spin) + cross(at_origin, momentum) - rod.torque - cross(link.arm, weight),
                     cross(state.w, momentum) - weight);
}

}  // namespace

Accelerations featherstone(const System& system, const States& states) {
    const std::size_t n = states.size();
    std::vector<Link> links(n);
    for (std::size_t k = 0; k < n; ++k) {
        const Joint& joint = system.joints[k];
        Link& link = links[k];
        link.arm = -rotate(states[k].q, joint.p_b);
        link.origin = states[k].x - link.arm;
        begin(system.rods[k], states[k], system.gravity, link);
        const Vec3 v = point_velocity(states, joint.b, joint.p_b);
        const bool is_held = joint.a == kWorld;
        const Vec3 parent_w = is_held ? Vec3{} : states[static_cast<std::size_t>(joint.a)].w;
        link.c = pair({}, cross(v, states[k].w - parent_w));
        if (is_held) continue;
        link.shift.setIdentity();
        link.shift.bottomLeftCorner<3, 3>() =
            -cross_matrix(link.origin - links[static_cast<std::size_t>(joint.a)].origin);
    }
    for (std::size_t k = n; k-- > 0;) {
        Link& link = links[k];
        link.u = link.inertia.leftCols<3>();
        link.inverse_d = link.u.topRows<3>().inverse();
        link.rest = -link.bias.head<3>();
        const int parent = system.joints[k].a;
        if (parent == kWorld) continue;
        Link& to = links[static_cast<std::size_t>(parent)];
        const Mat63 x = link.u * link.inverse_d;
        Mat6 rest = link.inertia - x * link.u.transpose();
        // The skew part of its rounding would grow from link to link, beyond all bounds after some 600.
        rest = (0.5 * (rest + rest.transpose())).eval();
        to.inertia += link.shift.transpose() * rest * link.shift;
        to.bias += link.shift.transpose() * (link.bias + rest * link.c + x * link.rest);
    }
    Accelerations out(n);
    for (std::size_t k = 0; k < n; ++k) {
        Link& link = links[k];
        const int parent = system.joints[k].a;
        link.a = link.c;
        if (parent != kWorld) link.a += link.shift * links[static_cast<std::size_t>(parent)].a;
        link.a.head<3>() += link.inverse_d * (link.rest - link.u.transpose() * link.a);
        const Vec3 w{link.a(0), link.a(1), link.a(2)}, at_origin{link.a(3), link.a(4), link.a(5)};
        const State& s = states[k];  // v = v_o + w x arm, and its rate
        out[k] = {at_origin + cross(w, link.arm) + cross(s.w, s.v), w};
    }
    return out;
}

void follow_joints(const System& system, States& states) {
    for (std::size_t k = 0; k < states.size(); ++k) {
        const Joint& joint = system.joints[k];
        State& s = states[k];
        const Vec3 r = rotate(s.q, joint.p_b);
        s.x = point_of(states, joint.a, joint.p_a) - r;
        s.v = point_velocity(states, joint.a, joint.p_a) - cross(s.w, r);
    }
}

}  // namespace impuls::reference
