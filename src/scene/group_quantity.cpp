// Quantities of groups of columns (group_quantity.h). A name is taken apart from its end: reduction, part,
// column; what is left is the group, with the number of an entry in brackets.
#include "scene/group_quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "scene/frame_groups.h"

namespace impuls {

namespace {

enum class Reduction { None, Count, Min, Max, Mean, Sum };
constexpr std::array<const char*, 6> kReductions{"", "count", "min", "max", "mean", "sum"};

constexpr int kAllParts = -1, kLength = -2;

// A column of the engine's or of the program's own group, found again in every frame.
struct ColumnReader {
    const FrameGroup* engine = nullptr;
    std::string group{};
    std::size_t column = 0;
    int part = kAllParts;
    Reduction reduction = Reduction::None;
    std::size_t entry = 0;
    std::size_t values = 1;  // of a reading

    void operator()(const Frame& frame, double* out) const {
        std::fill(out, out + values, std::numeric_limits<double>::quiet_NaN());
        if (engine) return read(engine->view(frame, column), engine->count(frame), out);
        for (const ColumnGroup& own : frame.groups)
            if (own.desc().name == group && column < own.desc().columns.size())
                return read(view_of(own, column), own.count(), out);
    }

  private:
    double number(const ColumnView& view, std::size_t k) const {
        if (part != kLength) return view.number(k, static_cast<std::uint32_t>(std::max(part, 0)));
        double sum = 0;
        for (std::uint32_t p = 0; p < view.desc->size; ++p) sum += view.number(k, p) * view.number(k, p);
        return std::sqrt(sum);
    }

    void read(const ColumnView& view, std::size_t count, double* out) const {
        if (reduction == Reduction::Count) {
            *out = static_cast<double>(count);
        } else if (reduction != Reduction::None) {
            *out = reduced(view, count);
        } else if (entry < count && part == kAllParts) {
            for (std::uint32_t p = 0; p < std::min<std::size_t>(values, view.desc->size); ++p)
                out[p] = view.number(entry, p);
        } else if (entry < count) {
            *out = number(view, entry);
        }
    }

    double reduced(const ColumnView& view, std::size_t count) const {
        double sum = 0, least = std::numeric_limits<double>::infinity(), most = -least;
        for (std::size_t k = 0; k < count; ++k) {
            const double x = number(view, k);
            sum += x;
            least = std::min(least, x);
            most = std::max(most, x);
        }
        if (reduction == Reduction::Sum) return sum;
        if (count == 0) return std::numeric_limits<double>::quiet_NaN();
        return reduction == Reduction::Min   ? least
               : reduction == Reduction::Max ? most
                                             : sum / static_cast<double>(count);
    }
};

// Cuts ".word" off the end; false when it does not end so.
bool cut(std::string& text, const std::string& word) {
    if (word.empty() || text.size() <= word.size() + 1 || !text.ends_with("." + word)) return false;
    text.resize(text.size() - word.size() - 1);
    return true;
}

// "cells[3]": the number; none when there are no brackets.
std::optional<std::size_t> cut_entry(std::string& text) {
    const std::size_t open = text.rfind('[');
    if (open == std::string::npos || text.back() != ']') return std::nullopt;
    std::size_t entry = 0;
    const char* const end = text.data() + text.size() - 1;
    const auto [stop, error] = std::from_chars(text.data() + open + 1, end, entry);
    if (error != std::errc() || stop != end) return std::nullopt;
    text.resize(open);
    return entry;
}

std::optional<Quantity> make_quantity(const std::string& name, const ColumnDesc& column,
                                      ColumnReader reader) {
    Quantity quantity;
    quantity.name = name;
    quantity.unit = reader.reduction == Reduction::Count ? "" : column.unit;
    if (reader.reduction == Reduction::None && reader.part == kAllParts && column.size > 1) {
        if (column.size != 3) return std::nullopt;  // only its parts have names
        for (const char* part : {".x", ".y", ".z"}) quantity.columns.push_back(name + part);
    } else {
        quantity.columns = {name};
    }
    reader.values = quantity.columns.size();
    quantity.read = std::move(reader);
    return quantity;
}

// Tries the columns of one group.
std::optional<Quantity> find_in_group(const std::string& name, const GroupDesc& group,
                                      const FrameGroup* engine, std::vector<std::string>& known) {
    ColumnReader reader{engine, group.name};
    std::string rest = name;
    for (std::size_t r = 1; r < kReductions.size() && reader.reduction == Reduction::None; ++r)
        if (cut(rest, kReductions[r])) reader.reduction = static_cast<Reduction>(r);
    known.push_back(group.name + ".count");
    if (reader.reduction == Reduction::Count)
        return rest == group.name ? make_quantity(name, group.columns[0], reader) : std::nullopt;
    for (std::size_t c = 0; c < group.columns.size(); ++c) {
        const ColumnDesc& column = group.columns[c];
        const auto parts = part_names(column);
        for (std::size_t p = 0; p < parts.size(); ++p) {
            std::string head = rest;
            const bool is_whole = parts[p].empty(), is_length = parts[p] == "magnitude";
            known.push_back(group.name + "[0]." + column.name + (is_whole ? "" : "." + parts[p]));
            if ((!is_whole && !cut(head, parts[p])) || !cut(head, column.name)) continue;
            const auto entry = cut_entry(head);
            const bool has_one = entry.has_value() != (reader.reduction != Reduction::None);
            const bool is_number = column.size == 1 || !is_whole || reader.reduction == Reduction::None;
            if (head != group.name || !has_one || !is_number) continue;
            reader.column = c;
            reader.entry = entry.value_or(0);
            reader.part = is_length  ? kLength
                          : is_whole ? kAllParts
                                     : static_cast<int>(p) - (parts[0].empty() ? 1 : 0);
            return make_quantity(name, column, reader);
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<std::string> part_names(const ColumnDesc& column) {
    switch (column.shape) {
        case ValueShape::Scalar:
            return {""};
        case ValueShape::Vector:
            return {"", "x", "y", "z", "magnitude"};
        case ValueShape::Rotation:
            return {"w", "x", "y", "z"};
        case ValueShape::List:
            break;
    }
    std::vector<std::string> names;
    for (std::uint32_t k = 0; k < column.size; ++k) names.push_back(std::to_string(k));
    return names;
}

std::optional<Quantity> find_in_groups(const std::string& name, std::span<const ColumnGroup> groups,
                                       std::vector<std::string>& known) {
    for (const ColumnGroup& group : groups)
        if (auto found = find_in_group(name, group.desc(), nullptr, known)) return found;
    for (const FrameGroup& group : frame_groups()) {
        if (!name.starts_with(group.name)) continue;
        if (auto found = find_in_group(name, desc_of(group), &group, known)) return found;
    }
    return std::nullopt;
}

void add_group_help(std::vector<std::pair<std::string, std::string>>& help) {
    for (const FrameGroup& group : frame_groups()) {
        if (group.entries != EntryNames::None || std::string_view(group.name) == "frame") continue;
        for (const FrameColumn& column : group.columns) {
            if (column.meaning != Meaning::Number) continue;
            const char* length = column.desc.size == 3 ? ".magnitude" : "";
            help.emplace_back(fmt::format("{}.{}{}.max", group.name, column.desc.name, length),
                              column.desc.unit);
        }
    }
}

}  // namespace impuls
