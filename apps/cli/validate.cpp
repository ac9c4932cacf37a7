// `impuls validate`: laws with a known answer, next to what the engine gives (apps/validate).
#include "validate/laws.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/json.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/subcommands.h"
#include "cli/table.h"
#include "impuls/errors.h"

namespace impuls::cli {
namespace {

struct ValidateOptions {
    std::string law{};
    bool json = false;
};

std::vector<Law> chosen_laws(const std::string& name) {
    if (name.empty()) return laws();
    std::vector<std::string> names;
    for (const Law& law : laws()) {
        if (law.name == name) return {law};
        names.push_back(law.name);
    }
    throw InputError(
        fmt::format("unknown law '{}'{}; see impuls list laws", name, did_you_mean(name, names)));
}

std::string results_table(const std::vector<LawResult>& results) {
    Table table({"law", ">analytic", ">ours", ">rel. error", ">bound", ">dt [s]", "ok", "note"});
    for (const LawResult& r : results) {
        table.row({r.name, fmt::format("{:.8g}", r.analytic), fmt::format("{:.8g}", r.value),
                   fmt::format("{:.2e}", r.rel_error), fmt::format("{:.1e}", r.bound),
                   fmt::format("{:g}", r.dt), r.ok ? "yes" : "NO", r.note});
    }
    return table.text();
}

std::string results_json(const std::vector<LawResult>& results) {
    Json list = Json::array();
    for (const LawResult& r : results) {
        list.push(Json::object()
                      .add("name", r.name)
                      .add("preset", r.preset)
                      .add("analytic", r.analytic)
                      .add("value", r.value)
                      .add("rel_error", r.rel_error)
                      .add("bound", r.bound)
                      .add("dt", r.dt)
                      .add("ok", r.ok)
                      .add("note", r.note));
    }
    return Json::object().add("laws", list).add("verdict", law_verdict(results)).text();
}

int check_laws(const ValidateOptions& o) {
    const std::vector<Law> chosen = chosen_laws(o.law);
    std::vector<LawResult> results;
    Progress progress;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
        progress.draw(static_cast<double>(k) / static_cast<double>(chosen.size()), chosen[k].name);
        for (LawResult& result : chosen[k].check()) results.push_back(std::move(result));
    }
    progress.clear();
    print(o.json ? results_json(results)
                 : results_table(results) + "verdict: " + law_verdict(results) + "\n");
    const auto missed =
        std::count_if(results.begin(), results.end(), [](const LawResult& r) { return !r.ok; });
    if (missed > 0) complain(fmt::format("{} of {} results miss their bound", missed, results.size()));
    return missed > 0 ? kFailed : kOk;
}

std::function<int()> prepare_validate(CLI::App& app) {
    const auto o = std::make_shared<ValidateOptions>();
    app.add_option("--law", o->law, "Only this law (see impuls list laws)")->type_name("NAME");
    app.add_flag("--json", o->json, "Print one JSON object");
    return [o] { return check_laws(*o); };
}

}  // namespace

Subcommand validate_command() {
    return {"validate", "Compare the engine with analytic laws",
            "  impuls validate\n"
            "  impuls validate --law free_fall --json",
            prepare_validate};
}

}  // namespace impuls::cli
