// Motion along a space spline c(u) by a time course s(t): place, velocity and acceleration in closed form,
// and the tangent with its derivatives, to orient by (Erleben 2005, 3.2.4):
//     u_s = 1/|c'|,  u_ss = -(c'.c'') / (c'.c')^2,  v = c' u_s s_t,
//     a = c'' u_s^2 s_t^2 + c' u_s s_tt + c' u_ss s_t^2.
// Near places where c' vanishes these have no limit or a bad one: there velocity and acceleration are
// interpolated between those a little before and after, and it is said. Called by scripted bodies.
#pragma once

#include "math/motion/arc_length.h"
#include "math/motion/frames.h"
#include "math/motion/time_course.h"

namespace impuls {

class PathMotion {
  public:
    struct State {
        Moving place;
        Moving tangent;              // dc/du, not of unit length
        bool is_degenerate = false;  // interpolated
    };
    PathMotion(ArcLength path, TimeCourse course);

    State at(double time) const;
    const ArcLength& path() const { return path_; }
    const TimeCourse& course() const { return course_; }

  private:
    State regular(double s, const TimeCourse::Point& course) const;

    ArcLength path_;
    TimeCourse course_;
    std::vector<double> stops_;  // lengths at which c' vanishes
};

}  // namespace impuls
