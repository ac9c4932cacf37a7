// What pages ask the session for beside playing and editing (session.h): branches, marks, descriptions,
// events, profiles, thumbnails, films; and what is kept for the next session.
#include <filesystem>

#include <fmt/format.h>

#include "geometry/mass_properties.h"
#include "impuls/scene_file.h"
#include "render/picture.h"
#include "render/png.h"
#include "studio/session.h"
#include "studio/structure.h"

namespace impuls::studio {
namespace {

constexpr std::size_t kMostName = 200;
constexpr std::size_t kMostDrawn = 3000;                      // bodies of a thumbnail
constexpr int kThumbnailWidth = 256, kThumbnailHeight = 192;  // px

std::string base64(const std::string& bytes) {
    constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t k = 0; k < bytes.size(); k += 3) {
        std::uint32_t three = 0;
        for (std::size_t j = 0; j < 3; ++j)
            three = three << 8 | (k + j < bytes.size() ? static_cast<unsigned char>(bytes[k + j]) : 0u);
        for (std::size_t j = 0; j < 4; ++j)
            text += k + j > bytes.size() ? '=' : digits[three >> (18 - 6 * j) & 63];
    }
    return text;
}

Json::Value vector_json(const Vec3& v) {
    Json::Value json(Json::arrayValue);
    for (const double part : {v.x, v.y, v.z}) json.append(part);
    return json;
}

// The body's mass, moments and centre of mass in its frame, as a world takes them from its description.
Json::Value mass_json(const BodyDesc& body, const Scene& scene) {
    double density = 1000;
    for (const MaterialDesc& material : scene.materials)
        if (material.name == body.material) density = material.density;
    MassProperties mass = mass_properties(body.shape, body.density.value_or(density));
    const double factor = body.mass && mass.mass > 0 ? *body.mass / mass.mass : 1;
    Json::Value json;
    json["mass"] = body.mass.value_or(mass.mass);
    const Vec3 moments = principal_axes(mass.inertia).moments;
    json["inertia"] =
        vector_json(body.inertia.value_or(Vec3{moments.x * factor, moments.y * factor, moments.z * factor}));
    json["center"] = vector_json(body.center_of_mass.value_or(mass.center));
    return json;
}

// Those of a list that are named.
template <class T>
std::vector<T> chosen(const std::vector<T>& things, const Json::Value& names) {
    std::vector<T> found;
    for (const Json::Value& name : names)
        for (const T& thing : things)
            if (name.isString() && thing.name == name.asString()) found.push_back(thing);
    return found;
}

}  // namespace

// To another branch, or one less.
Json::Value Session::branch(ClientId, const Json::Value& request) {
    const auto place = [&](const char* key) { return static_cast<std::size_t>(request[key].asUInt64()); };
    if (request["drop"].isUInt64())
        branches_.drop(place("drop"));
    else if (request["to"].isUInt64())
        branches_.go_to(place("to"));
    else
        throw InputError("expected \"to\" or \"drop\"");
    show_anew();
    return {};
}

Json::Value Session::mark(ClientId, const Json::Value& request) {
    if (request["remove"].isUInt64()) {
        branches_.remove_mark(static_cast<std::size_t>(request["remove"].asUInt64()));
    } else {
        if (!request["frame"].isUInt64() || !request["name"].isString() ||
            request["name"].asString().size() > kMostName)
            throw InputError("expected a \"frame\" and a short \"name\"");
        branches_.mark(request["name"].asString(), static_cast<std::size_t>(request["frame"].asUInt64()));
    }
    keep();
    send_status();
    return {};
}

Json::Value Session::control(ClientId client, const Json::Value&) {
    owner_ = client;
    send_status();
    return {};
}

// Things by name as they are at a frame, in the words of a scene; of bodies their masses too.
Json::Value Session::describe(ClientId, const Json::Value& request) {
    Timeline& timeline = branches_.now();
    if (!request["frame"].isUInt64() || request["frame"].asUInt64() >= timeline.size())
        throw InputError("there is no such frame");
    const std::shared_ptr<const Scene> scene =
        timeline.frame(static_cast<std::size_t>(request["frame"].asUInt64()))->structure;
    Put put;
    put.bodies = chosen(scene->bodies, request["bodies"]);
    put.joints = chosen(scene->joints, request["joints"]);
    put.forces = chosen(scene->forces, request["forces"]);
    Json::Value result = parse_json(to_json(Command(put)));
    result["masses"] = Json::Value(Json::arrayValue);
    for (const BodyDesc& body : put.bodies) result["masses"].append(mass_json(body, *scene));
    return result;
}

Json::Value Session::happened(ClientId, const Json::Value& request) {
    Branch& branch = branches_.at(branches_.current());
    const std::vector<Happening>& all = branch.happenings.look(branch.timeline);
    const std::size_t from =
        request["from"].isUInt64() ? static_cast<std::size_t>(request["from"].asUInt64()) : 0;
    Json::Value result;
    result["list"] = Json::Value(Json::arrayValue);
    for (std::size_t k = from; k < all.size(); ++k) {
        Json::Value json;
        json["frame"] = Json::UInt64(all[k].frame);
        json["time"] = all[k].time;
        json["kind"] = all[k].kind;
        json["a"] = all[k].a;
        json["b"] = all[k].b;
        json["force"] = all[k].force;
        result["list"].append(json);
    }
    result["next"] = Json::UInt64(all.size());
    return result;
}

