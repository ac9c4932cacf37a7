// Disk, polygon and square against brute force over their points.
#include "constraints/friction_set.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace impuls {
namespace {

constexpr double kPi = 3.14159265358979323846;

// Points of the set's edge, by its definition.
std::vector<std::pair<double, double>> edge_of(FrictionModel model, int eta, double limit, int count) {
    std::vector<std::pair<double, double>> points;
    if (model == FrictionModel::Box) eta = 4;
    for (int k = 0; k < count; ++k) {
        const double t = static_cast<double>(k) / count * eta;
        const int side = static_cast<int>(t);
        const auto corner = [&](int c) {
            const double turn = model == FrictionModel::Box ? kPi / 4 : 0;
            const double size = model == FrictionModel::Box ? std::sqrt(2.0) : 1;
            return std::pair(limit * size * std::cos(2 * kPi * c / eta + turn),
                             limit * size * std::sin(2 * kPi * c / eta + turn));
        };
        const auto a = corner(side), b = corner(side + 1);
        const double s = t - side;
        points.emplace_back(a.first + s * (b.first - a.first), a.second + s * (b.second - a.second));
        if (model == FrictionModel::Cone)
            points.back() = {limit * std::cos(2 * kPi * k / count), limit * std::sin(2 * kPi * k / count)};
    }
    return points;
}

TEST(FrictionSet, projects_to_the_nearest_element) {
    std::mt19937 rng(3);
    std::uniform_real_distribution<double> any(-3, 3);
    const double limit = 1.3;
    for (const auto model : {FrictionModel::Cone, FrictionModel::Pyramid, FrictionModel::Box})
        for (const int eta : {3, 4, 6, 8, 15, 64}) {
            const FrictionSet set(model, eta);
            const auto edge = edge_of(model, eta, limit, 3840);  // with all corners
            for (int trial = 0; trial < 50; ++trial) {
                const double p1 = any(rng);
                const double p2 = any(rng);
                double q1 = p1, q2 = p2;
                set.project(limit, q1, q2);
                EXPECT_TRUE(set.contains(limit * (1 + 1e-12), q1, q2));
                if (set.contains(limit, p1, p2)) {
                    EXPECT_NEAR(std::hypot(q1 - p1, q2 - p2), 0, 1e-15);
                    continue;
                }
                double nearest = 100;
                for (const auto& [x, y] : edge) nearest = std::min(nearest, std::hypot(x - p1, y - p2));
                const double distance = std::hypot(q1 - p1, q2 - p2), half_step = 4 * limit / 3840;
                EXPECT_LE(distance, nearest + 1e-12);
                // A sample at most half a step away from the nearest point, on a side or on the circle.
                EXPECT_LE(nearest * nearest - distance * distance,
                          half_step * half_step * std::max(1.0, std::hypot(p1, p2) / limit));
            }
        }
}

TEST(FrictionSet, polygon_is_inscribed_and_has_a_corner_at_the_first_tangent) {
    for (const int eta : {3, 4, 6, 8, 64}) {
        const FrictionSet set(FrictionModel::Pyramid, eta);
        EXPECT_TRUE(set.contains(1, 1 - 1e-12, 0));
        EXPECT_FALSE(set.contains(1, 1 + 1e-12, 0));
        const double angle = kPi / eta, inner = std::cos(angle);
        EXPECT_TRUE(set.contains(1, (inner - 1e-12) * std::cos(angle), (inner - 1e-12) * std::sin(angle)));
        EXPECT_FALSE(set.contains(1, (inner + 1e-12) * std::cos(angle), (inner + 1e-12) * std::sin(angle)));
    }
}

}  // namespace
}  // namespace impuls
