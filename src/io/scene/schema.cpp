// The JSON Schema (draft 7) of scene files, from the same `visit_fields` as reading and writing. Numbers may
// also be strings (expressions). An inlined family makes its owner one object per member of the family.
#include <fmt/format.h>
#include <json/json.h>

#include <cmath>
#include <memory>
#include <sstream>

#include "impuls/scene_file.h"
#include "io/scene/shorthand.h"
#include "scene/described.h"

namespace impuls {

namespace {

std::string with_unit(const Field& field) {
    return *field.unit ? fmt::format("{} [{}]", field.doc, field.unit) : field.doc;
}

// Structs used in several places are defined once.
template <class T>
constexpr const char* definition_name() {
    if constexpr (std::is_same_v<T, BodyDesc>) return "body";
    if constexpr (std::is_same_v<T, JointDesc>) return "joint";
    if constexpr (std::is_same_v<T, ForceDesc>) return "force";
    if constexpr (std::is_same_v<T, MaterialDesc>) return "material";
    if constexpr (std::is_same_v<T, Shape>) return "shape";
    return "";
}

// ---- defaults as JSON

Json::Value default_of(bool v) {
    return v;
}
Json::Value default_of(double v) {
    return v;
}
Json::Value default_of(std::int64_t v) {
    return Json::Int64(v);
}
Json::Value default_of(const std::string& v) {
    return v;
}
Json::Value list_of(std::initializer_list<double> numbers) {
    Json::Value list(Json::arrayValue);
    for (const double n : numbers) list.append(n);
    return list;
}
Json::Value default_of(const Vec3& v) {
    return list_of({v.x, v.y, v.z});
}
Json::Value default_of(const Quat& q) {
    return list_of({q.w, q.x, q.y, q.z});
}
template <EnumField E>
Json::Value default_of(E v) {
    return EnumNames<E>::names[static_cast<std::size_t>(v)];
}
Json::Value default_of(const Course& v) {
    return v.value;
}
template <class T>
requires(!EnumField<T>) Json::Value default_of(const T&) {
    return {};
}

// ---- types

class SchemaBuilder {
  public:
    template <class T>
    Json::Value type_of(const Field& field) {
        const std::string name = definition_name<T>();
        if (name.empty()) return plain_type_of<T>(field);
        if (!definitions.isMember(name)) {
            definitions[name] = Json::Value(Json::objectValue);
            definitions[name] = plain_type_of<T>(field);
        }
        Json::Value reference;
        reference["$ref"] = "#/definitions/" + name;
        return reference;
    }

    Json::Value definitions{Json::objectValue};

  private:
    template <class T>
    Json::Value plain_type_of(const Field& field) {
        if constexpr (OptionalField<T>) {
            return type_of<typename T::value_type>(field);
        } else if constexpr (ListField<T>) {
            return list(type_of<typename T::value_type>(field));
        } else if constexpr (FamilyField<T>) {
            Json::Value schema;
            visit_family<T>(
                [&]<class A>(std::type_identity<A>) { schema["oneOf"].append(member_object<A>()); });
            return schema;
        } else if constexpr (CourseField<T>) {
            Json::Value schema;
            schema["anyOf"].append(leaf(std::type_identity<double>{}, field));
            schema["anyOf"].append(struct_type<T>());
            return schema;
        } else if constexpr (Described<T>) {
            return struct_type<T>();
        } else {
            return leaf(std::type_identity<T>{}, field);
        }
    }

    // ---- objects

    static Json::Value empty_object() {
        Json::Value object;
        object["type"] = "object";
        object["properties"] = Json::Value(Json::objectValue);
        object["additionalProperties"] = false;
        return object;
    }

    template <class T>
    Json::Value struct_type() {
        std::vector<Json::Value> objects{empty_object()};
        add_fields<T>(objects);
        Json::Value schema = objects.front();
        if (objects.size() > 1) {
            schema = Json::Value();
            for (const Json::Value& object : objects) schema["oneOf"].append(object);
        }
        if constexpr (HasShorthand<T>) {
            Json::Value both, string;
            string["type"] = "string";
            string["description"] = fmt::format("short for {{\"{}\": ...}}", Shorthand<T>::name);
            both["oneOf"].append(string);
            both["oneOf"].append(schema);
            return both;
        }
        return schema;
    }

    template <class A>
    Json::Value member_object() {
        std::vector<Json::Value> objects{empty_object()};
        add_type<A>(objects.front());
        add_fields<A>(objects);
        return objects.front();
    }

    template <class A>
    static void add_type(Json::Value& object) {
        object["properties"]["type"]["const"] = A::kType;
        object["required"].append("type");
    }

