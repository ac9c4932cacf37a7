// Orientations that move: splines of rotations, tangent-and-up and look-at frames, keyframes; rates against
// differences.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "math/bspline.h"
#include "math/functions.h"
#include "math/motion/easing.h"
#include "math/motion/path_motion.h"
#include "math/motion/rotation_spline.h"
#include "math/rotation.h"

namespace impuls {
namespace {

Vec3 random_vector(Rng& rng) {
    const double x = rng.uniform(-1, 1), y = rng.uniform(-1, 1);
    return {x, y, rng.uniform(-1, 1)};
}
double apart(const Quat& a, const Quat& b) {
    return length(log_of(conjugate(a) * b));
}
// Angular velocity and acceleration of at(t), by central differences.
template <class F>
void expect_rates(const F& at, double t, double tolerance) {
    const double e = 1e-5;
    const Orientation now = at(t), after = at(t + e), before = at(t - e);
    // The rotation from before to after, in world axes.
    const Vec3 w = log_of(after.rotation * conjugate(before.rotation)) / (2 * e);
    const Vec3 a = (after.angular_velocity - before.angular_velocity) / (2 * e);
    EXPECT_LT(length(now.angular_velocity - w), tolerance * (1 + length(w))) << t;
    EXPECT_LT(length(now.angular_acceleration - a), 10 * tolerance * (1 + length(a) + length(w))) << t;
    EXPECT_NEAR(length_squared(now.rotation), 1, 1e-14);
}

TEST(RotationSpline, LogarithmAndBack) {
    Rng rng(1, 0);
    for (int k = 0; k < 200; ++k) {
        const Vec3 w = random_vector(rng) * (k % 3 == 0 ? 1e-10 : 1.7);
        EXPECT_LT(length(log_of(rotation_by(w)) - w), 4e-16 + 1e-14 * length(w));
    }
    EXPECT_EQ(log_of(Quat{}), Vec3{});
}

TEST(RotationSpline, RatesAndContinuity) {
    Rng rng(2, 0);
    std::vector<Quat> controls;
    for (int k = 0; k < 9; ++k) controls.push_back(rng.rotation());
    const std::vector<double> breaks{0, 0.7, 1, 1.8, 2.5, 3, 4};
    const RotationSpline spline(controls, breaks);
    const auto at = [&](double t) { return spline.at(t); };
    for (double t = 0.013; t < 4; t += 0.0237) expect_rates(at, t, 1e-6);
    for (const double t : breaks) {  // second derivatives too are continuous
        if (t == 0 || t == 4) continue;
        const double e = 1e-9;
        EXPECT_LT(apart(at(t - e).rotation, at(t + e).rotation), 1e-7);
        EXPECT_LT(length(at(t - e).angular_velocity - at(t + e).angular_velocity), 1e-6);
        EXPECT_LT(length(at(t - e).angular_acceleration - at(t + e).angular_acceleration), 1e-5);
    }
    EXPECT_LT(apart(at(0).rotation, controls.front()), 1e-14);
    EXPECT_LT(apart(at(4).rotation, controls.back()), 1e-14);
}

// About one axis it is the B-spline of the angles.
TEST(RotationSpline, AboutOneAxis) {
    const Vec3 axis = normalized(Vec3{1, 2, -1});
    const std::vector<double> angles{0, 0.5, 1.8, 2, 4.5, 5};
    std::vector<Quat> controls;
    for (const double a : angles) controls.push_back(rotation_by(axis * a));
    const std::vector<double> breaks = even_breaks(angles.size());
    const RotationSpline spline(controls, breaks);
    for (double t = 0; t <= 3; t += 0.1) {
        const CubicBasis b = cubic_basis(breaks, t);
        double angle = 0, slope = 0, bend = 0;
        for (std::size_t j = 0; j < 4; ++j) {
            angle += angles[b.first + j] * b.value[j];
            slope += angles[b.first + j] * b.slope[j];
            bend += angles[b.first + j] * b.bend[j];
        }
        EXPECT_LT(apart(spline.at(t).rotation, rotation_by(axis * angle)), 1e-13);
        EXPECT_LT(length(spline.at(t).angular_velocity - axis * slope), 1e-12);
        EXPECT_LT(length(spline.at(t).angular_acceleration - axis * bend), 1e-11);
    }
}

TEST(RotationSpline, ThroughKeys) {
    Rng rng(3, 0);
    std::vector<RotationSpline::Key> keys;
    for (int k = 0; k < 6; ++k)
        keys.push_back({k * 0.5 + 0.1 * (k % 2),
                        k == 0 ? rng.rotation() : keys.back().rotation * rotation_by(random_vector(rng))});
    for (auto& key : keys) key.rotation = normalized(key.rotation);
    const RotationSpline spline = RotationSpline::through(keys);
    for (const auto& key : keys) EXPECT_LT(apart(spline.at(key.time).rotation, key.rotation), 1e-12);
    EXPECT_LT(length(spline.at(keys.front().time).angular_velocity), 1e-12);
    EXPECT_LT(length(spline.at(keys.back().time).angular_velocity), 1e-12);
    EXPECT_EQ(spline.at(99).angular_velocity, Vec3{});
    EXPECT_LT(apart(spline.at(99).rotation, keys.back().rotation), 1e-12);
    for (double t = 0.01; t < 2.5; t += 0.05) expect_rates([&](double x) { return spline.at(x); }, t, 1e-6);
}

// Along a path with up: x along the tangent, z level; rates against differences.
TEST(Frames, TangentAndUp) {
    const std::vector<Vec3> controls{{0, 0, 0}, {1, 0.5, 0}, {2, 1, 1}, {3, 0, 2},
                                     {4, 1, 1}, {5, 0, 0},   {6, 0, 2}};
    const PathMotion motion(ArcLength(Spline::of_controls(controls, even_breaks(controls.size()))),
                            TimeCourse::eased(3, 6, 0.4));
    const Vec3 up{0, 1, 0};
    const auto at = [&](double t) { return along(motion.at(t).tangent, up, Quat{}); };
    for (double t = 0.05; t < 2.95; t += 0.0531) {
        const Orientation o = at(t);
        EXPECT_FALSE(o.is_degenerate);
        const Vec3 x = rotate(o.rotation, {1, 0, 0}), z = rotate(o.rotation, {0, 0, 1});
        EXPECT_LT(length(x - normalized(motion.at(t).place.first)), 1e-12);
        EXPECT_NEAR(z.y, 0, 1e-14);
        EXPECT_GT(rotate(o.rotation, {0, 1, 0}).y, 0);
        expect_rates(at, t, 1e-5);
    }
}

// Looking at a fixed point while going round it at a constant rate: the rate itself.
TEST(Frames, LookAt) {
    const double rate = 1.3;
    const auto at = [&](double t) {
        const functions::SinCos s = functions::sin_cos(rate * t);
        const Moving place{{2 * s.cos, 0, 2 * s.sin},
                           Vec3{-s.sin, 0, s.cos} * (2 * rate),
                           Vec3{s.cos, 0, s.sin} * (-2 * rate * rate)};
        const Moving target{{0, 0.5, 0}, {}, {}};
        return along({target.value - place.value, target.first - place.first, target.second - place.second},
                     {0, 1, 0}, Quat{});
    };
    for (double t = 0; t < 6; t += 0.1) {
        EXPECT_LT(length(at(t).angular_velocity - Vec3{0, -rate, 0}), 1e-13);
        EXPECT_LT(length(at(t).angular_acceleration), 1e-12);
        expect_rates(at, t, 1e-6);
    }
}

// Every direction, through all branches of the conversion to a quaternion; and none where there is none.
TEST(Frames, EveryDirectionAndDegenerateOnes) {
    Rng rng(4, 0);
    for (int k = 0; k < 500; ++k) {
        const Vec3 d = random_vector(rng), up = random_vector(rng);
        const Orientation o = along({d, {}, {}}, up, Quat{});
        EXPECT_LT(length(rotate(o.rotation, {1, 0, 0}) - normalized(d)), 1e-14);
        EXPECT_NEAR(dot(rotate(o.rotation, {0, 0, 1}), up), 0, 1e-14);
        const Mat3 m = to_matrix(rng.rotation());
        EXPECT_LT(length(to_matrix(from_columns(m.c0, m.c1, m.c2)).c1 - m.c1), 1e-15 * 10);
    }
    const Quat last = rng.rotation();
    for (const Vec3& d : {Vec3{}, Vec3{0, 3, 0}, Vec3{1e-9, -2, 0}}) {
        const Orientation o = along({d, {1, 0, 0}, {}}, {0, 1, 0}, last);
        EXPECT_TRUE(o.is_degenerate);
        EXPECT_EQ(o.rotation, last);
        EXPECT_EQ(o.angular_velocity, Vec3{});
    }
}

TEST(Easing, ShapesAndRates) {
    for (std::size_t k = 0; k < EnumNames<Easing>::names.size(); ++k) {
        const auto easing = static_cast<Easing>(k);
        const char* const name = EnumNames<Easing>::names[k];
        for (double x = 0.01; x < 1; x += 0.01) {
            const double e = 1e-5;
            const Share s = ease(easing, x), after = ease(easing, x + e), before = ease(easing, x - e);
            EXPECT_NEAR(s.first, (after.value - before.value) / (2 * e), 1e-8) << name;
            EXPECT_NEAR(s.second, (after.first - before.first) / (2 * e), 1e-6) << name;
        }
        EXPECT_EQ(ease(easing, 0).value, 0) << name;
        EXPECT_EQ(ease(easing, 1).value, easing == Easing::Hold ? 0 : 1) << name;
    }
    for (const double x : {0.0, 1.0}) {
        EXPECT_EQ(ease(Easing::Smooth, x).first, 0);
        EXPECT_EQ(ease(Easing::Smoother, x).first, 0);
        EXPECT_EQ(ease(Easing::Smoother, x).second, 0);
    }
    EXPECT_EQ(ease(Easing::In, 0).first, 0);
    EXPECT_EQ(ease(Easing::Out, 1).first, 0);
}

TEST(Easing, KeyedValuesAndRotations) {
    const KeyedValue::Key values[]{{0, {0, 0, 0}, Easing::Smooth},
                                   {1, {1, 0, 0}, Easing::Linear},
                                   {3, {1, 2, 0}, Easing::Hold},
                                   {4, {5, 5, 5}}};
    const KeyedValue track(values);
    EXPECT_EQ(track.at(-1).value, Vec3{});
    EXPECT_EQ(track.at(0.5).value, (Vec3{0.5, 0, 0}));
    EXPECT_EQ(track.at(2).value, (Vec3{1, 1, 0}));
    EXPECT_EQ(track.at(2).first, (Vec3{0, 1, 0}));
    EXPECT_EQ(track.at(3.9).value, (Vec3{1, 2, 0}));
    EXPECT_EQ(track.at(4).value, (Vec3{5, 5, 5}));
    Rng rng(5, 0);
    const KeyedRotation::Key turns[]{
        {0, rng.rotation(), Easing::Smoother}, {1, rng.rotation(), Easing::In}, {2.5, rng.rotation()}};
    const KeyedRotation rotations(turns);
    const auto at = [&](double t) { return rotations.at(t); };
    for (const auto& key : turns) EXPECT_LT(apart(at(key.time).rotation, key.rotation), 1e-14);
    for (const double t : {0.1, 0.5, 0.9, 1.2, 2.0, 2.4}) expect_rates(at, t, 1e-6);
    EXPECT_EQ(at(3).angular_velocity, Vec3{});
}

}  // namespace
}  // namespace impuls
