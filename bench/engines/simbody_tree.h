// A tree of ball joints, free bodies and springs in Simbody, behind plain numbers: Simbody's headers are not
// C++20, ours are, so simbody_tree.cpp is compiled as C++17 and sees nothing else.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace impuls::bench {

struct TreeLink {
    int parent = -1;       // number of an earlier link; -1 is the ground
    bool is_free = false;  // no joint: its joint's place is where it begins
    double mass = 0;
    double moments[3] = {};
    double joint_position[3] = {};               // in the parent
    double joint_orientation[4] = {1, 0, 0, 0};  // in the parent: as the child is turned at the start
    double anchor[3] = {};                       // in the link
};

struct TreeSpring {
    int a = -1, b = -1;  // numbers of links; -1 is the ground
    double p_A[3] = {}, p_B[3] = {};
    double stiffness = 0, damping = 0, length = 0;
};

// How it is integrated: by Runge, Kutta and Merson, or by the backward differences of CPODES.
struct TreeMethod {
    double accuracy = 1e-3;
    bool is_implicit = false;
};

struct TreeState {
    double position[3], orientation[4], velocity[3], angular_velocity[3];
};

class SimbodyTree {
  public:
    SimbodyTree(const std::vector<TreeLink>& links, const std::vector<TreeSpring>& springs,
                const double (&gravity)[3], const TreeMethod& method);
    ~SimbodyTree();
    void advance_to(double time);
    TreeState state_of(std::size_t link) const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace impuls::bench
