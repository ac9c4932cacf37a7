// Islands of bodies that joints alone hold together: no contacts, no limits, motors or springs. Their joints
// are solved all at once (solvers/articulated_tree.h), and substeps are as long as the motion allows.
//
// A substep of length h is RATTLE with the flow of free bodies (Andersen 1983; Bender 2014, 3.3):
//     v += h/2 a, l += h/2 t       forces; l is the angular momentum
//     impulses at the present joints, found in turns with a look at where the bodies will be then, until all
//     joints are closed there (the factors stay those of the start)
//     x += h v, q by free rotation with l
//     v += h/2 a, l += h/2 t
//     impulses at the new joints that make all joints' velocities 0, in one solve
// At constant h it is symplectic; it keeps momenta to rounding and is second order. With method.composed
// five of them make one of fourth order (articulated_compose.cpp).
//
// h comes from the spins w: with s = (sum |w|^4)^(1/4) half a substep ahead, h s = method.turn. Looking at
// the middle makes the sequence of substeps nearly the same forwards and backwards in time, which keeps the
// energy; steps that follow the past leak it. Where the turns taken do not converge h is halved, and the
// joints remember that (pace) for the next substeps.
#pragma once

#include <vector>

#include "dynamics/common_motion.h"
#include "dynamics/joint.h"
#include "solvers/articulated_tree.h"

namespace impuls {

struct WorldState;

class ArticulatedWork {
  public:
    // Whether island i is of this kind. Depends on nothing but the present state.
    static bool takes(const WorldState& s, std::size_t i);
    // Advances island i by a time step and writes the result to s.next and s.joints. False: it cannot (joints
    // torn open, or no substep is short enough); then nothing was written.
    bool advance(WorldState& s, std::size_t i);

  private:
    static constexpr std::uint32_t kNone = ArticulatedTree::kNone;
    struct Body {
        std::uint32_t body;         // kNoBody: the world
        std::uint8_t spin_axis;     // see turned_freely
        double mass, inv_mass;      // 0: moves by itself, or not at all
        Vec3 inertia, inv_inertia;  // principal
        Vec3 acceleration, torque;
        double linear_damping, angular_damping;
        // At the start of a substep. Inertia and w belong to the present orientation.
        Pose pose;
        Vec3 v, l, w;
        Mat3 inv_inertia_W;
        // In a substep: with the impulses so far, and where that leads to.
        Vec3 next_v, next_l;
        Pose next;
    };
    struct JointWork {
        std::uint32_t joint;
        std::uint32_t a, b, c;                   // bodies
        std::uint32_t child, parent;             // a and b, in the order of the tree
        std::uint32_t link;                      // kNone: closes a loop
        std::uint32_t first_loop;                // its loop rows
        std::uint32_t first_number, row_count;   // its rows in numbers_, pushed_; a ball: none
        std::uint32_t first_angle, angle_count;  // in angles_
        bool is_ball;                            // of the tree
        Vec3 r_child, r_parent;                  // ball: the joint in the bodies
        Vec3 force, pushed;  // ball, on the child: in the last substep; impulse in this one
        Vec3 slope, end;     // ball, composed: how the force goes on; force of the last velocity phase
        JointReaction sum;   // impulses in the whole step
    };

    enum class Change { None, Gain, Loss };
    // Of the smallest body's size: open farther, joints are no work for this method.
    static constexpr double kTorn = 1e-3;

    // articulated_gather.cpp
    void gather(WorldState& s, std::size_t i);
    void span_tree(WorldState& s, std::size_t i);
    void scatter(WorldState& s);
    std::uint32_t add_body(std::uint32_t body);
    std::uint32_t base_for(std::uint32_t body);
    void add_joint(std::uint32_t j, std::uint32_t child, std::uint32_t link);
    // articulated.cpp
    double update(double h);
    void take_rows(JointWork& joint);
    double make_rows_of(const JointWork& joint, bool is_next, double h, bool keeps_angles);
    double& wanted(const JointWork& joint, std::size_t r);
    double& impulse_of(const JointWork& joint, std::size_t r);
    double velocity_of(const Row& row) const;
    void update_nodes();
    bool close_joints(double h);
    void drift(double h);
    double find_gaps(double h);
    void push();
    void push(const ArticulatedTree::Part& part, double impulse);
    void note_pushed();
    void stop_joints(double h);
    void finish(double h);
    // articulated_pace.cpp
    void set_centripetal();
    double longest_step(double turn);
    bool is_sound() const;
    double kinetic_energy() const;
    double energy() const;
    Change judge(double energy_before) const;
    CommonMotion common_motion() const;
    void slow_down(double share, double spin);
    double fastest_spin() const;
    bool try_step(double turn);
    void set_tolerance();
    // articulated_compose.cpp
    bool may_compose() const;
    bool take(double h);
    void keep();
    void go_back();
    void follow_forces(double h);

    const WorldState* world_ = nullptr;
    ArticulatedTree tree_{};
    std::vector<Body> bodies_{};  // as the tree's links, then those that nothing here moves
    std::vector<JointWork> joints_{};
    std::vector<double> numbers_{}, pushed_{}, angles_{};  // of rows: forces, impulses; angles of joints
    std::vector<double> slopes_{}, ends_{};                // of rows, as of balls
    Nodes nodes_{};                                        // velocities, for angles
    Rows rows_{};
    std::size_t moving_ = 0;
    bool has_rows_ = false, has_loops_ = false, is_damped_ = false, is_composed_ = false;
    double size_ = 0;       // smallest radius of gyration, m
    double tolerance_ = 0;  // m
    double pace_ = 0;       // longest substep (composition) that converges, s
    double last_ = 0;       // length of the last substep, s; 0: none in this step
    double bend_ = 0;       // largest of curved joints, rad/s
    double stalled_ = 0;    // error at which the last try stalled, m
    int turns_ = 0;         // of the last try
    // The state before a composition.
    struct Kept {
        std::vector<Body> bodies{};
        std::vector<JointWork> joints{};
        std::vector<double> numbers{}, angles{}, slopes{}, ends{};
        double last = 0;
    } kept_{};
    // Building the tree: joints by body, places of bodies in the tree, joints taken, bodies and joints found.
    std::vector<std::uint32_t> edge_start_{}, edge_of_{}, place_{}, found_{}, found_by_{};
    std::vector<std::uint8_t> is_used_{};
};

}  // namespace impuls
