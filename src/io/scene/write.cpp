// Scenes and commands as JSON text, in the order of `visit_fields`. Keys equal to their default are left out
// unless they were written before. A spelling is used again when it still gives the value.
#include <fmt/format.h>
#include <json/json.h>

#include <fstream>
#include <memory>

#include "impuls/scene_file.h"
#include "io/scene/node.h"
#include "io/scene/shorthand.h"
#include "scene/leaf.h"

namespace impuls {

namespace {

Node text_node(std::string text) {
    return {Node::Kind::Text, std::move(text), {}};
}

// A spelling (string, list of numbers, or axis and angle) as a tree.
Node spelling_node(const Json::Value& json) {
    if (json.isString()) return text_node(json_text(json.asString()));
    if (json.isNumeric()) return text_node(json_text(json.asDouble()));
    Node node{json.isObject() ? Node::Kind::Object : Node::Kind::List, {}, {}};
    if (json.isObject()) {
        for (const char* key : {"euler", "axis", "angle"})
            if (json.isMember(key)) node.parts.emplace_back(key, spelling_node(json[key]));
    } else {
        for (const Json::Value& part : json) node.parts.emplace_back("", spelling_node(part));
    }
    return node;
}

class Builder {
  public:
    // Without a scene (commands) every value is written literally, and whole.
    explicit Builder(const Scene* scene) : scene_(scene) {
        if (!scene) return;
        for (const Variable& variable : scene->variables) {
            if (bad_variable_name(variable.name).empty()) scope_.set(variable.name, variable.value);
        }
    }

    template <class T>
    Node build(const T& value, const Path& path) {
        if constexpr (CourseField<T>) {
            return course(value, path);
        } else if constexpr (Described<T>) {
            if constexpr (HasShorthand<T>) {
                if (is_short(value, path))
                    return build(value.*Shorthand<T>::member, path / Shorthand<T>::name);
            }
            Node node{Node::Kind::Object, {}, {}};
            add_fields(value, path, node);
            return node;
        } else if constexpr (FamilyField<T>) {
            Node node{Node::Kind::Object, {}, {}};
            add_member(value, path, node);
            return node;
        } else if constexpr (OptionalField<T>) {
            return build(*value, path);
        } else if constexpr (ListField<T>) {
            Node node{Node::Kind::List, {}, {}};
            node.parts.reserve(value.size());
            for (std::size_t k = 0; k < value.size(); ++k)
                node.parts.emplace_back("", build(value[k], path / k));
            return node;
        } else {
            return leaf(value, path);
        }
    }

  private:
    template <class T>
    void add_fields(const T& value, const Path& path, Node& node) {
        [[maybe_unused]] static const T defaults{};
        const bool was_indexed = scope_.indexed();
        bool repeated = false;
        if constexpr (Repeatable<T>) repeated = value.repeat.has_value();
        T::visit_fields([&](const char* name, auto member, const Field& field) {
            using Member = std::decay_t<decltype(value.*member)>;
            scope_.set_indexed(std::is_same_v<Member, std::optional<Repeat>> ? false
                                                                             : was_indexed || repeated);
            if constexpr (FamilyField<Member>) {
                if (*name == 0) return add_member(value.*member, path, node);
            }
            if constexpr (std::is_same_v<T, Mesh> || std::is_same_v<T, TablePlace> ||
                          std::is_same_v<T, TableTurn>) {
                const bool is_own = std::string_view(name) == "file" || std::string_view(name) == "between" ||
                                    std::string_view(name) == "field_cells";
                const bool loaded = scene_ && !value.file.empty() && !is_own;
                if (loaded) return;
            }
            if constexpr (OptionalField<Member>) {
                if (!(value.*member).has_value()) return;
            }
            const Path below = path / name;
            if (!field.is_required && same(value.*member, defaults.*member) && !was_written(below)) return;
            node.parts.emplace_back(name, build(value.*member, below));
        });
        scope_.set_indexed(was_indexed);
    }

    template <class F>
    void add_member(const F& value, const Path& path, Node& node) {
        std::visit(
            [&](const auto& member) {
                node.parts.emplace_back(
                    "type", text_node(json_text(std::string(std::decay_t<decltype(member)>::kType))));
                add_fields(member, path, node);
            },
            value);
    }

