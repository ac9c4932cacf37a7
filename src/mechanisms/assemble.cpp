// Closing the joints of a scene (impuls/assemble.h): displacements in place of velocities, as in the
// first-order world, by damped Gauss-Newton steps (Levenberg 1944, Marquardt 1963) on all joints at once. A
// step minimises
//     1/2 d^T M d + sum (e + J d)^2 / (2 c)        with J d + e + c p = 0,  d = M^-1 J^T p
// so of all ways to close the joints the one that moves least mass is taken; c = mu (angles: mu / size^2)
// falls while the error does and rises where a step made it larger, which is taken back. Bender (2014, 3.5.1)
// caps the impulse of each joint for the same purpose; here it is the turn of a body in a step, since only
// turns make the equations curved.
#include "impuls/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "dynamics/add.h"
#include "dynamics/first_order.h"
#include "solvers/solver.h"

namespace impuls {
namespace {

class Assembler {
  public:
    Assembler(const Scene& structure, const AssembleSettings& settings)
        : settings_(settings), solver_(make_solver(Solver::Sparse)) {
        WorldIds ids;
        for (const BodyDesc& body : structure.bodies) add_body(bodies_, ids, body, structure);
        for (const JointDesc& joint : structure.joints) add_joint(joints_, ids, bodies_, joint);
        for (const std::uint32_t k : bodies_.scripted) bodies_.pose[k] = scripted_motion(bodies_, k, 0).pose;
        set_scales();
    }

    // Steps until all is closed or nothing gets better. Returns how many.
    std::int64_t run() {
        double damping = kFirstDamping, error = look();
        int idle = 0;
        std::int64_t k = 0;
        for (; k < settings_.most_iterations && worst_ > tolerance() && idle < kMostIdle; ++k) {
            const std::vector<Pose> before = bodies_.pose;
            solve(damping);
            move();
            const double now = look();
            if (now < error) {
                idle = now < kProgress * error ? 0 : idle + 1;
                error = now;
                damping = std::max(damping * 0.1, kLeastDamping);
            } else {
                bodies_.pose = before;
                look();
                damping *= 8;
                ++idle;
            }
            if (settings_.progress) settings_.progress(k + 1, worst_);
        }
        return k;
    }

    bool is_closed() const { return worst_ <= tolerance(); }
    const std::vector<JointGap>& gaps() const { return gaps_; }
    const BodySet& bodies() const { return bodies_; }
    bool holds(std::size_t j) const { return joints_.holds(j); }
    void measure() { look(); }

  private:
    static constexpr double kFirstDamping = 1e-2, kLeastDamping = 1e-12;
    static constexpr double kProgress = 0.999;  // a step that leaves more of the error gains nothing
    static constexpr int kMostIdle = 40;
    static constexpr int kSweeps = 30;  // for limits

    double tolerance() const { return settings_.tolerance * size_; }

    bool moves(std::uint32_t k) const {
        return k != kNoBody && bodies_.is_dynamic(k) && bodies_.is_active[k];
    }

    // The smallest size of a jointed body that moves, and a typical response to an impulse.
    void set_scales() {
        double size = kUnbounded;
        std::size_t count = 0;
        for (std::size_t j = 0; j < joints_.size(); ++j)
            for (const std::uint32_t k : {joints_.a[j], joints_.b[j]}) {
                if (!moves(k)) continue;
                const double radius = gyration_radius(bodies_.mass[k], bodies_.inertia[k]);
                if (radius > 0) size = std::min(size, radius);
                response_ += bodies_.inv_mass[k];
                ++count;
            }
        if (size < kUnbounded) size_ = size;
        if (count > 0) response_ /= static_cast<double>(count);
    }

    // Rows of all joints that hold, where the bodies are now, with what each lacks as its bias; the gaps by
    // joint. Returns the sum of squares.
    double look() {
        Rows& rows = problem_.rows;
        rows.clear();
        gaps_.assign(joints_.size(), {});
        worst_ = 0;
        double sum = 0;
        const auto node = [&](std::uint32_t k) {
            return k == kNoBody ? static_cast<std::uint32_t>(bodies_.size()) : k;
        };
        for (std::size_t j = 0; j < joints_.size(); ++j) {
            if (!joints_.holds(j)) continue;
            const std::size_t first = rows.rows.size();
            JointRows out{rows, node(joints_.a[j]), node(joints_.b[j]), node(joints_.c[j])};
            out.phase = Phase::Displacement;
            out.h = 1;
            out.size = size_;
            make_rows(joints_, j, poses_of(joints_, j, bodies_), out);
            double distance2 = 0, angle2 = 0;
            for (std::size_t r = first; r < rows.rows.size(); ++r) {
                const Row& row = rows.rows[r];
                const double off = row.is_bounded() ? std::min(0.0, row.bias) : row.bias;
                (row.is_linear ? distance2 : angle2) += off * off;
            }
            gaps_[j] = {std::sqrt(distance2), std::sqrt(angle2)};
            worst_ = std::max({worst_, gaps_[j].distance, gaps_[j].angle * size_});
            sum += distance2 + angle2 * size_ * size_;
        }
        return sum;
    }

