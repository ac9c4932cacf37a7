// Turning bodies as bare differential equations: quaternions as positions (first and second order), free tops
// with their invariants, Gear with one evaluation a step (spec: granular 2.3, 2.5; workbench 2.3).
#include <gtest/gtest.h>

#include "impuls/vec.h"
#include "math/functions.h"
#include "problems.h"
#include "support/full_size.h"

namespace impuls::integrators {
namespace {

Quat quat_of(std::span<const double> y) {
    return {y[0], y[1], y[2], y[3]};
}
Vec3 vec_of(std::span<const double> y) {
    return {y[0], y[1], y[2]};
}
void put(std::span<double> out, const Quat& q) {
    out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
}
void put(std::span<double> out, const Vec3& v) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}
Quat half(const Quat& q) {
    return {0.5 * q.w, 0.5 * q.x, 0.5 * q.y, 0.5 * q.z};
}

// y = (q, w): a free top with principal moments J, angular velocity in body axes; dq/dt = q (0, w) / 2.
// Restored to unit length after each step.
class FreeTop final : public System {
  public:
    explicit FreeTop(const Vec3& moments) : j_(moments) {}
    std::size_t size() const override { return 7; }
    void rate(double, std::span<const double> y, std::span<double> out) override {
        const Vec3 w = vec_of(y.subspan(4)), l = scale(j_, w), torque = cross(l, w);
        put(out, half(quat_of(y) * Quat{0, w.x, w.y, w.z}));
        put(out.subspan(4), Vec3{torque.x / j_.x, torque.y / j_.y, torque.z / j_.z});
    }
    bool project(double, std::span<double> y) override {
        put(y, normalized(quat_of(y)));
        return true;
    }
    Vec3 momentum(std::span<const double> y) const {
        return rotate(quat_of(y), scale(j_, vec_of(y.subspan(4))));
    }
    double energy(std::span<const double> y) const {
        const Vec3 w = vec_of(y.subspan(4));
        return 0.5 * dot(w, scale(j_, w));
    }

