// What pages ask the session for (session.h), one function a request; the list of them is at the end.
#include <array>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "impuls/quantity.h"
#include "studio/packets.h"
#include "studio/session.h"
#include "studio/structure.h"

namespace impuls::studio {
namespace {

constexpr std::size_t kMostSeries = 64;

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

// The world as the document has it, at t = 0. A document that no world can be built from is not taken.
void Session::restart() {
    play_.is_on = false;
    timeline_.start(document_.scene(), next_recording());
    message_.clear();
    recording_.clear();
    for (auto& [client, page] : pages_) page.last_frame = 0;
    send_scene();
    send_status();
}

void Session::open_first(const std::string& file) {
    Json::Value request;
    workspace_.allow(file);
    request["path"] = std::filesystem::absolute(file).string();
    open(0, request);
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
            play_.is_on = false;
            timeline_.show(file);
            recording_ = file;
            message_.clear();
            for (auto& [client, page] : pages_) page.last_frame = 0;
            send_scene();
            send_status();
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

Json::Value Session::edit(ClientId, const Json::Value& request) {
    if (!recording_.empty()) throw InputError("a recording cannot be changed; open its scene");
    Document before = document_;
    Json::Value result;
    const std::string what = text_of(request, "what");
    const Json::Value& target = request["target"];
    if (what == "set") {
        Overrides changes;
        for (const Json::Value& change : request["changes"])
            changes.emplace_back(text_of(change, "path"), to_line(change["value"]));
        document_.edit(changes, text_of(request, "label"));
    } else if (what == "add_body") {
        result["written"] = Json::UInt64(document_.add_body(to_line(request["body"])));
    } else if (what == "duplicate_body") {
        result["written"] =
            Json::UInt64(document_.duplicate_body(index_of(target, document_.scene().bodies.size())));
    } else if (what == "remove_body") {
        document_.remove_body(index_of(target, document_.scene().bodies.size()));
    } else if (what == "remove_joint") {
        document_.remove_joint(index_of(target, document_.scene().joints.size()));
    } else {
        throw InputError("there is no edit " + what);
    }
    try {
        restart();
    } catch (...) {
        document_ = std::move(before);
        throw;
    }
    return result;
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
    send_scene();
    return result;
}

Json::Value Session::run_on(ClientId, const Json::Value& request) {
    if (timeline_.size() == 0) throw InputError("nothing is open");
    if (!request["on"].asBool()) {
        if (play_.is_on) pause("");
        return {};
    }
    if (timeline_.is_recording()) throw InputError("a recording cannot be run on; open its scene");
    const double speed = request["speed"].isNumeric() ? request["speed"].asDouble() : 1;
    if (!std::isfinite(speed) || speed < 0) throw InputError("the speed must not be negative");
    const double until = request["until"].isNumeric() ? request["until"].asDouble() : 0;
    const double now = timeline_.time(timeline_.size() - 1);
    if (until > 0 && now > until - timeline_.dt() / 2) return {};
    play_ = {true, speed, std::chrono::steady_clock::now(), now, until};
    message_.clear();
    send_status();
    return {};
}

Json::Value Session::step(ClientId, const Json::Value&) {
    if (timeline_.size() == 0) throw InputError("nothing is open");
    const StepStatus status = timeline_.step();
    if (!status.ok) throw InputError(status.message);
    send_live_frames();
    send_status();
    return {};
}

Json::Value Session::rewind(ClientId, const Json::Value&) {
    if (timeline_.is_recording()) throw InputError("a recording cannot be changed; open its scene");
    restart();
    return {};
}

Json::Value Session::cut(ClientId, const Json::Value& request) {
    play_.is_on = false;
    timeline_.cut(index_of(request["frame"], timeline_.size()), next_recording());
    for (auto& [client, page] : pages_) page.last_frame = 0;
    send_scene();
    send_status();
    return {};
}

Json::Value Session::command(ClientId, const Json::Value& request) {
    if (timeline_.size() == 0) throw InputError("nothing is open");
    timeline_.apply(parse_command(to_line(request["command"])));
    return {};
}

// The bytes follow the answer's order: a page that asked for several gets them in the order of its requests.
Json::Value Session::frame(ClientId client, const Json::Value& request) {
    const std::size_t k = index_of(request["frame"], timeline_.size());
    const std::shared_ptr<const Frame> frame = timeline_.frame(k);
    const auto page = pages_.find(client);
    if (page == pages_.end()) return {};
    send_structure(client, page->second, frame->structure);
    const FramePlace place{structure_, k, false, page->second.wants_contacts};
    send_(client, {std::make_shared<const std::string>(frame_packet(*frame, place)), true});
    return {};
}

// Values of quantities over frames `from`, `from` + `every`, …; columns in the order of `names`.
Json::Value Session::series(ClientId, const Json::Value& request) {
    Json::Value result;
    if (timeline_.size() == 0) return result;
    std::vector<Quantity> quantities;
    if (request["names"].size() > kMostSeries) throw InputError("too many quantities at once");
    const std::shared_ptr<const Scene> structure = timeline_.structure();
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
    for (std::size_t k = from; k < timeline_.size(); k += every) {
        const std::shared_ptr<const Frame> frame = timeline_.frame(k);
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
        timeline_.size() <= from ? from : from + (timeline_.size() - 1 - from) / every * every + every);
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
    if (const auto page = pages_.find(client); page != pages_.end())
        page->second.wants_contacts = request["contacts"].asBool();
    return {};
}

const std::map<std::string, Session::Handler>& Session::handlers() {
    static const std::map<std::string, Handler> all{
        {"open", &Session::open},       {"edit", &Session::edit},       {"undo", &Session::history},
        {"redo", &Session::history},    {"save", &Session::save},       {"run", &Session::run_on},
        {"step", &Session::step},       {"rewind", &Session::rewind},   {"cut", &Session::cut},
        {"command", &Session::command}, {"frame", &Session::frame},     {"series", &Session::series},
        {"list", &Session::list},       {"ack", &Session::acknowledge}, {"watch", &Session::watch},
    };
    return all;
}

}  // namespace impuls::studio
