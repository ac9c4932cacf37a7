// A motion as a scene describes it (include/impuls/motion.h), ready to be asked where the body is at a time,
// with velocity and acceleration in closed form. It depends on the time alone: a body can be set back, taken
// up from a recording, or advanced in any substeps. Made when a body is added; called by whoever moves
// kinematic bodies (dynamics/scripted.h), and by validation for what is wrong with one.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "impuls/motion.h"
#include "math/motion/frames.h"

namespace impuls {

class Script {
  public:
    struct State {
        Moving place;      // of the body's origin, in the world
        Orientation turn;  // of its frame
    };
    // `placed` is where the scene puts the body. The description is sound (script_problems finds none).
    Script(const MotionDesc& motion, const Pose& placed);

    State at(double time) const;

  private:
    using PlaceFunction = std::function<Moving(double t)>;
    using Tangent = std::function<Moving(double t)>;
    using TurnFunction = std::function<Orientation(double t)>;

    Orientation turn_at(double t) const;

    double start_;
    Pose placed_;
    PlaceFunction place_{};
    Tangent tangent_{};  // of splines
    TurnFunction turn_{};
};

struct ScriptProblem {
    std::string path{}, message{};  // path below the motion
};
// Looked at up to `duration`, in so many steps.
std::vector<ScriptProblem> script_problems(const MotionDesc& motion, double duration, double steps);

}  // namespace impuls