  private:
    Vec3 j_;
};

// T6: for 100 s; and the flips about the middle axis come at the period of Jacobi's functions, 4 K(k) /
// lambda, by the arithmetic-geometric mean.
TEST(SpecWorkbench, T6_free_top) {
    const Vec3 j{1, 2, 3};
    FreeTop top(j);
    Options options;
    options.tolerance = 1e-12;
    const auto integrator = make_dormand_prince(top, options);
    const Vec3 w{0.01, 1, 0.02};
    Vector y(7);
    put(y, Quat{}), put(std::span(y).subspan(4), w);
    integrator->start(0, y);
    const Vec3 momentum = top.momentum(y);
    const double energy = top.energy(y), end = kSlowBuild ? 30 : 100;
    std::vector<double> flips;  // times at which w.y vanishes
    double before = w.y;
    while (integrator->time() < end) {
        ASSERT_EQ(integrator->step(end).status, Status::Ok);
        const Vec3 now = top.momentum(integrator->state());
        EXPECT_LT(length(now - momentum), 1e-8 * length(momentum));
        EXPECT_NEAR(top.energy(integrator->state()), energy, 1e-9 * energy);
        if (before * integrator->state()[5] < 0) {
            double from = integrator->time_before(), to = integrator->time();
            while (to - from > 1e-10) {
                const double middle = 0.5 * (from + to);
                integrator->interpolate(middle, y);
                (before * y[5] > 0 ? from : to) = middle;
            }
            flips.push_back(to);
        }
        before = integrator->state()[5];
    }
    // With 2E and L^2; here L^2 > 2E J2, else the roles of J1 and J3 change.
    const double e2 = 2 * energy, l2 = length_squared(momentum);
    const bool is_high = l2 > e2 * j.y;
    const double a = is_high ? j.z : j.x, c = is_high ? j.x : j.z;
    const double lambda = std::sqrt((a - j.y) * (l2 - e2 * c) / (j.x * j.y * j.z));
    const double k2 = (j.y - c) * (e2 * a - l2) / ((a - j.y) * (l2 - e2 * c));
    double mean = 1, root = std::sqrt(1 - k2);
    while (std::abs(mean - root) > 1e-15) {
        const double next = 0.5 * (mean + root);
        root = std::sqrt(mean * root), mean = next;
    }
    const double half_period = kPi / (mean * std::abs(lambda));  // 2 K / lambda, K = pi / (2 agm)
    ASSERT_GE(flips.size(), 2u);
    for (std::size_t k = 1; k < flips.size(); ++k)
        EXPECT_NEAR(flips[k] - flips[k - 1], half_period, 1e-3 * half_period);
}

// T7: constant w in body and in world axes, beside the exact rotation, after 100 turns.
TEST(SpecWorkbench, T7_quaternion_under_constant_rate) {
    const Vec3 w = Vec3{1, -2, 0.5} * (2 * kPi / length(Vec3{1, -2, 0.5}));
    for (const bool is_world : {false, true}) {
        Problem system(4, 0, [&](double, auto y, auto out) {
            const Quat turn{0, w.x, w.y, w.z}, q = quat_of(y);
            put(out, half(is_world ? turn * q : q * turn));
        });
        Options options;
        options.tolerance = 1e-13;
        const auto integrator = make_dormand_prince(system, options);
        const Quat start = normalized(Quat{0.5, 0.1, -0.7, 0.3});
        Vector y(4);
        put(y, start);
        integrator->start(0, y);
        const double end = 100.25;  // turns
        run_to(*integrator, end);
        const functions::SinCos sc = functions::sin_cos(kPi * end);
        const Vec3 axis = normalized(w) * sc.sin;
        const Quat turn{sc.cos, axis.x, axis.y, axis.z};
        put(y, is_world ? turn * start : start * turn);
        EXPECT_LT(distance(integrator->state(), y), 1e-10) << is_world;
    }
}

// y = (q, dq/dt): orientation as a second-order equation, with w = 2 vec(dq q*) / |q|^2 in world axes and
// d2q = (0, dw) q / 2 - |w|^2 q / 4; the corrector's result back to unit length and without radial velocity.
class SecondOrderTop final : public System {
  public:
    SecondOrderTop(const Vec3& moments, bool is_projected) : j_(moments), is_projected_(is_projected) {}
    std::size_t size() const override { return 8; }
    std::size_t positions() const override { return 4; }
    void rate(double, std::span<const double> y, std::span<double> out) override {
        ++evaluations;
        const Quat q = quat_of(y);
        const Vec3 w = spin(y), body = rotate_inverse(normalized(q), w), l = scale(j_, body),
                   torque = cross(l, body);
        const Vec3 change = rotate(normalized(q), Vec3{torque.x / j_.x, torque.y / j_.y, torque.z / j_.z});
        const Quat a = half(Quat{0, change.x, change.y, change.z} * q);
        const double s = 0.25 * length_squared(w);
        put(out, quat_of(y.subspan(4)));
        put(out.subspan(4), Quat{a.w - s * q.w, a.x - s * q.x, a.y - s * q.y, a.z - s * q.z});
    }
    bool project(double, std::span<double> y) override {
        if (!is_projected_) return false;
        const Quat q = normalized(quat_of(y));
        put(y, q);
        double radial = 0;
        for (std::size_t k = 0; k < 4; ++k) radial += y[k] * y[4 + k];
        for (std::size_t k = 0; k < 4; ++k) y[4 + k] -= radial * y[k];
        return true;
    }
    static Vec3 spin(std::span<const double> y) {
        const Quat q = quat_of(y), p = quat_of(y.subspan(4)) * conjugate(q);
        return Vec3{p.x, p.y, p.z} * (2 / length_squared(q));
    }
    Vec3 momentum(std::span<const double> y) const {
        const Quat q = normalized(quat_of(y));
        return rotate(q, scale(j_, rotate_inverse(q, spin(y))));
    }
    double energy(std::span<const double> y) const { return 0.5 * dot(spin(y), momentum(y)); }

    long evaluations = 0;