// Where the time of a step went, and who advanced its islands.
Json::Value Session::profile(ClientId, const Json::Value& request) {
    Timeline& timeline = branches_.now();
    if (!request["frame"].isUInt64() || request["frame"].asUInt64() >= timeline.size())
        throw InputError("there is no such frame");
    const std::shared_ptr<const Frame> frame =
        timeline.frame(static_cast<std::size_t>(request["frame"].asUInt64()));
    Json::Value result;
    result["stages"] = result["steppers"] = Json::Value(Json::arrayValue);
    for (std::size_t k = 0; k < kStages; ++k) {
        Json::Value json;
        json["name"] = kStageNames[k];
        json["seconds"] = frame->stage_seconds[k];
        result["stages"].append(json);
    }
    for (std::size_t k = 0; k < kIslandSteppers; ++k) {
        Json::Value json;
        Json::UInt64 islands = 0, bodies = 0, substeps = 0, iterations = 0, retries = 0;
        for (const Outcome& outcome : frame->outcomes) {
            if (static_cast<std::size_t>(outcome.stepper) != k) continue;
            ++islands, bodies += outcome.bodies, substeps += outcome.substeps,
                iterations += outcome.iterations, retries += outcome.retries;
        }
        json["name"] = EnumNames<IslandStepper>::names[k];
        json["islands"] = islands;
        json["bodies"] = bodies;
        json["substeps"] = substeps;
        json["iterations"] = iterations;
        json["retries"] = retries;
        if (islands > 0) result["steppers"].append(json);
    }
    result["contacts"] = Json::UInt64(frame->contacts.size());
    return result;
}

// A scene at its start, as the software renderer draws it.
Json::Value Session::thumbnail(ClientId, const Json::Value& request) {
    if (!request["path"].isString()) throw InputError("expected a \"path\"");
    const std::string file = workspace_.to_read(request["path"].asString());
    std::string& png = thumbnails_[file];
    if (png.empty()) {
        const Scene scene = load_scene(file);
        if (expand(scene).bodies.size() > kMostDrawn) throw InputError("too many bodies for a small picture");
        World world(scene, std::make_shared<Executor>(1));
        const Frame& frame = world.frame();
        Aabb extent;
        grow_extent(extent, frame);
        const double aspect = static_cast<double>(kThumbnailWidth) / kThumbnailHeight;
        const Look look = choose_look(scene, finished_extent(extent), aspect);
        png = base64(
            encode_png(draw_picture(frame, look, {.width = kThumbnailWidth, .height = kThumbnailHeight})));
    }
    Json::Value result;
    result["png"] = png;
    return result;
}

// What is recorded so far, in another format, beside all else.
Json::Value Session::film(ClientId, const Json::Value& request) {
    if (request["cancel"].asBool()) {
        film_.cancel();
        return {};
    }
    Timeline& timeline = branches_.now();
    if (timeline.size() == 0) throw InputError("nothing is open");
    if (!request["format"].isString() || !request["path"].isString())
        throw InputError("expected a \"format\" and a \"path\"");
    ExportSettings settings;
    const auto number = [&](const char* key, double least, double most, double otherwise) {
        const double value = request[key].isNumeric() ? request[key].asDouble() : otherwise;
        if (!(value >= least && value <= most))
            throw InputError(fmt::format("\"{}\" must be between {} and {}", key, least, most));
        return value;
    };
    settings.width = static_cast<int>(number("width", kSmallestPicture, kLargestPicture, 1280));
    settings.height = static_cast<int>(number("height", kSmallestPicture, kLargestPicture, 720));
    settings.every = static_cast<std::int64_t>(number("every", 1, 1e9, 1));
    settings.speed = number("speed", 1e-6, 1e6, 1);
    if (request["from"].isNumeric()) settings.from = request["from"].asDouble();
    if (request["to"].isNumeric()) settings.to = request["to"].asDouble();
    settings.overwrite = request["overwrite"].asBool();
    const std::string out = workspace_.to_write(request["path"].asString());
    Json::Value result;
    result["file"] = workspace_.shown(out);
    std::error_code error;
    if (!settings.overwrite && std::filesystem::exists(out, error)) {
        result["exists"] = true;
        return result;
    }
    timeline.commit();
    film_.start(timeline.file(), request["format"].asString(), out, settings,
                [this, shown = workspace_.shown(out)](const FilmState& state) {
                    Json::Value event;
                    event["event"] = "film";
                    event["progress"] = state.progress;
                    event["done"] = state.is_done;
                    event["error"] = state.error;
                    event["file"] = shown;
                    add({0, Incoming::Kind::Event, to_line(event)});
                });
    return result;
}

// Everything that the next session needs to go on as this one.
void Session::keep() {
    if (branches_.now().size() == 0) return;
    Json::Value session;
    session["recording"] = recording_;
    if (recording_.empty()) {
        session["text"] = document_.text();
        session["file"] = document_.file();
        session["changed"] = document_.is_changed();
        session["branches"] = branches_.describe();
    }
    keeping_.save(session);
}

bool Session::take_up() {
    const Json::Value session = keeping_.load();
    if (!session.isObject()) return false;
    try {
        if (const std::string file = session["recording"].asString(); !file.empty()) {
            workspace_.allow(file);
            branches_.show(file);
            recording_ = file;
            return true;
        }
        if (const std::string file = session["file"].asString(); !file.empty()) workspace_.allow(file);
        document_.take_up(session["text"].asString(), session["file"].asString());
        try {
            branches_.take_up(session["branches"], keeping_.folder());
        } catch (const std::exception& error) {
            message_ = fmt::format("The scene is as it was left, but its run could not be taken up: {}",
                                   error.what());
            branches_.start(document_.scene(), next_recording());
        }
        return true;
    } catch (const std::exception& error) {
        document_ = {};
        return false;
    }
}

}  // namespace impuls::studio
