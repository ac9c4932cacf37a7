// One island on its own: copies of its bodies as solver nodes, its contacts and joints, and the stages of a
// substep on them. Islands do not share anything that is written, so they run side by side.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collision/graph/pair_cache.h"
#include "collision/manifold.h"
#include "collision/sweep/time_of_impact.h"
#include "constraints/snapshot.h"
#include "dynamics/body_set.h"
#include "dynamics/common_motion.h"
#include "dynamics/contact.h"
#include "dynamics/contact_law.h"
#include "dynamics/joint.h"
#include "impuls/frame.h"
#include "solvers/solver.h"
#include "steppers/results.h"
#include "world/stack_work.h"

namespace impuls {

struct WorldState;

class IslandWork final : private Preview {
  public:
    // Empties the results of earlier islands.
    void begin();
    // Copies island `i` in: dynamic bodies first, then what they touch.
    void gather(WorldState& s, std::size_t i);

    // Length of the next substep when `rest` is left of the step: dt / substeps, less where joints need it.
    double next_substep(double rest);
    bool has_joints() const { return !joints_.empty(); }
    // Joints that do not close in h, as solve_displacements finds: after recall_joints() all is as it was
    // when next_substep() was called, which then gives a shorter one.
    bool is_stalled() const { return is_stalled_; }
    void recall_joints();

    // Substeps that put bodies deep into each other are taken again: remember() tells whether that may happen
    // in h and keeps the state, got_deep() whether it did, recall() brings the state back.
    bool remember(double h);
    bool got_deep();
    void recall();
    void set_substep(double h, double usual) { stretch_ = h / usual; }

    // Where nothing drives an island with joints, no substep adds energy to it.
    struct Energy {
        double kinetic = 0, potential = 0;  // the latter of constant forces
    };
    bool may_throw() const;
    Energy energy() const;
    void limit_energy(const Energy& before, double h);

    // Stages of a substep of length h.
    void find_contacts(double h);        // narrow phase
    void first_kick(double h);           // half of the forces
    void sweep(double h);                // contacts that fast pairs come to within the substep
    void propagate_impacts(double h);    // impacts that come together, from body to body
    void solve_displacements(double h);  // velocities that lead to allowed positions
    void drift(double h);                // positions
    void second_kick(double h);          // the other half, for bodies that are held
    void solve_velocities(double h);     // velocities that are allowed where the bodies are now

    // After the substeps: joints that are torn open come closer by displacements alone.
    void pull_together();

    // Those of the velocity stepper that differ.
    void kick(double h);        // all of the forces
    void solve_step(double h);  // velocities for the drift; with shock propagation layer by layer
    void rebound(double h);     // restitution
    void correct(double h);     // positions alone

    // Writes motions, reactions and contacts back.
    void scatter(WorldState& s);
    // In place of all of these: island `i` stays as it is.
    void keep(WorldState& s, std::size_t i);

    // Results of all islands done since begin().
    ContactResults results{};
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
        double margin;  // of its contacts now
    };
    struct Node {
        std::uint32_t body;  // kNoBody: the world
        Pose pose;
        Pose start_pose;  // at the start of the substep
        Vec3 start_v, start_w;
        Quat middle;        // orientation half a substep later
        Vec3 acceleration;  // of external forces
        Vec3 surface;       // P: how the surface runs over the body
        bool is_dynamic;
        bool is_joined;        // dynamic, with joints
        bool is_struck;        // by an impact that was passed on in this substep
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

    struct Return {
        double speed = 0;  // wanted after the impact, m/s (Newton)
        double share = 0;  // of the impulse of compression (Poisson)
    };
    struct Try {
        double h = 0, open = 0;  // s; relative error of the joints
    };
    struct Work;

