// What bodies are made of.
#pragma once

#include <string>

#include "impuls/fields.h"
#include "impuls/vec.h"

namespace impuls {

/// A named material. Between two materials friction is the geometric mean and restitution the larger value.
struct MaterialDesc {
    std::string name{};
    double density = 1000;
    double friction = 0.5;
    double restitution = 0;
    Vec3 color{0.7, 0.7, 0.7};

    template <class V>
    static void visit_fields(V&& visit) {
        visit("name", &MaterialDesc::name, Field("name that bodies refer to").required());
        visit("density", &MaterialDesc::density, Field("mass per volume", "kg/m^3").positive());
        visit("friction", &MaterialDesc::friction, Field("Coulomb coefficient of friction").at_least(0));
        visit("restitution", &MaterialDesc::restitution,
              Field("Newton coefficient of restitution").between(0, 1));
        visit("color", &MaterialDesc::color, Field("red, green, blue").between(0, 1));
    }
};

}  // namespace impuls
