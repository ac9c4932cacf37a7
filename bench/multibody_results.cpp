// Results of the multibody study (multibody_results.h).
#include "bench/multibody_results.h"

#include <fmt/format.h>
#include <json/json.h>

#include <algorithm>
#include <fstream>
#include <type_traits>

#include "bench/chart.h"
#include "bench/columns.h"
#include "impuls/errors.h"

namespace impuls::bench {
namespace {

// One list of fields for writing, reading and CSV: visit(name, value).
template <class R, class V>
void visit_cells(R& r, V&& visit) {
    visit("experiment", r.experiment), visit("method", r.method), visit("tolerance", r.tolerance);
    visit("joints", r.joints), visit("steps", r.steps), visit("ms", r.ms), visit("text_ms", r.text_ms);
    visit("rounds", r.rounds), visit("gap", r.gap);
}
template <class R, class V>
void visit_kernel(R& r, V&& visit) {
    visit("shape", r.shape), visit("joints", r.joints), visit("factor_ns", r.factor_ns);
    visit("solve_ns", r.solve_ns), visit("bytes", r.bytes);
}
template <class R, class V>
void visit_claim(R& r, V&& visit) {
    visit("name", r.name), visit("about", r.about), visit("value", r.value), visit("bar", r.bar);
    visit("holds", r.holds);
}

template <class T>
void take(const Json::Value& v, T& out) {
    if constexpr (std::is_same_v<T, std::string>)
        out = v.asString();
    else if constexpr (std::is_same_v<T, bool>)
        out = v.asBool();
    else if constexpr (std::is_same_v<T, int>)
        out = v.asInt();
    else
        out = v.asDouble();
}

void save(const std::string& file, const std::string& text) {
    std::ofstream out(file);
    out << text;
    out.close();
    if (!out) throw FileError("cannot write " + file);
}

std::string ratio_cell(const MultibodyRow& row) {
    return row.text_ms > 0 ? digits(row.text_ms / row.ms) : "";
}

// Methods in the order of their first row.
std::vector<std::string> methods_of(const MultibodyResults& results, const std::string& experiment) {
    std::vector<std::string> out;
    for (const MultibodyRow& row : results.rows)
        if (row.experiment == experiment && std::find(out.begin(), out.end(), row.label()) == out.end())
            out.push_back(row.label());
    return out;
}

std::string chart_of(const MultibodyResults& results, const std::string& experiment) {
    std::vector<ChartSeries> series;
    for (const std::string& method : methods_of(results, experiment)) {
        ChartSeries& s = series.emplace_back();
        s.label = method;
        for (const MultibodyRow& row : results.rows)
            if (row.experiment == experiment && row.label() == method)
                s.points.emplace_back(row.joints, row.ms);
    }
    return series_svg("Bender's " + experiment, "joints", "ms per step", series);
}

std::string kernel_chart(const MultibodyResults& results) {
    std::vector<ChartSeries> series;
    for (const char* shape : {"chain", "tree"}) {
        ChartSeries& s = series.emplace_back();
        s.label = shape;
        for (const KernelRow& row : results.kernel)
            if (row.shape == shape) s.points.emplace_back(row.joints, row.factor_ns + row.solve_ns);
    }
    return series_svg("Linear-time kernel", "joints", "ns per joint, factor and solve", series);
}

}  // namespace

std::string MultibodyRow::label() const {
    return tolerance > 0 ? fmt::format("{} {:.0e}", method, tolerance) : method;
}

void write_multibody(const MultibodyResults& results, const std::string& file) {
    Json::Value root;
    root["machine"] = results.machine, root["date"] = results.date, root["note"] = results.note;
    root["budget_s"] = results.budget_s;
    root["rows"] = root["kernel"] = root["claims"] = Json::arrayValue;
    const auto into = [](Json::Value& v) {
        return [&v](const char* name, const auto& field) { v[name] = field; };
    };
    for (const MultibodyRow& row : results.rows) visit_cells(row, into(root["rows"].append({})));
    for (const KernelRow& row : results.kernel) visit_kernel(row, into(root["kernel"].append({})));
    for (const Claim& claim : results.claims) visit_claim(claim, into(root["claims"].append({})));
    Json::StreamWriterBuilder builder;
    builder["indentation"] = " ";
    builder["precision"] = 6;
    save(file + ".json", Json::writeString(builder, root) + "\n");

    std::string csv;
    const MultibodyRow heads;
    visit_cells(heads,
                [&](const char* name, const auto&) { csv += (csv.empty() ? "" : ",") + std::string(name); });
    for (const MultibodyRow& row : results.rows) {
        std::string line;
        visit_cells(row, [&](const char*, const auto& field) { line += fmt::format("{},", field); });
        line.pop_back();
        csv += "\n" + line;
    }
    save(file + ".csv", csv + "\n");
}

MultibodyResults read_multibody(const std::string& file) {
    std::ifstream in(file + ".json");
    if (!in) throw FileError("cannot read " + file + ".json");
    Json::Value root;
    std::string errors;
    if (!Json::parseFromStream(Json::CharReaderBuilder(), in, &root, &errors))
        throw InputError(file + ".json: " + errors);
    MultibodyResults results;
    results.machine = root["machine"].asString(), results.date = root["date"].asString();
    results.note = root["note"].asString(), results.budget_s = root["budget_s"].asDouble();
    const auto from = [](const Json::Value& v) {
        return [&v](const char* name, auto& field) { take(v[name], field); };
    };
    for (const Json::Value& v : root["rows"]) visit_cells(results.rows.emplace_back(), from(v));
    for (const Json::Value& v : root["kernel"]) visit_kernel(results.kernel.emplace_back(), from(v));
    for (const Json::Value& v : root["claims"]) visit_claim(results.claims.emplace_back(), from(v));
    return results;
}

std::string multibody_markdown(const MultibodyResults& results, const std::string& charts) {
    std::string text = fmt::format(
        "\n## Bender's multibody experiments\n\n"
        "`./impuls bench multibody`, measured {}: methods of `tests/reference` on the tree (h = 1/30 s, no "
        "gravity, 10 N m in\n"
        "the first step) and the chain (h = 0.01 s, from the horizontal) of the text; one core, processor "
        "time, at most {:g} s a\n"
        "cell. S1: joint by joint; S2: dense factorisation; S3: the engine's linear-time kernel; warm: "
        "begins with a solve for\n"
        "the errors of the last step. `text`: on a Pentium 4 (tree) and a Core 2 (chain); `faster` is text / "
        "ours.\n",
        results.date, results.budget_s);
    if (!results.note.empty()) text += "\n**" + results.note + "**\n";
    for (const char* experiment : {"tree", "chain"}) {
        text +=
            "\n| method | joints | ms/step | text ms | faster | rounds | gap m | steps |\n"
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
        for (const MultibodyRow& row : results.rows)
            if (row.experiment == experiment)
                text +=
                    fmt::format("| {} | {} | {} | {} | {} | {} | {:.1e} | {} |\n", row.label(), row.joints,
                                digits(row.ms), row.text_ms > 0 ? digits(row.text_ms) : "", ratio_cell(row),
                                row.rounds > 0 ? digits(row.rounds) : "", row.gap, row.steps);
        text += fmt::format("\n![{0}]({1}/multibody-{0}.svg)\n", experiment, charts);
    }
    text +=
        "\n| kernel | joints | factor ns/joint | solve ns/joint | bytes/joint |\n"
        "| --- | ---: | ---: | ---: | ---: |\n";
    for (const KernelRow& row : results.kernel)
        text += fmt::format("| {} | {} | {} | {} | {:.0f} |\n", row.shape, row.joints, digits(row.factor_ns),
                            digits(row.solve_ns), row.bytes);
    text += fmt::format("\n![kernel]({}/multibody-kernel.svg)\n", charts);
    return text + "\n" + claim_table(results.claims);
}

void write_multibody_charts(const MultibodyResults& results, const std::string& folder) {
    for (const char* experiment : {"tree", "chain"})
        save(folder + "/multibody-" + experiment + ".svg", chart_of(results, experiment));
    save(folder + "/multibody-kernel.svg", kernel_chart(results));
}

}  // namespace impuls::bench
