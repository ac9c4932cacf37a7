// Joints of an island in the two phases of a substep: their rows, rows that give way, and a look at where
// they will be (Preview).
#pragma once

#include "steppers/impulse/context.h"

namespace impuls::impulse {

// Rows of all joints at the present poses. In the displacement phase a joint that is torn open holds its
// velocity alone; its gap is left to pull_together (torn.h).
void make_joint_rows(Impulse& s, double h, Phase phase);

// The same and the rows of stiff forces (steppers/forces.h), for the two phases.
void make_all_rows(Impulse& s, double h, Phase phase);

// Equations J v + bias + c p = 0 with c a part of their bodies' own response: joints that give way.
void add_yielding(Impulse& s);

// Joints closed at the end of the substep, where the nodes will be with the velocities they have.
class LookAhead final : public Preview {
  public:
    LookAhead(Impulse& s, double h) : s_(s), h_(h) {}
    void refresh(Problem& problem, std::size_t first, std::size_t last) override;

  private:
    Impulse& s_;
    double h_;
};

}  // namespace impuls::impulse
