// What a result of a law is judged by (laws.h).
#include "validate/laws.h"

#include <cmath>
#include <utility>

namespace impuls {

LawResult law_result(std::string name, double analytic, double value, double bound, double dt,
                     std::string note, double scale) {
    const double reference = scale > 0 ? scale : std::abs(analytic);
    const double error = std::abs(value - analytic);
    const double relative = reference > 0 ? error / reference : error;
    return {std::move(name), analytic, value, relative, bound, dt, relative <= bound, std::move(note)};
}

}  // namespace impuls
