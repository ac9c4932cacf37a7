// The first-order world alone (Erleben 2005, 4.16): projection and manipulation.
#include <gtest/gtest.h>

#include <cmath>

#include "collision/collider.h"
#include "collision/make_colliders.h"
#include "collision/narrow/narrow.h"
#include "collision/shape_cache.h"
#include "dynamics/first_order.h"
#include "solvers/sequential.h"

namespace impuls {
namespace {

struct Solid {
    Collider collider{};
    Pose pose{};
    double mass = 1;
    Vec3 inertia{1, 1, 1};
    Vec3 force{}, torque{};
};

Solid solid(const Shape& shape, const Pose& pose, double mass, const Vec3& inertia) {
    ShapeCache cache;
    std::vector<Collider> colliders;
    make_colliders(shape, {}, true, cache, colliders);
    return {colliders.at(0), pose, mass, inertia};
}

Solid cube(const Pose& pose, double mass) {
    return solid(Box{{1, 1, 1}}, pose, mass, Vec3{1, 1, 1} * (mass / 6));
}

Solid ball(const Vec3& at, double mass) {
    return solid(Sphere{0.5}, {at, {}}, mass, Vec3{1, 1, 1} * (0.1 * mass));
}

double depth_of(const Solid& a, const Solid& b) {
    std::vector<Manifold> found;
    collide(a.collider, a.pose, b.collider, b.pose, 0, found);
    double depth = 0;
    for (const Manifold& m : found)
        for (int k = 0; k < m.count; ++k)
            depth = std::max(depth, -m.points[static_cast<std::size_t>(k)].separation);
    return depth;
}

// One step of length h of two solids; without forces and with h = 1 it is a projection.
void step(Solid& a, Solid& b, double h, int iterations) {
    std::vector<Manifold> found;
    collide(a.collider, a.pose, b.collider, b.pose, 0.05, found);
    Problem problem;
    for (const Solid* s : {&a, &b})
        add_pushed(problem.nodes, s->pose, s->mass, s->inertia, s->force, s->torque);
    for (const Manifold& m : found) add_gaps(m, 0, a.pose, 1, b.pose, problem.contacts, h);
    SequentialSolver().solve(problem, {iterations, 0});
    a.pose = displaced(a.pose, problem.nodes.v[0] * h, problem.nodes.w[0] * h);
    b.pose = displaced(b.pose, problem.nodes.v[1] * h, problem.nodes.w[1] * h);
}

TEST(SpecConstraints, T10_repair_divides_by_mass) {
    for (const double ratio : {1.0, 3.0, 1000.0}) {
        Solid a = ball({0, 0, 0}, ratio), b = ball({0.6, 0.7, 0.1}, 1);
        const Vec3 a0 = a.pose.position, b0 = b.pose.position;
        step(a, b, 1, 1);
        EXPECT_NEAR(length(a.pose.position - a0) / length(b.pose.position - b0), 1 / ratio, 1e-9);
        EXPECT_LT(depth_of(a, b), 1e-12);
    }
}

TEST(SpecConstraints, T10_repair_is_exact_to_first_order) {
    // A corner of a tilted cube in the face of another, off the centre, so that both turn.
    const Quat tilt = normalized(Quat{1, 0.35, 0.1, 0.25});
    const auto residual = [&](double depth) {
        Solid a = cube({}, 1), b = cube({{0.2, 0, 0.1}, tilt}, 2);
        double lowest = 1e9;
        for (int c = 0; c < 8; ++c) {
            const Vec3 corner{c & 1 ? 0.5 : -0.5, c & 2 ? 0.5 : -0.5, c & 4 ? 0.5 : -0.5};
            lowest = std::min(lowest, (b.pose * corner).y);
        }
        b.pose.position.y += 0.5 - lowest - depth;
        EXPECT_NEAR(depth_of(a, b), depth, 1e-3 * depth);
        step(a, b, 1, 50);
        std::vector<Manifold> found;
        collide(a.collider, a.pose, b.collider, b.pose, 0.05, found);
        return std::abs(found.at(0).points[0].separation);
    };
    const double coarse = residual(0.02), fine = residual(0.01);
    EXPECT_LT(coarse, 0.02 * 0.1);
    EXPECT_NEAR(coarse / fine, 4, 0.5);
}

// A cube is pulled to the right against another that is tilted, until their faces lie on each other. (Pulled
// on, the two would turn as one: what is pushed from behind gives way to the side.)
struct Turned {
    double left, right, misalignment;        // rad
    double first_left = 0, first_right = 0;  // in the first step that turns them
};
Turned manipulate(double left_mass, double right_mass) {
    const double tilt = 0.3, enough = 0.0008;
    Solid a = cube({{-0.7, 0, 0}, {}}, left_mass), b = cube({{0.7, 0, 0}, {}}, right_mass);
    b.pose.orientation = from_axis_angle({0, 0, 1}, tilt);
    a.force = {left_mass, 0, 0};
    const auto angle = [](const Solid& s) {
        return 2 * std::atan2(s.pose.orientation.z, s.pose.orientation.w);
    };
    Turned result{};
    for (int k = 0; k < 1000 && std::abs(angle(a) - angle(b)) > enough; ++k) {
        step(a, b, 0.01, 50);
        if (result.first_left == 0)
            result.first_left = std::abs(angle(a)), result.first_right = std::abs(angle(b) - tilt);
    }
    result.left = std::abs(angle(a)), result.right = std::abs(angle(b) - tilt);
    result.misalignment = std::abs(angle(a) - angle(b));
    // Without force nothing glides on; one step removes what depth the last one left.
    a.force = b.force = {};
    step(a, b, 0.01, 200);
    const Pose a0 = a.pose, b0 = b.pose;
    step(a, b, 0.01, 50);
    EXPECT_LT(length(a.pose.position - a0.position) + length(b.pose.position - b0.position), 1e-9);
    return result;
}

TEST(SpecConstraints, T11_manipulation_aligns_faces) {
    const double degree = 3.14159265358979 / 180;
    const Turned equal = manipulate(1, 1);
    EXPECT_LT(equal.misalignment, 0.1 * degree);
    EXPECT_GT(equal.first_left, 0);
    EXPECT_NEAR(equal.first_left, equal.first_right, 1e-9);    // same force, same lever
    EXPECT_NEAR(equal.left, equal.right, 0.25 * equal.right);  // levers change on the way
    const Turned heavy = manipulate(10, 1);
    EXPECT_LT(heavy.misalignment, 0.1 * degree);
    EXPECT_LT(heavy.left, 0.5 * heavy.right);
}

}  // namespace
}  // namespace impuls
