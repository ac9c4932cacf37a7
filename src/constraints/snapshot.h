// Velocities and impulses of a problem at one moment: to go back to, or to stop halfway from.
// Used where an impact must not gain energy (steppers/impulse/impacts.cpp).
#pragma once

#include <vector>

#include "constraints/problem.h"

namespace impuls {

class Snapshot {
  public:
    void take(const Problem& problem);
    // The problem as it was.
    void restore(Problem& problem) const;
    // The problem at the share `part` of the way from here (0) to where it is (1).
    void mix(Problem& problem, double part) const;

  private:
    std::vector<Vec3> v_{}, w_{}, torque_{};
    std::vector<double> n_{}, p1_{}, p2_{}, rows_{};
};

// Motion of b relative to a at a contact point: along t1, t2, n; `w` between bodies alone.
struct PointMotion {
    Vec3 u{}, w{};
};
PointMotion motion_of(const Problem& problem, std::size_t contact);

}  // namespace impuls
