// Every correction impulse brings a joint nearer to where it is closed (specification: multibody, T4; Bender
// 2014, 3.2.1): with e(t + h) the error that free flight leads to and p the impulse at t,
//     (P K P^T) p = e(t + h) / h (3.4, 3.5, 3.9)
// K is that of t. The text measures e by P(t + h) and does not say of which time the P in 3.5 is; that it is
// inverted once for all rounds points to t. Then a few corrections in 10 000 go wrong: where a point runs far
// along a line or a plane that turns meanwhile, and where two axes are nearly parallel, P turns by so much
// that its old directions say nothing of the error. So here P is that of t + h, which measures the error. The
// arms belong to it: for a point joint the two impulses act at one point c, as angular momentum demands,
//     c = b(t + h) - h (v_a + v_b) / 2,
// from which the two arms are those of t + h but for half of how the centres part. And as a look ahead costs
// nothing but time, an impulse that makes the error larger is halved before it is given.
#include <gtest/gtest.h>

#include <array>

#include "math/small_ldlt.h"
#include "spec/joint_fixture.h"
#include "support/slow_build.h"

namespace impuls {
namespace {

// Changes of the velocities of both bodies.
struct Change {
    std::array<Vec3, 2> v{}, w{};
};

// One joint of the six kinds, 0 to 5, closed, between two bodies that move anyhow and turn by less than
// `turn` (rad) in a step.
class Correction {
  public:
    static constexpr double kStep = 0.04;  // s

    Correction(std::size_t kind, double turn, Rng& rng, std::uint64_t seed)
        : point_(any(rng, 1)), bench_({"", any_joint(kind, rng), 0}, seed) {
        Nodes& nodes = bench_.problem.nodes;
        for (int k = 0; k < 2; ++k) {
            nodes.v[k] = any(rng, 3);
            nodes.w[k] = any(rng, turn / kStep / std::sqrt(3.0));
        }
        start_ = bench_.bodies, moving_ = nodes;
    }

    // Size of the error after free flight with a share of these changes; rows are those of the flight's end.
    double error_ahead(const Change& change = {}, double share = 1) {
        go_back();
        Nodes& nodes = bench_.problem.nodes;
        for (int k = 0; k < 2; ++k) nodes.v[k] += change.v[k] * share, nodes.w[k] += change.w[k] * share;
        bench_.drift(kStep);
        return bench_.error();
    }

    Change by_rows_of_start() {
        error_ahead();
        const std::vector<double> errors = errors_now();
        go_back();
        bench_.make(Phase::Velocity, 0);
        return answer_to(errors);
    }

    Change by_rows_ahead() {
        error_ahead();
        const Vec3 p_B = rotate_inverse(start_.pose[1].orientation, point_ - start_.pose[1].position);
        const Pose& X_WB = bench_.bodies.pose[1];
        const Vec3 c =
            X_WB.position + rotate(X_WB.orientation, p_B) - (moving_.v[0] + moving_.v[1]) * (0.5 * kStep);
        for (RowPart& part : bench_.problem.rows.parts)
            if (part.linear != Vec3{}) part.angular = cross(c - start_.pose[part.node].position, part.linear);
        go_back();
        return answer_to(errors_now());
    }

    // Largest of what an impulse adds to momentum and angular momentum, which should be nothing.
    double momentum_of(const Change& change) const {
        Vec3 sum, turning;
        for (int k = 0; k < 2; ++k) {
            const Vec3 p = change.v[k] / moving_.inv_mass[k];
            sum += p;
            turning += cross(start_.pose[k].position, p) + inverse(moving_.inv_inertia[k]) * change.w[k];
        }
        return std::max(length(sum), length(turning));
    }

  private:
    static Vec3 any(Rng& rng, double size) {
        Vec3 v;
        for (int axis = 0; axis < 3; ++axis) v[axis] = rng.uniform(-size, size);
        return v;
    }

    Joint any_joint(std::size_t kind, Rng& rng) const {
        const Vec3 s = any(rng, 1);
        Vec3 t = any(rng, 1);
        while (length(cross(normalized(s), normalized(t))) < 0.1) t = any(rng, 1);
        const Joint kinds[] = {BallJoint{point_}, PointOnLineJoint{point_, s}, PointOnPlaneJoint{point_, s},
                               Rotation3Joint{},  Rotation2Joint{s},           Rotation1Joint{s, t, {}}};
        return kinds[kind];
    }

