// The files that a page may touch (workspace.h).
#include "studio/workspace.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <json/json.h>

#include "impuls/errors.h"
#include "io/files/input.h"

namespace impuls::studio {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostGalleryFile = std::size_t{4} << 20;  // bytes
constexpr std::size_t kMostFiles = 500;

std::string real_path(const fs::path& path) {
    std::error_code error;
    const fs::path real = fs::weakly_canonical(path, error);
    return error ? std::string() : real.string();
}

bool lies_in(const std::string& path, const std::string& folder) {
    return !folder.empty() && path.compare(0, folder.size() + 1, folder + "/") == 0;
}

[[noreturn]] void refuse(const std::string& path, const std::string& folder) {
    throw InputError(fmt::format("{}: is not in the studio's folder {}", path, folder));
}

GalleryScene read_entry(const fs::path& file) {
    GalleryScene entry{file.string(), file.parent_path().filename().string(), file.stem().string(), {}};
    try {
        const std::string text = read_whole_file(file.string(), kMostGalleryFile);
        Json::CharReaderBuilder builder;
        const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
        Json::Value root;
        if (!reader->parse(text.data(), text.data() + text.size(), &root, nullptr) || !root.isObject())
            return entry;
        if (root["title"].isString() && !root["title"].asString().empty())
            entry.title = root["title"].asString();
        if (root["description"].isString()) entry.description = root["description"].asString();
    } catch (const std::exception&) {
        return entry;  // shown by its name; opening it says what is wrong
    }
    return entry;
}

}  // namespace

Workspace::Workspace(const std::string& folder, std::string gallery)
    : folder_(real_path(folder)), gallery_(real_path(gallery)) {
    std::error_code error;
    if (!fs::is_directory(folder_, error)) throw InputError(folder + ": is no folder");
}

void Workspace::allow(const std::string& file) {
    allowed_.push_back(real_path(file));
}

std::string Workspace::to_read(const std::string& path) const {
    const std::string real = real_path(fs::path(folder_) / path);
    const bool is_allowed = std::find(allowed_.begin(), allowed_.end(), real) != allowed_.end();
    if (!is_allowed && !lies_in(real, folder_) && !lies_in(real, gallery_)) refuse(path, folder_);
    return real;
}

std::string Workspace::to_write(const std::string& path) const {
    const fs::path full = fs::path(folder_) / path;
    const std::string real = real_path(full);
    if (path.empty() || !lies_in(real, folder_)) refuse(path, folder_);
    std::error_code error;
    if (!fs::is_directory(fs::path(real).parent_path(), error))
        throw InputError(fmt::format("{}: there is no such folder", fs::path(path).parent_path().string()));
    return real;
}

std::string Workspace::shown(const std::string& path) const {
    if (lies_in(path, folder_)) return path.substr(folder_.size() + 1);
    return lies_in(path, gallery_) ? "shipped: " + path.substr(gallery_.size() + 1) : path;
}

std::vector<GalleryScene> Workspace::gallery() const {
    std::vector<GalleryScene> scenes;
    for (const char* group : {"examples", "seeds", "bench", "faults"}) {
        std::vector<fs::path> found;
        std::error_code error;
        for (fs::directory_iterator it(fs::path(gallery_) / group, error), end; !error && it != end;
             it.increment(error))
            if (it->path().extension() == ".json") found.push_back(it->path());
        std::sort(found.begin(), found.end());
        for (const fs::path& file : found) scenes.push_back(read_entry(file));
    }
    return scenes;
}

std::vector<std::string> Workspace::files() const {
    std::vector<std::string> found;
    std::error_code error;
    using Walk = fs::recursive_directory_iterator;
    for (Walk it(folder_, fs::directory_options::skip_permission_denied, error), end;
         !error && it != end && found.size() < kMostFiles; it.increment(error)) {
        const std::string name = it->path().filename().string();
        if (it->is_directory(error) && (it.depth() >= 1 || name[0] == '.' || name == "build"))
            it.disable_recursion_pending();
        const std::string extension = it->path().extension().string();
        if (name[0] != '.' && (extension == ".json" || extension == ".impuls"))
            found.push_back(shown(it->path().string()));
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace impuls::studio
