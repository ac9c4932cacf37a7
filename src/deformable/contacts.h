// What may touch deformable bodies, as every solver of this room sees it: it is asked once a substep, after
// the elastic rows, and moves previewed places. So whatever is here comes last, and its displacements become
// velocities. Implemented by obstacles.h (analytic shapes), bodies.h (rigid bodies of a world, two-way) and
// self_collision.h.
#pragma once

#include <vector>

#include "deformable/columns.h"

namespace impuls::deformable {

struct Substep {
    const Columns& x;              // at its start
    Columns& p;                    // previewed; contacts move these
    const std::vector<double>& k;  // inverse masses
    double h = 0;                  // length, s
};

class Contacts {
  public:
    virtual ~Contacts() = default;
    virtual void begin(double) {}  // a substep of this length: bodies are previewed
    virtual void solve(const Substep& substep) = 0;
    virtual void end(double) {}  // bodies take what they got
};

}  // namespace impuls::deformable
