// One island on its own: copies of its bodies as solver nodes, its contacts and joints, and the stages of a
// substep on them. Islands do not share anything that is written, so they run side by side.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collision/graph/pair_cache.h"
#include "collision/manifold.h"
#include "collision/sweep/time_of_impact.h"
#include "dynamics/body_set.h"
#include "dynamics/contact.h"
#include "dynamics/joint.h"
#include "impuls/frame.h"
#include "solvers/solver.h"

namespace impuls {

struct WorldState;

class IslandWork final : private Preview {
  public:
    // Empties the results of earlier islands.
    void begin();
    // Copies island `i` in: dynamic bodies first, then what they touch.
    void gather(WorldState& s, std::size_t i);

    // Stages of a substep of length h.
    void find_contacts(double h);        // narrow phase
    void first_kick(double h);           // half of the forces
    void sweep(double h);                // contacts that fast pairs come to within the substep
    void solve_displacements(double h);  // velocities that lead to allowed positions
    void drift(double h);                // positions
    void second_kick(double h);          // the other half, for bodies that are held
    void solve_velocities(double h);     // velocities that are allowed where the bodies are now

    // Writes motions, reactions and contacts back.
    void scatter(WorldState& s);

    // Results of all islands done since begin().
    struct Result {
        std::uint32_t pair;
        ContactPoint point;
    };
    std::vector<Result> results{};
    std::array<double, kStages> stage_seconds{};
    std::string failure{};  // body and stage of the first value that is not finite

  private:
    struct PairWork {
        std::uint32_t pair;  // of the world
        PairKey key;
        std::uint32_t a, b;  // nodes
        const Collider *collider_a, *collider_b;
        ContactLaw law;
        PairCache::Slot* cache;
    };
    struct Node {
        std::uint32_t body;  // kNoBody: the world
        Pose pose;
        Pose start_pose;  // at the start of the substep
        Vec3 start_v, start_w;
        Quat middle;        // orientation half a substep later
        Vec3 acceleration;  // of external forces
        bool is_dynamic;
        bool is_held;          // something pushed or holds it in this substep
        double lead;           // s of the substep that pass before a swept impact; 0: none
        Vec3 lead_v, lead_w;   // velocities until then
        std::uint32_t met_in;  // pair of that impact
        double allowed;        // time of the substep up to which it moves without passing through anything
    };
    struct JointWork {
        std::uint32_t joint;    // of the world
        std::uint32_t a, b, c;  // nodes; c: a, when it has no frame
        std::uint32_t first_row, first_block, first_angle, first_axis;
    };
    struct Meeting {
        double time;
        std::uint32_t pair;
        Closest points;
    };

    std::uint32_t node_for(std::uint32_t body);
    void add_node(std::uint32_t body);
    void gather_joints(const WorldState& s, std::size_t i);
    bool is_swept(const PairWork& pair, double way) const;
    double way_of(const PairWork& pair, double h) const;
    void find_meetings(double h);
    void turn_to_impact(std::uint32_t node);
    void add_swept_points(const Meeting& meeting);
    double time_after_impact(const Node& node, std::size_t k, double h) const;
    double time_in_touch(const PairWork& pair, const SteadyMotion& a, const SteadyMotion& b, double h) const;
    void stop_passages(double h);
    void set_rebounds();
    Vec3 relative_velocity(const PairWork& pair, const Vec3& position) const;
    void make_contact_rows(bool only_touching);
    void take_contact_impulses();
    void make_joint_rows(double h, Phase phase);
    void note_node_starts();
    JointRows joint_rows(const JointWork& joint, Rows& rows, double h, Phase phase);
    JointPoses joint_poses(const JointWork& joint) const;
    void take_joint_impulses();
    void refresh(Problem& problem, std::size_t first, std::size_t last) override;
    void update_inertia();
    int sweeps() const;
    double joint_recovery() const;
    double preview_tolerance() const;
    Pose drifted(std::size_t k, double h) const;
    SolveSettings solve_settings(double h) const;
    double threshold(const PairWork& pair, double h) const;
    void check_finite(const char* stage);

    const WorldState* world_ = nullptr;
    Problem problem_{};
    std::unique_ptr<ProblemSolver> solver_{};
    Solver solver_kind_{};
    std::vector<Node> nodes_{};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> others_{};  // body, node; sorted by body
    std::size_t dynamic_count_ = 0;
    std::vector<PairWork> pairs_{};
    std::vector<ContactPoint> points_{}, old_points_{};
    std::vector<std::uint32_t> point_pair_{}, old_start_{}, row_point_{};
    std::vector<JointWork> joints_{};
    std::vector<double> joint_previous_{}, joint_carried_{};  // impulses by row
    std::vector<double> joint_approach_{};                    // speeds of impact on limits, by row
    std::vector<double> joint_angles_{}, axis_impulses_{};    // joint by joint
    std::vector<NodeStart> node_starts_{};
    AxisLog axis_log_{};
    std::vector<JointReaction> reactions_{};
    double preview_h_ = 0;
    Rows preview_rows_{};
    std::vector<Meeting> meetings_{};
    std::vector<Manifold> swept_{};
};

}  // namespace impuls
