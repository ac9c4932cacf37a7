// What a result of a law is judged by (laws.h).
#include "validate/laws.h"

#include <cmath>
#include <utility>

#include "impuls/settings.h"

namespace impuls {

LawResult law_result(std::string name, double analytic, double value, double bound, double dt,
                     std::string note, double scale) {
    const double reference = scale > 0 ? scale : std::abs(analytic);
    const double error = std::abs(value - analytic);
    const double relative = reference > 0 ? error / reference : error;
    return {.name = std::move(name),
            .analytic = analytic,
            .value = value,
            .rel_error = relative,
            .bound = bound,
            .dt = dt,
            .ok = relative <= bound,
            .note = std::move(note)};
}

std::string law_verdict(const std::vector<LawResult>& results) {
    std::string verdict;
    for (const Method& method : method_presets()) {
        int all = 0, held = 0;
        for (const LawResult& r : results)
            if (r.preset == method.preset) ++all, held += r.ok;
        if (all == 0) continue;
        verdict += (verdict.empty() ? "" : "; ") + method.preset + " " + std::to_string(held) + " of " +
                   std::to_string(all) + " laws within bounds";
    }
    return verdict;
}

}  // namespace impuls
