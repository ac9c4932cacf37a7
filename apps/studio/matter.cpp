// Groups of a frame as things to be drawn (matter.h).
#include "studio/matter.h"

#include <array>
#include <limits>
#include <string_view>
#include <vector>

#include "studio/put.h"

namespace impuls::studio {
namespace {

// A group of the engine or of a program, as its columns.
struct Group {
    std::string_view name{};
    const Drawing* drawing = nullptr;
    std::size_t count = 0;
    std::vector<ColumnView> columns{};

    const ColumnView* find(std::string_view wanted, std::uint32_t size) const {
        for (const ColumnView& column : columns)
            if (column.desc->name == wanted && column.desc->size == size) return &column;
        return nullptr;
    }
    const ColumnView* first_number() const {
        for (const ColumnView& column : columns)
            if (column.desc->size == 1 && column.meaning == Meaning::Number &&
                column.type == NumberType::Float64)
                return &column;
        return nullptr;
    }
};

// All but the bodies, which every packet has.
std::vector<Group> groups_of(const Frame& frame) {
    std::vector<Group> groups;
    for (const FrameGroup& known : frame_groups()) {
        Group group{known.name, &desc_of(known).drawing, known.count(frame), {}};
        if (group.count == 0 || group.name == "bodies") continue;
        for (std::size_t k = 0; k < known.columns.size(); ++k) group.columns.push_back(known.view(frame, k));
        groups.push_back(std::move(group));
    }
    for (const ColumnGroup& own : frame.groups) {
        Group group{own.desc().name, &own.desc().drawing, own.count(), {}};
        if (group.count == 0) continue;
        for (std::size_t k = 0; k < own.desc().columns.size(); ++k) group.columns.push_back(view_of(own, k));
        groups.push_back(std::move(group));
    }
    return groups;
}

Vec3 vector_at(const ColumnView& column, std::size_t entry) {
    return {column.number(entry, 0), column.number(entry, 1), column.number(entry, 2)};
}

void put_head(std::string& out, BlockKind kind, const Group& group) {
    const std::string_view name = group.name.substr(0, 255);
    put(out, static_cast<std::uint8_t>(kind));
    put(out, static_cast<std::uint8_t>(name.size()));
    put(out, std::uint16_t{0});
    put(out, static_cast<std::uint32_t>(group.count));
    out += name;
    out.append((4 - name.size() % 4) % 4, '\0');
}

void put_number(std::string& out, const ColumnView* column, std::size_t entry) {
    put(out, column ? static_cast<float>(column->number(entry, 0)) : std::numeric_limits<float>::quiet_NaN());
}

// The corners of entry k.
using Corners = std::array<Vec3, 3>;

template <class CornersOf>
void put_triangles(std::string& out, const Group& group, const CornersOf& corners_of) {
    put_head(out, BlockKind::Triangles, group);
    const ColumnView* number = group.first_number();
    for (std::size_t k = 0; k < group.count; ++k) {
        for (const Vec3& corner : corners_of(k)) put_vector(out, corner);
        put_number(out, number, k);
    }
}

bool put_pressed(std::string& out, const Group& group) {
    const std::array corners{group.find("corner_1", 3), group.find("corner_2", 3), group.find("corner_3", 3)};
    if (!corners[0] || !corners[1] || !corners[2]) return false;
    put_triangles(out, group, [&](std::size_t k) {
        return Corners{vector_at(*corners[0], k), vector_at(*corners[1], k), vector_at(*corners[2], k)};
    });
    return true;
}

// Triangles between entries of another group; corners that it does not have are nowhere.
bool put_between(std::string& out, const Group& group, const std::vector<Group>& all) {
    const ColumnView* corners = group.find("corners", 3);
    if (!corners || group.drawing->as != DrawnAs::Triangles) return false;
    for (const Group& points : all) {
        const ColumnView* position = points.find("position", 3);
        if (points.name != group.drawing->of || !position) continue;
        put_triangles(out, group, [&](std::size_t k) {
            Corners at{};
            for (std::uint32_t part = 0; part < 3; ++part) {
                const double corner = corners->number(k, part);
                if (corner >= 0 && corner < static_cast<double>(points.count))
                    at[part] = vector_at(*position, static_cast<std::size_t>(corner));
            }
            return at;
        });
        return true;
    }
    return false;
}

bool put_poses(std::string& out, const Group& group) {
    const ColumnView* position = group.find("position", 3);
    const ColumnView* orientation = group.find("orientation", 4);
    const ColumnView* kind = group.find("kind", 1);
    const ColumnView* size = group.find("size", 1);
    if (!position || !orientation || !kind) return false;
    put_head(out, BlockKind::Poses, group);
    for (std::size_t k = 0; k < group.count; ++k) {
        put_vector(out, vector_at(*position, k));
        put(out, size ? static_cast<float>(size->number(k, 0)) : 1.0f);
        for (std::uint32_t part = 0; part < 4; ++part) put_unit(out, orientation->number(k, part));
        put(out, static_cast<std::uint32_t>(kind->number(k, 0)));
    }
    return true;
}

bool put_points(std::string& out, const Group& group) {
    const ColumnView* position = group.find("position", 3);
    if (!position) return false;
    put_head(out, BlockKind::Points, group);
    for (std::size_t k = 0; k < group.count; ++k) put_vector(out, vector_at(*position, k));
    return true;
}

}  // namespace

const ColumnDesc* number_of_triangles(const FrameGroup& group) {
    bool has_corners = false;
    const ColumnDesc* number = nullptr;
    for (const FrameColumn& column : group.columns) {
        has_corners |= column.desc.name == "corner_1";
        if (!number && column.desc.size == 1 && column.desc.type == NumberType::Float64)
            number = &column.desc;
    }
    return has_corners ? number : nullptr;
}

void append_matter(const Frame& frame, std::string& out) {
    const std::vector<Group> all = groups_of(frame);
    for (const Group& group : all)
        put_pressed(out, group) || put_between(out, group, all) || put_poses(out, group) ||
            put_points(out, group);
}

}  // namespace impuls::studio
