// From text to a checked Scene: parse, override, read, load meshes and includes, attach comments, validate.
// Each included file is read once, however often it is included; all problems of all files are thrown at
// once.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>

#include "impuls/scene_file.h"
#include "io/files/input.h"
#include "io/scene/comments.h"
#include "io/scene/migrate.h"
#include "io/scene/obj.h"
#include "io/scene/overrides.h"
#include "io/scene/read.h"
#include "scene/described.h"
#include "scene/validator.h"

namespace impuls {

namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMaxIncludeDepth = 64;
constexpr std::string_view kSqlite = "SQLite format 3";  // how a recording begins

std::string beside(const std::string& file, const std::string& other) {
    return (fs::path(file).parent_path() / other).lexically_normal().string();
}

// Two spellings of one file have one key.
std::string file_key(const std::string& file) {
    std::error_code error;
    const fs::path key = fs::weakly_canonical(file, error);
    return error ? file : key.string();
}

// visit(mesh, path) for every mesh in the value.
template <class T, class Visit>
void each_mesh(T& value, const Path& path, Visit&& visit) {
    if constexpr (std::is_same_v<T, Mesh>) {
        visit(value, path);
    } else if constexpr (Described<T>) {
        T::visit_fields([&](const char* name, auto member, const Field&) {
            each_mesh(value.*member, *name ? path / name : path, visit);
        });
    } else if constexpr (FamilyField<T>) {
        std::visit([&](auto& member) { each_mesh(member, path, visit); }, value);
    } else if constexpr (ListField<T> && !BulkField<T>) {
        for (std::size_t k = 0; k < value.size(); ++k) each_mesh(value[k], path / k, visit);
    }
}

class Loader {
  public:
    Scene load(std::string text, const std::string& file, const Overrides& overrides) {
        stack_.push_back(file_key(file));
        const std::shared_ptr<Scene> scene = read(std::move(text), file, overrides);
        if (!scene) throw InputError(in_file_order(std::move(issues_), file));
        for (Issue& issue : Validator(*scene, broken_).run()) issues_.push_back(std::move(issue));
        for (Issue& issue : issues_) name_option(issue, file);
        if (!issues_.empty()) throw InputError(in_file_order(std::move(issues_), file));
        return std::move(*scene);
    }

  private:
    // Null when the text is not JSON.
    std::shared_ptr<Scene> read(std::string source, const std::string& file, const Overrides& overrides) {
        if (source.starts_with(kSqlite)) {
            issues_.push_back({file,
                               0,
                               0,
                               {},
                               "this is a recording, not a scene (impuls info shows what is in it, "
                               "impuls replay simulates it again)"});
            return nullptr;
        }
        SceneText text(std::move(source), file);
        if (!text.issues().empty()) {
            issues_.insert(issues_.end(), text.issues().begin(), text.issues().end());
            return nullptr;
        }
        if (!overrides.empty()) overridden_ = apply_overrides(text.root(), overrides, issues_);
        migrate_scene(text.root());
        auto scene = std::make_shared<Scene>();
        scene->file = file;
        ReadProblems problems = read_scene(text, *scene);
        if (problems.issues.empty()) scene->comments = attach_comments(text);
        issues_.insert(issues_.end(), problems.issues.begin(), problems.issues.end());
        broken_[scene.get()] = std::move(problems.broken);
        load_meshes(*scene);
        load_includes(*scene);
        return scene;
    }

    void report(const Scene& scene, const std::string& path, const std::string& message) {
        if (broken_[&scene].insert(path).second) issues_.push_back(issue_at(scene, path, message));
    }

    void load_meshes(Scene& scene) {
        each_mesh(scene, Path{}, [&](Mesh& mesh, const Path& path) {
            if (mesh.file.empty()) return;
            const std::string at = path.text() + "/file";
            if (!mesh.vertices.empty() || !mesh.triangles.empty()) {
                return report(scene, at, "vertices or triangles are given too: leave one out");
            }
            const std::string file = beside(scene.file, mesh.file);
            try {
                parse_obj(read_whole_file(file, kMaxFileSize), file, mesh);
            } catch (const InputError& error) {
                broken_[&scene].insert(path.text());
                issues_.insert(issues_.end(), error.issues().begin(), error.issues().end());
            } catch (const std::runtime_error& error) {
                report(scene, at, fmt::format("'{}': {}", file, error.what()));
                broken_[&scene].insert(path.text());
            }
        });
    }

    void load_includes(Scene& scene) {
        for (std::size_t k = 0; k < scene.include.size(); ++k) {
            const std::string path = element_path("include", k);
            IncludeDesc& include = scene.include[k];
            if (broken_[&scene].count(path) || include.file.empty()) continue;
            const std::string file = beside(scene.file, include.file);
            try {
                include.scene = included(file);
                if (!include.scene) broken_[&scene].insert(path);
            } catch (const std::runtime_error& error) {
                report(scene, path + "/file", fmt::format("'{}': {}", file, error.what()));
            }
        }
    }

    std::shared_ptr<const Scene> included(const std::string& file) {
        const std::string key = file_key(file);
        if (const auto known = files_.find(key); known != files_.end()) return known->second;
        if (const auto open = std::find(stack_.begin(), stack_.end(), key); open != stack_.end()) {
            throw std::runtime_error("the file includes itself" + through(open));
        }
        if (stack_.size() > kMaxIncludeDepth) throw std::runtime_error("files are included too deep");
        std::string text = read_whole_file(file, kMaxFileSize);
        stack_.push_back(key);
        std::shared_ptr<const Scene> scene = read(std::move(text), file, {});
        stack_.pop_back();
        return files_[key] = scene;
    }

    std::string through(std::vector<std::string>::const_iterator first) const {
        std::string names;
        for (auto it = std::next(first); it != stack_.end(); ++it) {
            names += (names.empty() ? " through " : ", ") + fs::path(*it).filename().string();
        }
        return names;
    }

    void name_option(Issue& issue, const std::string& file) const {
        if (issue.file != file) return;
        for (const Overridden& change : overridden_) {
            const bool inside = issue.path == change.path ||
                                issue.path.compare(0, change.path.size() + 1, change.path + "/") == 0;
            if (!inside) continue;
            issue.file = change.label;
            issue.line = issue.column = 0;
        }
    }

    std::vector<Issue> issues_{};
    BrokenPaths broken_{};
    std::vector<Overridden> overridden_{};
    std::vector<std::string> stack_{};  // files being read, by key
    std::map<std::string, std::shared_ptr<const Scene>> files_{};
};

}  // namespace

Scene parse_scene(const std::string& text, const std::string& file, const Overrides& overrides) {
    return Loader().load(text, file, overrides);
}

Scene load_scene(const std::string& file, const Overrides& overrides) {
    std::string text;
    try {
        text = read_whole_file(file, kMaxFileSize);
    } catch (const std::runtime_error& error) {
        throw InputError(std::vector<Issue>{{file, 0, 0, {}, error.what()}});
    }
    return Loader().load(std::move(text), file, overrides);
}

Command parse_command(const std::string& text) {
    SceneText json(text, "command");
    if (!json.issues().empty()) throw InputError(json.issues());
    migrate_command(json.root());
    Command command;
    ReadProblems problems = read_command(json, command);
    if (!problems.issues.empty()) throw InputError(std::move(problems.issues));
    return command;
}

}  // namespace impuls
