// One overload per kind of field (scene/described.h). Expressions are evaluated here; what was not a plain
// literal is kept in Scene::spellings. Inside a thing with "repeat" index names stand for the first copy.
#include "io/scene/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "io/scene/literal.h"
#include "io/scene/shorthand.h"
#include "io/scene/time_text.h"
#include "io/scene/variables.h"
#include "scene/described.h"
#include "scene/leaf.h"
#include "scene/units.h"

namespace impuls {
namespace {

constexpr const char* kMissingVersion = R"(: a scene begins with "impuls": 1, the version of its format)";
constexpr std::size_t kMostKeysTold = 20;  // of what has more the manual tells
constexpr std::size_t kShortList = 16;     // elements of longer number lists get no place of their own

// What was meant by an unknown word, or what there is.
std::string hint(const std::string& word, const std::vector<std::string>& known,
                 std::size_t most = SIZE_MAX) {
    const std::string near = did_you_mean(word, known);
    return near.empty() && known.size() <= most ? fmt::format(" (one of {})", fmt::join(known, ", ")) : near;
}

class Reader {
  public:
    // Without a scene (commands) values are literal.
    Reader(const SceneText& text, Scene* scene) : text_(text), scene_(scene) {}
    ReadProblems problems{};

    void read_root(Scene& scene) {
        const Path root;
        note_place(root, text_.root());
        if (!text_.root().isObject()) return wrong_type(root, text_.root(), "an object");
        if (text_.root().isMember("variables"))
            read_value(text_.root()["variables"], root / "variables", scene.variables);
        read_value(text_.root(), root, scene);
    }

    template <class T>
    void read_value(const Json::Value& json, const Path& path, T& value, const Field& field = Field("")) {
        if (!in_bulk_) note_place(path, json);
        unit_ = std::is_same_v<T, Quat> ? "rad" : field.unit;
        if constexpr (CourseField<T>) {
            read_course(json, path, value);
        } else if constexpr (Described<T>) {
            read_struct(json, path, value);
        } else if constexpr (FamilyField<T>) {
            read_family(json, path, value, field);
        } else if constexpr (OptionalField<T>) {
            read_value(json, path, value.emplace(), field);
        } else if constexpr (ListField<T>) {
            read_list(json, path, value, field);
        } else {
            read_leaf(json, path, value);
        }
    }

  private:
    // ---- objects

    template <class T>
    void read_struct(const Json::Value& json, const Path& path, T& value) {
        if constexpr (HasShorthand<T>) {
            if (json.isString()) return read_shorthand(json, path, value);
        }
        if (!json.isObject())
            return wrong_type(path, json, HasShorthand<T> ? "an object or a string" : "an object");
        std::vector<std::string> known;
        if (read_fields(json, path, value, known)) refuse_unknown(json, path, known);
    }

    // Returns whether all keys are known by now: not when the type of an inlined family is missing.
    template <class T>
    bool read_fields(const Json::Value& json, const Path& path, T& value, std::vector<std::string>& known) {
        bool complete = true;
        const bool was_indexed = scope_.indexed();
        const bool repeated = Repeatable<T> && scene_ && json.isMember("repeat");
        T::visit_fields([&](const char* name, auto member, const Field& field) {
            using Member = std::decay_t<decltype(value.*member)>;
            if constexpr (FamilyField<Member>) {
                if (*name == 0) {
                    scope_.set_indexed(was_indexed || repeated);
                    complete = read_inlined(json, path, value.*member, known) && complete;
                    return;
                }
            }
            known.emplace_back(name);
            scope_.set_indexed(std::is_same_v<Member, std::optional<Repeat>> ? false
                                                                             : was_indexed || repeated);
            if (json.isMember(name)) {
                if constexpr (!std::is_same_v<Member, std::vector<Variable>>) {
                    read_value(json[name], path / name, value.*member, field);
                }
            } else if (field.is_required) {
                const char* why = std::is_same_v<T, Scene> ? kMissingVersion : "";
                add(path, json, fmt::format("'{}' is missing{}", name, why), (path / name).text());
            }
        });
        scope_.set_indexed(was_indexed);
        return complete;
    }

