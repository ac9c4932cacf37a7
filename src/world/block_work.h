// Islands of bodies that touch, also with joints, by blocks (solvers/blocks/contacts.h): contacts are found
// once a pass, the substeps of a pass work on them in lanes. A step is one pass, more where bodies move far
// for their size.
//
// Joints are rows in the same substeps, made once a pass; what is left of their errors in the end, because
// they turned meanwhile, goes by displacements (block_joints.cpp).
//
// How many substeps: a soft contact rests F (1/m_a + 1/m_b)/w^2 below the slop with w = pi/(2 h), so that the
// weight F on it says which h keeps it within kSag of its size (block_loads.cpp).
#pragma once

#include <cstdint>
#include <vector>

#include "collision/manifold.h"
#include "dynamics/contact.h"
#include "dynamics/joint.h"
#include "impuls/executor.h"
#include "solvers/blocks/contacts.h"
#include "world/island.h"
#include "world/usual_most.h"

namespace impuls {

struct WorldState;

class BlockWork final : private BlockContacts::Exchange {
  public:
    // Whether island i can be advanced so: it depends on nothing but the present state.
    static bool takes(const WorldState& s, std::size_t i);
    // Advances island i by a time step; contacts, times and failures go to `out`. False: bodies move too far
    // for their size, or joints were not held; then nothing was written.
    bool advance(WorldState& s, std::size_t i, IslandWork& out);

  private:
    static constexpr int kMostPasses = 4;
    static constexpr std::size_t kAhead = 6;    // how many before they are used nodes are asked for
    static constexpr double kPassWay = 0.5;     // how far a pair may move in a pass, of the size
    static constexpr double kSlop = 1e-4;       // depth left alone, of the size
    static constexpr double kQuarter = 2.4674;  // (pi/2)^2: springs have a period of four substeps
    // What contacts ask for is in the first line of the cache, what searches do in the second.
    struct alignas(64) Node {
        std::uint32_t body;    // kNoBody: the world
        std::uint32_t number;  // in blocks_
        bool is_dynamic;
        bool is_joined;
        bool is_touched;  // in this pass
        bool is_round;    // balls about its centre, and inertia the same about all axes; or it stays put
        bool runs;        // has a surface velocity
        double inv_mass;
        double pull;   // of forces, m/s^2
        double swing;  // m/s, at most, of its surface beside the centre's speed
        Pose pose;
        Vec3 v;
        Vec3 acceleration, w;
    };
    static bool moves(const Node& node) { return node.v != Vec3{} || node.w != Vec3{}; }
    struct Inertia {              // of a dynamic node, at the start of the pass, in units of unit_, W
        Mat3 root, inverse_root;  // of the tensor
    };
    struct JointPart {
        std::uint32_t joint;  // of the world
        std::uint32_t a, b;   // nodes
        std::uint32_t first_row, first_angle, first_axis;
    };
    struct Way {  // of a dynamic body in a pass
        Vec3 shift, turn;
        Vec3 of(const Vec3& r) const { return shift + cross(turn, r); }  // of its point, r from its centre
    };
    struct PairPart {
        std::uint32_t pair;  // of the world
        std::uint32_t a, b;  // nodes
        bool are_spheres;
        bool are_centred;  // the colliders, at their bodies' centres
        const Collider *collider_a, *collider_b;
        double radius_a, radius_b;  // of spheres
        PairCache::Slot* cache;
        const ContactLaw* law;
        double size;      // m: what length tolerances are relative to
        double way;       // that its surfaces can move relative to each other in a step, m
        double margin;    // of its contacts, when they were found
        double way_left;  // that it may move before they must be found anew
    };
    struct alignas(64) Part {  // a manifold of blocks_
        std::uint32_t pair, first, count;
        std::uint32_t a, b;  // nodes
        bool is_pushed;
        bool is_round;  // BlockContacts::add_manifold
        const ContactLaw* law;
        double size;    // of the pair
        double rise;    // of the normal, against gravity
        double pushes;  // impulse before, of all its points
        double load;    // N, at rest
    };
    struct Support {                // a manifold that bears something
        std::uint32_t part, lower;  // the latter: group
        double rise;                // of the normal
        double share;               // weight on it
    };
    struct Depth {
        std::uint32_t bits;  // of a float: how far below the highest
        std::uint32_t group;
    };
    struct PassTally : UsualMost<kMostPasses> {
        PassTally() : UsualMost({1, 2, 3, 4}) {}
    };
    struct Search {  // contacts of a run of pairs
        ContactPoints* points;
        ContactPoints own{};
        RawVector<Part> parts{};
        std::vector<std::uint32_t> start{};              // of each pair
        std::size_t first_point, end_point, first_part;  // among all
        std::vector<Manifold> manifolds{};               // of one pair
    };

