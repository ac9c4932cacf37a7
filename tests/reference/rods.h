// The model that all reference methods share: rigid bodies, ball joints (and points on lines, for hinges), a
// uniform field of gravity and a constant torque on each body. Plain values; a method takes a System and the
// States of its bodies. Used by the tests of the multibody text and by `impuls bench multibody`.
#pragma once

#include <vector>

#include "impuls/vec.h"

namespace impuls::reference {

inline constexpr int kWorld = -1;

struct Rod {
    double mass = 1;
    Vec3 moments{1, 1, 1};  // kg m^2 along the axes of its own frame, which lies in its centre
    Vec3 torque{};          // N m, in world coordinates
};

// Point p_b of body b is where point p_a of body a is, or, with a line (a direction in a), on the line
// through it. Points are in the bodies' frames. A hinge is a point and a point on a line (Bender, J4).
struct Joint {
    int a = kWorld, b = 0;
    Vec3 p_a{}, p_b{};
    Vec3 line{};
    bool is_line() const { return length_squared(line) > 0; }
    int rows() const { return is_line() ? 2 : 3; }
};

// A tree in the sense of the methods that need one: joint k is a ball that holds body k to an earlier one or
// to the world.
struct System {
    Vec3 gravity{};
    std::vector<Rod> rods{};
    std::vector<Joint> joints{};
    bool is_tree() const;
    int row_count() const;
};

struct State {
    Vec3 x{};  // centre
    Quat q{};  // world from the body's frame
    Vec3 v{}, w{};
};
using States = std::vector<State>;

struct Scenario {
    System system{};
    States start{};
};

// A box of this size with its long side along x of its frame.
Rod box_rod(double mass, double length, double width);
// n rods in a horizontal line from the origin, held there: the chain of the text has 1 m, 0.1 m and 1 kg.
Scenario chain(int n, double length = 1, double width = 0.1, double mass = 1, double gravity = 9.81);
// The balanced binary tree of the text: 2^levels - 1 joints, rods of 1.5^(levels - 1 - depth) 0.1 m and 4 cm,
// 600 kg/m^3, no gravity; a child turns by 0.7 / depth rad from its parent, to either side.
Scenario tree(int levels);

// Where points of joints are and how they move.
Vec3 point_of(const States& states, int body, const Vec3& p);
Vec3 point_velocity(const States& states, int body, const Vec3& p);
Vec3 gap_of(const Joint& joint, const States& states);   // of b's point from a's, across the line if any
Vec3 slip_of(const Joint& joint, const States& states);  // its rate, without that of the line
double largest_gap(const System& system, const States& states);
double largest_slip(const System& system, const States& states);
double energy(const System& system, const States& states);
// Farthest that the centre of any body is from where another state has it.
double farthest(const States& a, const States& b);

// Inverse inertia in world coordinates.
Mat3 inverse_inertia(const Rod& rod, const Quat& q);
Mat3 inertia(const Rod& rod, const Quat& q);
// w' of a body on which nothing but its torque acts: I^-1 (T - w x I w).
Vec3 free_angular_acceleration(const Rod& rod, const State& state);
// Free flight over h: the centre exactly, the rotation by one step of Runge-Kutta (Bender 2.1 to 2.4).
State flown(const Rod& rod, const State& state, const Vec3& gravity, double h);

}  // namespace impuls::reference