    // Displacements of the bodies, as velocities of the problem's nodes.
    void solve(double damping) {
        const std::size_t n = bodies_.size();
        Nodes& nodes = problem_.nodes;
        nodes.v.assign(n + 1, {});
        nodes.w.assign(n + 1, {});
        nodes.inv_mass.assign(n + 1, 0);
        nodes.inv_inertia.assign(n + 1, {{}, {}, {}});
        for (std::uint32_t k = 0; k < n; ++k) {
            if (!moves(k)) continue;
            const Mat3 r = to_matrix(bodies_.pose[k].orientation);
            const Vec3& inv = bodies_.inv_inertia[k];
            nodes.inv_mass[k] = bodies_.inv_mass[k];
            nodes.inv_inertia[k] = Mat3{r.c0 * inv.x, r.c1 * inv.y, r.c2 * inv.z} * transpose(r);
        }
        const double linear = damping * response_, angular = linear / (size_ * size_);
        for (Row& row : problem_.rows.rows) {
            row.compliance = row.is_linear ? linear : angular;
            row.guess = row.impulse = 0;
        }
        solver_->solve(problem_, {kSweeps, tolerance()});
    }

    void move() {
        const Nodes& nodes = problem_.nodes;
        double turn = 0;
        for (const Vec3& w : nodes.w) turn = std::max(turn, length(w));
        const double share = turn > settings_.turn ? settings_.turn / turn : 1;
        for (std::uint32_t k = 0; k < bodies_.size(); ++k)
            if (nodes.inv_mass[k] > 0)
                bodies_.pose[k] = displaced(bodies_.pose[k], nodes.v[k] * share, nodes.w[k] * share);
    }

    AssembleSettings settings_;
    BodySet bodies_{};
    JointSet joints_{};
    std::unique_ptr<ProblemSolver> solver_;
    Problem problem_{};
    std::vector<JointGap> gaps_{};
    double size_ = 1, response_ = 0, worst_ = 0;
};

void require_no_frames(const Scene& structure) {
    for (const JointDesc& joint : structure.joints)
        if (has_frame(joint.joint))
            throw InputError(
                fmt::format("cannot assemble joint '{}': gear, rack_and_pinion and pulley count from the "
                            "start, so what they "
                            "join must be in place",
                            joint.name));
}

// The structure with nothing but equations and limits along its joints.
Scene without_drives(Scene structure) {
    for (JointDesc& joint : structure.joints)
        visit_axes(joint.joint, [](const char*, AxisDesc& axis) {
            AxisDesc limits;
            limits.lower = axis.lower;
            limits.upper = axis.upper;
            axis = limits;
        });
    return structure;
}

}  // namespace

Assembly assemble(const Scene& scene, const AssembleSettings& settings) {
    Assembly result;
    result.scene = expand(scene);
    require_no_frames(result.scene);
    Assembler work(without_drives(result.scene), settings);
    work.measure();
    const std::vector<JointGap> before = work.gaps();
    const std::vector<Pose> poses = work.bodies().pose;
    result.iterations = work.run();
    result.is_closed = work.is_closed();

    std::vector<BodyDesc>& bodies = result.scene.bodies;
    std::vector<std::optional<Placement>> old(bodies.size());
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        if (work.bodies().pose[k] == poses[k]) continue;
        old[k] = Placement{bodies[k].position, bodies[k].orientation};
        const Pose now = work.bodies().body_pose(k);
        bodies[k].position = now.position;
        bodies[k].orientation = now.orientation;
    }
    const auto old_place = [&](const std::string& name) -> std::optional<Placement> {
        for (std::size_t k = 0; k < bodies.size(); ++k)
            if (bodies[k].name == name) return old[k];
        return {};
    };
    for (std::size_t j = 0; j < result.scene.joints.size(); ++j) {
        JointDesc& joint = result.scene.joints[j];
        if (!joint.at_a && !joint.a.empty()) joint.at_a = old_place(joint.a);
        if (!joint.at_b) joint.at_b = old_place(joint.b);
        if (work.holds(j)) result.joints.push_back({joint.name, before[j], work.gaps()[j]});
    }
    return result;
}

}  // namespace impuls
