// Frames as columns, version 2 (all little-endian):
//   u8 version, u8 flags (1: quantised), u16 groups, u32 layout, i64 step, f64 time, u32 entries of each
//   group of the layout; then for each group column behind column, each number of each entry as f64, u32 or
//   u8, as the layout says. Of quantised frames columns of f64 are as quantise.h says.
// The counts come first, and each column is compared with the bytes that are left before memory is taken.
// Columns and groups of the engine that this program does not know are passed over, those that are missing
// stay empty; other groups become groups of the frame.
#include "io/recording/frame_codec.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "impuls/errors.h"
#include "impuls/scene.h"
#include "io/recording/check_frame.h"
#include "io/recording/frame_v1.h"
#include "io/recording/quantise.h"
#include "scene/frame_groups.h"

namespace impuls {

namespace {

static_assert(std::endian::native == std::endian::little, "the layout is copied byte by byte");

constexpr std::uint8_t kColumnVersion = 2;
constexpr std::uint8_t kQuantised = 1;

struct ColumnHeader {
    std::uint8_t version = kColumnVersion;
    std::uint8_t flags = 0;
    std::uint16_t groups = 0;
    std::uint32_t layout = 0;
    std::int64_t step = 0;
    double time = 0;
};
static_assert(sizeof(ColumnHeader) == 24 && std::is_trivially_copyable_v<ColumnHeader>);

void append(std::vector<std::byte>& out, const void* from, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(from);
    out.insert(out.end(), bytes, bytes + size);
}

// Numbers as they are in memory, one entry behind the other.
void append_as_it_is(std::vector<std::byte>& out, const ColumnView& view, std::size_t count) {
    const std::size_t size = view.desc->size * bytes_of(view.type), begin = out.size();
    if (view.data && view.stride == size) return append(out, view.data, count * size);
    out.resize(begin + count * size);
    if (!view.data) return;
    for (std::size_t k = 0; k < count; ++k)
        std::memcpy(out.data() + begin + k * size, view.data + k * view.stride, size);
}

// Doubles of a program's group as whole numbers.
template <class T>
void append_whole(std::vector<std::byte>& out, const ColumnView& view, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k)
        for (std::uint32_t part = 0; part < view.desc->size; ++part) {
            const double x = view.number(k, part);
            const T whole =
                x >= 0 && x <= static_cast<double>(std::numeric_limits<T>::max()) ? static_cast<T>(x) : T{0};
            if (static_cast<double>(whole) != x)
                throw InputError("column '" + view.desc->name +
                                 "' holds what is no whole number of its size");
            append(out, &whole, sizeof whole);
        }
}

struct Encoder {
    std::vector<std::byte>& out;
    bool is_quantised;
    double size;

    void add(const ColumnView& view, std::size_t count) const {
        const NumberType stored = view.desc->type;
        if (stored == NumberType::Float64 && is_quantised) return quantise(view, count, size, out);
        if (stored == view.type) return append_as_it_is(out, view, count);
        if (stored == NumberType::Uint32) return append_whole<std::uint32_t>(out, view, count);
        append_whole<std::uint8_t>(out, view, count);
    }
};

// Takes bytes from the front; never more than there are.
struct Source {
    std::span<const std::byte> bytes;

