// Bodies, one joint of each kind and its rows without a world, to check rows by themselves.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "base/rng.h"
#include "dynamics/joint.h"
#include "impuls/scene.h"
#include "math/rotation.h"
#include "solvers/sequential.h"

namespace impuls {

struct JointCase {
    std::string name;
    Joint joint;
    int rank;                // equations: what it takes of the six relative freedoms
    bool has_frame = false;  // rows with three bodies
};

// One joint of each kind, away from the origin and askew.
inline std::vector<JointCase> joint_cases() {
    const Vec3 p{0.4, -0.2, 0.3}, q{1.1, 0.5, -0.6}, s{0.6, 0.7, -0.3}, t{-0.5, 0.8, 0.4};
    BallJoint ball{p, s, {}, {}};
    Hinge2Joint sprung{p, s, t, {}, {}, AxisDesc{}};
    SixDofJoint six{p, s, t, {}, {}, {}, {}, {}, {}};
    SixDofJoint some = six;
    some.y = some.rx = some.rz = AxisDesc{};
    DistanceJoint rope{p, q, AxisDesc{}};
    const Vec3 x = normalized(s), across = normalized(cross(s, t));
    const std::vector<Vec3> bend{{-1, 0.3, 0.2}, {0.4, -0.2, 0.3}, {1.3, 0.6, -0.5}, {0.2, 1.8, 0.4}};
    return {{"ball", ball, 3},
            {"hinge", HingeJoint{p, s, {}}, 5},
            {"slider", SliderJoint{p, s, {}}, 5},
            {"cylindrical", CylindricalJoint{p, s, {}, {}}, 4},
            {"universal", UniversalJoint{p, s, t, {}, {}}, 4},
            {"hinge2", Hinge2Joint{p, s, t, {}, {}, {}}, 4},
            {"hinge2 sprung", sprung, 3},
            {"fixed", FixedJoint{p}, 6},
            {"planar", PlanarJoint{p, s, {}}, 3},
            {"distance", DistanceJoint{p, q, {}}, 1},
            {"rope", rope, 0},
            {"point_on_line", PointOnLineJoint{p, s, {}}, 2},
            {"point_on_plane", PointOnPlaneJoint{p, s}, 1},
            {"screw", ScrewJoint{p, s, 0.7, {}}, 5},
            {"gear", GearJoint{s, t, -2.5}, 1, true},
            {"rack_and_pinion", RackAndPinionJoint{p, s, t, 0.4}, 1, true},
            {"pulley", PulleyJoint{p, q, {0.3, 2, 0.1}, {1.4, 2.2, -0.4}, 2, {}}, 1, true},
            {"six_dof locked", six, 6},
            {"six_dof", some, 3},
            {"rotation_3", Rotation3Joint{}, 3},
            {"rotation_2", Rotation2Joint{s, {}}, 2},
            {"rotation_1", Rotation1Joint{s, t, {}}, 1},
            {"rail", RailJoint{bend[1], bend, false, true, {}}, 2},
            {"rail closed", RailJoint{bend[1], bend, true, true, {}}, 2},
            {"rail without turns", RailJoint{bend[1], bend, true, false, {}}, 5},
            {"point_on_ellipsoid", PointOnEllipsoidJoint{p + x * 1.5, p, x, t, 1.5, 0.8, 1.1}, 1},
            {"point_on_ellipsoid without end", PointOnEllipsoidJoint{p + x * 1.5, p, x, t, 1.5, 0.8, {}}, 1},
            {"point_on_torus", PointOnTorusJoint{p + x * 0.4 + across * 2, p, s, 2, 0.4}, 1},
            {"follower", FollowerJoint{p, 3.0, 2.0}, 0},
            {"drag", DragJoint{p, q, 3}, 0}};
}

// Everything that can act along an axis, so that all kinds of rows are there.
inline AxisDesc busy_axis() {
    AxisDesc axis;
    axis.lower = -1, axis.upper = 1, axis.restitution = 0.5;
    axis.speed = 2, axis.max_force = 3, axis.friction = 1;
    axis.stiffness = 10, axis.damping = 0.1;
    return axis;
}

struct JointBench {
    BodySet bodies{};
    JointSet joints{};
    Problem problem{};
    SequentialSolver solver{};

    // Three boxes of different shapes, turned at random.
    explicit JointBench(const JointCase& c, std::uint64_t seed = 1) {
        Rng rng(seed, 0);
        const std::vector<Vec3> places{{0, 0, 0}, {1, 0.2, -0.3}, {0.3, 1.5, 0.2}};
        for (int k = 0; k < 3; ++k) {
            BodyDesc body;
            body.shape = Box{{0.4 + 0.1 * k, 0.3, 0.5 - 0.1 * k}};
            body.mass = 1 + k;
            body.position = places[k];
            body.orientation = rng.rotation();
            bodies.add(body, MaterialDesc{});
        }
        JointDesc desc;
        desc.joint = c.joint;
        joints.add(desc, bodies, 0, 1, c.has_frame ? 2 : kNoBody);
        auto& n = problem.nodes;
        for (std::size_t k = 0; k < bodies.size(); ++k) n.inv_mass.push_back(bodies.inv_mass[k]);
        n.v.resize(3), n.w.resize(3), n.inv_inertia.resize(3);
        refresh_inertia();
    }

    void refresh_inertia() {
        for (int k = 0; k < 3; ++k)
            problem.nodes.inv_inertia[k] = turned_diagonal(bodies.pose[k].orientation, bodies.inv_inertia[k]);
    }

    // The joint's rows where the bodies are.
    JointRows make(Phase phase, double h, double recovery = 1, AxisLog* log = nullptr) {
        problem.rows.clear();
        JointRows out{problem.rows, 0, 1, 2, phase, h, recovery};
        out.angles = joints.angle.of(0), out.keeps_angles = true, out.log = log;
        make_rows(joints, 0, poses_of(joints, 0, bodies), out);
        return out;
    }
    std::span<Row> equations() { return problem.rows.rows_of(problem.rows.blocks[0]); }
    double error() {
        make(Phase::Velocity, 0);
        double sum = 0;
        for (const Row& row : equations()) sum += row.error * row.error;
        return std::sqrt(sum);
    }
    void drift(double h) {
        for (int k = 0; k < 3; ++k) {
            bodies.pose[k].position += problem.nodes.v[k] * h;
            bodies.pose[k].orientation = turned(bodies.pose[k].orientation, problem.nodes.w[k] * h);
        }
        refresh_inertia();
    }
    void set_random_velocities(Rng& rng, double size) {
        const auto any = [&] {
            const double x = rng.uniform(-size, size), y = rng.uniform(-size, size);
            return Vec3{x, y, rng.uniform(-size, size)};
        };
        for (int k = 0; k < 3; ++k) problem.nodes.v[k] = any(), problem.nodes.w[k] = any();
    }
    // One step of the displacement phase from the velocities as they are.
    void displace(double h, double recovery = 1) {
        make(Phase::Displacement, h, recovery);
        solver.solve(problem, {50, 0});
        drift(h);
    }
    void rest() {
        for (int k = 0; k < 3; ++k) problem.nodes.v[k] = problem.nodes.w[k] = {};
    }
    // To some other place that the joint allows.
    void wander(std::uint64_t seed) {
        Rng rng(seed, 1);
        for (int k = 0; k < 40; ++k) set_random_velocities(rng, 1), displace(0.02);
        for (int k = 0; k < 8; ++k) rest(), displace(0.02);
    }
};

}  // namespace impuls
