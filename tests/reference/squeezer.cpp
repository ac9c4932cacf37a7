// Andrews' squeezer in angles (squeezer.h). With M(q) v' = f(q, v) + G^T p and G v' = -G' v, solved densely;
// signs of the constraint forces are those of p. Constants in SI units.
#include "reference/squeezer.h"

#include <algorithm>
#include <cmath>
#include <eigen3/Eigen/Dense>

namespace impuls::reference {
namespace {

using Vec7 = Eigen::Matrix<double, 7, 1>;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat7 = Eigen::Matrix<double, 7, 7>;
using Mat67 = Eigen::Matrix<double, 6, 7>;

constexpr double kM1 = 0.04325, kM2 = 0.00365, kM3 = 0.02373, kM4 = 0.00706, kM5 = 0.07050, kM6 = 0.00706,
                 kM7 = 0.05498;
constexpr double kI1 = 2.194e-6, kI2 = 4.410e-7, kI3 = 5.255e-6, kI4 = 5.667e-7, kI5 = 1.169e-5,
                 kI6 = 5.667e-7, kI7 = 1.912e-5;
constexpr double kXa = -0.06934, kYa = -0.00227, kXb = -0.03635, kYb = 0.03273, kXc = 0.014, kYc = 0.072;
constexpr double kD = 0.028, kDa = 0.0115, kE = 0.02, kEa = 0.01421, kRr = 0.007, kRa = 0.00092, kSs = 0.035,
                 kSa = 0.01874, kSb = 0.01043, kSc = 0.018, kSd = 0.02, kTa = 0.02308, kTb = 0.00916,
                 kU = 0.04, kUa = 0.01228, kUb = 0.00449, kZf = 0.02, kZt = 0.04, kFa = 0.01421;
constexpr double kTorque = 0.033, kStiffness = 4530, kRest = 0.07785;

double squared(double x) {
    return x * x;
}

Mat7 mass(const Vec7& q) {
    const double theta = std::cos(q(1)), phi = std::sin(q(3)), omega = std::sin(q(5));
    const double e = kE - kEa, z = kZf - kFa;
    Mat7 m = Mat7::Zero();
    m(0, 0) = kM1 * kRa * kRa + kM2 * (kRr * kRr - 2 * kDa * kRr * theta + kDa * kDa) + kI1 + kI2;
    m(0, 1) = m(1, 0) = kM2 * (kDa * kDa - kDa * kRr * theta) + kI2;
    m(1, 1) = kM2 * kDa * kDa + kI2;
    m(2, 2) = kM3 * (kSa * kSa + kSb * kSb) + kI3;
    m(3, 3) = kM4 * e * e + kI4;
    m(3, 4) = m(4, 3) = kM4 * (e * e + kZt * e * phi) + kI4;
    m(4, 4) = kM4 * (kZt * kZt + 2 * kZt * e * phi + e * e) + kM5 * (kTa * kTa + kTb * kTb) + kI4 + kI5;
    m(5, 5) = kM6 * z * z + kI6;
    m(5, 6) = m(6, 5) = kM6 * (z * z - kU * z * omega) + kI6;
    m(6, 6) = kM6 * (z * z - 2 * kU * z * omega + kU * kU) + kM7 * (kUa * kUa + kUb * kUb) + kI6 + kI7;
    return m;
}

Vec7 forces(const Vec7& q, const Vec7& v) {
    const double e = kE - kEa, z = kZf - kFa, cg = std::cos(q(2)), sg = std::sin(q(2));
    const double dx = kSd * cg + kSc * sg + kXb - kXc, dy = kSd * sg - kSc * cg + kYb - kYc;
    const double l = std::hypot(dx, dy), pull = -kStiffness * (l - kRest) / l;
    Vec7 f;
    f << kTorque - kM2 * kDa * kRr * v(1) * (v(1) + 2 * v(0)) * std::sin(q(1)),
        kM2 * kDa * kRr * squared(v(0)) * std::sin(q(1)),
        pull * dx * (kSc * cg - kSd * sg) + pull * dy * (kSd * cg + kSc * sg),
        kM4 * kZt * e * squared(v(4)) * std::cos(q(3)),
        -kM4 * kZt * e * v(3) * (v(3) + 2 * v(4)) * std::cos(q(3)),
        -kM6 * kU * z * squared(v(6)) * std::cos(q(5)),
        kM6 * kU * z * v(5) * (v(5) + 2 * v(6)) * std::cos(q(5));
    return f;
}

// The end of body 2 by the crank, less the same point by bodies 3, by 5 and 4, by 7 and 6.
Vec6 loops(const Vec7& q) {
    const double bt = q(0) + q(1), pd = q(3) + q(4), oe = q(5) + q(6);
    const double x = kRr * std::cos(q(0)) - kD * std::cos(bt), y = kRr * std::sin(q(0)) - kD * std::sin(bt);
    Vec6 g;
    g << x - kSs * std::sin(q(2)) - kXb, y + kSs * std::cos(q(2)) - kYb,
        x - kE * std::sin(pd) - kZt * std::cos(q(4)) - kXa,
        y + kE * std::cos(pd) - kZt * std::sin(q(4)) - kYa,
        x - kZf * std::cos(oe) - kU * std::sin(q(6)) - kXa,
        y - kZf * std::sin(oe) + kU * std::cos(q(6)) - kYa;
    return g;
}

Mat67 slopes(const Vec7& q) {
    const double bt = q(0) + q(1), pd = q(3) + q(4), oe = q(5) + q(6);
    const double xb = -kRr * std::sin(q(0)) + kD * std::sin(bt), xt = kD * std::sin(bt);
    const double yb = kRr * std::cos(q(0)) - kD * std::cos(bt), yt = -kD * std::cos(bt);
    Mat67 g = Mat67::Zero();
    for (int row = 0; row < 6; row += 2)
        g(row, 0) = xb, g(row, 1) = xt, g(row + 1, 0) = yb, g(row + 1, 1) = yt;
    g(0, 2) = -kSs * std::cos(q(2)), g(1, 2) = -kSs * std::sin(q(2));
    g(2, 3) = -kE * std::cos(pd), g(2, 4) = g(2, 3) + kZt * std::sin(q(4));
    g(3, 3) = -kE * std::sin(pd), g(3, 4) = g(3, 3) - kZt * std::cos(q(4));
    g(4, 5) = kZf * std::sin(oe), g(4, 6) = g(4, 5) - kU * std::cos(q(6));
    g(5, 5) = -kZf * std::cos(oe), g(5, 6) = g(5, 5) - kU * std::sin(q(6));
    return g;
}

// G' v: every term of a loop is a vector at some angle, whose second derivative is -(rate)^2 of itself.
Vec6 curvature(const Vec7& q, const Vec7& v) {
    const double bt = q(0) + q(1), pd = q(3) + q(4), oe = q(5) + q(6);
    const double b = squared(v(0)), t = squared(v(0) + v(1)), c = squared(v(2)), p = squared(v(3) + v(4)),
                 d = squared(v(4)), o = squared(v(5) + v(6)), e = squared(v(6));
    const double x = -b * kRr * std::cos(q(0)) + t * kD * std::cos(bt),
                 y = -b * kRr * std::sin(q(0)) + t * kD * std::sin(bt);
    Vec6 out;
    out << x + c * kSs * std::sin(q(2)), y - c * kSs * std::cos(q(2)),
        x + p * kE * std::sin(pd) + d * kZt * std::cos(q(4)),
        y - p * kE * std::cos(pd) + d * kZt * std::sin(q(4)),
        x + o * kZf * std::cos(oe) + e * kU * std::sin(q(6)),
        y + o * kZf * std::sin(oe) - e * kU * std::cos(q(6));
    return out;
}

Vec7 acceleration(const Vec7& q, const Vec7& v) {
    Eigen::Matrix<double, 13, 13> a = Eigen::Matrix<double, 13, 13>::Zero();
    const Mat67 g = slopes(q);
    a.topLeftCorner<7, 7>() = mass(q);
    a.topRightCorner<7, 6>() = g.transpose();
    a.bottomLeftCorner<6, 7>() = g;
    Eigen::Matrix<double, 13, 1> right;
    right << forces(q, v), -curvature(q, v);
    return a.partialPivLu().solve(right).head<7>();
}

// The nearest angles and rates that close the loops.
void project(Vec7& q, Vec7& v) {
    for (int k = 0; k < 2; ++k) {
        const Mat67 g = slopes(q);
        q -= g.transpose() * (g * g.transpose()).ldlt().solve(loops(q));
    }
    const Mat67 g = slopes(q);
    v -= g.transpose() * (g * g.transpose()).ldlt().solve(g * v);
}

}  // namespace

SqueezerState squeezer_start() {
    SqueezerState s;
    s.q = {-0.0617138900142764496358948458001, 0,
           0.455279819163070380255912382449,   0.222668390165885884674473185609,
           0.487364979543842550225598953530,   -0.222668390165885884674473185609,
           1.23054744454982119249735015568};
    return s;
}

double squeezer_gap(const SqueezerAngles& q) {
    return loops(Eigen::Map<const Vec7>(q.data())).lpNorm<Eigen::Infinity>();
}

SqueezerState squeezer_after(double seconds, int steps) {
    SqueezerState s = squeezer_start();
    Vec7 q = Eigen::Map<Vec7>(s.q.data()), v = Eigen::Map<Vec7>(s.v.data());
    const double h = seconds / steps;
    for (int k = 0; k < steps; ++k) {
        const Vec7 v1 = v, a1 = acceleration(q, v1);
        const Vec7 v2 = v + 0.5 * h * a1, a2 = acceleration(q + 0.5 * h * v1, v2);
        const Vec7 v3 = v + 0.5 * h * a2, a3 = acceleration(q + 0.5 * h * v2, v3);
        const Vec7 v4 = v + h * a3, a4 = acceleration(q + h * v3, v4);
        q += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        project(q, v);
    }
    std::copy(q.data(), q.data() + 7, s.q.begin());
    std::copy(v.data(), v.data() + 7, s.v.begin());
    return s;
}

}  // namespace impuls::reference