    std::span<const std::byte> take(std::uint64_t size) {
        if (size > bytes.size()) throw FileError("a frame has a wrong size");
        const auto head = bytes.first(size);
        bytes = bytes.subspan(size);
        return head;
    }
    template <class T>
    T value() {
        T value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
};

struct Start {
    ColumnHeader header;
    const FrameLayout* layout;
    std::vector<std::uint32_t> counts;
};

Start read_start(Source& from, const FindLayout& find_layout) {
    Start start{from.value<ColumnHeader>(), nullptr, {}};
    if (start.header.version != kColumnVersion) throw FileError("a frame has an unknown layout version");
    if ((start.header.flags & ~kQuantised) != 0) throw FileError("a frame has unknown flags");
    start.layout = &find_layout(start.header.layout);
    if (start.header.groups != start.layout->groups.size())
        throw FileError("a frame does not fit the columns of its recording");
    for (std::size_t g = 0; g < start.layout->groups.size(); ++g)
        start.counts.push_back(from.value<std::uint32_t>());
    return start;
}

// The bytes of a column, and whether they are quantised.
struct Piece {
    std::span<const std::byte> bytes;
    bool is_quantised;
};

Piece take_column(Source& from, const ColumnDesc& desc, std::uint64_t count, bool quantised) {
    if (quantised && desc.type == NumberType::Float64)
        return {from.take(quantised_size(from.bytes, desc, count)), true};
    return {from.take(count * desc.size * bytes_of(desc.type)), false};
}

// Into an array of the frame, entries `stride` bytes apart.
void put_column(const Piece& piece, const ColumnDesc& desc, std::uint64_t count, std::byte* to,
                std::size_t stride) {
    if (piece.is_quantised) return dequantise(piece.bytes, desc, count, to, stride);
    const std::size_t size = desc.size * bytes_of(desc.type);
    if (stride == size) {
        if (count > 0) std::memcpy(to, piece.bytes.data(), count * size);
        return;
    }
    for (std::uint64_t k = 0; k < count; ++k)
        std::memcpy(to + k * stride, piece.bytes.data() + k * size, size);
}

const FrameColumn* find_column(const FrameGroup& group, const ColumnDesc& desc) {
    for (const FrameColumn& column : group.columns)
        if (column.desc.name == desc.name)
            return column.desc.type == desc.type && column.desc.size == desc.size ? &column : nullptr;
    return nullptr;
}

// Before memory is taken: a layout could claim entries of almost no bytes.
void check_count(const GroupDesc& desc, std::uint64_t count, const Scene& structure) {
    constexpr std::size_t kLeastBytes = 12;  // of a contact, event or outcome
    const bool ok = desc.name == "bodies"   ? count == structure.bodies.size()
                    : desc.name == "joints" ? count == structure.joints.size()
                    : desc.name == "axes"   ? count <= 8 * structure.joints.size()
                                            : true;
    std::size_t bytes = 0;
    for (const ColumnDesc& column : desc.columns) bytes += column.size * bytes_of(column.type);
    if (!ok || (bytes < kLeastBytes && count > 0)) throw FileError("a frame does not fit its structure");
}

void read_engine_group(Source& from, const GroupDesc& desc, std::uint32_t count, bool quantised,
                       const FrameGroup& group, Frame& frame) {
    std::vector<Piece> pieces;
    for (const ColumnDesc& column : desc.columns)
        pieces.push_back(take_column(from, column, count, quantised));
    check_count(desc, count, *frame.structure);
    group.resize(frame, count);
    if (group.count(frame) != count) throw FileError("a frame has a wrong number of entries");
    for (std::size_t c = 0; c < pieces.size(); ++c)
        if (const FrameColumn* column = find_column(group, desc.columns[c]); column && count > 0)
            put_column(pieces[c], desc.columns[c], count, static_cast<std::byte*>(column->data(frame)),
                       column->stride);
}

void read_open_group(Source& from, const GroupDesc& desc, std::uint32_t count, bool quantised, Frame& frame) {
    std::vector<Piece> pieces;
    for (const ColumnDesc& column : desc.columns)
        pieces.push_back(take_column(from, column, count, quantised));
    ColumnGroup& group = frame.groups.emplace_back(desc);
    group.resize(count);
    for (std::size_t c = 0; c < pieces.size() && count > 0; ++c) {
        const ColumnDesc& column = desc.columns[c];
        const std::span<double> to = group.column(c);
        if (column.type == NumberType::Float64) {
            put_column(pieces[c], column, count, reinterpret_cast<std::byte*>(to.data()), column.size * 8);
            continue;
        }
        const ColumnView stored{&column, pieces[c].bytes.data(), column.size * bytes_of(column.type),
                                column.type};
        for (std::size_t k = 0; k < to.size(); ++k)
            to[k] = stored.number(k / column.size, static_cast<std::uint32_t>(k % column.size));
    }
}

bool is_version_1(std::span<const std::byte> bytes) {
    return !bytes.empty() && bytes[0] == std::byte{1};
}

}  // namespace

void encode_frame(const Frame& frame, const FrameLayout& layout, std::vector<std::byte>& out, bool quantised,
                  double size) {
    check_sizes(frame);
    out.clear();
    ColumnHeader header;
    header.flags = quantised ? kQuantised : 0;
    header.groups = static_cast<std::uint16_t>(layout.groups.size());
    header.layout = layout.id;
    header.step = frame.step;
    header.time = frame.time;
    append(out, &header, sizeof header);
    const std::size_t own = layout.groups.size() - frame.groups.size();
    const auto count_of = [&](std::size_t g) {
        return g < own ? find_frame_group(layout.groups[g].name)->count(frame)
                       : frame.groups[g - own].count();
    };
    for (std::size_t g = 0; g < layout.groups.size(); ++g) {
        const auto count = static_cast<std::uint32_t>(count_of(g));
        append(out, &count, sizeof count);
    }
    const Encoder encoder{out, quantised, size};
    for (std::size_t g = 0; g < layout.groups.size(); ++g) {
        const FrameGroup* group = g < own ? find_frame_group(layout.groups[g].name) : nullptr;
        for (std::size_t c = 0; c < layout.groups[g].columns.size(); ++c)
            encoder.add(group ? group->view(frame, c) : view_of(frame.groups[g - own], c), count_of(g));
    }
}

Frame decode_frame(std::span<const std::byte> bytes, std::shared_ptr<const Scene> structure,
                   const FindLayout& find_layout) {
    if (is_version_1(bytes)) return decode_frame_v1(bytes, std::move(structure));
    Source from{bytes};
    const Start start = read_start(from, find_layout);
    const bool quantised = (start.header.flags & kQuantised) != 0;
    Frame frame;
    frame.step = start.header.step;
    frame.time = start.header.time;
    frame.structure = std::move(structure);
    for (std::size_t g = 0; g < start.counts.size(); ++g) {
        const GroupDesc& desc = start.layout->groups[g];
        if (const FrameGroup* group = find_frame_group(desc.name))
            read_engine_group(from, desc, start.counts[g], quantised, *group, frame);
        else
            read_open_group(from, desc, start.counts[g], quantised, frame);
    }
    if (!from.bytes.empty()) throw FileError("a frame has a wrong size");
    check_frame(frame);
    return frame;
}

std::vector<ColumnBytes> column_bytes(std::span<const std::byte> bytes, const FindLayout& find_layout) {
    if (is_version_1(bytes)) return {{"frames of version 1", bytes.size()}};
    Source from{bytes};
    const Start start = read_start(from, find_layout);
    std::vector<ColumnBytes> all;
    for (std::size_t g = 0; g < start.counts.size(); ++g)
        for (const ColumnDesc& column : start.layout->groups[g].columns)
            all.push_back({start.layout->groups[g].name + "." + column.name,
                           take_column(from, column, start.counts[g], (start.header.flags & kQuantised) != 0)
                               .bytes.size()});
    return all;
}

}  // namespace impuls
