// The scene as it is being written (document.h).
#include "studio/document.h"

#include <algorithm>
#include <filesystem>
#include <functional>
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

// Where the list of that name begins and ends in the text of a scene: its brackets, counted but for those in
// strings and comments; {0, the scene's own last bracket} when there is none.
std::pair<std::size_t, std::size_t> find_list(const std::string& text, const std::string& list) {
    std::size_t start = 0;
    int depth = 0;
    std::string key;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"') {
            const std::size_t from = at + 1;
            for (++at; at < text.size() && text[at] != '"'; ++at)
                if (text[at] == '\\') ++at;
            if (depth == 1) key = text.substr(from, at - from);
        } else if (c == '/' && text.compare(at, 2, "//") == 0) {
            at = std::min(text.find('\n', at), text.size());
        } else if (c == '/' && text.compare(at, 2, "/*") == 0) {
            at = std::min(text.find("*/", at + 2), text.size() - 2) + 1;
        } else if (c == '[' || c == '{') {
            if (++depth == 2 && c == '[' && key == list) start = at;
        } else if (c == ']' || c == '}') {
            if (--depth == 1 && start > 0) return {start, at};
            if (depth == 0) return {0, at};
        }
    }
    throw InputError("brackets do not match");
}

// A new last element of a list of the scene, in the text, so that all else stays as it was written.
void append(std::string& text, const std::string& list, const std::string& element, bool is_first) {
    const auto [start, end] = find_list(text, list);
    if (start == 0)
        text.insert(end, fmt::format(",\n    \"{}\": [{}]\n", list, element));
    else
        text.insert(end, (is_first ? "" : ", ") + element);
}

template <class T>
bool holds(const T& thing, const std::set<std::string>& bodies) {
    if constexpr (requires { thing.frame; })
        if (bodies.count(thing.frame)) return true;
    return bodies.count(thing.a) || bodies.count(thing.b);
}

// Places of what is to go from a list, and of what goes with the bodies, the last first.
template <class T>
std::set<std::size_t, std::greater<>> places_of(const std::vector<T>& things, const std::string& list,
                                                const Document::Edit& edit,
                                                const std::set<std::string>& bodies) {
    std::set<std::size_t, std::greater<>> places;
    for (const auto& [from, place] : edit.removed) {
        if (from != list) continue;
        if (place >= things.size()) throw InputError("there is no such element of " + list);
        places.insert(place);
    }
    if constexpr (requires(T t) { t.a; })
        for (std::size_t k = 0; k < things.size(); ++k)
            if (holds(things[k], bodies)) places.insert(k);
    return places;
}

std::size_t size_of_list(const Scene& scene, const std::string& list) {
    if (list == "bodies") return scene.bodies.size();
    if (list == "joints") return scene.joints.size();
    if (list == "forces") return scene.forces.size();
    if (list == "materials") return scene.materials.size();
    throw InputError("there is no list " + list);
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

void Document::take_up(const std::string& text, const std::string& file) {
    start(parse_scene(text, file), file);
    saved_.clear();
    try {
        if (!file.empty()) saved_ = to_json(load_scene(file));
    } catch (const std::exception&) {
        // The file has gone or is wrong: all that there is, is unsaved.
    }
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

void Document::edit(const Edit& edit) {
    Scene scene = edit.values.empty() ? now_.scene : parse_scene(now_.text, now_.scene.file, edit.values);
    std::set<std::string> gone;
    for (const auto& [list, place] : edit.removed) {
        if (place >= size_of_list(scene, list)) throw InputError("there is no such element of " + list);
        if (list == "bodies" && !scene.bodies[place].name.empty()) gone.insert(scene.bodies[place].name);
    }
    const auto erase = [&](auto member, const std::string& list) {
        for (const std::size_t place : places_of(scene.*member, list, edit, gone))
            erase_element(scene, member, "/" + list, place);
    };
    erase(&Scene::joints, "joints");
    erase(&Scene::forces, "forces");
    erase(&Scene::bodies, "bodies");
    erase(&Scene::materials, "materials");
    if (!edit.added.empty()) {
        std::string text = to_json(scene);
        std::map<std::string, std::size_t> sizes;
        for (const auto& [list, element] : edit.added) {
            if (!sizes.count(list)) sizes[list] = size_of_list(scene, list);
            append(text, list, element, sizes[list]++ == 0);
        }
        scene = parse_scene(text, now_.scene.file);
    }
    take(std::move(scene), edit.label);
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
