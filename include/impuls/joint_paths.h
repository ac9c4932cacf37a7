// Descriptions of joints that hold a point of b on a curve or a curved surface fixed in a (joints.h has the
// list; straight ones are point_on_line and point_on_plane).
#pragma once

#include <optional>
#include <vector>

#include "impuls/fields.h"
#include "impuls/joint_axis.h"
#include "impuls/vec.h"

namespace impuls {

/// A point of b runs on a smooth curve fixed in a; leaves one translation and, unless told, three rotations.
struct RailJoint {
    static constexpr const char* kType = "rail";
    Vec3 anchor{};
    std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}};
    bool closed = false;
    bool turns = true;
    AxisDesc slide{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &RailJoint::anchor,
              Field("the point of b, in world coordinates at the start; belongs on the curve", "m"));
        visit("points", &RailJoint::points,
              Field("what the curve goes through, in world coordinates at the start; it is a cubic spline "
                    "with continuous curvature, and an open one goes on straight beyond its ends",
                    "m"));
        visit("closed", &RailJoint::closed, Field("from the last point back to the first"));
        visit("turns", &RailJoint::turns, Field("false: b keeps its orientation against a"));
        visit("slide", &RailJoint::slide, Field("way along the curve, laps are counted"));
    }
};

/// A point of b stays on an ellipsoid (sphere, elliptic cylinder) fixed in a; leaves all free but one.
struct PointOnEllipsoidJoint {
    static constexpr const char* kType = "point_on_ellipsoid";
    Vec3 anchor{1, 0, 0};
    Vec3 center{};
    Vec3 x_axis{1, 0, 0};
    Vec3 y_axis{0, 1, 0};
    std::optional<double> radius_x{};
    std::optional<double> radius_y{};
    std::optional<double> radius_z{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &PointOnEllipsoidJoint::anchor,
              Field("the point of b, in world coordinates at the start; belongs on the surface", "m"));
        visit("center", &PointOnEllipsoidJoint::center, Field("in world coordinates at the start", "m"));
        visit("x_axis", &PointOnEllipsoidJoint::x_axis,
              Field("first axis, in world coordinates at the start"));
        visit("y_axis", &PointOnEllipsoidJoint::y_axis,
              Field("second axis; its part along the first is left out"));
        visit("radius_x", &PointOnEllipsoidJoint::radius_x,
              Field("half the length along the first axis; left out: without end", "m").positive());
        visit("radius_y", &PointOnEllipsoidJoint::radius_y,
              Field("the same along the second", "m").positive());
        visit("radius_z", &PointOnEllipsoidJoint::radius_z,
              Field("the same along the third", "m").positive());
    }
};

/// A point of b stays on a torus fixed in a; leaves all free but one translation.
struct PointOnTorusJoint {
    static constexpr const char* kType = "point_on_torus";
    Vec3 anchor{1.25, 0, 0};
    Vec3 center{};
    Vec3 axis{0, 1, 0};
    double radius = 1;
    double tube = 0.25;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &PointOnTorusJoint::anchor,
              Field("the point of b, in world coordinates at the start; belongs on the surface", "m"));
        visit("center", &PointOnTorusJoint::center, Field("in world coordinates at the start", "m"));
        visit("axis", &PointOnTorusJoint::axis, Field("through the hole, in world coordinates at the start"));
        visit("radius", &PointOnTorusJoint::radius, Field("of the circle inside the tube", "m").positive());
        visit("tube", &PointOnTorusJoint::tube, Field("radius of the tube", "m").positive());
    }
};

}  // namespace impuls
