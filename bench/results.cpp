// Results as JSON and CSV (results.h). Numbers that are not finite are null.
#include "bench/results.h"

#include <fmt/format.h>
#include <json/json.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <thread>

#include "impuls/errors.h"

namespace impuls::bench {
namespace {

// One list of a row's fields for writing, reading and CSV: visit(name, value).
template <class R, class V>
void visit_row(R& r, V&& visit) {
    visit("scene", r.scene), visit("bodies", r.bodies), visit("engine", r.engine),
        visit("variant", r.variant);
    visit("threads", r.threads), visit("end", r.end), visit("message", r.message);
    visit("steps", r.steps), visit("wanted_steps", r.wanted_steps), visit("repeats", r.repeats);
    visit("ms_mean", r.times.mean), visit("ms_median", r.times.median), visit("ms_p99", r.times.p99);
    visit("ms_last_quarter", r.times.last_quarter), visit("spread", r.spread),
        visit("cpu_ms_mean", r.cpu_mean);
    visit("ratio", r.ratio), visit("ratio_steps", r.ratio_steps), visit("contacts", r.contacts);
    visit("has_quality", r.has_quality);
    auto& q = r.quality;
    visit("penetration_max", q.overlaps.max), visit("penetration_p99", q.overlaps.p99);
    visit("penetration_mean", q.overlaps.mean), visit("overlapping_pairs", q.overlaps.overlapping);
    visit("touching_pairs", q.overlaps.touching), visit("sink", q.sink), visit("lateral", q.lateral);
    visit("speed_rms", q.speed_rms), visit("mean_height", q.mean_height), visit("lost", q.lost);
    visit("joint_gap", q.joint_gap), visit("energy_end", q.energy_end), visit("energy_low", q.energy_low);
    visit("energy_high", q.energy_high), visit("trajectory", q.trajectory);
}

template <class R, class V>
void visit_collision(R& r, V&& visit) {
    visit("scene", r.scene), visit("engine", r.engine), visit("threads", r.threads), visit("end", r.end);
    visit("ms", r.ms), visit("points", r.points), visit("touching", r.touching),
        visit("max_depth", r.max_depth);
    visit("ratio", r.ratio), visit("speed_up", r.speed_up);
}

Json::Value to_value(const std::string& v) {
    return v;
}
Json::Value to_value(bool v) {
    return v;
}
Json::Value to_value(int v) {
    return v;
}
Json::Value to_value(std::int64_t v) {
    return static_cast<Json::Int64>(v);
}
Json::Value to_value(std::size_t v) {
    return static_cast<Json::UInt64>(v);
}
Json::Value to_value(double v) {
    return std::isfinite(v) ? Json::Value(v) : Json::Value();
}

void from_value(const Json::Value& v, std::string& out) {
    out = v.asString();
}
void from_value(const Json::Value& v, bool& out) {
    out = v.asBool();
}
void from_value(const Json::Value& v, int& out) {
    out = v.asInt();
}
void from_value(const Json::Value& v, std::int64_t& out) {
    out = v.asInt64();
}
void from_value(const Json::Value& v, std::size_t& out) {
    out = static_cast<std::size_t>(v.asUInt64());
}
void from_value(const Json::Value& v, double& out) {
    out = v.isNull() ? std::numeric_limits<double>::quiet_NaN() : v.asDouble();
}

void write_text(const std::string& file, const std::string& text) {
    std::ofstream out(file);
    out << text;
    out.close();
    if (!out) throw FileError("cannot write " + file);
}

std::string csv_cell(const Json::Value& v) {
    std::string text = v.isNull() ? "" : v.asString();
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::replace(text.begin(), text.end(), '"', '\'');
    return "\"" + text + "\"";
}

}  // namespace

std::string Row::label() const {
    return engine + (variant.empty() ? "" : " " + variant) +
           (threads > 1 ? fmt::format(" {}T", threads) : "");
}

std::string machine_name() {
    std::string model = "unknown", line;
    std::ifstream info("/proc/cpuinfo");
    while (std::getline(info, line))
        if (line.rfind("model name", 0) == 0) {
            model = line.substr(line.find(':') + 2);
            break;
        }
    std::string name;
    for (const char c : model.substr(0, model.find(" @"))) {
        if (std::isalnum(static_cast<unsigned char>(c)))
            name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!name.empty() && name.back() != '-')
            name += '-';
    }
    if (!name.empty() && name.back() != '-') name += '-';
    return name + std::to_string(std::thread::hardware_concurrency());
}

std::string results_folder() {
    const std::string folder = std::string(IMPULS_SOURCE_DIR) + "/bench/results/" + machine_name();
    std::filesystem::create_directories(folder);
    return folder;
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
    return text;
}

void write_json(const Results& results, const std::string& file) {
    Json::Value root;
    root["machine"] = results.machine, root["date"] = results.date, root["note"] = results.note;
    root["quick"] = results.is_quick, root["cap_s"] = results.cap_s;
    root["engines"] = Json::arrayValue;
    for (const auto& [name, settings] : results.engines) {
        Json::Value engine;
        engine["name"] = name, engine["settings"] = settings;
        root["engines"].append(engine);
    }
    root["rows"] = root["collision"] = Json::arrayValue;
    for (const Row& row : results.rows) {
        Json::Value& v = root["rows"].append(Json::objectValue);
        visit_row(row, [&](const char* name, const auto& field) { v[name] = to_value(field); });
    }
    for (const CollisionRow& row : results.collision) {
        Json::Value& v = root["collision"].append(Json::objectValue);
        visit_collision(row, [&](const char* name, const auto& field) { v[name] = to_value(field); });
    }
    Json::StreamWriterBuilder builder;
    builder["indentation"] = " ";
    builder["precision"] = 6;
    write_text(file, Json::writeString(builder, root) + "\n");
}

void write_csv(const Results& results, const std::string& file) {
    std::string text;
    const Row heads;
    visit_row(heads,
              [&](const char* name, const auto&) { text += (text.empty() ? "" : ",") + std::string(name); });
    for (const Row& row : results.rows) {
        std::string line;
        visit_row(row, [&](const char*, const auto& field) { line += csv_cell(to_value(field)) + ","; });
        line.pop_back();
        text += "\n" + line;
    }
    write_text(file, text + "\n");
}

Results read_json(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw FileError("cannot read " + file);
    Json::Value root;
    std::string errors;
    if (!Json::parseFromStream(Json::CharReaderBuilder(), in, &root, &errors))
        throw InputError(file + ": " + errors);
    Results results;
    results.machine = root["machine"].asString(), results.date = root["date"].asString();
    results.note = root["note"].asString(), results.is_quick = root["quick"].asBool();
    results.cap_s = root["cap_s"].asDouble();
    for (const Json::Value& v : root["engines"])
        results.engines.emplace_back(v["name"].asString(), v["settings"].asString());
    for (const Json::Value& v : root["rows"]) {
        Row& row = results.rows.emplace_back();
        visit_row(row, [&](const char* name, auto& field) { from_value(v[name], field); });
        row.kind = find_scene(row.scene).kind;
    }
    for (const Json::Value& v : root["collision"]) {
        CollisionRow& row = results.collision.emplace_back();
        visit_collision(row, [&](const char* name, auto& field) { from_value(v[name], field); });
    }
    return results;
}

}  // namespace impuls::bench
