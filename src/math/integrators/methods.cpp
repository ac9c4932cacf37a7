// The list of integrators (methods.h).
#include "math/integrators/methods.h"

#include <array>

namespace impuls::integrators {

std::span<const Method> methods() {
    static constexpr std::array<Method, 7> kMethods{{
        {"dormand-prince", "order 5 with control of errors, for what is smooth and not stiff", 5, true, false,
         false, false, make_dormand_prince},
        {"rosenbrock", "order 4 with control of errors, L-stable: for stiff springs", 4, true, false, true,
         false, make_rosenbrock},
        {"runge-kutta", "the classical one of order 4", 4, false, false, false, false, make_runge_kutta},
        {"verlet", "order 2, one evaluation a step, symplectic", 2, false, true, false, false, make_verlet},
        {"semi-implicit-euler", "order 1, one evaluation a step, symplectic", 1, false, true, false, false,
         make_semi_implicit_euler},
        {"midpoint", "implicit, order 2, stable at any step and keeps quadratic energies", 2, false, false,
         true, false, make_midpoint},
        {"gear", "predictor-corrector of 4 to 8 values, one evaluation a step", 5, false, false, false, true,
         make_gear},
    }};
    return kMethods;
}

const Method* find_method(std::string_view name) {
    for (const Method& method : methods())
        if (method.name == name) return &method;
    return nullptr;
}

}  // namespace impuls::integrators