    static bool takes_joints(const WorldState& s, std::size_t i);
    void gather(WorldState& s, std::size_t i, IslandWork& out);
    std::uint32_t node_for(std::uint32_t body);
    void set_node(Node& node, std::uint32_t body) const;
    Executor& executor() const;
    // Calls f(node) for all, by all threads.
    template <class F>
    void for_nodes(F&& f) {
        executor().parallel_for(nodes_.size(), 256, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) f(k);
        });
    }
    double way_of(const PairPart& pair, double h) const;
    bool is_calm() const;
    int count_passes();
    int count_substeps();
    ContactPoint& point(std::size_t k) { return results_->point[k]; }
    void set_pair(PairPart& p, std::uint32_t pair) const;
    std::span<const ContactPoint> old_points(std::size_t p, bool is_first) const;
    bool keep(std::size_t p, std::span<const ContactPoint> points, bool is_first, Search& to) const;
    void anchor(const PairPart& pair, std::span<ContactPoint> points) const;
    void find_spheres(std::size_t p, std::span<const ContactPoint> old, bool is_first, Search& to) const;
    bool is_round(const PairPart& pair, const ContactPoint& point) const;
    void add_part(std::size_t p, std::size_t first, std::size_t count, Search& to) const;
    void find_pair(std::size_t p, double h, double left, bool is_first, Search& to);
    void find_contacts(double h, double left, bool is_first);
    void join_searches(std::size_t runs);
    std::uint32_t number_of(const Node& node);
    void gather_joints(const WorldState& s, std::size_t i);
    void join_nodes();
    double joint_size(const JointPart& joint) const;
    JointPoses joint_poses(const JointPart& joint) const;
    void make_joint_rows(double time, double share);
    bool is_torn();
    void add_joint(const JointPart& joint, std::size_t end, double time, double share);
    void add_joints(double time, int substeps);
    void take_joints(double h);
    bool has_wide_joint() const;
    bool close_joints(double time);
    struct Energy {
        double kinetic = 0, potential = 0;  // the latter of constant forces
    };
    Energy energy() const;
    bool is_driven() const;
    bool gains_energy(const Energy& before) const;
    void scatter_joints();
    void order_groups();
    void weigh_groups();
    void estimate_loads();
    double inv_mass_of(std::uint32_t a, std::uint32_t b) const;
    void fetch(std::size_t manifold) const;
    void give(std::size_t manifold, BlockContacts::Manifold& m) const override;
    void take(std::size_t manifold, const BlockContacts::Result& result) override;
    void fill_bodies();
    Vec3 surface_of(std::uint32_t node) const;
    void set_swing(Node& node) const;
    void measure_ways();
    void move(double h);
    void turn_node(Node& node, const Vec3& angle) const;
    void scatter();
    bool check_finite(IslandWork& out) const;

    WorldState* world_ = nullptr;
    std::vector<Node> nodes_{};
    std::vector<Inertia> inertias_{};  // by node
    std::vector<Vec3> surfaces_{};     // velocity beside its motion, W, where it runs
    std::vector<Way> ways_{};          // of dynamic ones
    std::size_t dynamic_count_ = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> others_{};  // body, node; sorted by body
    std::vector<PairPart> pairs_{};
    RawVector<Part> parts_{};
    // Contact points are where the results will be, from first_ on.
    IslandWork::Contacts* results_ = nullptr;
    std::size_t first_ = 0;
    ContactPoints old_points_{};  // of the last pass
    std::vector<std::uint32_t> old_start_{}, next_start_{};
    std::vector<Search> searches_{};
    std::vector<double> weight_{}, height_{};
    std::vector<Depth> order_{}, next_order_{};  // of groups
    PassTally pace_{};                           // of pairs: how many passes they ask for
    RawVector<Support> supports_{};              // by group above
    std::vector<std::uint32_t> support_start_{}, cursor_{}, member_count_{};
    BlockContacts blocks_{};
    Vec3 up_{};           // against gravity; 0 without
    double substep_ = 0;  // s, in this pass
    double unit_ = 1;     // kg: masses of blocks_ are in it
    double heavy_ = 0;    // root of the inertia of kinematic bodies
    std::vector<JointPart> joints_{};
    std::vector<std::uint32_t> group_{};  // of a node: those joined together move as one, its number
    Rows rows_{};
    AxisLog axis_log_{};
    Nodes joint_nodes_{};
    std::vector<NodeStart> starts_{};
    std::vector<std::uint32_t> row_of_{};                          // in blocks_, of a row
    std::vector<double> previous_{}, angles_{}, axis_impulses_{};  // by row, angle, axis
    std::vector<JointReaction> reactions_{};
    int level_ = 0;  // substeps of the last step
};

}  // namespace impuls
