// Quantised columns (quantise.h).
#include "io/recording/quantise.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <variant>

#include "impuls/errors.h"

namespace impuls {

namespace {

constexpr double kRelative = 1e-4;      // of the size
constexpr double kRotation = 2e-5;      // of a quaternion's numbers: 8e-5 rad
constexpr std::size_t kFewNumbers = 8;  // below, two more doubles are no gain
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Spread {
    double low = kInfinity, high = -kInfinity;
    double largest() const { return std::max(std::abs(low), std::abs(high)); }
};

std::vector<Spread> ranges_of(const ColumnView& view, std::size_t count) {
    std::vector<Spread> ranges(view.desc->size);
    for (std::size_t k = 0; k < count; ++k)
        for (std::uint32_t part = 0; part < view.desc->size; ++part) {
            const double x = view.number(k, part);
            Spread& range = ranges[part];
            if (!std::isfinite(x)) return {};
            range.low = std::min(range.low, x);
            range.high = std::max(range.high, x);
        }
    return ranges;
}

double tolerance_of(const ColumnDesc& desc, const std::vector<Spread>& ranges, double size) {
    if (desc.shape == ValueShape::Rotation) return kRotation;
    if (desc.unit == "m" && size > 0) return kRelative * size;
    double largest = 0;
    for (const Spread& range : ranges) largest = std::max(largest, range.largest());
    return desc.unit == "m" ? 0 : kRelative * largest;
}

double highest(int bits) {
    return std::ldexp(1.0, bits) - 1;
}

// 0: not at all. Steps much finer than the numbers themselves would be lost in their last digits.
int bits_for(const std::vector<Spread>& ranges, double tolerance) {
    int needed = 8;
    for (const Spread& range : ranges) {
        const double span = range.high - range.low;
        if (!(tolerance > 1e-15 * range.largest()) && span > 0) return 0;
        while (needed <= 32 && span > 0 && !(span / highest(needed) <= 1.99 * tolerance)) needed *= 2;
    }
    return needed <= 32 ? needed : 0;
}

void append_bytes(std::vector<std::byte>& out, const void* from, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(from);
    out.insert(out.end(), bytes, bytes + size);
}

void append_numbers(const ColumnView& view, std::size_t count, std::vector<std::byte>& out) {
    for (std::size_t k = 0; k < count; ++k)
        for (std::uint32_t part = 0; part < view.desc->size; ++part) {
            const double x = view.number(k, part);
            append_bytes(out, &x, sizeof x);
        }
}

// Smallest length among the fields of a shape; of lists of points, the largest extent.
template <class T>
double least_length(const T& shape);
template <class... Kinds>
double least_length(const std::variant<Kinds...>& shape) {
    return std::visit([](const auto& kind) { return least_length(kind); }, shape);
}

// Of two lengths; 0 stands for none.
double smaller(double a, double b) {
    return b > 0 && (a == 0 || b < a) ? b : a;
}

double extent_of(const std::vector<Vec3>& points) {
    Spread x, y, z;
    for (const Vec3& p : points) {
        x = {std::min(x.low, p.x), std::max(x.high, p.x)};
        y = {std::min(y.low, p.y), std::max(y.high, p.y)};
        z = {std::min(z.low, p.z), std::max(z.high, p.z)};
    }
    return points.empty() ? 0 : std::max({x.high - x.low, y.high - y.low, z.high - z.low});
}

template <class T>
double least_length(const T& shape) {
    double least = 0;
    T::visit_fields([&](const char*, auto member, const Field& field) {
        const auto& value = shape.*member;
        using Value = std::remove_cvref_t<decltype(value)>;
        const bool is_length = std::strcmp(field.unit, "m") == 0;
        if constexpr (std::is_same_v<Value, double>) {
            if (is_length) least = smaller(least, std::abs(value));
        } else if constexpr (std::is_same_v<Value, Vec3>) {
            for (const double x : {value.x, value.y, value.z})
                if (is_length) least = smaller(least, std::abs(x));
        } else if constexpr (std::is_same_v<Value, std::vector<Vec3>>) {
            if (is_length) least = smaller(least, extent_of(value));
        } else if constexpr (std::is_same_v<Value, SimpleShape>) {
            least = smaller(least, least_length(value));
        } else if constexpr (std::is_same_v<Value, std::vector<CompoundPart>>) {
            for (const CompoundPart& part : value) least = smaller(least, least_length(part.shape));
        }
    });
    return least;
}

}  // namespace

void quantise(const ColumnView& view, std::size_t count, double size, std::vector<std::byte>& out) {
    const std::uint32_t parts = view.desc->size;
    const std::vector<Spread> ranges = ranges_of(view, count);
    const bool is_worth_it = count * parts > kFewNumbers && !ranges.empty();
    int bits = is_worth_it ? bits_for(ranges, tolerance_of(*view.desc, ranges, size)) : 0;
    if (parts * (16 + count * static_cast<std::size_t>(bits) / 8) >= parts * count * 8) bits = 0;  // no gain
    out.push_back(static_cast<std::byte>(bits));
    if (bits == 0) return append_numbers(view, count, out);
    std::vector<double> steps;
    for (const Spread& range : ranges) {
        steps.push_back((range.high - range.low) / highest(bits));
        append_bytes(out, &range.low, sizeof(double));
        append_bytes(out, &steps.back(), sizeof(double));
    }
    for (std::size_t k = 0; k < count; ++k)
        for (std::uint32_t part = 0; part < parts; ++part) {
            const double step = steps[part];
            const double q = step > 0 ? std::round((view.number(k, part) - ranges[part].low) / step) : 0;
            const auto whole = static_cast<std::uint32_t>(std::clamp(q, 0.0, highest(bits)));
            append_bytes(out, &whole, static_cast<std::size_t>(bits) / 8);  // little-endian
        }
}

std::uint64_t quantised_size(std::span<const std::byte> bytes, const ColumnDesc& desc, std::uint64_t count) {
    const int bits = bytes.empty() ? -1 : std::to_integer<int>(bytes[0]);
    if (bits == 0) return 1 + count * desc.size * 8;
    if (bits != 8 && bits != 16 && bits != 32) throw FileError("a frame has a column of unknown bits");
    return 1 + desc.size * 16u + count * desc.size * (static_cast<std::uint64_t>(bits) / 8);
}

void dequantise(std::span<const std::byte> column, const ColumnDesc& desc, std::uint64_t count, std::byte* to,
                std::size_t stride) {
    const auto bits = std::to_integer<std::size_t>(column[0]);
    const std::size_t bytes = bits == 0 ? 8 : bits / 8;
    const std::byte* ranges = column.data() + 1;
    const std::byte* from = ranges + (bits == 0 ? 0 : desc.size * 16u);
    for (std::uint64_t k = 0; k < count; ++k)
        for (std::uint32_t part = 0; part < desc.size; ++part, from += bytes) {
            double x = 0;
            if (bits == 0) {
                std::memcpy(&x, from, 8);
            } else {
                double low = 0, step = 0;
                std::uint32_t q = 0;
                std::memcpy(&low, ranges + part * 16u, 8);
                std::memcpy(&step, ranges + part * 16u + 8, 8);
                std::memcpy(&q, from, bytes);
                x = low + q * step;
            }
            std::memcpy(to + k * stride + part * 8u, &x, 8);
        }
}

namespace {

// Of grains the smallest, by what their sizes multiply.
double least_factor(const GrainSizes& sizes) {
    if (const auto* u = std::get_if<UniformSizes>(&sizes)) return u->low;
    if (const auto* l = std::get_if<LognormalSizes>(&sizes)) return std::exp(-3 * l->deviation);
    const auto* s = std::get_if<SieveSizes>(&sizes);
    return s && !s->openings.empty() ? s->openings.front() : 1;
}

double least_grain(const GrainsDesc& grains) {
    double least = 0;
    if (grains.mixture.empty()) return least_factor(grains.sizes) * least_length(grains.shape);
    for (const auto& part : grains.mixture)
        least = smaller(least, least_factor(part.sizes) * least_length(part.shape));
    return least;
}

}  // namespace

double smallest_size(const Scene& structure) {
    double least = 0;
    for (const GrainsDesc& grains : structure.grains) least = smaller(least, least_grain(grains));
    for (const BodyDesc& body : structure.bodies)
        if (body.kind == BodyKind::Dynamic) least = smaller(least, least_length(body.shape));
    return least;
}

}  // namespace impuls
