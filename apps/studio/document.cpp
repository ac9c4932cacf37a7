// The scene as it is being written (document.h).
#include "studio/document.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "io/files/output.h"

namespace impuls::studio {
namespace {

// Where in the list of `/bodies/3/position` an element stands, if it is one.
std::optional<std::size_t> place_in(const std::string& path, const std::string& list) {
    if (path.compare(0, list.size() + 1, list + "/") != 0) return {};
    return static_cast<std::size_t>(std::stoul(path.substr(list.size() + 1)));
}

// How the elements of a list were written moves along when one goes.
template <class Value>
void drop_element(std::map<std::string, Value>& by_path, const std::string& list, std::size_t gone) {
    std::map<std::string, Value> kept;
    for (auto& [path, value] : by_path) {
        const std::optional<std::size_t> k = place_in(path, list);
        if (!k || *k < gone) {
            kept.emplace(path, std::move(value));
        } else if (*k > gone) {
            const std::size_t digits = std::to_string(*k).size();
            kept.emplace(fmt::format("{}/{}{}", list, *k - 1, path.substr(list.size() + 1 + digits)),
                         std::move(value));
        }
    }
    by_path = std::move(kept);
}

template <class T>
void erase_element(Scene& scene, std::vector<T> Scene::*member, const std::string& list, std::size_t gone) {
    if (gone >= (scene.*member).size()) throw InputError("there is no such " + list.substr(1));
    (scene.*member).erase((scene.*member).begin() + static_cast<std::ptrdiff_t>(gone));
    drop_element(scene.spellings, list, gone);
    drop_element(scene.comments, list, gone);
    drop_element(scene.places, list, gone);
}

void copy_spellings(Scene& scene, const std::string& from, const std::string& to) {
    std::map<std::string, std::string> added;
    for (const auto& [path, text] : scene.spellings)
        if (path.compare(0, from.size() + 1, from + "/") == 0) added[to + path.substr(from.size())] = text;
    for (auto& [path, text] : added) scene.spellings[path] = text;
    scene.spellings.erase(to + "/name");
}

bool is_written(const JointDesc& joint, const std::string& body) {
    return joint.a == body || joint.b == body || joint.frame == body;
}

}  // namespace

void Document::open(const std::string& file) {
    start(load_scene(file), file);
}

void Document::open_text(const std::string& text, const std::string& name) {
    start(parse_scene(text, name), "");
    saved_.clear();
}

void Document::make_new() {
    start(parse_scene(R"({
    "impuls": 1,
    "title": "New scene",
    "settings": {"dt": 0.01, "duration": 10},
    "materials": [
        {"name": "ground", "friction": 0.6, "color": [0.62, 0.65, 0.68]},
        {"name": "wood", "density": 700, "friction": 0.5, "restitution": 0.2, "color": [0.83, 0.62, 0.38]}
    ],
    "bodies": [{"name": "ground", "kind": "static", "shape": {"type": "plane"}, "material": "ground"}]
})",
                      "new scene"),
          "");
}

void Document::start(Scene scene, const std::string& file) {
    Version next;
    next.text = to_json(scene);
    next.scene = std::move(scene);
    now_ = std::move(next);
    undo_.clear();
    redo_.clear();
    file_ = file;
    saved_ = now_.text;
}

// What was made is written and read again: only what passes as a file counts.
void Document::take(Scene scene, const std::string& label) {
    Version next;
    next.text = to_json(scene);
    next.scene = parse_scene(next.text, now_.scene.file);
    next.label = label;
    if (next.text == now_.text) return;
    undo_.push_back(std::move(now_));
    redo_.clear();
    now_ = std::move(next);
}

void Document::edit(const Overrides& changes, const std::string& label) {
    take(parse_scene(now_.text, now_.scene.file, changes), label);
}

std::string Document::free_name(const std::string& wanted) const {
    std::set<std::string> known;
    for (const BodyDesc& body : now_.scene.bodies) known.insert(body.name);
    std::string base = wanted.empty() ? "body" : wanted;
    if (!known.count(base)) return base;
    while (!base.empty() && base.back() >= '0' && base.back() <= '9') base.pop_back();
    while (!base.empty() && base.back() == ' ') base.pop_back();
    for (int k = 2;; ++k) {
        const std::string name = fmt::format("{} {}", base, k);
        if (!known.count(name)) return name;
    }
}

std::size_t Document::add_body(const std::string& json) {
    const Command command = parse_command(R"({"type": "put", "bodies": [)" + json + "]}");
    BodyDesc body = std::get<Put>(command).bodies.at(0);
    body.name = free_name(body.name);
    Scene scene = now_.scene;
    scene.bodies.push_back(body);
    take(std::move(scene), "Add " + body.name);
    return now_.scene.bodies.size() - 1;
}

std::size_t Document::duplicate_body(std::size_t body) {
    Scene scene = now_.scene;
    if (body >= scene.bodies.size()) throw InputError("there is no such body");
    BodyDesc copy = scene.bodies[body];
    copy.name = free_name(copy.name);
    const std::string list = "/bodies/";
    copy_spellings(scene, list + std::to_string(body), list + std::to_string(scene.bodies.size()));
    scene.bodies.push_back(copy);
    take(std::move(scene), "Duplicate " + now_.scene.bodies[body].name);
    return now_.scene.bodies.size() - 1;
}

void Document::remove_body(std::size_t body) {
    Scene scene = now_.scene;
    if (body >= scene.bodies.size()) throw InputError("there is no such body");
    const std::string name = scene.bodies[body].name;
    for (std::size_t k = scene.joints.size(); k-- > 0;)
        if (!name.empty() && is_written(scene.joints[k], name))
            erase_element(scene, &Scene::joints, "/joints", k);
    erase_element(scene, &Scene::bodies, "/bodies", body);
    take(std::move(scene), "Delete " + (name.empty() ? "a body" : name));
}

void Document::remove_joint(std::size_t joint) {
    Scene scene = now_.scene;
    const std::string name = joint < scene.joints.size() ? scene.joints[joint].name : "";
    erase_element(scene, &Scene::joints, "/joints", joint);
    take(std::move(scene), "Delete " + (name.empty() ? "a joint" : name));
}

bool Document::undo() {
    if (undo_.empty()) return false;
    redo_.push_back(std::move(now_));
    now_ = std::move(undo_.back());
    undo_.pop_back();
    return true;
}

bool Document::redo() {
    if (redo_.empty()) return false;
    undo_.push_back(std::move(now_));
    now_ = std::move(redo_.back());
    redo_.pop_back();
    return true;
}

void Document::save(const std::string& file, bool overwrite) {
    const bool is_own = file == file_;
    OutputFile out(file, overwrite || is_own ? Existing::Replace : Existing::Refuse);
    // Meshes and includes are named relative to the file.
    Scene scene = now_.scene;
    const auto old_folder = std::filesystem::path(scene.file).parent_path();
    if (!file_.empty() && old_folder != std::filesystem::path(file).parent_path()) {
        bool refers = !scene.include.empty();
        for (const auto& [path, place] : scene.places) refers = refers || path.ends_with("/shape/file");
        if (refers)
            throw InputError("the scene names other files relative to its folder: save it in " +
                             old_folder.string());
    }
    out.write(now_.text);
    out.finish();
    file_ = file;
    now_.scene.file = file;
    saved_ = now_.text;
}

}  // namespace impuls::studio