    // Adds the fields to every object; an inlined family multiplies the objects.
    template <class T>
    void add_fields(std::vector<Json::Value>& objects) {
        [[maybe_unused]] static const T defaults{};
        T::visit_fields([&](const char* name, auto member, const Field& field) {
            using Member = std::decay_t<decltype(defaults.*member)>;
            if constexpr (FamilyField<Member>) {
                if (*name == 0) return add_inlined<Member>(objects);
            }
            const Json::Value property = property_of<Member>(defaults.*member, field);
            for (Json::Value& object : objects) {
                object["properties"][name] = property;
                if (field.is_required) object["required"].append(name);
            }
        });
    }

    template <class F>
    void add_inlined(std::vector<Json::Value>& objects) {
        std::vector<Json::Value> all;
        visit_family<F>([&]<class A>(std::type_identity<A>) {
            std::vector<Json::Value> members = objects;
            for (Json::Value& member : members) add_type<A>(member);
            add_fields<A>(members);
            all.insert(all.end(), members.begin(), members.end());
        });
        objects = std::move(all);
    }

    // Beside "$ref" draft 7 ignores everything, so a reference is wrapped to carry its description.
    template <class T>
    Json::Value property_of(const T& default_value, const Field& field) {
        Json::Value schema = type_of<T>(field);
        if (schema.isMember("$ref")) {
            Json::Value wrapped;
            wrapped["allOf"].append(schema);
            schema = wrapped;
        }
        schema["description"] = with_unit(field);
        const Json::Value fallback = default_of(default_value);
        if (!field.is_required && !fallback.isNull()) schema["default"] = fallback;
        return schema;
    }

    // ---- lists and leaves

    static Json::Value list(const Json::Value& items) {
        Json::Value schema;
        schema["type"] = "array";
        schema["items"] = items;
        return schema;
    }

    static Json::Value list(const Json::Value& items, int count) {
        Json::Value schema = list(items);
        schema["minItems"] = count;
        schema["maxItems"] = count;
        return schema;
    }

    static Json::Value number(const Field& field, const char* type) {
        Json::Value schema;
        schema["type"].append(type);
        schema["type"].append("string");
        if (std::isfinite(field.min))
            schema[field.exclusive_min ? "exclusiveMinimum" : "minimum"] = field.min;
        if (std::isfinite(field.max)) schema["maximum"] = field.max;
        return schema;
    }

    static Json::Value simple(const char* type) {
        Json::Value schema;
        schema["type"] = type;
        return schema;
    }

    Json::Value leaf(std::type_identity<bool>, const Field&) { return simple("boolean"); }
    Json::Value leaf(std::type_identity<std::string>, const Field&) { return simple("string"); }
    Json::Value leaf(std::type_identity<double>, const Field& field) { return number(field, "number"); }
    Json::Value leaf(std::type_identity<std::int64_t>, const Field& field) {
        return number(field, "integer");
    }
    Json::Value leaf(std::type_identity<Vec3>, const Field& field) {
        return list(number(field, "number"), 3);
    }

    Json::Value leaf(std::type_identity<Quat>, const Field&) {
        const Json::Value plain = number(Field(""), "number");
        Json::Value turn = empty_object();
        turn["properties"]["axis"] = list(plain, 3);
        turn["properties"]["axis"]["description"] = "axis of any length but zero";
        turn["properties"]["angle"] = plain;
        turn["properties"]["angle"]["description"] = "angle [rad]";
        for (const char* key : {"axis", "angle"}) turn["required"].append(key);
        Json::Value euler = empty_object();
        euler["properties"]["euler"] = list(plain, 3);
        euler["properties"]["euler"]["description"] =
            "angles about the fixed axes x, y and z, one after the other [rad]";
        euler["required"].append("euler");
        Json::Value schema;
        schema["oneOf"].append(list(plain, 4));
        schema["oneOf"].append(turn);
        schema["oneOf"].append(euler);
        return schema;
    }

    template <EnumField E>
    Json::Value leaf(std::type_identity<E>, const Field&) {
        Json::Value schema;
        for (const char* name : EnumNames<E>::names) schema["enum"].append(name);
        return schema;
    }

    Json::Value leaf(std::type_identity<std::vector<Variable>>, const Field&) {
        Json::Value schema = empty_object();
        schema["patternProperties"]["^[A-Za-z_][A-Za-z_0-9]*$"] = number(Field(""), "number");
        return schema;
    }
};

}  // namespace

std::string scene_schema() {
    SchemaBuilder builder;
    Json::Value schema = builder.type_of<Scene>(Field(""));
    schema["$schema"] = "http://json-schema.org/draft-07/schema#";
    schema["title"] = "Impuls scene";
    schema["description"] =
        "What to simulate. Numbers may be expressions in quotes, strings may hold {expressions}.";
    schema["definitions"] = builder.definitions;
    Json::StreamWriterBuilder writer;
    writer["indentation"] = "  ";
    writer["precision"] = 17;
    writer["precisionType"] = "significant";
    return Json::writeString(writer, schema) + "\n";
}

}  // namespace impuls
