// Way against time as a curve V(v) = (t(v), s(v)): a cubic B-spline of control points whose times increase
// strictly, so that it is a function of time (Erleben 2005, 3.2.3; his velocity spline). Ends doubled in s
// begin and stop at rest; controls on a line give constant speed. Before and after, it goes on as it begins
// and ends. Called by PathMotion.
#pragma once

#include "math/spline.h"

namespace impuls {

class TimeCourse {
  public:
    struct Control {
        double time, way;
    };
    struct Point {
        double way, speed, acceleration;  // s, ds/dt, d2s/dt2
    };
    // At least four, times strictly increasing.
    explicit TimeCourse(std::span<const Control> controls);
    // From standing at 0 to standing at `way`, through constant speed; `ease` is the share of the time that
    // each of speeding up and slowing down takes, in (0, 0.5].
    static TimeCourse eased(double duration, double way, double ease);

    Point at(double time) const;
    double duration() const { return spline_.at(spline_.knots().back()).position.x; }

  private:
    double parameter_at(double time) const;

    Spline spline_;  // (t, s, 0)
};

}  // namespace impuls