    template <class F>
    void read_family(const Json::Value& json, const Path& path, F& value, const Field&) {
        if (!json.isObject()) return wrong_type(path, json, typed_object(json, family_names<F>()));
        std::vector<std::string> known;
        if (read_inlined(json, path, value, known)) refuse_unknown(json, path, known);
    }

    template <class F>
    bool read_inlined(const Json::Value& json, const Path& path, F& value, std::vector<std::string>& known) {
        known.emplace_back("type");
        const std::vector<std::string> types = family_names<F>();
        if (!json.isMember("type")) {
            add(path, json, fmt::format("'type' is missing (one of {})", fmt::join(types, ", ")),
                path.text());
            return false;
        }
        const Json::Value& type = json["type"];
        note_place(path / "type", type);
        if (!type.isString()) return wrong_type(path / "type", type, "a string"), false;
        bool found = false;
        visit_family<F>([&]<class A>(std::type_identity<A>) {
            if (type.asString() != A::kType) return;
            found = true;
            read_fields(json, path, value.template emplace<A>(), known);
        });
        if (found) return true;
        add(path / "type", type,
            fmt::format("unknown type '{}'{}", brief(type.asString()), hint(type.asString(), types)));
        problems.broken.insert(path.text());
        return false;
    }

    template <class T>
    void read_shorthand(const Json::Value& json, const Path& path, T& value) {
        if constexpr (std::is_same_v<T, MethodDesc>) {
            try {
                value = parse_method(json.asString());
            } catch (const InputError& error) {
                add(path, json, error.issues().front().message);
            }
        } else {
            read_value(json, path / Shorthand<T>::name, value.*Shorthand<T>::member);
        }
    }

    void refuse_unknown(const Json::Value& json, const Path& path, const std::vector<std::string>& known) {
        for (auto it = json.begin(); it != json.end(); ++it) {
            const std::string key = it.name();
            if (std::find(known.begin(), known.end(), key) != known.end()) continue;
            add(path / brief(key).c_str(), *it, "unknown key" + hint(key, known, kMostKeysTold));
        }
    }

    // ---- lists

    template <class T>
    void read_list(const Json::Value& json, const Path& path, T& list, const Field& field) {
        if (!json.isArray()) return wrong_type(path, json, "a list");
        list.clear();
        list.resize(json.size());
        const bool was_in_bulk = in_bulk_;
        in_bulk_ = in_bulk_ || (BulkField<T> && json.size() > kShortList);
        std::size_t k = 0;
        for (const Json::Value& part : json) {
            read_value(part, path / k, list[k], field);
            ++k;
        }
        in_bulk_ = was_in_bulk;
    }

    // ---- leaves

    void read_leaf(const Json::Value& json, const Path& path, bool& value) {
        if (!json.isBool()) return wrong_type(path, json, "true or false");
        value = json.asBool();
    }

    void read_leaf(const Json::Value& json, const Path& path, double& value) {
        read_number(json, path, value, true);
    }

    // An expression with t in it is one of time, unless the scene has a variable of that name. Variables in
    // it are numbers from here on: they are spelt as a template would.
    void read_course(const Json::Value& json, const Path& path, Course& value) {
        if (json.isObject()) {
            read_struct(json, path, value);
            if (json.isMember("times") && value.times.empty()) add(path / "times", json, "is empty");
            return;
        }
        const bool varies = json.isString() && is_of_time(json.asString(), scope_);
        if (!varies) return void(read_number(json, path, value.value, true));
        std::string text = json.asString();
        if (!scene_) return void(value.expression = text);
        text = with_braces(text, scope_);
        try {
            value.expression = Template(text, scope_)();
            if (text.find('{') != std::string::npos) scene_->spellings[path.text()] = json_text(text);
        } catch (const ExpressionError& error) {
            add(path, json, error.what());
        }
    }