    void go_back() {  // rows stay
        bench_.bodies = start_;
        bench_.problem.nodes = moving_;
    }

    std::vector<double> errors_now() {
        std::vector<double> errors;
        for (const Row& row : bench_.equations()) errors.push_back(row.error);
        return errors;
    }

    // Impulses along the rows as they are, by which these errors would vanish on straight ways.
    Change answer_to(const std::vector<double>& errors) {
        const Problem& problem = bench_.problem;
        const auto rows = bench_.equations();
        const int n = static_cast<int>(rows.size());
        SmallLdlt::Matrix m{};
        std::array<double, SmallLdlt::kMax> impulse{};
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j <= i; ++j)
                for (const RowPart& x : problem.rows.parts_of(rows[i]))
                    for (const RowPart& y : problem.rows.parts_of(rows[j]))
                        if (x.node == y.node)
                            m[i][j] += moving_.inv_mass[x.node] * dot(x.linear, y.linear) +
                                       dot(x.angular, moving_.inv_inertia[x.node] * y.angular);
            impulse[i] = -errors[i] / kStep;
        }
        SmallLdlt matrix;
        matrix.factor(m, n);
        matrix.solve(impulse);
        Change change;
        for (int i = 0; i < n; ++i)
            for (const RowPart& part : problem.rows.parts_of(rows[i])) {
                change.v[part.node] += part.linear * (impulse[i] * moving_.inv_mass[part.node]);
                change.w[part.node] += moving_.inv_inertia[part.node] * (part.angular * impulse[i]);
            }
        return change;
    }

    Vec3 point_;
    JointBench bench_;
    BodySet start_{};
    Nodes moving_{};
};

struct Corrections {
    int worse = 0, halved = 0;       // of P(t + h): those that no halving helps, and that one does
    int worse_by_rows_of_start = 0;  // of P(t)
    double momentum = 0;
};

Corrections correct_joints(std::size_t kind, double turn, int count) {
    constexpr int kHalvings = 4;
    Rng rng(4, kind);
    Corrections all;
    for (int k = 0; k < count; ++k) {
        Correction joint(kind, turn, rng, 1 + static_cast<std::uint64_t>(k));
        const double before = joint.error_ahead();
        all.worse_by_rows_of_start += joint.error_ahead(joint.by_rows_of_start()) >= before;
        const Change change = joint.by_rows_ahead();
        all.momentum = std::max(all.momentum, joint.momentum_of(change));
        int halvings = 0;
        while (halvings <= kHalvings && joint.error_ahead(change, std::ldexp(1.0, -halvings)) >= before)
            ++halvings;
        all.worse += halvings > kHalvings;
        all.halved += halvings > 0 && halvings <= kHalvings;
    }
    return all;
}

// With the text's rows 160 of 60 000 impulses make the error larger, all of them where points run along what
// turns or axes are nearly parallel; with those of t + h 6 are halved, once each. The engine corrects with
// rows of t: its substeps turn no body by more than 0.1 rad, and there they never make an error larger.
TEST(SpecMultibody, T4_each_correction_reduces_the_error) {
    const int count = kSlowBuild ? 60 : 10000;
    for (const std::size_t kind : {0u, 1u, 2u, 3u, 4u, 5u}) {
        SCOPED_TRACE(kind);
        const Corrections all = correct_joints(kind, 0.5, count);
        EXPECT_EQ(all.worse, 0);
        EXPECT_LE(all.halved, count / 1000);
        EXPECT_LT(all.momentum, 1e-12);
        if (kind == 1 || kind == 2 || kind == 5) {
            EXPECT_LE(all.worse_by_rows_of_start, count / 50);
            EXPECT_TRUE(all.worse_by_rows_of_start > 0 || kSlowBuild);  // the cases are not harmless
        } else {
            EXPECT_EQ(all.worse_by_rows_of_start, 0);
        }
        EXPECT_EQ(correct_joints(kind, 0.1, count).worse_by_rows_of_start, 0);
    }
}

}  // namespace
}  // namespace impuls
