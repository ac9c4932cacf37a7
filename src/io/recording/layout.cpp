// Layouts of frames as JSON (layout.h).
#include "io/recording/layout.h"

#include <json/json.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "impuls/errors.h"
#include "scene/frame_groups.h"

namespace impuls {

namespace {

constexpr std::array<const char*, 4> kShapeNames{"scalar", "vector", "rotation", "list"};
constexpr std::array<const char*, 3> kTypeNames{"f64", "u32", "u8"};
constexpr std::array<const char*, 5> kDrawnNames{"nothing", "shapes", "points", "triangles", "grid"};

template <class E, std::size_t N>
const char* name_in(const std::array<const char*, N>& names, E value) {
    return names[static_cast<std::size_t>(value)];
}

template <class E, std::size_t N>
E value_in(const std::array<const char*, N>& names, const Json::Value& json) {
    const std::string name = json.asString();
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) throw FileError("the columns of frames are of an unknown kind: " + name);
    return static_cast<E>(at - names.begin());
}

Json::Value json_of(const Vec3& v) {
    Json::Value json(Json::arrayValue);
    for (const double x : {v.x, v.y, v.z}) json.append(x);
    return json;
}

Vec3 vector_of(const Json::Value& json) {
    if (!json.isArray() || json.size() != 3) throw FileError("the columns of frames are damaged");
    const Vec3 v{json[0].asDouble(), json[1].asDouble(), json[2].asDouble()};
    if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z))
        throw FileError("the columns of frames are damaged");
    return v;
}

Json::Value json_of(const Drawing& d) {
    Json::Value json(Json::objectValue);
    json["as"] = name_in(kDrawnNames, d.as);
    if (d.as == DrawnAs::Triangles) json["of"] = d.of;
    if (d.as != DrawnAs::Grid) return json;
    for (const std::uint32_t n : d.cells) json["cells"].append(n);
    json["origin"] = json_of(d.origin);
    json["spacing"] = json_of(d.spacing);
    return json;
}

Drawing drawing_of(const Json::Value& json) {
    Drawing d;
    d.as = value_in<DrawnAs>(kDrawnNames, json["as"]);
    if (d.as == DrawnAs::Triangles) d.of = json["of"].asString();
    if (d.as != DrawnAs::Grid) return d;
    for (Json::ArrayIndex k = 0; k < 3; ++k) d.cells[k] = json["cells"][k].asUInt();
    d.origin = vector_of(json["origin"]);
    d.spacing = vector_of(json["spacing"]);
    return d;
}

Json::Value json_of(const ColumnDesc& c) {
    Json::Value json(Json::objectValue);
    json["name"] = c.name;
    json["unit"] = c.unit;
    json["about"] = c.about;
    json["shape"] = name_in(kShapeNames, c.shape);
    json["size"] = c.size;
    json["type"] = name_in(kTypeNames, c.type);
    return json;
}

ColumnDesc column_of(const Json::Value& json) {
    ColumnDesc c{json["name"].asString(), json["unit"].asString(), json["about"].asString()};
    c.shape = value_in<ValueShape>(kShapeNames, json["shape"]);
    c.size = json["size"].asUInt();
    c.type = value_in<NumberType>(kTypeNames, json["type"]);
    if (c.size < 1 || c.size > kMostNumbers) throw FileError("a column of frames has a wrong size");
    return c;
}

GroupDesc group_of(const Json::Value& json) {
    GroupDesc group{json["name"].asString(), json["about"].asString(), drawing_of(json["drawing"]), {}};
    const Json::Value& columns = json["columns"];
    if (!columns.isArray() || columns.empty() || columns.size() > kMostColumns)
        throw FileError("a group of columns is damaged");
    for (const Json::Value& column : columns) group.columns.push_back(column_of(column));
    if (!find_frame_group(group.name)) check_group(group);
    return group;
}

Json::Value parse(const std::string& text) {
    Json::CharReaderBuilder builder;
    builder["collectComments"] = false;
    builder["stackLimit"] = 20;
    Json::Value root;
    std::string errors;
    const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
    if (!reader->parse(text.data(), text.data() + text.size(), &root, &errors) || !root.isArray())
        throw FileError("the columns of frames are damaged");
    return root;
}

}  // namespace

FrameLayout layout_of(const Frame& frame, bool contacts, std::uint32_t id) {
    FrameLayout layout{id, {}};
    for (const FrameGroup& group : frame_groups())
        if (contacts || !group.is_contact) layout.groups.push_back(desc_of(group));
    for (const ColumnGroup& group : frame.groups) layout.groups.push_back(group.desc());
    if (layout.groups.size() > kMostGroups) throw InputError("a frame has too many groups of columns");
    return layout;
}

bool fits(const FrameLayout& layout, const Frame& frame) {
    if (layout.groups.size() < frame.groups.size()) return false;
    const std::size_t first = layout.groups.size() - frame.groups.size();
    for (std::size_t g = 0; g < frame.groups.size(); ++g)
        if (layout.groups[first + g] != frame.groups[g].desc()) return false;
    return first == 0 || find_frame_group(layout.groups[first - 1].name);
}

std::string layout_text(const FrameLayout& layout) {
    Json::Value root(Json::arrayValue);
    for (const GroupDesc& group : layout.groups) {
        Json::Value json(Json::objectValue);
        json["name"] = group.name;
        json["about"] = group.about;
        json["drawing"] = json_of(group.drawing);
        for (const ColumnDesc& column : group.columns) json["columns"].append(json_of(column));
        root.append(json);
    }
    Json::StreamWriterBuilder builder;
    builder["indentation"] = "";
    builder["precision"] = 17;
    return Json::writeString(builder, root);
}

FrameLayout parse_layout(const std::string& text, std::uint32_t id) {
    try {
        FrameLayout layout{id, {}};
        const Json::Value root = parse(text);
        if (root.size() > kMostGroups) throw FileError("a frame has too many groups of columns");
        for (const Json::Value& json : root) layout.groups.push_back(group_of(json));
        for (std::size_t g = 0; g < layout.groups.size(); ++g)
            for (std::size_t h = 0; h < g; ++h)
                if (layout.groups[g].name == layout.groups[h].name)
                    throw FileError("a frame has two groups of one name");
        return layout;
    } catch (const Json::Exception&) {
        throw FileError("the columns of frames are damaged");
    } catch (const InputError& e) {
        throw FileError(e.what());
    }
}

}  // namespace impuls
