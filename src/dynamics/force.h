// Forces of a world. Each force of the family list says in a file of its own (dynamics/forces/<name>.cpp)
// what it does with its bodies where they are now: its terms.
//
//     along    a coordinate x of the two bodies with x' = J v, a force F along it, its stiffness
//              k = -dF/dx and its damping c = -dF/dx'. On a body it is F times J's part of that body.
//     push     a plain force and torque on b
//
// Steppers sum what is plain into each node's acceleration and torque, and make a row of what is stiff,
// solved together with contacts and joints (steppers/forces.h):
//     p = t (F - k t v - c (v - v0)),   a linearly implicit midpoint rule, stable at any k and c.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/body_set.h"
#include "dynamics/joint_rows.h"
#include "impuls/forces.h"
#include "math/course.h"

namespace impuls {

// A body as forces see it: the frame fixed in it, and its motion. The world is at rest at the origin.
struct ForceEnd {
    std::uint32_t node = 0;
    Pose X_WF{};      // of the force's frame, carried by the body
    Vec3 center{};    // of mass
    Vec3 v{}, w{};    // of the centre; rad/s
    double mass = 0;  // 0: the world

    Vec3 arm() const { return X_WF.position - center; }
};

struct ForceGeometry {
    ForceEnd a, b;
    Quat X_WB{};                         // orientation of b's principal frame
    std::span<const Vec3> face_areas{};  // of b's shape, half of each, seen from that frame (DragForce)
    double round_area = 0;               // m^2, of a sphere's shadow
};

// One force along one coordinate.
struct ForceTerm {
    Rate rate{};
    double force = 0;         // N or N m, now
    double stiffness = 0;     // N/m or N m/rad
    double damping = 0;       // N s/m or N m s/rad
    bool only_pulls = false;  // the force is not positive
    bool is_plain = false;    // smooth enough to be held through a substep
    bool keeps_rate = false;  // so is its direction

    bool is_soft() const { return !is_plain && (stiffness > 0 || damping > 0); }
    double applied() const { return only_pulls && force > 0 ? 0 : force; }
};

// What a force does: filled by its file.
struct ForceTerms {
    std::vector<ForceTerm> along{};
    Vec3 force{}, torque{};  // on b, torque about its centre
    double potential = 0;    // J; 0 of forces that have none
    bool has_potential = false;

    void clear();
    // k and c as in the head of this file.
    ForceTerm& add(const Rate& rate, double force_along, double stiffness, double damping);
    void add_potential(double energy) {
        potential += energy;
        has_potential = true;
    }
    // A force at b's point.
    void push(const ForceEnd& b, const Vec3& at_point, const Vec3& turning);
};

// Each force of the family list supplies these two functions: where its frames are at the start, in world
// coordinates, and what it does.
#define IMPULS_DECLARE_FORCE(Type)              \
    JointFrames force_frames(const Type& desc); \
    void add_terms(const Type& desc, const ForceGeometry& g, ForceTerms& out);
IMPULS_FORCES(IMPULS_DECLARE_FORCE)
#undef IMPULS_DECLARE_FORCE

// d . (velocity of b's point - velocity of a's point), each moving with its body.
Rate stretch_rate(const ForceGeometry& g, const Vec3& direction);
double velocity_of(const Rate& rate, const ForceGeometry& g);
// A spring and damper along the line between the two points.
void add_spring_terms(const ForceGeometry& g, double stiffness, double damping, double length,
                      ForceTerms& out);

// What a force does with one body: force, and torque about its centre.
struct Wrench {
    Vec3 force{}, torque{};
};
Wrench wrench_on(const ForceTerms& terms, std::uint32_t node);
// With the part on b that has no coordinate.
Wrench wrench_on_b(const ForceTerms& terms, std::uint32_t node);

// Which bodies a force acts on.
struct ForceEnds {
    std::vector<std::uint64_t> uid_a{}, uid_b{};    // 0: the world
    std::vector<std::uint32_t> a{}, b{};            // body numbers now; kNoBody: the world
    std::vector<std::uint32_t> part_a{}, part_b{};  // particles of theirs; kNoPart: the body itself
};

struct ForceSet : ForceEnds {
    std::uint64_t next_uid = 1;
    std::vector<std::uint64_t> uid{};
    std::vector<Force> force{};
    std::vector<Course> magnitude{};
    std::vector<double> from{}, until{};  // s
    std::vector<Pose> X_AF{}, X_BF{};     // in the bodies' principal frames
    std::vector<std::vector<Vec3>> face_areas{};
    std::vector<double> round_area{};
    std::vector<std::uint8_t> is_enabled{};

    std::size_t size() const { return uid.size(); }
    // `shape_b` is that of body b.
    void add(const ForceDesc& desc, const BodySet& bodies, std::uint32_t body_a, std::uint32_t body_b,
             const Shape& shape_b);
    // Removes the entries that are flagged; later ones move down.
    void remove(std::span<const std::uint8_t> is_dead);
    // After a body was described anew, with the pose of its old principal frame in the new one.
    void note_body(std::size_t f, const BodySet& bodies, std::uint32_t body, const Pose& X_new_old,
                   const Shape& shape);
    // Finds the body numbers again after bodies were added or removed.
    void update_numbers(const BodySet& bodies);
    // The share of the time from t to t + h in which force f acts; of a moment (h = 0) 0 or 1.
    double share(std::size_t f, double t, double h) const;
    // That, times its magnitude in the middle of them.
    double strength(std::size_t f, double t, double h) const;

  private:
    void measure_areas(std::size_t f, const BodySet& bodies, const Shape& shape_b);
};

// Force f with its bodies in these motions; nodes are 0 and 1. Passive bodies are the caller's business.
ForceGeometry geometry_of(const ForceSet& forces, std::size_t f, const BodySet& bodies);
// Its terms, times `strength`; only of a constant magnitude is there a potential.
void find_terms(const ForceSet& forces, std::size_t f, const ForceGeometry& g, double strength,
                ForceTerms& out);

}  // namespace impuls
