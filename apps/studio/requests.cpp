// What pages ask the session for (session.h), one function a request; the list of them is at the end.
#include <array>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "impuls/quantity.h"
#include "studio/columns.h"
#include "studio/packets.h"
#include "studio/session.h"
#include "studio/structure.h"

namespace impuls::studio {
namespace {

constexpr std::size_t kMostSeries = 64, kMostColumns = 8;

std::size_t index_of(const Json::Value& json, std::size_t size) {
    if (!json.isUInt64() || json.asUInt64() >= size) throw InputError("there is no such frame or thing");
    return static_cast<std::size_t>(json.asUInt64());
}

std::string text_of(const Json::Value& request, const char* key) {
    if (!request[key].isString()) throw InputError(fmt::format("\"{}\" must be a string", key));
    return request[key].asString();
}

// Of numbers that do not exist, null.
Json::Value number_or_null(double value) {
    return std::isfinite(value) ? Json::Value(value) : Json::Value();
}

}  // namespace

void Session::show_anew() {
    play_.is_on = false;
    message_.clear();
    for (auto& [client, page] : pages_) page.last_frame = 0;
    send_scene();
    keep();
    send_status();
}

// The world as the document has it, at t = 0. A document that no world can be built from is not taken.
void Session::restart() {
    play_.is_on = false;
    branches_.start(document_.scene(), next_recording());
    recording_.clear();
    show_anew();
}

std::string Session::open_first(const std::string& file) {
    Json::Value request;
    const std::string unsaved = keeping_.clear();
    workspace_.allow(file);
    request["path"] = std::filesystem::absolute(file).string();
    open(0, request);
    return unsaved;
}

Json::Value Session::open(ClientId, const Json::Value& request) {
    Document next;
    if (request["text"].isString()) {
        next.open_text(request["text"].asString(), text_of(request, "name"));
    } else if (request["new"].asBool()) {
        next.make_new();
    } else {
        const std::string file = workspace_.to_read(text_of(request, "path"));
        if (std::filesystem::path(file).extension() == ".impuls") {
            branches_.show(file);
            recording_ = file;
            show_anew();
            return {};
        }
        next.open(file);
    }
    std::swap(document_, next);
    try {
        restart();
    } catch (...) {
        std::swap(document_, next);
        throw;
    }
    return {};
}

// One step of undo: values that are set, elements that go, elements that come.
Json::Value Session::edit(ClientId, const Json::Value& request) {
    if (!recording_.empty()) throw InputError("a recording cannot be changed; open its scene");
    Document::Edit edit;
    edit.label = text_of(request, "label");
    for (const Json::Value& change : request["changes"])
        edit.values.emplace_back(text_of(change, "path"), to_line(change["value"]));
    for (const char* list : {"bodies", "joints", "forces", "materials"}) {
        for (const Json::Value& place : request["remove"][list]) {
            if (!place.isUInt64()) throw InputError("places to be removed must be numbers");
            edit.removed.emplace_back(list, static_cast<std::size_t>(place.asUInt64()));
        }
        for (const Json::Value& element : request["add"][list])
            edit.added.emplace_back(list, to_line(element));
    }
    Document before = document_;
    document_.edit(edit);
    try {
        restart();
    } catch (...) {
        document_ = std::move(before);
        throw;
    }
    return {};
}

Json::Value Session::history(ClientId, const Json::Value& request) {
    if (!recording_.empty()) throw InputError("a recording cannot be changed; open its scene");
    const bool is_undo = text_of(request, "do") == "undo";
    const std::string label = is_undo ? document_.undo_label() : document_.redo_label();
    if (is_undo ? document_.undo() : document_.redo()) restart();
    Json::Value result;
    result["label"] = label;
    return result;
}

Json::Value Session::save(ClientId, const Json::Value& request) {
    if (!recording_.empty()) throw InputError("this is a recording; there is no scene to save");
    const std::string file = workspace_.to_write(text_of(request, "path"));
    Json::Value result;
    std::error_code error;
    if (std::filesystem::path(file).extension() != ".json") throw InputError("scene files end in .json");
    if (!request["overwrite"].asBool() && file != document_.file() && std::filesystem::exists(file, error)) {
        result["exists"] = true;
        return result;
    }
    document_.save(file, request["overwrite"].asBool());
    result["file"] = workspace_.shown(file);
    keep();
    send_scene();
    return result;
}

Json::Value Session::run_on(ClientId, const Json::Value& request) {
    Timeline& timeline = branches_.now();
    if (timeline.size() == 0) throw InputError("nothing is open");
    if (!request["on"].asBool()) {
        if (play_.is_on) pause("");
        return {};
    }
    if (timeline.is_recording()) throw InputError("a recording cannot be run on; open its scene");
    const double speed = request["speed"].isNumeric() ? request["speed"].asDouble() : 1;
    if (!std::isfinite(speed) || speed < 0) throw InputError("the speed must not be negative");
    const double until = request["until"].isNumeric() ? request["until"].asDouble() : 0;
    const double now = timeline.time(timeline.size() - 1);
    if (until > 0 && now > until - timeline.dt() / 2) return {};
    Play play{true, speed, std::chrono::steady_clock::now(), now, until, {}, {}, {}};
    if (request["when"].isString() && !request["when"].asString().empty()) {
        play.when = request["when"].asString();
        play.structure = timeline.structure();
        play.condition = find_condition(play.when, *play.structure);
    }
    play_ = std::move(play);
    message_.clear();
    send_status();
    return {};
}

Json::Value Session::step(ClientId, const Json::Value&) {
    if (branches_.now().size() == 0) throw InputError("nothing is open");
    const StepStatus status = branches_.now().step();
    if (!status.ok) throw InputError(status.message);
    branches_.now().commit();
    send_live_frames();
    send_status();
    return {};
}

Json::Value Session::rewind(ClientId, const Json::Value&) {
    if (branches_.now().is_recording()) throw InputError("a recording cannot be changed; open its scene");
    restart();
    return {};
}

// A branch that begins at a frame; what came after stays in the branch that it was in.
Json::Value Session::cut(ClientId, const Json::Value& request) {
    branches_.cut(index_of(request["frame"], branches_.now().size()), next_recording());
    show_anew();
    return {};
}

Json::Value Session::command(ClientId, const Json::Value& request) {
    if (branches_.now().size() == 0) throw InputError("nothing is open");
    branches_.now().apply(parse_command(to_line(request["command"])));
    return {};
}

// The bytes follow the answer's order: a page that asked for several gets them in the order of its requests.
Json::Value Session::frame(ClientId client, const Json::Value& request) {
    const bool is_ghost = request["branch"].isUInt64();
    Timeline& timeline = is_ghost
                             ? branches_.at(static_cast<std::size_t>(request["branch"].asUInt64())).timeline
                             : branches_.now();
    const std::size_t k = index_of(request["frame"], timeline.size());
    const std::shared_ptr<const Frame> frame = timeline.frame(k);
    const auto page = pages_.find(client);
    if (page == pages_.end()) return {};
    if (!is_ghost) send_structure(client, page->second, frame->structure);
    const FramePlace place{structure_,
                           k,
                           false,
                           page->second.wants_contacts && !is_ghost,
                           is_ghost ? std::vector<int>{} : page->second.columns,
                           is_ghost};
    send_(client, {std::make_shared<const std::string>(frame_packet(*frame, place)), true});
    return {};
}

// Values of quantities over frames `from`, `from` + `every`, …; columns in the order of `names`.
Json::Value Session::series(ClientId, const Json::Value& request) {
    Json::Value result;
    Timeline& timeline = branches_.now();
    if (timeline.size() == 0) return result;
    std::vector<Quantity> quantities;
    if (request["names"].size() > kMostSeries) throw InputError("too many quantities at once");
    const std::shared_ptr<const Scene> structure = timeline.structure();
    for (const Json::Value& name : request["names"])
        quantities.push_back(find_quantity(name.asString(), *structure));
    const std::size_t every =
        std::max<std::size_t>(1, request["every"].isUInt64() ? request["every"].asUInt64() : 1);
    const std::size_t from =
        request["from"].isUInt64() ? static_cast<std::size_t>(request["from"].asUInt64()) : 0;
    result["times"] = Json::Value(Json::arrayValue);
    result["columns"] = Json::Value(Json::arrayValue);
    for (const Quantity& quantity : quantities) {
        for (const std::string& column : quantity.columns) {
            Json::Value json;
            json["name"] = column;
            json["unit"] = quantity.unit;
            json["values"] = Json::Value(Json::arrayValue);
            result["columns"].append(json);
        }
    }
    for (std::size_t k = from; k < timeline.size(); k += every) {
        const std::shared_ptr<const Frame> frame = timeline.frame(k);
        result["times"].append(frame->time);
        Json::ArrayIndex column = 0;
        for (const Quantity& quantity : quantities) {
            std::array<double, 3> values{};
            quantity.read(*frame, values.data());
            for (std::size_t c = 0; c < quantity.columns.size(); ++c)
                result["columns"][column++]["values"].append(number_or_null(values[c]));
        }
    }
    result["from"] = Json::UInt64(from);
    result["next"] = Json::UInt64(
        timeline.size() <= from ? from : from + (timeline.size() - 1 - from) / every * every + every);
    return result;
}

Json::Value Session::list(ClientId, const Json::Value& request) {
    Json::Value result;
    const std::string what = text_of(request, "what");
    if (what == "schema") return parse_json(scene_schema());
    if (what == "quantities") {
        for (const auto& [name, unit] : quantity_help()) {
            Json::Value json;
            json["name"] = name;
            json["unit"] = unit;
            result.append(json);
        }
        return result;
    }
    if (what == "text") return Json::Value(document_.text());
    if (what != "gallery") throw InputError("there is no list " + what);
    for (const GalleryScene& scene : workspace_.gallery()) {
        Json::Value json;
        json["path"] = scene.file;
        json["group"] = scene.group;
        json["title"] = scene.title;
        json["description"] = scene.description;
        result["scenes"].append(json);
    }
    result["files"] = Json::Value(Json::arrayValue);
    for (const std::string& file : workspace_.files()) result["files"].append(file);
    result["folder"] = workspace_.folder();
    return result;
}

Json::Value Session::acknowledge(ClientId client, const Json::Value&) {
    const auto page = pages_.find(client);
    if (page == pages_.end()) return {};
    page->second.frames_under_way = std::max(0, page->second.frames_under_way - 1);
    return {};
}

// What a page wants in its frames.
Json::Value Session::watch(ClientId client, const Json::Value& request) {
    std::vector<int> columns;
    for (const Json::Value& name : request["columns"]) {
        columns.push_back(find_body_column(name.asString()));
        if (columns.back() < 0 || columns.size() > kMostColumns)
            throw InputError("there is no column " + name.asString());
    }
    const auto page = pages_.find(client);
    if (page == pages_.end()) return {};
    page->second.wants_contacts = request["contacts"].asBool();
    page->second.columns = std::move(columns);
    return {};
}

const std::map<std::string, Session::Handler>& Session::handlers() {
    static const std::map<std::string, Handler> all{
        {"open", {&Session::open, true}},     {"edit", {&Session::edit, true}},
        {"undo", {&Session::history, true}},  {"redo", {&Session::history, true}},
        {"save", {&Session::save, true}},     {"run", {&Session::run_on, true}},
        {"step", {&Session::step, true}},     {"rewind", {&Session::rewind, true}},
        {"cut", {&Session::cut, true}},       {"command", {&Session::command, true}},
        {"branch", {&Session::branch, true}}, {"mark", {&Session::mark, true}},
        {"film", {&Session::film, true}},     {"control", {&Session::control}},
        {"describe", {&Session::describe}},   {"happened", {&Session::happened}},
        {"profile", {&Session::profile}},     {"thumbnail", {&Session::thumbnail}},
        {"frame", {&Session::frame}},         {"series", {&Session::series}},
        {"list", {&Session::list}},           {"ack", {&Session::acknowledge}},
        {"watch", {&Session::watch}},
    };
    return all;
}

}  // namespace impuls::studio
