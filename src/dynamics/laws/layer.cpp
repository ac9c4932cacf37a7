// Stiffness of boundary layers (layer.h).
#include "dynamics/laws/layer.h"

#include <fmt/format.h>

#include <numbers>

#include "impuls/errors.h"

namespace impuls::laws {

double confined_modulus(double modulus, double poisson) {
    if (!(poisson >= 0) || poisson > kMostPoisson)
        throw InputError(
            fmt::format("a layer needs a Poisson's ratio between 0 and {}, not {}", kMostPoisson, poisson));
    return modulus * (1 - poisson) / ((1 + poisson) * (1 - 2 * poisson));
}

double stiffness_of(const Layer& layer) {
    if (!(layer.modulus > 0) || !(layer.thickness > 0)) return 0;
    return confined_modulus(layer.modulus, layer.poisson) / layer.thickness;
}

double in_series(double a, double b) {
    if (!(a > 0) || !(b > 0)) return a > 0 ? a : b;
    return a * b / (a + b);
}

// A sphere of radius R pressed d deep, Hertz: F = 4/3 E* sqrt(R) d^1.5 with a^2 = R d; layer: F = pi k R d'^2
// with a^2 = 2 R d'. Equal forces at equal a: k = 16/(3 pi) E*/a.
double matched_to_sphere(double effective_modulus, double half_width) {
    return 16 / (3 * std::numbers::pi) * effective_modulus / half_width;
}

// Hertz: F/L = pi E* a^2 / (4 R); layer: F/L = 2 k a^3 / (3 R). Equal at equal a: k = 3 pi/8 E*/a.
double matched_to_line(double effective_modulus, double half_width) {
    return 3 * std::numbers::pi / 8 * effective_modulus / half_width;
}

}  // namespace impuls::laws
