// Runs a law by every preset that promises something (presets.h).
#include "validate/presets.h"

#include <cmath>

#include "base/energy_gain.h"

namespace impuls {

std::vector<LawResult> by_presets(const std::vector<PresetLaw>& laws) {
    std::vector<LawResult> results;
    for (const PresetLaw& law : laws)
        for (std::size_t p = 0; p < law.bounds.size(); ++p) {
            if (std::isnan(law.bounds[p])) continue;
            const std::string preset = method_presets()[p].preset;
            LawResult result = law_result(preset + ": " + law.name, law.analytic,
                                          law.measure(parse_method(preset)), law.bounds[p], law.dt, law.note);
            result.preset = preset;
            results.push_back(result);
        }
    return results;
}

double run_for_gain(World& world, double seconds) {
    EnergyGain gain;
    gain.note(world.frame().energy);
    while (world.time() < seconds - 0.5 * world.dt()) {
        if (!world.step().ok) return std::numeric_limits<double>::infinity();
        gain.note(world.frame().energy);
    }
    return gain.largest();
}

}  // namespace impuls
