// The list of laws, and the arithmetic common to all of them.
#include "validate/laws.h"

#include <cmath>
#include <utility>

#include "validate/law_files.h"

namespace impuls {

const std::vector<Law>& laws() {
    static const std::vector<Law> list{
        {"free_fall", "a body dropped from rest falls by g t^2 / 2", check_free_fall},
    };
    return list;
}

LawResult law_result(std::string name, double analytic, double value, double bound, double dt,
                     std::string note, double scale) {
    const double reference = scale > 0 ? scale : std::abs(analytic);
    const double error = std::abs(value - analytic);
    const double relative = reference > 0 ? error / reference : error;
    return {std::move(name), analytic, value, relative, bound, dt, relative <= bound, std::move(note)};
}

}  // namespace impuls
