// Motion by script, of kinematic bodies: where they are and how they are turned at every time, whatever they
// meet. Places and rotations are given in the frame in which the scene places the body (its position and
// orientation), so that copies of generators and included scenes move along with theirs.
// docs/manual/motion.md; evaluated by src/math/motion/script.h.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "impuls/course.h"
#include "impuls/fields.h"
#include "impuls/vec.h"

namespace impuls {

/// How the share of the way follows the share x of the time from one key to the next.
enum class Easing {
    Hold,     // stays until the next key
    Linear,   // x
    In,       // x^3: slow at first
    Out,      // the same backwards: slow at last
    Smooth,   // 3 x^2 - 2 x^3: at rest at keys
    Smoother  // 6 x^5 - 15 x^4 + 10 x^3: and without acceleration there
};
template <>
struct EnumNames<Easing> {
    static constexpr std::array<const char*, 6> names{"hold", "linear", "in", "out", "smooth", "smoother"};
};

/// So far along the way by this time.
struct CoursePoint {
    double time = 0;
    double way = 0;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("time", &CoursePoint::time, Field("time", "s").required());
        visit("way", &CoursePoint::way, Field("length along the curve", "m").required());
    }
};

/// Along a curve in space, by a course of way against time.
struct SplinePlace {
    static constexpr const char* kType = "spline";
    std::vector<Vec3> points{};
    bool through = true;
    bool closed = false;
    double duration = 1;
    double ease = 0;
    std::vector<CoursePoint> course{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("points", &SplinePlace::points, Field("points of the curve, in order", "m").required());
        visit("through", &SplinePlace::through,
              Field("the curve goes through its points; false: they are controls of a B-spline near them"));
        visit("closed", &SplinePlace::closed, Field("from the last point back to the first"));
        visit("duration", &SplinePlace::duration, Field("time for the whole way", "s").positive());
        visit("ease", &SplinePlace::ease,
              Field("share of the time for speeding up, and as much for slowing down; 0: one speed, for ever")
                  .between(0, 0.5));
        visit(
            "course", &SplinePlace::course,
            Field("instead of duration and ease: at least four controls of a B-spline of way against time"));
    }
};

struct PlaceKey {
    double time = 0;
    Vec3 position{};
    Easing easing = Easing::Smooth;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("time", &PlaceKey::time, Field("time", "s").required());
        visit("position", &PlaceKey::position, Field("place then", "m").required());
        visit("easing", &PlaceKey::easing, Field("how it goes to the next key"));
    }
};

/// From place to place.
struct KeyPlace {
    static constexpr const char* kType = "keys";
    std::vector<PlaceKey> keys{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("keys", &KeyPlace::keys, Field("places at times, which increase").required());
    }
};

/// By an expression of t for each coordinate.
struct FormulaPlace {
    static constexpr const char* kType = "expression";
    Course x{}, y{}, z{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("x", &FormulaPlace::x, Field("expression of the time t", "m"));
        visit("y", &FormulaPlace::y, Field("expression of the time t", "m"));
        visit("z", &FormulaPlace::z, Field("expression of the time t", "m"));
    }
};

/// By a table, in the scene or in a file of comma-separated lines t, x, y, z.
struct TablePlace {
    static constexpr const char* kType = "table";
    std::string file{};
    std::vector<double> times{};
    std::vector<Vec3> positions{};
    Between between = Between::Cubic;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("file", &TablePlace::file, Field("CSV file with lines t, x, y, z, instead of the lists"));
        visit("times", &TablePlace::times, Field("times, increasing", "s"));
        visit("positions", &TablePlace::positions, Field("a place for each time", "m"));
        visit("between", &TablePlace::between, Field("how it goes from place to place"));
    }
};

struct TurnKey {
    double time = 0;
    Quat orientation{};
    Easing easing = Easing::Smooth;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("time", &TurnKey::time, Field("time", "s").required());
        visit("orientation", &TurnKey::orientation, Field("rotation then").required());
        visit("easing", &TurnKey::easing, Field("how it goes to the next key (type keys)"));
    }
};

/// A smooth curve of rotations through keys.
struct SplineTurn {
    static constexpr const char* kType = "spline";
    std::vector<TurnKey> keys{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("keys", &SplineTurn::keys, Field("rotations at times, which increase").required());
    }
};

/// From rotation to rotation, each time about one axis, the short way.
struct KeyTurn {
    static constexpr const char* kType = "keys";
    std::vector<TurnKey> keys{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("keys", &KeyTurn::keys, Field("rotations at times, which increase").required());
    }
};

/// About an axis, by an angle that is an expression of t.
struct FormulaTurn {
    static constexpr const char* kType = "expression";
    Vec3 axis{0, 1, 0};
    Course angle{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("axis", &FormulaTurn::axis, Field("axis of the rotation"));
        visit("angle", &FormulaTurn::angle, Field("expression of the time t", "rad").required());
    }
};

/// The body's x-axis along the motion.
struct TangentTurn {
    static constexpr const char* kType = "tangent";
    Vec3 up{0, 1, 0};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("up", &TangentTurn::up, Field("where the body's y-axis points as far as it can"));
    }
};

/// The body's x-axis towards a point.
struct LookAtTurn {
    static constexpr const char* kType = "look_at";
    Vec3 target{};
    Vec3 up{0, 1, 0};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("target", &LookAtTurn::target, Field("what the body's x-axis points at", "m").required());
        visit("up", &LookAtTurn::up, Field("where the body's y-axis points as far as it can"));
    }
};

/// By a table, in the scene or in a file of comma-separated lines t, w, x, y, z; a smooth curve through it.
struct TableTurn {
    static constexpr const char* kType = "table";
    std::string file{};
    std::vector<double> times{};
    std::vector<Quat> orientations{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("file", &TableTurn::file, Field("CSV file with lines t, w, x, y, z, instead of the lists"));
        visit("times", &TableTurn::times, Field("times, increasing", "s"));
        visit("orientations", &TableTurn::orientations, Field("a rotation for each time"));
    }
};

/// The family lists of motions: of the place, and of the rotation.
using PlaceMotion = std::variant<SplinePlace, KeyPlace, FormulaPlace, TablePlace>;
using TurnMotion = std::variant<SplineTurn, KeyTurn, FormulaTurn, TangentTurn, LookAtTurn, TableTurn>;

/// Where a kinematic body is and how it is turned; what is left out stays.
struct MotionDesc {
    double start = 0;
    std::optional<PlaceMotion> place{};
    std::optional<TurnMotion> turn{};

    template <class V>
    static void visit_fields(V&& visit) {
        visit("start", &MotionDesc::start, Field("time of the scene at which t is 0", "s"));
        visit("place", &MotionDesc::place, Field("where its origin is"));
        visit("turn", &MotionDesc::turn, Field("how it is turned"));
    }
};

}  // namespace impuls
