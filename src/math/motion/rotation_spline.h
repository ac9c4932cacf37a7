// A smooth curve of rotations: the cumulative cubic B-spline (Kim, Kim, Shin, SIGGRAPH 1995),
//     q(t) = q_0 prod_i exp(w_i B_i(t) / 2),  w_i = 2 log(q_i-1* q_i),  B_i = sum over j >= i of the basis,
// whose angular velocity and acceleration are continuous; unlike squad, it can be given to bodies that others
// push against. Near its controls, or through keys, at whose ends it rests. Called by scripted motion.
#pragma once

#include <span>
#include <vector>

#include "math/motion/frames.h"

namespace impuls {

class RotationSpline {
  public:
    struct Key {
        double time;
        Quat rotation;
    };
    // Controls over their breaks (bspline.h), one for each but two.
    RotationSpline(std::span<const Quat> controls, std::span<const double> breaks);
    // Through at least two keys, times strictly increasing; each turns the short way to the next.
    static RotationSpline through(std::span<const Key> keys);

    // Before and after, it stays at its ends.
    Orientation at(double time) const;

  private:
    void find_turns();

    std::vector<Quat> controls_;
    std::vector<Vec3> turns_;  // w_i, in axes of the one before; none for the first
    std::vector<double> breaks_;
};

// The shortest rotation vector of a unit quaternion: rotation_by(log_of(q)) is q or -q.
Vec3 log_of(const Quat& q);

}  // namespace impuls