    void read_leaf(const Json::Value& json, const Path& path, std::int64_t& value) {
        const bool literal = json.isNumeric() && !json.isBool();
        if (literal && json.isInt64() && json.type() != Json::realValue && check_literal(json, path)) {
            value = json.asInt64();
            return;
        }
        double number = 0;
        if (!read_number(json, path, number, true)) return;
        try {
            value = whole_number(number);
        } catch (const ExpressionError& error) {
            add(path, json, error.what());
        }
    }

    void read_leaf(const Json::Value& json, const Path& path, std::string& value) {
        if (!json.isString()) return wrong_type(path, json, "a string");
        value = json.asString();
        if (!scene_ || value.find_first_of("{}") == std::string::npos) return;
        try {
            value = Template(json.asString(), scope_)();
            scene_->spellings[path.text()] = json_text(json.asString());
        } catch (const ExpressionError& error) {
            add(path, json, error.what());
        }
    }

    template <EnumField E>
    void read_leaf(const Json::Value& json, const Path& path, E& value) {
        constexpr auto names = EnumNames<E>::names;
        const std::vector<std::string> known(names.begin(), names.end());
        if (!json.isString()) return wrong_type(path, json, fmt::format("one of {}", fmt::join(known, ", ")));
        const auto found = std::find(known.begin(), known.end(), json.asString());
        if (found != known.end()) {
            value = static_cast<E>(found - known.begin());
            return;
        }
        add(path, json,
            fmt::format("unknown value '{}'{}", brief(json.asString()), hint(json.asString(), known)));
    }

    void read_leaf(const Json::Value& json, const Path& path, Vec3& value) {
        if (!json.isArray() || json.size() != 3) return wrong_type(path, json, "a list of 3 numbers");
        for (int k = 0; k < 3; ++k) {
            const Json::Value& part = json[static_cast<Json::ArrayIndex>(k)];
            read_value(part, path / static_cast<std::size_t>(k), value[k], Field("", unit_));
        }
    }

    void read_leaf(const Json::Value& json, const Path& path, Quat& value) {
        const std::size_t before = problems.issues.size();
        double n[4] = {1, 0, 0, 0};
        const bool turned = json.isObject(), is_euler = turned && json.isMember("euler");
        const char* wanted =
            "[w, x, y, z], {\"axis\": [x, y, z], \"angle\": radians} or {\"euler\": [x, y, z]}";
        if (turned ? !read_turn(json, path, n) : !read_list(json, path, n, wanted)) return;
        if (problems.issues.size() != before) return;
        try {
            const Quat given{n[0], n[1], n[2], n[3]};
            if (!scene_ && !turned) {
                unit_quat(given);
                value = given;
            }
            if (!scene_ && !turned) return;
            value = is_euler ? euler_quat({n[1], n[2], n[3]})
                    : turned ? unit_quat(Vec3{n[1], n[2], n[3]}, n[0])
                             : unit_quat(given);
            if (scene_ && (turned || value != given || has_strings(json))) {
                scene_->spellings[path.text()] = compact(json);
            }
        } catch (const ExpressionError& error) {
            add(path, json, error.what());
        }
    }

    bool read_list(const Json::Value& json, const Path& path, std::span<double> n, const char* wanted) {
        if (!json.isArray() || json.size() != n.size()) return wrong_type(path, json, wanted), false;
        for (Json::ArrayIndex k = 0; k < n.size(); ++k) read_number(json[k], path / k, n[k], false);
        return true;
    }

