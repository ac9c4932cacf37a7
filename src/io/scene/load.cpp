// From text to a checked Scene: parse, override, read, load files and includes, attach comments, validate.
// Each included file is read once, however often it is included; all problems of all files are thrown at
// once.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>

#include "impuls/scene_file.h"
#include "io/files/input.h"
#include "io/scene/aero.h"
#include "io/scene/comments.h"
#include "io/scene/csv.h"
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

// visit(one, path) for everything in the value that is read from a file.
template <class T, class Visit>
void each_filed(T& value, const Path& path, Visit&& visit) {
    if constexpr (std::is_same_v<T, Mesh> || std::is_same_v<T, TablePlace> || std::is_same_v<T, TableTurn>) {
        visit(value, path);
    } else if constexpr (Described<T> && !CourseField<T>) {
        T::visit_fields([&](const char* name, auto member, const Field&) {
            each_filed(value.*member, *name ? path / name : path, visit);
        });
    } else if constexpr (OptionalField<T>) {
        if (value) each_filed(*value, path, visit);
    } else if constexpr (FamilyField<T>) {
        std::visit([&](auto& member) { each_filed(member, path, visit); }, value);
    } else if constexpr (ListField<T> && !BulkField<T>) {
        for (std::size_t k = 0; k < value.size(); ++k) each_filed(value[k], path / k, visit);
    }
}

bool has_lists(const Mesh& mesh) {
    return !mesh.vertices.empty() || !mesh.triangles.empty();
}
bool has_lists(const TablePlace& table) {
    return !table.times.empty() || !table.positions.empty();
}
bool has_lists(const TableTurn& table) {
    return !table.times.empty() || !table.orientations.empty();
}
void parse_file(const std::string& text, const std::string& file, Mesh& mesh) {
    parse_obj(text, file, mesh);
}
void parse_file(const std::string& text, const std::string& file, TablePlace& table) {
    for (const auto& row : parse_csv(text, file, 4)) {
        table.times.push_back(row[0]);
        table.positions.push_back({row[1], row[2], row[3]});
    }
}
void parse_file(const std::string& text, const std::string& file, TableTurn& table) {
    for (const auto& row : parse_csv(text, file, 5)) {
        table.times.push_back(row[0]);
        table.orientations.push_back({row[1], row[2], row[3], row[4]});
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
            issues_.push_back(
                {file,
                 0,
                 0,
                 {},
                 "this is a recording, not a scene (impuls info shows what is in it, impuls "
                 "show draws it, impuls replay simulates it again, impuls run --resume goes on)"});
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
        load_files(*scene);
        load_includes(*scene);
        return scene;
    }

    void report(const Scene& scene, const std::string& path, const std::string& message) {
        if (broken_[&scene].insert(path).second) issues_.push_back(issue_at(scene, path, message));
    }

    void load_files(Scene& scene) {
        each_filed(scene, Path{}, [&](auto& filed, const Path& path) {
            if (filed.file.empty()) return;
            const std::string at = path.text() + "/file";
            if (has_lists(filed)) {
                const bool is_mesh = std::is_same_v<std::decay_t<decltype(filed)>, Mesh>;
                return report(scene, at,
                              std::string(is_mesh ? "vertices or triangles are" : "a list is") +
                                  " given too: leave one out");
            }
            const std::string file = beside(scene.file, filed.file);
            try {
                parse_file(read_whole_file(file, kMaxFileSize), file, filed);
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
    if (!is_aero_file(file)) return Loader().load(std::move(text), file, overrides);
    text = to_json(read_aero(text, file));
    try {
        return Loader().load(std::move(text), file, overrides);
    } catch (const InputError& error) {  // lines are those of the text that was made, not of the file
        std::vector<Issue> issues = error.issues();
        for (Issue& issue : issues) issue.line = issue.column = 0;
        throw InputError(std::move(issues));
    }
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
