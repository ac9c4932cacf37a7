// The six basis joints and what is made of them, by their rows alone (specification: multibody, T4 and T7).
#include <gtest/gtest.h>

#include "math/small_ldlt.h"
#include "spec/joint_fixture.h"
#include "support/full_size.h"

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

// One correction impulse as the text has it: with the rows P of the start, (P K P^T) p = e(t + h) / h. Errors
// are vectors in the frame of the rows; h |w| < 0.5.
double length_of(std::span<const Row> rows) {
    double sum = 0;
    for (const Row& row : rows) sum += row.error * row.error;
    return std::sqrt(sum);
}

void correct(JointBench& bench, const std::vector<double>& error, double h) {
    Problem& problem = bench.problem;
    const auto rows = bench.equations();
    const int n = static_cast<int>(rows.size());
    SmallLdlt::Matrix m{};
    std::array<double, SmallLdlt::kMax> impulse{};
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j)
            for (const RowPart& x : problem.rows.parts_of(rows[i]))
                for (const RowPart& y : problem.rows.parts_of(rows[j]))
                    if (x.node == y.node)
                        m[i][j] += problem.nodes.inv_mass[x.node] * dot(x.linear, y.linear) +
                                   dot(x.angular, problem.nodes.inv_inertia[x.node] * y.angular);
        impulse[i] = -error[i] / h;
    }
    SmallLdlt matrix;
    matrix.factor(m, n);
    matrix.solve(impulse);
    for (int i = 0; i < n; ++i)
        for (const RowPart& part : problem.rows.parts_of(rows[i])) {
            problem.nodes.v[part.node] += part.linear * (impulse[i] * problem.nodes.inv_mass[part.node]);
            problem.nodes.w[part.node] += problem.nodes.inv_inertia[part.node] * (part.angular * impulse[i]);
        }
}

// How many of `count` random joints of one kind, 0 to 5, are farther off after one impulse than before.
int count_worse(std::size_t kind, double turn, int count) {
    const double h = 0.04;
    Rng rng(4, kind);
    const auto vector = [&](double size) {
        Vec3 v;
        for (int axis = 0; axis < 3; ++axis) v[axis] = rng.uniform(-size, size);
        return v;
    };
    int worse = 0;
    for (int k = 0; k < count; ++k) {
        const Vec3 p = vector(1), s = vector(1);
        Vec3 t = vector(1);
        while (length(cross(normalized(s), normalized(t))) < 0.1) t = vector(1);
        const Joint kinds[] = {BallJoint{p},     PointOnLineJoint{p, s}, PointOnPlaneJoint{p, s},
                               Rotation3Joint{}, Rotation2Joint{s},      Rotation1Joint{s, t, {}}};
        JointBench bench({"", kinds[kind], 0}, 1 + static_cast<std::uint64_t>(k));
        Nodes& nodes = bench.problem.nodes;
        for (int n = 0; n < 2; ++n) {
            nodes.v[n] = vector(3);
            nodes.w[n] = vector(turn / h / std::sqrt(3.0));
        }
        const BodySet start = bench.bodies;
        const Nodes still = nodes;
        bench.drift(h);
        bench.make(Phase::Velocity, 0);
        std::vector<double> ahead;
        for (const Row& row : bench.equations()) ahead.push_back(row.error);
        const double before = length_of(bench.equations());
        bench.bodies = start, nodes = still;
        bench.make(Phase::Velocity, 0);
        correct(bench, ahead, h);
        bench.drift(h);
        bench.make(Phase::Velocity, 0);
        worse += length_of(bench.equations()) >= before;
    }
    return worse;
}

// The text says that every correction makes the error smaller. So it is at h |w| < 0.5 for joints that hold
// three freedoms or a common axis. Where a point may run far along a line or a plane that turns meanwhile,
// and where the two axes of a fixed angle are nearly parallel, a few corrections go too far (16, 20 and 124
// of 10 000): there the claim is missed. At h |w| < 0.1 none does.
TEST(SpecMultibody, T4_each_correction_reduces_the_error) {
#ifdef NDEBUG
    const int count = is_long() ? 10000 : 500;
#else
    const int count = 60;  // sanitizers are slow
#endif
    for (const std::size_t kind : {0u, 1u, 2u, 3u, 4u, 5u}) {
        const bool is_always_true = kind == 0 || kind == 3 || kind == 4;
        const int worse = count_worse(kind, 0.5, count);
        RecordProperty("worse_of_kind_" + std::to_string(kind), worse);
        EXPECT_LE(worse, is_always_true ? 0 : 2 * count / 100) << kind;
        EXPECT_EQ(count_worse(kind, 0.1, count), 0) << kind;
    }
}

}  // namespace
}  // namespace impuls
