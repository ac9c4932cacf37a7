// Grains in a step of a world, in reading order, and what is warned of after it (state.h).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "granular/coupling/state.h"

namespace impuls::granular {

std::string advance_grains(GrainState& state, const GrainsView& view) {
    if (!state.is_any()) return "";
    state.system.gravity = view.gravity;
    begin_walls(state, view);
    const auto substeps = static_cast<std::int64_t>(std::ceil(view.dt / state.substep * (1 - 1e-9)));
    const double h = view.dt / static_cast<double>(std::max<std::int64_t>(substeps, 1));
    for (std::int64_t k = 0; k < substeps; ++k) {
        check_stop(view.stop);
        step(state.system, h, view.executor);
    }
    for (std::size_t k = 0; k < state.system.grains.count(); ++k)
        if (!is_finite(state.system.grains.x[k]) || !is_finite(state.system.grains.v[k])) {
            const auto& name = view.parts().grains[state.system.grains.group[k]].name;
            return fmt::format("grain {} of '{}' is not finite", k, name);
        }
    return "";
}

void watch_grains(const GrainState& state, const GrainsView& view, WarningLog& warnings) {
    if (!state.is_any()) return;
    static const std::string nobody;
    const std::string& name = view.parts().grains.front().name;
    const StepNotes& notes = state.system.notes;
    if (notes.deepest > 0.05)
        warnings.note({WarningKind::GrainOverlap, name, nobody, notes.deepest, 0.05, ""}, view.time());
    if (notes.stiffest > 0.4)
        warnings.note({WarningKind::GrainSubstep, name, nobody, notes.stiffest, 0.4, ""}, view.time());
    double farthest = 0;
    std::uint32_t set = 0;
    for (std::size_t k = 0; k < state.system.grains.count(); ++k)
        if (const double d = length_squared(state.system.grains.x[k]); d > farthest) {
            farthest = d;
            set = state.system.grains.group[k];
        }
    if (farthest > state.reach * state.reach)
        warnings.note({WarningKind::GrainLost, view.parts().grains[set].name, nobody, std::sqrt(farthest),
                       state.reach, "m from the origin"},
                      view.time());
}

}  // namespace impuls::granular
