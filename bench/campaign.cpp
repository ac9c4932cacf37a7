// Round after round of interleaved runs (campaign.h).
#include "bench/campaign.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/trajectory.h"
#include "impuls/errors.h"

namespace impuls::bench {
namespace {

struct Contender {
    Engine engine{};
    Setup setup{};
    std::vector<RunRecord> records{};
    bool is_over = false;  // no further repeats
};

template <class T>
bool wanted(const std::vector<T>& list, const T& item) {
    return list.empty() || std::find(list.begin(), list.end(), item) != list.end();
}

std::vector<Contender> contenders(const Campaign& campaign) {
    std::vector<Contender> out;
    std::vector<std::string> known;
    for (const Engine& engine : engines()) {
        known.push_back(engine.name);
        if (!wanted(campaign.engines, engine.name)) continue;
        std::vector<std::string> variants = engine.variants;
        const bool is_ours = engine.name == "impuls";
        if (is_ours && !campaign.methods.empty()) variants = campaign.methods;
        if (!is_ours && !campaign.all_variants) variants.resize(1);
        for (const std::string& variant : variants)
            for (const int threads : campaign.threads)
                if (threads <= engine.max_threads) out.push_back({engine, {variant, threads}, {}, false});
    }
    for (const std::string& name : campaign.engines)
        if (!wanted(known, name))
            throw InputError("there is no engine '" + name + "'" + did_you_mean(name, known));
    return out;
}

const RunRecord& best_of(const std::vector<RunRecord>& records) {
    return *std::min_element(records.begin(), records.end(), [](const RunRecord& a, const RunRecord& b) {
        return mean(a.step_ms) < mean(b.step_ms);
    });
}

Row make_row(const CatalogScene& scene, const Model& model, const Contender& c, int steps) {
    Row row;
    row.scene = scene.name, row.kind = scene.kind;
    row.bodies = model.dynamic_count();
    row.engine = c.engine.name, row.variant = c.setup.variant, row.threads = c.setup.threads;
    row.wanted_steps = steps;
    if (!c.engine.is_installed()) {
        row.end = "not installed", row.message = "package " + c.engine.package;
        return row;
    }
    const RunRecord& first = c.records.front();
    const RunRecord& best = best_of(c.records);
    row.end = name_of(first.end), row.message = first.message;
    row.steps = static_cast<int>(best.step_ms.size());
    row.repeats = static_cast<int>(c.records.size());
    row.times = step_times(best.step_ms);
    row.cpu_mean = mean(best.cpu_ms);
    for (const RunRecord& r : c.records)
        if (row.times.mean > 0) row.spread = std::max(row.spread, mean(r.step_ms) / row.times.mean);
    row.contacts = first.contacts;
    row.has_quality = !first.last.empty();
    if (!row.has_quality) return row;
    row.quality = check_states(model, first.last);
    row.quality.joint_gap = first.joint_gap, row.quality.energy_end = first.energy_end;
    row.quality.energy_low = first.energy_low, row.quality.energy_high = first.energy_high;
    row.quality.trajectory = first.trajectory;
    return row;
}

// Times compared over the steps that both did: a run that was cut early only saw the easy beginning. On one
// thread processor time decides, which a busy machine changes little.
void compare(std::vector<Row>& rows, const std::vector<Contender>& all) {
    const auto ours = std::find_if(all.begin(), all.end(), [](const Contender& c) {
        return c.engine.name == "impuls" && c.setup.threads == 1 && !c.records.empty() &&
               !c.records.front().step_ms.empty();
    });
    if (ours == all.end()) return;
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (all[k].records.empty()) continue;
        const auto times = [&](const Contender& c) -> const std::vector<double>& {
            const RunRecord& best = best_of(c.records);
            return all[k].setup.threads == 1 ? best.cpu_ms : best.step_ms;
        };
        const std::vector<double>&base = times(*ours), &theirs = times(all[k]);
        const std::size_t n = std::min(base.size(), theirs.size());
        if (n == 0) continue;
        rows[k].ratio = mean(std::span(theirs).first(n)) / mean(std::span(base).first(n));
        rows[k].ratio_steps = static_cast<int>(n);
    }
}

}  // namespace

Results run_campaign(const Campaign& campaign, const CampaignCalls& calls) {
    Results results;
    results.machine = machine_name(), results.date = today();
    results.is_quick = campaign.is_quick, results.cap_s = campaign.cap_s;
    for (const Engine& engine : engines())
        if (wanted(campaign.engines, engine.name))
            results.engines.emplace_back(
                engine.name + " " + (engine.is_installed() ? engine.version : "(not installed)"),
                engine.settings);
    std::vector<const CatalogScene*> scenes;
    for (const std::string& name : campaign.scenes) scenes.push_back(&find_scene(name));
    if (scenes.empty())
        for (const CatalogScene& scene : catalog()) scenes.push_back(&scene);

    for (std::size_t s = 0; s < scenes.size(); ++s) {
        const Model model = make_model(load(*scenes[s], campaign.is_quick, campaign.changes));
        const int steps = step_count(model.scene);
        const std::vector<Vec3> centres =
            model.joints.empty() ? std::vector<Vec3>{} : reference_centres(model);
        std::vector<Contender> all = contenders(campaign);
        for (int repeat = 0; repeat < campaign.repeats; ++repeat)
            for (std::size_t k = 0; k < all.size(); ++k) {
                Contender& c = all[k];
                if (!c.engine.is_installed() || c.is_over) continue;
                const double within = (repeat + double(k) / double(all.size())) / campaign.repeats;
                calls.progress((double(s) + within) / double(scenes.size()),
                               fmt::format("{} · {} {} · {} of {}", scenes[s]->name, c.engine.name,
                                           c.setup.variant, repeat + 1, campaign.repeats));
                c.records.push_back(run_apart(c.engine, c.setup, model, steps, campaign.cap_s, centres));
                c.is_over = c.records.back().end != RunEnd::Done;
                if (repeat > 0) c.records.back().last = {};  // quality comes from the first
            }
        std::vector<Row> rows;
        for (const Contender& c : all) rows.push_back(make_row(*scenes[s], model, c, steps));
        compare(rows, all);
        results.rows.insert(results.rows.end(), rows.begin(), rows.end());
        calls.scene_done(results);
    }
    return results;
}

}  // namespace impuls::bench
