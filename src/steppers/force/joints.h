// Joints at force level. Their equations C(q) = 0 with J v = dC/dt hold exactly: accelerations are those of
//     M a = F + J^T p,    J a = -(dJ/dt) v
// in time linear in the number of bodies (solvers/articulated_tree.h), loops and redundant rows included;
// dJ/dt along the motion comes from J at four places nearby. After each accepted step positions go back to
// C = 0, then velocities to J v = 0, both by the least change in the metric of the masses. What acts along
// free axes is a force: springs, dampers, friction and motors (regularised by a slip speed or a gain), and
// limits, which yield like penalty contacts; faster approaches to them are impacts (impacts.h).
#pragma once

#include <vector>

#include "steppers/articulated/tree.h"
#include "steppers/force/motion.h"

namespace impuls::force_level {

// One free axis as the bodies are now; rates name nodes of the island.
struct JointAxis {
    std::uint32_t number = 0;  // of its force in JointMemory
    std::uint32_t joint = 0;   // of the island
    const AxisDesc* desc = nullptr;
    double position = 0, speed = 0, mass = 0;  // mass: of the joint's bodies alone, along it
    double weight = 0, size = 0;               // as of a contact (laws.h)
    Rate rate{};
    double force = 0;

    // Beyond the limit on a side (-1: lower, 1: upper), m or rad; negative: inside.
    double beyond(int side) const { return side < 0 ? *desc->lower - position : position - *desc->upper; }
};

// A characteristic speed of an axis: sqrt(a size), of angles by the size.
double axis_speed(const WorldView& view, const JointAxis& axis);

class Joints {
  public:
    // None, or why it cannot. Writes nothing but its own.
    Refusal begin(const WorldView& view, const Island& island);
    bool are_none() const { return mechanism_.joints.empty(); }

    // Adds the forces along axes to the wrenches of the nodes.
    void push(const WorldView& view, const Island& island, double time, Bodies& bodies);
    // Accelerations under the wrenches.
    void accelerate(const WorldView& view, const Island& island, Bodies& bodies);
    // Puts poses of the island's nodes, then velocities, back on the joints. Returns the largest error left,
    // m.
    double project(const WorldView& view, Island& island, Bodies& bodies);
    // Changes of all velocities by an impulse (by node, N s and N m s) through the joints.
    void respond(const Island& island, std::span<const Wrench> impulse, std::span<Wrench> change);
    // Factors at the present poses, for respond().
    void factor(const WorldView& view, const Island& island, const Bodies& bodies);

    // Where the axes are now, and how fast.
    std::span<JointAxis> find_axes(const WorldView& view, const Island& island, const Bodies& bodies);
    std::span<JointAxis> axes() { return axes_; }
    // Angles with turns become those of the present poses.
    void count_turns(const WorldView& view, const Island& island);
    // Angles, reactions and axis forces of the last accelerate(), for a step of length dt.
    void store(const WorldView& view, Island& island);
    double size() const { return mechanism_.size; }

  private:
    enum class Wanted { Rows, Equations };
    void place(const Island& island);
    void set_velocities(const Island& island, const Bodies& bodies);
    void make_rows(const WorldView& view, const articulated::TreeJoint& joint, articulated::Poses poses,
                   bool keeps_angles);
    void keep_equations(std::size_t count);
    void factor_tree(const WorldView& view);
    double set_errors(const WorldView& view);
    void set_speeds(const WorldView& view);
    void set_bends(const WorldView& view);
    void move_by(const Bodies& bodies, double time);

    articulated::Mechanism mechanism_{};
    std::vector<std::uint32_t> equations_{};  // by joint of the mechanism
    std::vector<std::uint32_t> link_of_{};    // by node: its body in the mechanism
    std::vector<double> speeds_{};            // of rows, at the places nearby
    AxisLog log_{};
    std::vector<JointAxis> axes_{};
};

}  // namespace impuls::force_level
