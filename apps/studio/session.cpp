// The studio's thread: messages in, steps, frames out (session.h). What the requests do is in requests.cpp.
#include "studio/session.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "geometry/tessellate.h"
#include "impuls/export.h"
#include "impuls/outcome.h"
#include "scene/material_library.h"
#include "studio/columns.h"
#include "studio/matter.h"
#include "studio/packets.h"
#include "studio/structure.h"

namespace impuls::studio {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kSlice = std::chrono::milliseconds(12);  // of stepping, before messages are looked at again
constexpr auto kFrameTime = std::chrono::microseconds(16'000);  // between live frames
constexpr int kMostUnderWay = 2;
constexpr double kMostBehind = 0.25;  // s of wall time that are caught up with
constexpr int kSegments = 48;
constexpr std::size_t kMostWaiting = 100'000;  // messages of pages

Message text_message(std::string text) {
    return {std::make_shared<const std::string>(std::move(text)), false};
}

Message binary_message(std::string bytes) {
    return {std::make_shared<const std::string>(std::move(bytes)), true};
}

Json::Value issues_json(const InputError& error) {
    Json::Value list(Json::arrayValue);
    for (const Issue& issue : error.issues()) {
        Json::Value json;
        json["file"] = issue.file;
        json["line"] = issue.line;
        json["column"] = issue.column;
        json["path"] = issue.path;
        json["message"] = issue.message;
        list.append(json);
    }
    return list;
}

std::vector<Message> surface_messages(const Structure& structure, std::uint32_t number) {
    std::vector<Message> messages;
    const auto add = [&](const TriangleMesh& mesh) {
        messages.push_back(binary_message(surface_packet(mesh, number, messages.size())));
    };
    for (const Shape& shape : structure.surfaces) add(tessellate(shape, kSegments));
    for (const TriangleMesh& mesh : structure.meshes) add(mesh);
    return messages;
}

}  // namespace

Session::Session(Workspace workspace, Keeping keeping)
    : workspace_(std::move(workspace)), keeping_(std::move(keeping)) {
    branches_.interrupt_when([this] { return is_stopping_.load(std::memory_order_relaxed); });
}

Session::~Session() = default;

void Session::set_send(Send send) {
    send_ = std::move(send);
}

void Session::stop() {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    news_.notify_one();
}

void Session::opened(ClientId client) {
    add({client, Incoming::Kind::Opened, {}});
}

void Session::received(ClientId client, std::string text) {
    add({client, Incoming::Kind::Text, std::move(text)});
}

void Session::closed(ClientId client) {
    add({client, Incoming::Kind::Closed, {}});
}

void Session::add(Incoming incoming) {
    const std::lock_guard lock(mutex_);
    if (incoming.kind == Incoming::Kind::Text && incoming_.size() > kMostWaiting) return;
    incoming_.push_back(std::move(incoming));
    news_.notify_one();
}

void Session::run() {
    auto next_frame = Clock::now();
    for (;;) {
        std::deque<Incoming> incoming;
        {
            std::unique_lock lock(mutex_);
            const auto is_woken = [this] { return is_stopping_ || !incoming_.empty(); };
            if (play_.is_on) {
                news_.wait_for(lock, std::chrono::milliseconds(1), is_woken);
            } else {
                news_.wait(lock, is_woken);
            }
            if (is_stopping_) break;
            incoming.swap(incoming_);
        }
        for (const Incoming& one : incoming) take(one);
        if (!play_.is_on) continue;
        try {
            advance();
            if (Clock::now() < next_frame) continue;
            next_frame = Clock::now() + kFrameTime;
            send_live_frames();
        } catch (const std::exception& error) {  // a full disk, no memory
            play_.is_on = false;
            message_ = error.what();
            send_status();
        }
    }
    film_.cancel();
    keep();
    for (std::size_t k = 0; k < branches_.size(); ++k) branches_.at(k).timeline.close();
}

void Session::take(const Incoming& incoming) {
    switch (incoming.kind) {
        case Incoming::Kind::Opened:
            pages_[incoming.client] = {};
            if (owner_ == 0) owner_ = incoming.client;
            send(incoming.client, hello_event(incoming.client));
            if (branches_.now().size() > 0) send_scene(incoming.client);
            send(incoming.client, status_event());
            break;
        case Incoming::Kind::Closed:
            pages_.erase(incoming.client);
            if (pages_.empty() && play_.is_on) pause("");
            if (owner_ != incoming.client) break;
            owner_ = pages_.empty() ? 0 : pages_.begin()->first;
            send_status();
            break;
        case Incoming::Kind::Event:
            for (const auto& [client, page] : pages_) send_(client, text_message(incoming.text));
            break;
        case Incoming::Kind::Text:
            answer(incoming.client, incoming.text);
    }
}

// Every request gets an answer; what is wrong with it is said, and nothing has changed.
void Session::answer(ClientId client, const std::string& text) {
    Json::Value reply;
    try {
        const Json::Value request = parse_json(text);
        if (!request.isObject() || !request["do"].isString())
            throw InputError("expected an object with \"do\"");
        reply["id"] = request["id"];
        const auto handler = handlers().find(request["do"].asString());
        if (handler == handlers().end()) throw InputError("there is no request " + request["do"].asString());
        if (handler->second.changes && owner_ == 0) owner_ = client;
        if (handler->second.changes && client != 0 && owner_ != client)
            throw InputError("another page has the controls; take them over first");
        reply["result"] = (this->*handler->second.answer)(client, request);
    } catch (const InputError& error) {
        reply["error"] = error.what();
        reply["issues"] = issues_json(error);
    } catch (const std::exception& error) {
        reply["error"] = error.what();
    }
    if (!reply["id"].isNull() || reply.isMember("error")) send(client, reply);
}

// As far as the clock says, but no longer than a slice; what cannot be kept up with is let go.
void Session::advance() {
    const auto began = Clock::now();
    const double elapsed = std::chrono::duration<double>(began - play_.since).count();
    const double goal = play_.from + elapsed * play_.speed;
    Timeline& timeline = branches_.now();
    while (play_.is_on) {
        const double now = timeline.time(timeline.size() - 1);
        if (play_.speed > 0 && now + timeline.dt() > goal) break;
        const StepStatus status = timeline.step();
        if (!status.ok)
            pause(status.message);
        else if (has_met_condition())
            pause("It holds that " + play_.when);
        // Steps are counted in floating point: half a step of tolerance.
        if (play_.until > 0 && timeline.time(timeline.size() - 1) > play_.until - timeline.dt() / 2)
            pause("");
        if (Clock::now() - began > kSlice) break;
    }
    const double behind = goal - timeline.time(timeline.size() - 1);
    if (play_.speed > 0 && behind > kMostBehind * play_.speed) {
        play_.since = Clock::now();
        play_.from = timeline.time(timeline.size() - 1);
    }
}

void Session::pause(const std::string& why) {
    play_.is_on = false;
    message_ = why;
    branches_.now().commit();
    keep();
    send_live_frames();
    send_status();
}

// A condition of quantities that are not there (any more) never holds.
bool Session::has_met_condition() {
    if (play_.when.empty()) return false;
    const std::shared_ptr<const Frame> frame = branches_.now().frame(branches_.now().size() - 1);
    if (frame->structure != play_.structure) {
        play_.structure = frame->structure;
        play_.condition = find_condition(play_.when, *frame->structure);
    }
    double value = 0;
    play_.condition.read(*frame, &value);
    return value != 0 && !std::isnan(value);
}

// A page that has not read its last frames gets the newest one later.
void Session::send_live_frames() {
    Timeline& timeline = branches_.now();
    if (timeline.size() == 0) return;
    const std::size_t last = timeline.size() - 1;
    const std::shared_ptr<const Frame> frame = branches_.now().frame(last);
    if (frame->structure != shown_) send_scene();
    std::map<std::pair<bool, std::vector<int>>, Message> packets;  // by what pages want
    for (auto& [client, page] : pages_) {
        if (page.frames_under_way >= kMostUnderWay || page.last_frame == last) continue;
        Message& packet = packets[{page.wants_contacts, page.columns}];
        send_structure(client, page, frame->structure);
        if (!packet.bytes)
            packet = binary_message(
                frame_packet(*frame, {structure_, last, true, page.wants_contacts, page.columns}));
        send_(client, packet);
        ++page.frames_under_way;
        page.last_frame = last;
    }
}

void Session::send(ClientId client, const Json::Value& json) {
    send_(client, text_message(to_line(json)));
}

void Session::send_status() {
    const Message message = text_message(to_line(status_event()));
    for (const auto& [client, page] : pages_) send_(client, message);
}

// The surfaces first, so that a page can draw as soon as it knows the bodies.
void Session::send_scene(std::optional<ClientId> only) {
    const std::shared_ptr<const Scene> now = branches_.now().structure();
    if (now != shown_) ++structure_;
    shown_ = now;
    Structure structure = describe_structure(*now, recording_.empty() ? &document_.scene() : nullptr);
    Json::Value event = scene_event();
    event["structure"] = std::move(structure.json);
    std::vector<Message> messages = surface_messages(structure, structure_);
    messages.push_back(text_message(to_line(event)));
    const std::size_t last = branches_.now().size() - 1;
    const std::shared_ptr<const Frame> frame = branches_.now().frame(last);
    for (auto& [client, page] : pages_) {
        if (only && *only != client) continue;
        for (const Message& message : messages) send_(client, message);
        send_(client, binary_message(frame_packet(
                          *frame, {structure_, last, false, page.wants_contacts, page.columns})));
        page.structure = now;
    }
}

// Where bodies came or went, a page must know those of a frame before it gets the frame.
void Session::send_structure(ClientId client, Page& page, const std::shared_ptr<const Scene>& scene) {
    if (scene == page.structure) return;
    const bool is_same =
        page.structure && std::equal(scene->bodies.begin(), scene->bodies.end(),
                                     page.structure->bodies.begin(), page.structure->bodies.end(),
                                     [](const auto& a, const auto& b) { return a.name == b.name; });
    page.structure = scene;
    if (is_same) return;
    Structure structure = describe_structure(*scene, recording_.empty() ? &document_.scene() : nullptr);
    for (const Message& message : surface_messages(structure, structure_)) send_(client, message);
    Json::Value event;
    event["event"] = "structure";
    event["structure"] = std::move(structure.json);
    send(client, event);
}

// Who a page is, and what this program can.
Json::Value Session::hello_event(ClientId client) const {
    Json::Value event;
    event["event"] = "hello";
    event["page"] = Json::UInt64(client);
    for (const BodyColumn& column : body_columns()) {
        Json::Value json;
        json["name"] = column.name;
        json["unit"] = column.unit;
        json["about"] = column.about;
        json["parts"] = column.parts;
        event["columns"].append(json);
    }
    event["areas"] = Json::Value(Json::objectValue);
    for (const FrameGroup& group : frame_groups()) {
        const ColumnDesc* number = number_of_triangles(group);
        if (!number) continue;
        event["areas"][group.name]["name"] = number->name;
        event["areas"][group.name]["unit"] = number->unit;
    }
    for (const char* stepper : EnumNames<IslandStepper>::names) event["steppers"].append(stepper);
    for (const Exporter& exporter : exporters()) {
        Json::Value json;
        json["name"] = exporter.name;
        json["help"] = exporter.help;
        event["exporters"].append(json);
    }
    for (const LibraryMaterial& entry : material_library()) event["materials"].append(entry.material.name);
    return event;
}

Json::Value Session::scene_event() {
    Json::Value event;
    event["event"] = "scene";
    event["number"] = structure_;
    event["recording"] = workspace_.shown(recording_);
    event["file"] = recording_.empty() ? workspace_.shown(document_.file()) : "";
    const Scene& scene = recording_.empty() ? document_.scene() : *shown_;
    event["title"] = scene.title;
    event["description"] = scene.description;
    if (!recording_.empty()) return event;
    event["document"] = parse_json(document_.text());
    event["changed"] = document_.is_changed();
    event["undo"] = document_.can_undo() ? Json::Value(document_.undo_label()) : Json::Value();
    event["redo"] = document_.can_redo() ? Json::Value(document_.redo_label()) : Json::Value();
    return event;
}

Json::Value Session::status_event() {
    Json::Value event;
    event["event"] = "status";
    Timeline& timeline = branches_.now();
    event["frames"] = Json::UInt64(timeline.size());
    event["running"] = play_.is_on;
    event["message"] = message_;
    event["owner"] = Json::UInt64(owner_);
    event["branches"] = branches_.describe();
    if (timeline.size() == 0) return event;
    event["time"] = timeline.time(timeline.size() - 1);
    event["dt"] = timeline.dt();
    if (recording_.empty()) event["duration"] = document_.scene().settings.duration;
    event["hash"] = fmt::format("{:016x}", timeline.state_hash());
    for (const Warning& warning : timeline.warnings()) {
        Json::Value json;
        json["text"] = impuls::describe(warning);
        json["subject"] = warning.subject;
        json["other"] = warning.other;
        json["time"] = warning.time;
        event["warnings"].append(json);
    }
    return event;
}

std::string Session::next_recording() {
    std::error_code error;
    std::string file;
    do file = fmt::format("{}/run-{}.impuls", keeping_.folder(), ++recordings_);
    while (std::filesystem::exists(file, error));
    return file;
}

}  // namespace impuls::studio