    // n = angle, axis; or nothing, Euler's angles
    bool read_turn(const Json::Value& json, const Path& path, std::span<double> n) {
        const bool is_euler = json.isMember("euler");
        const char* key = is_euler ? "euler" : "axis";
        const std::vector<std::string> keys =
            is_euler ? std::vector<std::string>{key} : std::vector<std::string>{key, "angle"};
        refuse_unknown(json, path, keys);
        for (const std::string& wanted : keys)
            if (!json.isMember(wanted)) add(path, json, fmt::format("'{}' is missing", wanted));
        if (!json.isMember(keys.front()) || !json.isMember(keys.back())) return false;
        if (!is_euler) read_number(json["angle"], path / "angle", n[0], false);
        return read_list(json[key], path / key, n.subspan(1), "a list of 3 numbers");
    }

    static bool has_strings(const Json::Value& json) {
        return std::any_of(json.begin(), json.end(), [](const Json::Value& part) { return part.isString(); });
    }

    void read_leaf(const Json::Value& json, const Path& path, std::vector<Variable>& variables) {
        if (!json.isObject()) return wrong_type(path, json, "an object of names and numbers");
        variables = read_variables(json, scope_,
                                   [&](const std::string& name, const Json::Value& at, const std::string& m) {
                                       if (name.empty()) return add(path, at, m);
                                       add(path / brief(name).c_str(), at, m);
                                   });
        for (const Variable& variable : variables) {
            const Path below = path / variable.name.c_str();
            const Json::Value& given = json[variable.name];
            note_place(below, given);
            if (given.isNumeric()) check_literal(given, below);
            if (given.isString()) scene_->spellings[below.text()] = json_text(given.asString());
        }
    }

    bool read_number(const Json::Value& json, const Path& path, double& value, bool keep_spelling) {
        if (json.isNumeric() && !json.isBool()) {
            value = json.asDouble();
            return check_literal(json, path);
        }
        if (!json.isString() || !scene_) return wrong_type(path, json, "a number"), false;
        try {
            value = scope_.evaluate(json.asString());
            if (const std::string wrong = wrong_unit(json.asString(), unit_); !wrong.empty())
                return add(path, json, wrong), false;
            if (keep_spelling) scene_->spellings[path.text()] = json_text(json.asString());
            return true;
        } catch (const ExpressionError& error) {
            add(path, json, error.what());
            return false;
        }
    }

    bool check_literal(const Json::Value& json, const Path& path) {
        const std::string_view source = text_.source(json);
        if (source.empty() || is_json_number(source)) return true;
        add(path, json, fmt::format("{} is not written as JSON writes numbers", brief(std::string(source))));
        return false;
    }

    // ---- problems and places

    static std::string brief(const std::string& text) {
        return text.size() <= 60 ? text : text.substr(0, 57) + "...";
    }

    void note_place(const Path& path, const Json::Value& json) {
        const auto place = text_.place(json);
        if (scene_ && place.first > 0) scene_->places[path.text()] = place;
    }

    void wrong_type(const Path& path, const Json::Value& json, const std::string& wanted) {
        add(path, json, fmt::format("expected {}, not {}", wanted, shown(json)));
    }

    void add(const Path& path, const Json::Value& json, const std::string& message) {
        add(path, json, message, path.text());
    }

    void add(const Path& path, const Json::Value& json, const std::string& message,
             const std::string& broken) {
        const auto [line, column] = text_.place(json);
        problems.issues.push_back({text_.file(), line, column, path.text(), message});
        problems.broken.insert(broken);
    }

    const SceneText& text_;
    Scene* scene_;
    Scope scope_{};
    const char* unit_ = "";  // of the number that is read
    bool in_bulk_ = false;
};

}  // namespace

ReadProblems read_scene(const SceneText& text, Scene& scene) {
    Reader reader(text, &scene);
    reader.read_root(scene);
    return std::move(reader.problems);
}

ReadProblems read_command(const SceneText& text, Command& command) {
    Reader reader(text, nullptr);
    reader.read_value(text.root(), Path{}, command);
    return std::move(reader.problems);
}

}  // namespace impuls