    std::uint32_t node_for(std::uint32_t body);
    void add_node(std::uint32_t body);
    void gather_joints(const WorldState& s, std::size_t i);
    bool is_swept(const PairWork& pair, double way) const;
    double way_of(const PairWork& pair, double h) const;
    void find_meetings(double h);
    void turn_to_impact(std::uint32_t node);
    void add_swept_points(const Meeting& meeting, bool has_lead);
    double time_after_impact(const Node& node, std::size_t k, double h) const;
    double depth_at(const PairWork& pair, const Pose& X_WA, const Pose& X_WB);  // zero or less
    double time_in_touch(const PairWork& pair, const SteadyMotion& a, const SteadyMotion& b, double h);
    void stop_after_impacts(double h);
    void stop_passages(double h);
    void hold_up_together();
    void set_rebounds();
    Vec3 relative_velocity(const PairWork& pair, const Vec3& position) const;
    Vec3 slip_of(const PairWork& pair, const SubstepPoint& point) const;
    void choose_friction(std::size_t first, double h);
    void add_contact_row(std::size_t k);
    void make_contact_rows(bool only_touching, bool is_backward = false);
    void take_contact_impulses();
    void note_sliding(double h);
    void measure_motions(std::vector<PointMotion>& out) const;
    bool gains_energy() const;
    void solve_impact(const SolveSettings& settings);
    void decompress_swept(double h);
    SolveSettings impact_settings(double h) const;
    void solve_rebounds(double h);
    void find_lonely_pairs(double reach);
    void find_late_impacts(double h);
    double make_impact_rows(double h, double rest);
    void hold_joints();
    void stop_together(double h, double reach);
    void make_joint_rows(double h, Phase phase);
    void note_node_starts();
    JointRows joint_rows(const JointWork& joint, Rows& rows, double h, Phase phase);
    JointPoses joint_poses(const JointWork& joint) const;
    double size_of(const JointWork& joint) const;
    bool is_torn(const JointWork& joint, std::size_t first_row) const;
    bool overturns(double h) const;
    void yield_joints(double h, Phase phase);
    void add_yielding();
    void measure_depths(std::vector<double>& out) const;  // by pair
    void freeze_stacks(double h, Phase phase);
    void take_layer(std::size_t layer);
    void give_layer();
    void forget_frozen();
    bool has_rebounds(double h) const;
    void keep_momenta(const CommonMotion& before);
    void take_joint_impulses();
    void refresh(Problem& problem, std::size_t first, std::size_t last) override;
    bool find_drive() const;
    Vec3 angular_momentum_of(std::size_t k) const;
    CommonMotion common_motion() const;
    bool is_free() const;
    void update_inertia();
    int sweeps(std::size_t items) const;  // of a solve with as many contacts and joints
    int sweeps() const { return sweeps(problem_.contacts.size() + joints_.size()); }
    double joint_recovery() const;
    double usual_substep() const;
    double least_substep() const;
    double smallest_size() const;
    void begin_pace();
    double relative_error() const;
    void close_ahead(double h);
    void remember_bodies();
    Pose drifted(std::size_t k, double h) const;
    SolveSettings solve_settings(double h) const;
    double threshold(const PairWork& pair, double h) const;
    void check_finite(const char* stage);
    struct Pass {
        double share;  // of the substep's forces
        double warm;   // share of the last impulses that it begins with
        bool is_last;  // of its rows in this substep: the next one begins from its impulses
    };
    // Velocity stepper: island_velocity.cpp, island_shock.cpp, island_correct.cpp.
    void list_edges();
    void find_layers();
    void hold_lower(std::size_t layer);
    void estimate_loads(std::size_t layer);
    template <class Visit>
    void for_bearing_points(std::size_t layer, Visit&& visit);
    void release();
    void measure_approaches(double h);
    void add_velocity_row(std::uint32_t point, double h, const Pass& pass);
    void add_joint_rows(std::uint32_t joint, double h, const Pass& pass);
    void solve_edges(std::span<const std::uint32_t> edges, double h, const Pass& pass);
    void take_part(const Pass& pass);
    void find_hits();
    void limit_rebound();
    double kinetic_energy_of(std::span<const Vec3> v, std::span<const Vec3> w, std::span<const Vec3> v2,
                             std::span<const Vec3> w2) const;
    bool is_off() const;
    void project(std::span<const std::uint32_t> edges);
    void displace(std::uint32_t node);

    const WorldState* world_ = nullptr;
    Problem problem_{};
    std::unique_ptr<ProblemSolver> solver_{};
    Solver solver_kind_{};
    std::vector<Node> nodes_{};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> others_{};  // body, node; sorted by body
    std::size_t dynamic_count_ = 0;
    std::vector<PairWork> pairs_{};
    std::vector<SubstepPoint> points_{}, old_points_{};
    std::vector<std::uint32_t> point_pair_{}, old_start_{}, row_point_{};
    std::vector<JointWork> joints_{};
    std::vector<double> joint_previous_{}, joint_carried_{};  // impulses by row
    std::vector<double> joint_approach_{};                    // speeds of impact on limits, by row
    std::vector<double> joint_angles_{}, axis_impulses_{};    // joint by joint
    std::vector<NodeStart> node_starts_{};
    AxisLog axis_log_{};
    std::vector<JointReaction> reactions_{};
    bool is_driven_ = false;
    double stretch_ = 1;        // length of this substep relative to the usual one, dt / substeps
    double pace_ = kUnbounded;  // longest substep that joints close in, s
    bool is_stalled_ = false, may_retake_ = true;
    Try first_try_{};  // of the present substep; open: 0 when there was none
    double preview_h_ = 0;
    bool is_torn_ = false;      // a joint was torn open in the last displacement phase
    bool is_yielding_ = false;  // joints give way in this substep
    Snapshot unstrained_{};
    Rows preview_rows_{};
    // Impacts, by contact row.
    std::vector<PointMotion> before_{}, middle_{};
    std::vector<Return> returns_{};
    std::vector<Vec3> work_p_{}, work_t_{};
    Snapshot compressed_{}, uncompressed_{};
    std::vector<std::uint32_t> only_pair_{};  // by node
    std::vector<std::uint8_t> is_lonely_{};   // by pair
    std::vector<std::uint8_t> is_late_{};     // by point
    std::vector<Vec3> impact_v_{}, impact_w_{};
    std::vector<Meeting> meetings_{};
    std::vector<Manifold> swept_{};
    StackWork stack_{};
    struct Memory {
        std::vector<Node> nodes{};
        std::vector<Vec3> v{}, w{};
        std::vector<SubstepPoint> points{};
        std::vector<std::uint32_t> point_pair{};
        std::vector<double> depths{}, margins{};  // by pair
        std::vector<double> joint_previous{}, joint_angles{}, axis_impulses{};
        std::vector<JointReaction> reactions{};
    };
    Memory memory_{};
    std::vector<double> depths_{};
};

}  // namespace impuls