    bool was_written(const Path& path) const {
        if (!scene_ || (scene_->places.empty() && scene_->comments.empty())) return false;
        const std::string text = path.text();
        return scene_->places.count(text) > 0 || scene_->comments.count(text) > 0;
    }

    // Nothing but the one member to say.
    template <class T>
    bool is_short(const T& value, const Path& path) const {
        T alone{};
        alone.*Shorthand<T>::member = value.*Shorthand<T>::member;
        if (!same(alone, value)) return false;
        bool others = false;
        T::visit_fields([&](const char* name, auto, const Field&) {
            const bool is_the_one = std::string_view(name) == Shorthand<T>::name;
            const bool has_comment =
                scene_ && !scene_->comments.empty() && scene_->comments.count((path / name).text());
            others = others || (is_the_one ? has_comment : was_written(path / name));
        });
        return !others;
    }

    // ---- leaves

    Node leaf(const std::vector<Variable>& variables, const Path& path) {
        Node node{Node::Kind::Object, {}, {}};
        for (const Variable& v : variables)
            node.parts.emplace_back(v.name, leaf(v.value, path / v.name.c_str()));
        return node;
    }

    Node leaf(const Vec3& v, const Path& path) {
        Node node{Node::Kind::List, {}, {}};
        for (int k = 0; k < 3; ++k)
            node.parts.emplace_back("", leaf(v[k], path / static_cast<std::size_t>(k)));
        return node;
    }

    Node course(const Course& value, const Path& path) {
        if (!value.expression.empty()) return leaf(value.expression, path);
        if (!value.varies()) return leaf(value.value, path);
        Node node{Node::Kind::Object, {}, {}};
        add_fields(value, path, node);
        return node;
    }

    Node leaf(bool value, const Path&) { return text_node(value ? "true" : "false"); }

    template <EnumField E>
    Node leaf(E value, const Path&) {
        return text_node(json_text(std::string(EnumNames<E>::names[static_cast<std::size_t>(value)])));
    }

    Node leaf(double value, const Path& path) {
        return spelt(value, path, [&] { return text_node(json_text(value)); });
    }

    Node leaf(std::int64_t value, const Path& path) {
        return spelt(value, path, [&] { return text_node(fmt::format("{}", value)); });
    }

    Node leaf(const std::string& value, const Path& path) {
        return spelt(value, path,
                     [&] { return text_node(json_text(scene_ ? escape_braces(value) : value)); });
    }

    Node leaf(const Quat& q, const Path& path) {
        return spelt(q, path, [&] {
            Node node{Node::Kind::List, {}, {}};
            for (const double c : {q.w, q.x, q.y, q.z}) node.parts.emplace_back("", text_node(json_text(c)));
            return node;
        });
    }

    template <class T, class Plain>
    Node spelt(T value, const Path& path, Plain&& plain) {
        if (!scene_ || scene_->spellings.empty()) return plain();
        const auto found = scene_->spellings.find(path.text());
        if (found == scene_->spellings.end()) return plain();
        try {
            const LeafRef ref = &value;
            if (!holds(ref, Spelling(found->second, ref, scope_).value())) return plain();
        } catch (const ExpressionError&) {
            return plain();
        }
        Json::Value json;
        const std::unique_ptr<Json::CharReader> reader(Json::CharReaderBuilder().newCharReader());
        const char* begin = found->second.data();
        reader->parse(begin, begin + found->second.size(), &json, nullptr);
        return spelling_node(json);
    }

    const Scene* scene_;
    Scope scope_{};
};

}  // namespace

std::string to_json(const Scene& scene) {
    Builder builder(&scene);
    return print_pretty(builder.build(scene, Path{}), scene.comments);
}

std::string to_json(const Command& command) {
    Builder builder(nullptr);
    return print_line(builder.build(command, Path{}));
}

void save_scene(const Scene& scene, const std::string& file) {
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out << to_json(scene);
    out.close();
    if (!out) throw FileError(fmt::format("cannot write '{}'", file));
}

}  // namespace impuls
