// Descriptions of joints that hold rotations and leave all translations free (joints.h has the list). The
// number in their names is that of the rotations they take. With ball, point_on_line and point_on_plane,
// which take three, two and one translation, they are the six basis joints that others are made of (Bender
// 2014, 3.2.1).
#pragma once

#include <optional>

#include "impuls/fields.h"
#include "impuls/joint_axis.h"
#include "impuls/vec.h"

namespace impuls {

/// b keeps its orientation against a; leaves three translations free.
struct Rotation3Joint {
    static constexpr const char* kType = "rotation_3";
    template <class V>
    static void visit_fields(V&&) {}
};

/// An axis of a and one of b stay parallel; leaves three translations and the turn about the axis free.
struct Rotation2Joint {
    static constexpr const char* kType = "rotation_2";
    Vec3 axis{1, 0, 0};
    AxisDesc turn{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("axis", &Rotation2Joint::axis, Field("along the axis, in world coordinates at the start"));
        visit("turn", &Rotation2Joint::turn, Field("turn of b against a about the axis"));
    }
};

/// An axis of a and one of b keep the angle between them; leaves three translations and two rotations free.
struct Rotation1Joint {
    static constexpr const char* kType = "rotation_1";
    Vec3 axis_a{1, 0, 0};
    Vec3 axis_b{0, 1, 0};
    std::optional<double> angle{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("axis_a", &Rotation1Joint::axis_a, Field("axis fixed in a, in world coordinates at the start"));
        visit("axis_b", &Rotation1Joint::axis_b,
              Field("axis fixed in b, not parallel to the first, in world coordinates at the start"));
        visit("angle", &Rotation1Joint::angle,
              Field("between the two; left out: as at the start", "rad").between(0.01, 3.13));
    }
};

}  // namespace impuls
