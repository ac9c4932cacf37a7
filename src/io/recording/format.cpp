// Recognising recordings, and scenes that need no other file. A recording may come from a stranger: opening
// it must never make the program read files that the recording names.
#include "io/recording/format.h"

#include <json/json.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <variant>

#include "impuls/scene_file.h"
#include "io/files/input.h"

namespace impuls {

namespace {

constexpr std::size_t kApplicationIdAt = 68;  // in the SQLite header, big-endian

void inline_mesh(Mesh& mesh) {
    if (!mesh.vertices.empty()) mesh.file.clear();
}

void inline_meshes(Shape& shape) {
    if (auto* mesh = std::get_if<Mesh>(&shape)) inline_mesh(*mesh);
    if (auto* compound = std::get_if<Compound>(&shape)) {
        for (CompoundPart& part : compound->parts) {
            if (auto* mesh = std::get_if<Mesh>(&part.shape)) inline_mesh(*mesh);
        }
    }
}

void inline_meshes(BodyDesc& body) {
    inline_meshes(body.shape);
    for (CompoundPart& part : body.visual)
        if (auto* mesh = std::get_if<Mesh>(&part.shape)) inline_mesh(*mesh);
}

bool is_mesh_from_file(const Json::Value& value) {
    return value.isObject() && value.get("type", "").isString() &&
           value.get("type", "").asString() == "mesh" && value.isMember("file") && value["file"] != "";
}

void inline_meshes(Command& command) {
    visit_changes(command, [](auto& change) {
        if constexpr (std::is_same_v<std::decay_t<decltype(change)>, Put>)
            for (BodyDesc& body : change.bodies) inline_meshes(body);
    });
}

// True when the scene or anything in it refers to another file.
bool names_files(const Json::Value& value, bool is_root) {
    if (is_root && value.isObject() && value.isMember("include") && !value["include"].empty()) return true;
    if (is_mesh_from_file(value)) return true;
    if (!value.isArray() && !value.isObject()) return false;
    for (const Json::Value& child : value) {
        if (names_files(child, false)) return true;
    }
    return false;
}

// No text of ours is so dense; a list of nothings would become a thousand times its size in memory.
void refuse_dense_lists(const Json::Value& root, const std::string& text) {
    constexpr std::size_t kLeastBytes = 16;  // of an entry
    if (!root.isObject()) return;
    for (const Json::Value& list : root)
        if (list.isArray() && list.size() > 0 && list[0].isObject() &&
            list.size() * kLeastBytes > text.size())
            throw FileError("a scene or command is damaged: lists without content");
}

void refuse_file_names(const std::string& text) {
    Json::CharReaderBuilder builder;
    builder["collectComments"] = false;
    Json::Value root;
    std::string errors;
    bool ok = false;
    try {
        const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
        ok = reader->parse(text.data(), text.data() + text.size(), &root, &errors);
    } catch (const Json::Exception& e) {
        errors = e.what();
    }
    if (!ok) throw FileError("a scene or command is damaged: " + errors);
    refuse_dense_lists(root, text);
    if (names_files(root, true)) throw FileError("a scene or command refers to other files");
}

}  // namespace

FileKind file_kind(const std::string& file) {
    struct stat info {};
    if (stat(file.c_str(), &info) != 0) return errno == ENOENT ? FileKind::Missing : FileKind::Unreadable;
    if (S_ISDIR(info.st_mode)) return FileKind::Directory;
    if (!S_ISREG(info.st_mode)) return FileKind::OtherFile;
    if (access(file.c_str(), R_OK) != 0) return FileKind::Unreadable;
    const std::string head = read_file_head(file, kApplicationIdAt + 4);
    if (head.empty()) return info.st_size > 0 ? FileKind::Unreadable : FileKind::Empty;
    if (head.size() < kApplicationIdAt + 4 || std::memcmp(head.data(), "SQLite format 3", 16)) {
        return FileKind::OtherFile;
    }
    std::uint32_t id = 0;
    for (std::size_t k = 0; k < 4; ++k) id = id << 8 | static_cast<unsigned char>(head[kApplicationIdAt + k]);
    return id == static_cast<std::uint32_t>(kApplicationId) ? FileKind::Recording : FileKind::OtherDatabase;
}

std::string self_contained_text(const Scene& scene) {
    Scene own = scene.include.empty() ? scene : expand(scene);
    for (BodyDesc& body : own.bodies) inline_meshes(body);
    for (TimedCommand& timed : own.timeline) inline_meshes(timed.command);
    return to_json(own);
}

std::string self_contained_text(const Command& command) {
    Command own = command;
    inline_meshes(own);
    return to_json(own);
}

Scene parse_self_contained_scene(const std::string& text, const std::string& file) {
    refuse_file_names(text);
    return parse_scene(text, file);
}

Command parse_self_contained_command(const std::string& text) {
    refuse_file_names(text);
    return parse_command(text);
}

}  // namespace impuls
