// The six basis joints and what is made of them, by their rows alone (specification: multibody, T7).
#include <gtest/gtest.h>

#include "spec/joint_fixture.h"

namespace impuls {
namespace {

// Independent columns of a matrix given by columns, by orthogonalising the longest that is left.
int rank_of(std::vector<std::vector<double>> columns) {
    int rank = 0;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const auto size = [](const std::vector<double>& v) {
            double sum = 0;
            for (const double x : v) sum += x * x;
            return sum;
        };
        auto best = columns.begin();
        for (auto it = columns.begin(); it != columns.end(); ++it)
            if (size(*it) > size(*best)) best = it;
        const double n = size(*best);
        if (n < 1e-8) break;
        const std::vector<double> pivot = *best;
        for (auto& column : columns) {
            double share = 0;
            for (std::size_t r = 0; r < pivot.size(); ++r) share += column[r] * pivot[r] / n;
            for (std::size_t r = 0; r < pivot.size(); ++r) column[r] -= share * pivot[r];
        }
        ++rank;
    }
    return rank;
}

// Which of the six small motions of b leave the joint closed: the errors after each, not the rows, tell.
int free_directions(JointBench& bench) {
    const auto errors = [&](int k, double e) {
        const Pose before = bench.bodies.pose[1];
        Vec3 shift, turn;
        (k < 3 ? shift : turn)[k % 3] = e;
        bench.bodies.pose[1] = {before.position + shift, turned(before.orientation, turn)};
        bench.make(Phase::Velocity, 0);
        std::vector<double> values;
        for (const Row& row : bench.equations()) values.push_back(row.error);
        bench.bodies.pose[1] = before;
        return values;
    };
    constexpr double kSmall = 1e-5;
    std::vector<std::vector<double>> columns;
    for (int k = 0; k < 6; ++k) {
        columns.push_back(errors(k, kSmall));
        const auto back = errors(k, -kSmall);
        for (std::size_t r = 0; r < back.size(); ++r)
            columns.back()[r] = (columns.back()[r] - back[r]) / (2 * kSmall);
    }
    return 6 - rank_of(columns);
}

TEST(SpecMultibody, T7_free_directions_by_perturbation) {
    const Vec3 p{0.4, -0.2, 0.3}, s{0.6, 0.7, -0.3}, t{-0.5, 0.8, 0.4};
    const std::vector<Vec3> bend{{-1, 0.3, 0.2}, p, {1.3, 0.6, -0.5}, {0.2, 1.8, 0.4}};
    struct Case {
        const char* text;  // its number in the text
        Joint joint;
        int left;
    };
    const Case cases[] = {{"J1, T1", BallJoint{p}, 3},
                          {"J2, T2", PointOnLineJoint{p, s}, 4},
                          {"J2, curved", RailJoint{p, bend, true}, 4},
                          {"J3, T3", PointOnPlaneJoint{p, s}, 5},
                          {"J3, ellipsoid", PointOnEllipsoidJoint{p + s, p, s, t, length(s), 0.5, 2.0}, 5},
                          {"J3, torus", PointOnTorusJoint{p + normalized(s) * 0.4, p, s, 1, 0.4}, 5},
                          {"J4", HingeJoint{p, s}, 1},
                          {"J6", SliderJoint{p, s}, 1},
                          {"J6, curved", RailJoint{p, bend, true, false}, 1},
                          {"J8", UniversalJoint{p, s, t}, 2},
                          {"J9", FixedJoint{p}, 0},
                          {"R1", Rotation3Joint{}, 3},
                          {"R2", Rotation2Joint{s}, 4},
                          {"R3", Rotation1Joint{s, t}, 5}};
    for (const Case& c : cases) {
        SCOPED_TRACE(c.text);
        for (std::uint64_t seed : {1, 2, 3}) {
            JointBench bench({c.text, c.joint, 6 - c.left}, seed);
            bench.wander(seed);
            EXPECT_EQ(free_directions(bench), c.left);
        }
    }
}

}  // namespace
}  // namespace impuls
