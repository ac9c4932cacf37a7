// Frames as columns. What a frame tells comes in groups (bodies, joints, axes, contacts, ...): so many
// entries, and for each of them a value in every column. A group is described once: names, units, shapes of
// values, how it is drawn. Recordings, quantities, CSV and JSON walk the descriptions.
//
// The engine's own groups describe the arrays of Frame (frame.h). A program adds groups of its own to the
// frames of a world by World::add_columns; they come along in Frame::groups.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "impuls/vec.h"

namespace impuls {

/// Scalar: one number. Vector: x, y, z. Rotation: unit quaternion w, x, y, z. List: as many as `size` says.
enum class ValueShape : std::uint8_t { Scalar, Vector, Rotation, List };
/// How numbers are stored in recordings; they are doubles everywhere else.
enum class NumberType : std::uint8_t { Float64, Uint32, Uint8 };

struct ColumnDesc {
    std::string name{};
    std::string unit{};
    std::string about{};
    ValueShape shape = ValueShape::Scalar;
    std::uint32_t size = 1;  // numbers in a value
    NumberType type = NumberType::Float64;
    friend bool operator==(const ColumnDesc&, const ColumnDesc&) = default;
};

ColumnDesc scalar_column(std::string name, std::string unit = "", std::string about = "");
ColumnDesc vector_column(std::string name, std::string unit = "", std::string about = "");
ColumnDesc rotation_column(std::string name, std::string about = "");
/// `size` whole numbers from 0 to 2^32 - 1, e.g. the three corners of a triangle.
ColumnDesc index_column(std::string name, std::uint32_t size = 1, std::string about = "");

/// Nothing: only numbers. Shapes: the shapes of the structure's bodies at `position` and `orientation`.
/// Points: dots at `position`. Triangles: `corners` are three entries of the group `of`, which has
/// `position`. Grid: the entries are cells, x fastest.
enum class DrawnAs : std::uint8_t { Nothing, Shapes, Points, Triangles, Grid };

struct Drawing {
    DrawnAs as = DrawnAs::Nothing;
    std::string of{};                      // Triangles: the group of their corners
    std::array<std::uint32_t, 3> cells{};  // Grid: along x, y, z
    Vec3 origin{}, spacing{};              // Grid: m, of the first cell's centre, and from cell to cell
    friend bool operator==(const Drawing&, const Drawing&) = default;
};

struct GroupDesc {
    std::string name{};
    std::string about{};
    Drawing drawing{};
    std::vector<ColumnDesc> columns{};
    friend bool operator==(const GroupDesc&, const GroupDesc&) = default;
};

/// A group of a program's own. Columns hold `size` numbers for each entry, one entry behind the other.
class ColumnGroup {
  public:
    ColumnGroup() = default;
    /// Throws InputError when the description cannot be: names are lower-case letters, digits and
    /// underscores and not those of the engine's groups; a drawing needs its columns.
    explicit ColumnGroup(GroupDesc desc);

    const GroupDesc& desc() const { return desc_; }
    std::size_t count() const { return count_; }
    /// New entries are 0.
    void resize(std::size_t count);
    /// Throws InputError when there is no such column.
    std::span<double> column(std::string_view name);
    std::span<const double> column(std::size_t number) const { return values_[number]; }
    std::span<double> column(std::size_t number) { return values_[number]; }
    void set(std::string_view column, std::size_t entry, double value);
    void set(std::string_view column, std::size_t entry, const Vec3& value);

  private:
    std::size_t place_of(std::string_view column) const;

    GroupDesc desc_{};
    std::size_t count_ = 0;
    std::vector<std::vector<double>> values_{};
};

/// The engine's groups: what they are called and hold.
const std::vector<GroupDesc>& engine_groups();

}  // namespace impuls
