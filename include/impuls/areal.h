// Contact over areas (docs/manual/areal.md): which bodies or materials touch by pressed layers, not by
// points.
#pragma once

#include <array>
#include <variant>

#include "impuls/fields.h"

namespace impuls {

/// How elements of the contact surface are made.
enum class ArealGenerator {
    Clipped,     // triangles of one body, cut by those of the other
    Isosurface,  // where both bodies' layers have the same pressure, from their distance fields: smoother
};
template <>
struct EnumNames<ArealGenerator> {
    static constexpr std::array<const char*, 2> names{"clipped", "isosurface"};
};

/// Rigid surfaces that touch in points.
struct PointContact {
    static constexpr const char* kType = "points";
    template <class V>
    static void visit_fields(V&&) {}
};

/// Elastic layers on rigid bodies: pressure by depth, over the area that the bodies share. Islands with such
/// a pair are advanced at force level.
struct ArealContact {
    static constexpr const char* kType = "areal";
    double layer = 0;
    double stiffness = 0;
    double damping = 0;
    double resolution = 0;
    ArealGenerator generator = ArealGenerator::Clipped;

    template <class V>
    static void visit_fields(V&& visit) {
        visit("layer", &ArealContact::layer,
              Field("thickness of the elastic layer; its modulus is that of the material", "m").at_least(0));
        visit(
            "stiffness", &ArealContact::stiffness,
            Field("pressure by depth, instead of layer and modulus; of a pair of materials: of both together",
                  "N/m^3")
                .at_least(0));
        visit("damping", &ArealContact::damping,
              Field("pressure by speed of approach; 0: what gives the materials' restitution", "N s/m^3")
                  .at_least(0));
        visit("resolution", &ArealContact::resolution,
              Field("length of the edges that round shapes are meshed with; 0: a 32nd of their size", "m")
                  .at_least(0));
        visit("generator", &ArealContact::generator, Field("how elements of the contact surface are made"));
    }
};

/// The family list of ways to touch.
using ContactModel = std::variant<PointContact, ArealContact>;

}  // namespace impuls
