// What bodies are made of, and what holds where two materials touch.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "impuls/areal.h"
#include "impuls/fields.h"
#include "impuls/vec.h"

namespace impuls {

/// A named material. Between two materials friction (both kinds) is the geometric mean, restitution, rolling
/// and torsional friction are the larger value, unless the scene's `contacts` say otherwise.
struct MaterialDesc {
    std::string name{};
    double density = 1000;
    double friction = 0.5;
    std::optional<double> static_friction{};
    double restitution = 0;
    double rolling_friction = 0;
    double torsional_friction = 0;
    std::optional<double> youngs_modulus{};
    double poisson_ratio = 0.3;
    Vec3 color{0.7, 0.7, 0.7};

    template <class V>
    static void visit_fields(V&& visit) {
        visit("name", &MaterialDesc::name, Field("name that bodies refer to").required());
        visit("density", &MaterialDesc::density, Field("mass per volume", "kg/m^3").positive());
        visit("friction", &MaterialDesc::friction, Field("Coulomb coefficient of friction").at_least(0));
        visit("static_friction", &MaterialDesc::static_friction,
              Field("coefficient while nothing slides, not below friction; left out: friction").at_least(0));
        visit("restitution", &MaterialDesc::restitution, Field("coefficient of restitution").between(0, 1));
        visit("rolling_friction", &MaterialDesc::rolling_friction,
              Field("lever arm of the load against rolling", "m").at_least(0));
        visit("torsional_friction", &MaterialDesc::torsional_friction,
              Field("lever arm of the load against spinning about the normal", "m").at_least(0));
        visit("youngs_modulus", &MaterialDesc::youngs_modulus,
              Field("stiffness E, for laws of contact that ask for it (hertz, hunt_crossley of the force "
                    "stepper); left out: not known",
                    "Pa")
                  .positive());
        visit("poisson_ratio", &MaterialDesc::poisson_ratio, Field("likewise").between(0, 0.5));
        visit("color", &MaterialDesc::color, Field("red, green, blue").between(0, 1));
    }
};

/// What a coefficient of restitution e says.
enum class RestitutionLaw {
    Newton,   // normal velocities: after = -e times before
    Poisson,  // impulses: that of decompression = e times that of compression
};
template <>
struct EnumNames<RestitutionLaw> {
    static constexpr std::array<const char*, 2> names{"newton", "poisson"};
};

/// What holds between two materials instead of what follows from each of them.
struct ContactDesc {
    std::string a{};
    std::string b{};
    std::optional<double> friction{};
    std::optional<double> static_friction{};
    std::optional<double> restitution{};
    RestitutionLaw restitution_law = RestitutionLaw::Newton;
    std::optional<double> rolling_friction{};
    std::optional<double> torsional_friction{};
    double compliance = 0;
    double damping = 0;
    std::optional<ContactModel> contact{};

    template <class V>
    static void visit_fields(V&& visit) {
        visit("a", &ContactDesc::a, Field("name of a material").required());
        visit("b", &ContactDesc::b, Field("name of the other material, or the same").required());
        visit("friction", &ContactDesc::friction, Field("Coulomb coefficient of friction").at_least(0));
        visit("static_friction", &ContactDesc::static_friction,
              Field("coefficient while nothing slides, not below friction; left out: friction").at_least(0));
        visit("restitution", &ContactDesc::restitution, Field("coefficient of restitution").between(0, 1));
        visit("restitution_law", &ContactDesc::restitution_law,
              Field("what the coefficient of restitution says"));
        visit("rolling_friction", &ContactDesc::rolling_friction,
              Field("lever arm of the load against rolling", "m").at_least(0));
        visit("torsional_friction", &ContactDesc::torsional_friction,
              Field("lever arm of the load against spinning about the normal", "m").at_least(0));
        visit("compliance", &ContactDesc::compliance,
              Field("depth for a force on a contact point; 0: rigid. In place of restitution", "m/N")
                  .at_least(0));
        visit("damping", &ContactDesc::damping,
              Field("damper of a contact point that yields", "N s/m").at_least(0));
        visit("contact", &ContactDesc::contact,
              Field("whether they touch in points or over areas; left out: as their bodies say"));
    }
};

}  // namespace impuls
