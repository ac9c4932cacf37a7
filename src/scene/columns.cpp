// Groups of columns that programs add (include/impuls/columns.h). The engine's own are in frame_groups.cpp.
#include "impuls/columns.h"

#include <fmt/format.h>

#include <algorithm>

#include "impuls/errors.h"
#include "impuls/frame.h"
#include "scene/frame_groups.h"

namespace impuls {

namespace {

bool is_column_name(const std::string& name) {
    const auto is_allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    };
    return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), is_allowed) &&
           !(name[0] >= '0' && name[0] <= '9');
}

std::uint32_t size_of_shape(ValueShape shape) {
    return shape == ValueShape::Vector ? 3 : shape == ValueShape::Rotation ? 4 : 1;
}

const ColumnDesc* find_column(const GroupDesc& group, std::string_view name) {
    for (const ColumnDesc& c : group.columns)
        if (c.name == name) return &c;
    return nullptr;
}

void check_columns(const GroupDesc& group) {
    const auto fail = [&](const std::string& why) {
        throw InputError(fmt::format("group '{}': {}", group.name, why));
    };
    if (group.columns.empty() || group.columns.size() > kMostColumns) fail("needs 1 to 64 columns");
    for (const ColumnDesc& c : group.columns) {
        if (!is_column_name(c.name)) fail(fmt::format("'{}' is no name for a column (a-z, 0-9, _)", c.name));
        if (find_column(group, c.name) != &c) fail(fmt::format("has two columns '{}'", c.name));
        const bool is_right = c.shape == ValueShape::List ? c.size >= 1 && c.size <= kMostNumbers
                                                          : c.size == size_of_shape(c.shape);
        if (!is_right) fail(fmt::format("column '{}' has values of a wrong size", c.name));
    }
}

// A drawing finds its columns by their names.
void check_drawing(const GroupDesc& group) {
    const auto require = [&](const char* name, std::uint32_t size) {
        const ColumnDesc* found = find_column(group, name);
        if (!found || found->size != size)
            throw InputError(fmt::format("group '{}': is drawn by a column '{}' of {} numbers, and has none",
                                         group.name, name, size));
    };
    const DrawnAs as = group.drawing.as;
    if (as == DrawnAs::Points || as == DrawnAs::Shapes) require("position", 3);
    if (as == DrawnAs::Shapes) require("orientation", 4);
    if (as == DrawnAs::Triangles) require("corners", 3);
    if (as == DrawnAs::Triangles && group.drawing.of.empty())
        throw InputError(fmt::format("group '{}': triangles need the group of their corners", group.name));
}

}  // namespace

void check_group(const GroupDesc& group) {
    if (!is_column_name(group.name))
        throw InputError(fmt::format("'{}' is no name for a group (a-z, 0-9, _)", group.name));
    if (find_frame_group(group.name))
        throw InputError(fmt::format("group '{}': is one of the engine's own", group.name));
    check_columns(group);
    check_drawing(group);
}

ColumnDesc scalar_column(std::string name, std::string unit, std::string about) {
    return {std::move(name), std::move(unit), std::move(about)};
}
ColumnDesc vector_column(std::string name, std::string unit, std::string about) {
    return {std::move(name), std::move(unit), std::move(about), ValueShape::Vector, 3};
}
ColumnDesc rotation_column(std::string name, std::string about) {
    return {std::move(name), {}, std::move(about), ValueShape::Rotation, 4};
}
ColumnDesc index_column(std::string name, std::uint32_t size, std::string about) {
    return {std::move(name),   {}, std::move(about), size == 1 ? ValueShape::Scalar : ValueShape::List, size,
            NumberType::Uint32};
}

ColumnGroup::ColumnGroup(GroupDesc desc) : desc_(std::move(desc)), values_(desc_.columns.size()) {
    check_group(desc_);
}

void ColumnGroup::resize(std::size_t count) {
    count_ = count;
    for (std::size_t c = 0; c < values_.size(); ++c) values_[c].resize(count * desc_.columns[c].size);
}

std::size_t ColumnGroup::place_of(std::string_view column) const {
    for (std::size_t c = 0; c < desc_.columns.size(); ++c)
        if (desc_.columns[c].name == column) return c;
    std::vector<std::string> names;
    for (const ColumnDesc& c : desc_.columns) names.push_back(c.name);
    throw InputError(fmt::format("group '{}' has no column '{}'{}", desc_.name, column,
                                 did_you_mean(std::string(column), names)));
}

std::span<double> ColumnGroup::column(std::string_view name) {
    return values_[place_of(name)];
}

void ColumnGroup::set(std::string_view column, std::size_t entry, double value) {
    values_[place_of(column)].at(entry) = value;
}

void ColumnGroup::set(std::string_view column, std::size_t entry, const Vec3& value) {
    std::vector<double>& numbers = values_[place_of(column)];
    for (std::size_t k = 0; k < 3; ++k)
        numbers.at(3 * entry + k) = k == 0 ? value.x : k == 1 ? value.y : value.z;
}

}  // namespace impuls