  private:
    Vec3 j_;
    bool is_projected_;
};

Vector top_at_start() {
    const Vec3 w{0.1, 1, 0.1};  // near the unstable axis
    Vector y(8);
    put(y, Quat{});
    put(std::span(y).subspan(4), half(Quat{0, w.x, w.y, w.z}));
    return y;
}

struct TopErrors {
    double energy = 0, momentum = 0;
};
TopErrors run_top(double h, double end, bool is_projected) {
    SecondOrderTop top({1, 2, 3}, is_projected);
    Options options;
    options.step = h;
    const auto integrator = make_gear(top, options);
    const Vector y = top_at_start();
    integrator->start(0, y);
    const double energy = top.energy(y);
    const Vec3 momentum = top.momentum(y);
    TopErrors worst;
    while (integrator->time() < end) {
        integrator->step(end);
        worst.energy = std::fmax(worst.energy, std::abs(top.energy(integrator->state()) / energy - 1));
        worst.momentum = std::fmax(worst.momentum,
                                   length(top.momentum(integrator->state()) - momentum) / length(momentum));
    }
    return worst;
}

TEST(SpecGranular, T13_free_top_under_gear) {
    const TopErrors at_5 = run_top(0.05, 100, true), at_2 = run_top(0.025, 100, true);
    EXPECT_LT(at_5.energy, 1e-5);
    EXPECT_LT(at_5.momentum, 1e-5);
    EXPECT_NEAR(std::log2(at_5.energy / at_2.energy), 5, 0.5);
    EXPECT_GT(run_top(0.05, 100, false).energy, 3 * at_5.energy);
}

// T12: evaluations of f a step; and at equal evaluations Gear with six values is no worse than Runge-Kutta.
TEST(SpecGranular, T12_one_evaluation_a_step) {
    const struct {
        const char* name;
        long evaluations;
    } cases[] = {{"gear", 1}, {"verlet", 1}, {"semi-implicit-euler", 1}, {"runge-kutta", 4}};
    for (const auto& c : cases) {
        SecondOrderTop top({1, 2, 3}, false);
        Options options;
        options.step = 0.01;
        const auto integrator = find_method(c.name)->make(top, options);
        integrator->start(0, top_at_start());
        for (int k = 0; k < 3; ++k) integrator->step(10);
        const long before = top.evaluations;
        for (int k = 0; k < 50; ++k) integrator->step(10);
        EXPECT_EQ(top.evaluations - before, 50 * c.evaluations) << c.name;
    }
    double errors[2]{};
    for (const bool is_gear : {false, true}) {
        Problem system = kepler();
        Options options;
        options.step = 0.05 * (is_gear ? 1 : 4);
        const auto integrator = find_method(is_gear ? "gear" : "runge-kutta")->make(system, options);
        integrator->start(0, on_ellipse(0.1, 0));
        run_to(*integrator, 10);
        errors[is_gear] = distance(integrator->state(), on_ellipse(0.1, 10));
    }
    EXPECT_LE(errors[1], errors[0]);
}

// T10: a vertex of a tetrahedron that turns about another one's axis, 2 pi rad/s, 100 s: quaternions stay
// rigid; the matrix by Euler's method grows by (1 + w^2 h^2)^(n/2).
TEST(SpecGranular, T10_quaternions_stay_rigid_and_matrices_drift) {
    const Vec3 axis = normalized(Vec3{1, 1, 1}), w = axis * (2 * kPi), vertex = normalized(Vec3{1, -1, -1});
    for (const double h : {0.1, 0.01, 0.001, 0.0001}) {
        if (h < (is_long() ? 1e-4 : kSlowBuild ? 1e-2 : 1e-3)) continue;
        const int steps = static_cast<int>(100 / h + 0.5);
        Problem system(4, 0, [&](double, auto y, auto out) {
            put(out, half(Quat{0, w.x, w.y, w.z} * quat_of(y)));
        });
        class Unit final : public System {
          public:
            explicit Unit(System& other) : other_(other) {}
            std::size_t size() const override { return 4; }
            void rate(double t, std::span<const double> y, std::span<double> out) override {
                other_.rate(t, y, out);
            }
            bool project(double, std::span<double> y) override {
                put(y, normalized(quat_of(y)));
                return true;
            }

          private:
            System& other_;
        } unit(system);
        Options options;
        options.step = h;
        const auto integrator = make_runge_kutta(unit, options);
        integrator->start(0, Vector{1, 0, 0, 0});
        Mat3 matrix;
        for (int k = 0; k < steps; ++k) {
            integrator->step(1e9);
            const Vec3 at = rotate(quat_of(integrator->state()), vertex);
            ASSERT_NEAR(length(at), 1, 1e-12);
            matrix = matrix + skew(w) * matrix * h;
        }
        const double across = length(vertex - axis * dot(axis, vertex)), along = dot(axis, vertex);
        const Vec3 at = matrix * vertex;
        const double found = length(at - axis * dot(axis, at)) / across;
        const double expected = std::pow(1 + std::pow(2 * kPi * h, 2), 0.5 * steps);
        EXPECT_NEAR(found / expected, 1, 0.01) << h;
        EXPECT_NEAR(dot(axis, at), along, 1e-6 * found);
    }
}

}  // namespace
}  // namespace impuls::integrators
