// The articulated-body algorithm (Featherstone 1983; Rigid Body Dynamics Algorithms, 2008, table 7.1) with
// all spatial vectors about the world's origin, (angular, linear): no transforms between links. A ball joint
// at p has S = (1; [p]), and S' u = (0; p' x u) for a relative angular velocity u in world coordinates.
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
    Mat6 inertia;
    Vec6 bias;
    Mat63 s, u;
    Eigen::Matrix3d inverse_d;
    Vec6 c;
    Eigen::Vector3d rest;
    Vec6 a;
};

// Inertia about the origin, and v x* I v - f.
void begin(const Rod& rod, const State& state, const Vec3& gravity, Link& link) {
    const Eigen::Matrix3d x = cross_matrix(state.x);
    const Mat3 about_centre = inertia(rod, state.q);
    Eigen::Matrix3d i;
    i << eigen(about_centre.c0), eigen(about_centre.c1), eigen(about_centre.c2);
    link.inertia << i - rod.mass * x * x, rod.mass * x, -rod.mass * x, rod.mass * Eigen::Matrix3d::Identity();
    const Vec3 momentum = state.v * rod.mass, at_origin = state.v - cross(state.w, state.x);
    const Vec3 spin = about_centre * state.w + cross(state.x, momentum);
    const Vec3 weight = gravity * rod.mass;
    link.bias = pair(cross(state.w, spin) + cross(at_origin, momentum) - rod.torque - cross(state.x, weight),
                     cross(state.w, momentum) - weight);
}

}  // namespace

Accelerations featherstone(const System& system, const States& states) {
    const std::size_t n = states.size();
    std::vector<Link> links(n);
    for (std::size_t k = 0; k < n; ++k) {
        const Joint& joint = system.joints[k];
        Link& link = links[k];
        begin(system.rods[k], states[k], system.gravity, link);
        const Vec3 p = point_of(states, joint.b, joint.p_b), v = point_velocity(states, joint.b, joint.p_b);
        const Vec3 parent_w = joint.a == kWorld ? Vec3{} : states[static_cast<std::size_t>(joint.a)].w;
        link.s << Eigen::Matrix3d::Identity(), cross_matrix(p);
        link.c = pair({}, cross(v, states[k].w - parent_w));
    }
    for (std::size_t k = n; k-- > 0;) {
        Link& link = links[k];
        link.u = link.inertia * link.s;
        link.inverse_d = (link.s.transpose() * link.u).inverse();
        link.rest = -link.s.transpose() * link.bias;
        const int parent = system.joints[k].a;
        if (parent == kWorld) continue;
        Link& to = links[static_cast<std::size_t>(parent)];
        const Mat63 x = link.u * link.inverse_d;
        const Mat6 rest = link.inertia - x * link.u.transpose();
        to.inertia += rest;
        to.bias += link.bias + rest * link.c + x * link.rest;
    }
    Accelerations out(n);
    for (std::size_t k = 0; k < n; ++k) {
        Link& link = links[k];
        const int parent = system.joints[k].a;
        link.a = link.c;
        if (parent != kWorld) link.a += links[static_cast<std::size_t>(parent)].a;
        link.a += link.s * (link.inverse_d * (link.rest - link.u.transpose() * link.a));
        const Vec3 w{link.a(0), link.a(1), link.a(2)}, at_origin{link.a(3), link.a(4), link.a(5)};
        const State& s = states[k];  // v = v_O + w x x, and its rate
        out[k] = {at_origin + cross(w, s.x) + cross(s.w, s.v), w};
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
