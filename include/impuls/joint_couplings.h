// Descriptions of joints that couple one motion with another, or leave each to choose (joints.h has the
// list). The bearings of gear, rack_and_pinion and pulley are in a third body, the frame, or in the world:
// what they take up goes there.
#pragma once

#include <optional>

#include "impuls/fields.h"
#include "impuls/joint_axis.h"
#include "impuls/vec.h"

namespace impuls {

/// Turns about an axis and moves along it by the pitch in each turn.
struct ScrewJoint {
    static constexpr const char* kType = "screw";
    Vec3 anchor{};
    Vec3 axis{1, 0, 0};
    double pitch = 0.01;
    AxisDesc turn{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &ScrewJoint::anchor,
              Field("a point on the axis, in world coordinates at the start", "m"));
        visit("axis", &ScrewJoint::axis, Field("along the axis, in world coordinates at the start"));
        visit("pitch", &ScrewJoint::pitch, Field("way in one turn; negative: left-handed", "m"));
        visit("turn", &ScrewJoint::turn, Field("turn of b against a about the axis"));
    }
};

/// Two wheels in mesh: b turns by the ratio times the turn of a, each about its axis in the frame.
struct GearJoint {
    static constexpr const char* kType = "gear";
    static constexpr bool kHasFrame = true;
    Vec3 axis_a{1, 0, 0};
    Vec3 axis_b{1, 0, 0};
    double ratio = -1;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("axis_a", &GearJoint::axis_a, Field("axis of a, in world coordinates at the start"));
        visit("axis_b", &GearJoint::axis_b, Field("axis of b, in world coordinates at the start"));
        visit("ratio", &GearJoint::ratio, Field("turn of b for a turn of a; negative: the other way round"));
    }
};

/// A pinion a that turns about its axis drives a rack b along a direction, both in the frame.
struct RackAndPinionJoint {
    static constexpr const char* kType = "rack_and_pinion";
    static constexpr bool kHasFrame = true;
    Vec3 anchor{};
    Vec3 axis{0, 0, 1};
    Vec3 direction{1, 0, 0};
    double radius = 0.1;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &RackAndPinionJoint::anchor,
              Field("a point of the rack, in world coordinates at the start", "m"));
        visit("axis", &RackAndPinionJoint::axis,
              Field("axis of the pinion, in world coordinates at the start"));
        visit("direction", &RackAndPinionJoint::direction,
              Field("way of the rack, in world coordinates at the start"));
        visit("radius", &RackAndPinionJoint::radius,
              Field("way of the rack for one radian; negative: the other way", "m"));
    }
};

/// A rope from a over two wheels of the frame to b; b moves by 1/ratio of what a moves.
struct PulleyJoint {
    static constexpr const char* kType = "pulley";
    static constexpr bool kHasFrame = true;
    Vec3 anchor_a{};
    Vec3 anchor_b{};
    Vec3 wheel_a{-1, 0, 0};
    Vec3 wheel_b{1, 0, 0};
    double ratio = 1;
    std::optional<AxisDesc> length{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor_a", &PulleyJoint::anchor_a,
              Field("end of the rope on a, in world coordinates at the start", "m"));
        visit("anchor_b", &PulleyJoint::anchor_b,
              Field("end of the rope on b, in world coordinates at the start", "m"));
        visit("wheel_a", &PulleyJoint::wheel_a,
              Field("where the rope to a leaves its wheel, at the start", "m"));
        visit("wheel_b", &PulleyJoint::wheel_b,
              Field("where the rope to b leaves its wheel, at the start", "m"));
        visit("ratio", &PulleyJoint::ratio,
              Field("parts of the rope that hold b, for one that holds a").positive());
        visit("length", &PulleyJoint::length,
              Field("what acts along the rope, which counts from 0; left out: always taut"));
    }
};

/// Each of three translations and three rotations is locked, or free with what acts along it.
struct SixDofJoint {
    static constexpr const char* kType = "six_dof";
    Vec3 anchor{};
    Vec3 x_axis{1, 0, 0};
    Vec3 y_axis{0, 1, 0};
    std::optional<AxisDesc> x{};
    std::optional<AxisDesc> y{};
    std::optional<AxisDesc> z{};
    std::optional<AxisDesc> rx{};
    std::optional<AxisDesc> ry{};
    std::optional<AxisDesc> rz{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("anchor", &SixDofJoint::anchor,
              Field("the common point, in world coordinates at the start", "m"));
        visit("x_axis", &SixDofJoint::x_axis, Field("first axis, in world coordinates at the start"));
        visit("y_axis", &SixDofJoint::y_axis, Field("second axis; its part along the first is left out"));
        visit("x", &SixDofJoint::x, Field("way along the first axis; left out: locked"));
        visit("y", &SixDofJoint::y, Field("way along the second axis; left out: locked"));
        visit("z", &SixDofJoint::z, Field("way along the third axis; left out: locked"));
        visit("rx", &SixDofJoint::rx, Field("first turn, about the first axis of a; left out: locked"));
        visit("ry", &SixDofJoint::ry, Field("second turn, within a quarter to each side; left out: locked"));
        visit("rz", &SixDofJoint::rz, Field("third turn, about the third axis of b; left out: locked"));
    }
};

}  // namespace impuls
