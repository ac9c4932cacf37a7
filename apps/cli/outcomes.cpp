// Outcomes of islands for people and for programs (outcomes.h).
#include "cli/outcomes.h"

#include <cmath>

#include <fmt/core.h>

#include "cli/output.h"
#include "cli/table.h"

namespace impuls::cli {
namespace {

// Calls visit(name, totals) for each stepper that advanced an island.
template <class Visit>
void for_each_used(const RunOutcomes& outcomes, Visit&& visit) {
    for (std::size_t k = 0; k < outcomes.steppers.size(); ++k)
        if (outcomes.steppers[k].island_steps > 0)
            visit(EnumNames<IslandStepper>::names[k], outcomes.steppers[k]);
}

std::string mean_text(std::int64_t sum, const StepperTotals& totals) {
    return fmt::format("{:.4g}", per_island_step(sum, totals));
}

std::string stepper_table(const RunOutcomes& outcomes) {
    Table table({"islands by stepper", ">island-steps", ">bodies", ">substeps", ">most", ">iterations",
                 ">residual m/s", ">retries", ">J removed"});
    for_each_used(outcomes, [&](const char* name, const StepperTotals& t) {
        table.row({name, std::to_string(t.island_steps), mean_text(t.bodies, t), mean_text(t.substeps, t),
                   std::to_string(t.substeps_max), mean_text(t.iterations, t),
                   std::isnan(t.residual_max) ? "-" : fmt::format("{:.3g}", t.residual_max),
                   std::to_string(t.retries), fmt::format("{:.3g}", t.energy_removed)});
    });
    return table.text();
}

std::string refusal_table(const RunOutcomes& outcomes) {
    Table table({"refused", "reason", ">island-steps"});
    for (std::size_t k = 0; k < outcomes.steppers.size(); ++k)
        for (std::size_t r = 0; r < kRefusals; ++r)
            if (const auto count = outcomes.steppers[k].refused[r]; count > 0)
                table.row({EnumNames<IslandStepper>::names[k], EnumNames<Refusal>::names[r],
                           std::to_string(count)});
    return table.text();
}

}  // namespace

double per_island_step(std::int64_t sum, const StepperTotals& totals) {
    return totals.island_steps > 0 ? static_cast<double>(sum) / static_cast<double>(totals.island_steps) : 0;
}

std::string residual_text(double residual) {
    return std::isnan(residual) ? "-" : with_unit(residual, "m/s");
}

std::string stepper_shares(const RunOutcomes& outcomes) {
    const StepperTotals all = outcomes.total();
    std::string text;
    for_each_used(outcomes, [&](const char* name, const StepperTotals& t) {
        text += fmt::format("{}{} {:.3g} %", text.empty() ? "" : ", ", name,
                            100 * per_island_step(t.island_steps, all));
    });
    return text.empty() ? "none" : text;
}

std::string outcomes_text(const RunOutcomes& outcomes) {
    const StepperTotals all = outcomes.total();
    std::string text;
    for_each_used(outcomes, [&](const char* name, const StepperTotals& t) {
        text += fmt::format("{} {}, ", name, t.island_steps);
    });
    return fmt::format("{}{}, {} removed", text.empty() ? "none, " : text,
                       counted(static_cast<std::uint64_t>(all.retries), "retry", "retries"),
                       with_unit(all.energy_removed, "J"));
}

std::string outcome_tables(const RunOutcomes& outcomes) {
    return stepper_table(outcomes) + "\n" + refusal_table(outcomes);
}

Json outcomes_json(const RunOutcomes& outcomes) {
    const StepperTotals all = outcomes.total();
    Json island_steps = Json::object(), refused = Json::object();
    for_each_used(outcomes,
                  [&](const char* name, const StepperTotals& t) { island_steps.add(name, t.island_steps); });
    for (std::size_t k = 0; k < outcomes.steppers.size(); ++k) {
        Json reasons = Json::object();
        bool has_any = false;
        for (std::size_t r = 0; r < kRefusals; ++r) {
            const std::int64_t count = outcomes.steppers[k].refused[r];
            if (count == 0) continue;
            reasons.add(EnumNames<Refusal>::names[r], count);
            has_any = true;
        }
        if (has_any) refused.add(EnumNames<IslandStepper>::names[k], reasons);
    }
    return Json::object()
        .add("island_steps", island_steps)
        .add("substeps_mean", per_island_step(all.substeps, all))
        .add("iterations_mean", per_island_step(all.iterations, all))
        .add("residual_max", all.residual_max)
        .add("retries", all.retries)
        .add("energy_removed", all.energy_removed)
        .add("refused", refused);
}

}  // namespace impuls::cli
