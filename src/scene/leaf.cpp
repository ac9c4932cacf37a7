// Spellings compiled to functions. Unit quaternions are left as they are (their length is one to rounding),
// so that a saved orientation reads back bit for bit.
#include "scene/leaf.h"

#include <fmt/format.h>
#include <json/json.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace impuls {

namespace {

constexpr double kUnitTolerance = 2e-15;  // of the squared length; a few roundings
constexpr double kLargestWhole = 0x1p53;  // beyond, doubles skip whole numbers

Json::Value parse_json(const std::string& text) {
    Json::CharReaderBuilder builder;
    builder["collectComments"] = false;
    builder["stackLimit"] = 20;
    const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
    Json::Value value;
    std::string errors;
    try {
        if (reader->parse(text.data(), text.data() + text.size(), &value, &errors)) return value;
    } catch (const Json::Exception&) {
    }
    throw ExpressionError("is not JSON");
}

using Number = std::function<double()>;

Number number_of(const Json::Value& json, Scope& scope, bool& uses_index) {
    if (json.isNumeric()) return [v = json.asDouble()] { return v; };
    if (!json.isString()) throw ExpressionError("is not a number");
    auto expression = std::make_shared<Expression>(json.asString(), scope);
    uses_index = uses_index || expression->uses_index();
    return [expression] { return (*expression)(); };
}

std::vector<Number> numbers_of(const Json::Value& json, Json::ArrayIndex count, Scope& scope,
                               bool& uses_index) {
    if (!json.isArray() || json.size() != count) throw ExpressionError("is not a list of numbers");
    std::vector<Number> numbers;
    for (const Json::Value& part : json) numbers.push_back(number_of(part, scope, uses_index));
    return numbers;
}

std::function<LeafValue()> quat_of(const Json::Value& json, Scope& scope, bool& uses_index) {
    if (json.isObject() && json.isMember("euler")) {
        const std::vector<Number> n = numbers_of(json["euler"], 3, scope, uses_index);
        return [n] { return LeafValue(euler_quat({n[0](), n[1](), n[2]()})); };
    }
    if (json.isObject()) {
        std::vector<Number> n = numbers_of(json["axis"], 3, scope, uses_index);
        n.push_back(number_of(json["angle"], scope, uses_index));
        return [n] { return LeafValue(unit_quat(Vec3{n[0](), n[1](), n[2]()}, n[3]())); };
    }
    const std::vector<Number> n = numbers_of(json, 4, scope, uses_index);
    return [n] { return LeafValue(unit_quat(Quat{n[0](), n[1](), n[2](), n[3]()})); };
}

}  // namespace

std::int64_t whole_number(double value) {
    if (value != std::floor(value)) throw ExpressionError(json_text(value) + " is not a whole number");
    if (std::abs(value) > kLargestWhole) throw ExpressionError(json_text(value) + " is too large");
    return static_cast<std::int64_t>(value);
}

Quat unit_quat(const Quat& q) {
    if (std::abs(length_squared(q) - 1) <= kUnitTolerance) return q;
    const double m = std::max({std::abs(q.w), std::abs(q.x), std::abs(q.y), std::abs(q.z)});
    if (!(m > 0)) throw ExpressionError("a rotation of length zero has no direction");
    return normalized(Quat{q.w / m, q.x / m, q.y / m, q.z / m});
}

Quat unit_quat(const Vec3& axis, double angle) {
    const double m = std::max({std::abs(axis.x), std::abs(axis.y), std::abs(axis.z)});
    if (!(m > 0)) throw ExpressionError("an axis of length zero has no direction");
    return from_axis_angle({axis.x / m, axis.y / m, axis.z / m}, angle);
}

Quat euler_quat(const Vec3& angles) {
    return from_axis_angle({0, 0, 1}, angles.z) * from_axis_angle({0, 1, 0}, angles.y) *
           from_axis_angle({1, 0, 0}, angles.x);
}

std::string json_text(double value) {
    if (value == 0 && std::signbit(value)) return "-0.0";
    return fmt::format("{}", value);
}

std::string json_text(const std::string& value) {
    std::string text = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\') {
            text += std::string{'\\', c};
        } else if (c == '\n') {
            text += "\\n";
        } else if (c == '\t') {
            text += "\\t";
        } else if (static_cast<unsigned char>(c) < 0x20) {
            text += fmt::format("\\u{:04x}", static_cast<int>(c));
        } else {
            text += c;
        }
    }
    return text + '"';
}

Spelling::Spelling(const std::string& json, const LeafRef& target, Scope& scope) {
    const Json::Value value = parse_json(json);
    if (std::holds_alternative<std::string*>(target)) {
        if (!value.isString()) throw ExpressionError("is not a string");
        auto text = std::make_shared<Template>(value.asString(), scope);
        uses_index_ = text->uses_index();
        evaluate_ = [text] { return LeafValue((*text)()); };
    } else if (std::holds_alternative<Quat*>(target)) {
        evaluate_ = quat_of(value, scope, uses_index_);
    } else {
        const Number number = number_of(value, scope, uses_index_);
        const bool whole = std::holds_alternative<std::int64_t*>(target);
        evaluate_ = [number, whole] {
            return whole ? LeafValue(whole_number(number())) : LeafValue(number());
        };
    }
}

bool holds(const LeafRef& leaf, const LeafValue& value) {
    return std::visit(
        [&](auto place) {
            if constexpr (std::is_pointer_v<decltype(place)>) {
                const auto* v = std::get_if<std::remove_pointer_t<decltype(place)>>(&value);
                return v != nullptr && same(*v, *place);
            }
            return false;
        },
        leaf);
}

void assign(const LeafRef& leaf, const LeafValue& value) {
    std::visit(
        [&](auto place) {
            if constexpr (std::is_pointer_v<decltype(place)>) {
                *place = std::get<std::remove_pointer_t<decltype(place)>>(value);
            }
        },
        leaf);
}

std::vector<std::string> path_parts(const std::string& path) {
    std::vector<std::string> parts;
    for (std::size_t start = 0; start < path.size();) {
        const std::size_t end = std::min(path.find('/', start + 1), path.size());
        std::string part;
        for (std::size_t k = start + 1; k < end; ++k) {
            const bool escaped = path[k] == '~' && k + 1 < end;
            part += !escaped ? path[k] : path[++k] == '1' ? '/' : '~';
        }
        parts.push_back(std::move(part));
        start = end;
    }
    return parts;
}

std::size_t list_index(const std::string& part, std::size_t size) {
    if (part.empty() || part.size() > 9 || part.find_first_not_of("0123456789") != std::string::npos)
        return size;
    return std::min(static_cast<std::size_t>(std::stoul(part)), size);
}

}  // namespace impuls
