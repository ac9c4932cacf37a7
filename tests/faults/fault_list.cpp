// The list of faults, and the laws that many of them share (fault.h).
#include "faults/fault.h"

#include <cmath>

namespace impuls::faults {

std::function<double()> exactly(double value) {
    return [value] { return value; };
}

FaultLaw no_gain() {
    return {"energy gained",
            [](const Track& t) { return t.gain; },
            exactly(0),
            {1e-3, 1e-3, 1e-3, 1e-3},
            "first law; E(t) - min E <= 1e-3 (largest kinetic + potential energy released)"};
}

FaultLaw keeps_kinetic_energy(const Bars& bars, const char* source) {
    return {"kinetic energy",
            [](const Track& t) { return t.last("energy.kinetic") / t.first("energy.kinetic"); }, exactly(1),
            bars, source};
}

std::vector<Variant> time_steps(const std::vector<double>& steps) {
    std::vector<Variant> variants;
    for (const double dt : steps)
        variants.push_back({"dt = " + std::to_string(dt), [dt](Scene& scene) { scene.settings.dt = dt; }});
    return variants;
}

const std::vector<FaultScene>& fault_scenes() {
    static const std::vector<FaultScene> all = [] {
        std::vector<FaultScene> list;
        for (const auto& part :
             {impact_faults(), rolling_faults(), resting_faults(), joint_faults(), budget_faults()})
            list.insert(list.end(), part.begin(), part.end());
        return list;
    }();
    return all;
}

}  // namespace impuls::faults
