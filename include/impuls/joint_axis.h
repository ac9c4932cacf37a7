// What acts along one free axis of a joint: limits, motor or servo, dry friction, spring and damper.
#pragma once

#include <optional>

#include "impuls/course.h"
#include "impuls/fields.h"

namespace impuls {

/// Everything that acts along one free axis. Positions are lengths (m) or angles (rad, turns are counted),
/// zero where the joint is as its bodies are described; forces are N or N m. With nothing given the axis is
/// free. Speed, target, max_force and rest may change with time.
struct AxisDesc {
    std::optional<double> lower{};
    std::optional<double> upper{};
    double restitution = 0;
    std::optional<Course> speed{};
    std::optional<Course> target{};
    std::optional<double> rate{};
    std::optional<Course> max_force{};
    double friction = 0;
    double stiffness = 0;
    double damping = 0;
    Course rest{};
    std::optional<double> position{};
    std::optional<double> velocity{};

    template <class V>
    static void visit_fields(V&& visit) {
        visit("lower", &AxisDesc::lower, Field("lowest position; left out: none", "m or rad"));
        visit("upper", &AxisDesc::upper, Field("highest position; left out: none", "m or rad"));
        visit("restitution", &AxisDesc::restitution,
              Field("speed after an impact on a limit, relative to that before").between(0, 1));
        visit("speed", &AxisDesc::speed, Field("motor: wanted speed", "m/s or rad/s"));
        visit("target", &AxisDesc::target, Field("servo: wanted position", "m or rad"));
        visit("rate", &AxisDesc::rate,
              Field("servo: highest speed; left out: any", "m/s or rad/s").positive());
        visit("max_force", &AxisDesc::max_force,
              Field("largest force of motor or servo; left out: any", "N or N m").at_least(0));
        visit("friction", &AxisDesc::friction, Field("dry friction: largest force", "N or N m").at_least(0));
        visit("stiffness", &AxisDesc::stiffness, Field("spring", "N/m or N m/rad").at_least(0));
        visit("damping", &AxisDesc::damping, Field("damper", "N s/m or N m s/rad").at_least(0));
        visit("rest", &AxisDesc::rest, Field("where the spring is at ease", "m or rad"));
        visit("position", &AxisDesc::position,
              Field("where it starts: b is moved there, with all that hangs on it", "m or rad"));
        visit("velocity", &AxisDesc::velocity, Field("how fast it starts, likewise", "m/s or rad/s"));
    }
};

}  // namespace impuls
