// Bodies as descriptions, and the generator that makes many from one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "impuls/areal.h"
#include "impuls/fields.h"
#include "impuls/motion.h"
#include "impuls/shapes.h"
#include "impuls/vec.h"

namespace impuls {

enum class BodyKind { Dynamic, Static, Kinematic };
template <>
struct EnumNames<BodyKind> {
    static constexpr std::array<const char*, 3> names{"dynamic", "static", "kinematic"};
};

/// Makes a grid of copies named `name[0]`, `name[1]`, … (x fastest, then y, then z). Inside the repeated
/// thing expressions may use i (running number) and ix, iy, iz; strings may hold {expression}.
/// Children that `where` filters out leave no gap in the numbering.
struct Repeat {
    Vec3 count{1, 1, 1};
    Vec3 spacing{0, 0, 0};
    double jitter = 0;
    bool random_orientation = false;
    std::int64_t seed = 1;
    std::string where{};

    template <class V>
    static void visit_fields(V&& visit) {
        visit("count", &Repeat::count, Field("copies along x, y, z (whole numbers)").at_least(1).required());
        visit("spacing", &Repeat::spacing, Field("distance between copies along x, y, z", "m"));
        visit("jitter", &Repeat::jitter, Field("largest random shift along each axis", "m").at_least(0));
        visit("random_orientation", &Repeat::random_orientation,
              Field("turn each copy at random, uniformly"));
        visit("seed", &Repeat::seed, Field("seed of jitter and orientation").at_least(0));
        visit("where", &Repeat::where, Field("expression of i, ix, iy, iz: keep a copy where it is not 0"));
    }
};

/// One body, or with `repeat` a grid of them. Velocities are of the centre of mass, in world coordinates.
struct BodyDesc {
    std::string name{};
    BodyKind kind = BodyKind::Dynamic;
    Shape shape{};
    std::vector<CompoundPart> visual{};
    std::string material{};
    std::string relative_to{};
    Vec3 position{};
    Quat orientation{};
    Vec3 velocity{};
    Vec3 angular_velocity{};
    std::optional<double> mass{};
    std::optional<double> density{};
    std::optional<Vec3> inertia{};
    std::optional<Vec3> products_of_inertia{};
    std::optional<Vec3> center_of_mass{};
    double gravity_scale = 1;
    double linear_damping = 0;
    double angular_damping = 0;
    Vec3 surface_velocity{};
    Vec3 spin_axis{};
    std::optional<MotionDesc> motion{};
    bool collides = true;
    std::optional<ContactModel> contact{};
    std::int64_t layer = 0;
    std::vector<std::int64_t> ignores{};
    bool sensor = false;
    bool active = true;
    std::optional<Vec3> color{};
    std::optional<Repeat> repeat{};

    template <class V>
    static void visit_fields(V&& visit) {
        visit("name", &BodyDesc::name, Field("unique name; left out: body[number]"));
        visit("kind", &BodyDesc::kind,
              Field("dynamic moves by forces, kinematic by its velocity or motion, static not at all"));
        visit("shape", &BodyDesc::shape, Field("shape").required());
        visit("visual", &BodyDesc::visual,
              Field("drawn instead of the shape: shapes with their place in the body; they neither touch nor "
                    "weigh anything"));
        visit("material", &BodyDesc::material, Field("name of a material; left out: the default material"));
        visit(
            "relative_to", &BodyDesc::relative_to,
            Field("body of the same file in whose frame, as it is at the start, position and orientation are "
                  "given; left out: the world's"));
        visit("position", &BodyDesc::position, Field("origin of the body's frame", "m"));
        visit("orientation", &BodyDesc::orientation,
              Field("rotation of the body's frame: [w, x, y, z], {axis, angle}, or {euler}: angles about the "
                    "fixed axes x, y and z, one after the other"));
        visit("velocity", &BodyDesc::velocity, Field("velocity of the centre of mass", "m/s"));
        visit("angular_velocity", &BodyDesc::angular_velocity, Field("angular velocity", "rad/s"));
        visit("mass", &BodyDesc::mass, Field("mass; left out: density times volume", "kg").positive());
        visit("density", &BodyDesc::density, Field("density instead of the material's", "kg/m^3").positive());
        visit(
            "inertia", &BodyDesc::inertia,
            Field("moments of inertia about the centre of mass along the body's axes, instead of the shape's",
                  "kg m^2")
                .positive());
        visit("products_of_inertia", &BodyDesc::products_of_inertia,
              Field("elements xy, xz and yz of the tensor whose diagonal is inertia; left out: zero",
                    "kg m^2"));
        visit("center_of_mass", &BodyDesc::center_of_mass,
              Field("centre of mass in the body's frame, instead of the shape's", "m"));
        visit("gravity_scale", &BodyDesc::gravity_scale, Field("factor on gravity for this body"));
        visit("linear_damping", &BodyDesc::linear_damping,
              Field("rate c in dv/dt = -c v", "1/s").at_least(0));
        visit("angular_damping", &BodyDesc::angular_damping,
              Field("rate c in dw/dt = -c w", "1/s").at_least(0));
        visit("surface_velocity", &BodyDesc::surface_velocity,
              Field("how the surface runs over the body, as a belt does, in the body's frame; only the part "
                    "along the surface acts",
                    "m/s"));
        visit(
            "spin_axis", &BodyDesc::spin_axis,
            Field("axis in the body's frame about which it spins fast, as a wheel does: while joints or "
                  "contacts hold the body, the turn about it is taken apart from the rest; left out: none"));
        visit("motion", &BodyDesc::motion,
              Field("kinematic bodies: motion by script, in the frame of position and orientation"));
        visit("collides", &BodyDesc::collides, Field("takes part in collisions"));
        visit("contact", &BodyDesc::contact,
              Field("areal: it has an elastic layer and touches all others over areas; left out: in points"));
        visit("layer", &BodyDesc::layer, Field("collision layer").between(0, 31));
        visit("ignores", &BodyDesc::ignores,
              Field("layers whose bodies this one does not touch; one side is enough").between(0, 31));
        visit("sensor", &BodyDesc::sensor,
              Field("reports what is inside it (trigger events) and pushes nothing"));
        visit("active", &BodyDesc::active,
              Field("false: kept, but neither moved nor touched until set_active"));
        visit("color", &BodyDesc::color, Field("red, green, blue instead of the material's").between(0, 1));
        visit("repeat", &BodyDesc::repeat, Field("make a grid of copies"));
    }
};

}  // namespace impuls
