// Kinds, sizes and places of grains (grain_sets.h). Not part of a step.
#include "scene/grain_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include "base/rng.h"
#include "geometry/grains.h"

namespace impuls {
namespace {

using granular::GrainShape;

constexpr std::uint64_t kShapes = 1ull << 40, kPlaces = 1ull << 41;  // streams beside those of the grains

// What kinds a shape has.
void add_kinds(const GrainShapeDesc& desc, std::uint64_t seed, std::vector<GrainShape>& out) {
    if (const auto* e = std::get_if<EllipsoidGrain>(&desc)) {
        const std::int64_t count = e->variation > 0 ? e->kinds : 1;
        for (std::int64_t k = 0; k < count; ++k)
            out.push_back(granular::ellipsoid_shape(static_cast<int>(e->vertices), e->radii, e->variation,
                                                    seed + kShapes + static_cast<std::uint64_t>(k)));
    } else if (const auto* s = std::get_if<SphereGrain>(&desc)) {
        out.push_back(granular::sphere_shape(s->radius));
    } else if (const auto* p = std::get_if<PlatonicGrain>(&desc)) {
        out.push_back(granular::platonic_shape(static_cast<int>(p->faces), p->radius));
    } else {
        out.push_back(granular::hull_shape(std::get<HullGrain>(desc).points));
    }
}

// Normal by the sum of twelve, which is cut by itself; at set-up only.
double draw_normal(Rng& draw) {
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += draw.uniform();
    return std::clamp(sum, -3.0, 3.0);
}

// Shares of mass to shares of number: a class of mean size s has mass share / s^3 grains.
double draw_sieve(const SieveSizes& sieve, Rng& draw) {
    std::vector<double> number(sieve.openings.size(), 0);
    for (std::size_t k = 1; k < number.size(); ++k) {
        const double middle = (sieve.openings[k - 1] + sieve.openings[k]) / 2;
        number[k] = number[k - 1] + (sieve.passing[k] - sieve.passing[k - 1]) / (middle * middle * middle);
    }
    const double u = draw.uniform() * number.back(), at = draw.uniform();
    std::size_t k = 1;
    while (k + 1 < number.size() && number[k] < u) ++k;
    return sieve.openings[k - 1] + at * (sieve.openings[k] - sieve.openings[k - 1]);
}

double draw_size(const GrainSizes& sizes, Rng& draw) {
    if (const auto* u = std::get_if<UniformSizes>(&sizes)) return draw.uniform(u->low, u->high);
    if (const auto* l = std::get_if<LognormalSizes>(&sizes))
        return std::exp(l->deviation * draw_normal(draw));
    if (const auto* s = std::get_if<SieveSizes>(&sizes)) return draw_sieve(*s, draw);
    return 1;
}

double largest_size(const GrainSizes& sizes) {
    if (const auto* u = std::get_if<UniformSizes>(&sizes)) return u->high;
    if (const auto* l = std::get_if<LognormalSizes>(&sizes)) return std::exp(3 * l->deviation);
    if (const auto* s = std::get_if<SieveSizes>(&sizes)) return s->openings.empty() ? 1 : s->openings.back();
    return 1;
}

void add_parts(const GrainsDesc& desc, std::uint32_t set, GrainKinds& out) {
    std::vector<GrainPartDesc> parts = desc.mixture;
    if (parts.empty()) parts.push_back({1, desc.shape, desc.sizes});
    auto& made = out.parts.emplace_back();
    for (const GrainPartDesc& part : parts) {
        std::vector<GrainShape> shapes;
        add_kinds(part.shape, static_cast<std::uint64_t>(desc.seed), shapes);
        made.push_back({part.share, static_cast<std::uint32_t>(out.kinds.size()),
                        static_cast<std::uint32_t>(shapes.size()), part.sizes});
        for (GrainShape& shape : shapes) out.kinds.push_back({std::move(shape), set});
    }
}

// Rows along x, then z, from below.
// Turned ones are also shifted a little, within the gaps, so that no column of balls stands by symmetry
// alone.
std::vector<Vec3> block_places(const BlockPlace& block, double radius, std::int64_t count,
                               std::uint64_t seed) {
    Rng draw(seed, kPlaces);
    const double shift = block.turned && !block.spacing ? 0.004 * radius : 0;
    const double spacing = block.spacing.value_or(2.02 * radius);
    const double inset = std::max(radius, 0.0);
    const auto fit = [&](double low, double high) {
        return high - low < 2 * inset
                   ? 0
                   : static_cast<std::int64_t>((high - low - 2 * inset) / spacing + 1e-9) + 1;
    };
    const std::int64_t nx = fit(block.lower.x, block.upper.x), ny = fit(block.lower.y, block.upper.y),
                       nz = fit(block.lower.z, block.upper.z);
    std::vector<Vec3> places;
    const double most = static_cast<double>(nx) * static_cast<double>(ny) * static_cast<double>(nz);
    const auto all = static_cast<std::int64_t>(std::min(most, static_cast<double>(count)));
    for (std::int64_t k = 0; k < all; ++k) {
        const Vec3 at{static_cast<double>(k % nx), static_cast<double>(k / nx / nz),
                      static_cast<double>(k / nx % nz)};
        const Vec3 aside{draw.uniform(-1, 1), draw.uniform(-1, 1), draw.uniform(-1, 1)};
        places.push_back(block.lower + Vec3{1, 1, 1} * inset + at * spacing + aside * shift);
    }
    return places;
}

// One after the other where no other is; by a grid of cells as wide as the largest grain.
std::vector<Vec3> scatter_places(const ScatterPlace& box, double radius, std::int64_t count,
                                 std::uint64_t seed) {
    Rng draw(seed, kPlaces);
    std::vector<Vec3> places;
    std::unordered_map<std::int64_t, std::vector<std::uint32_t>> cells;
    const double edge = 2.02 * radius;
    const auto key = [](std::int64_t x, std::int64_t y, std::int64_t z) { return (x << 42) ^ (y << 21) ^ z; };
    for (std::int64_t tries = 0;
         tries < 200 * count + 1000 && static_cast<std::int64_t>(places.size()) < count; ++tries) {
        Vec3 p;
        for (int k = 0; k < 3; ++k) p[k] = draw.uniform(box.lower[k] + radius, box.upper[k] - radius);
        const Vec3 cell = (p - box.lower) / edge;
        const auto x = static_cast<std::int64_t>(cell.x), y = static_cast<std::int64_t>(cell.y),
                   z = static_cast<std::int64_t>(cell.z);
        bool is_free = true;
        for (std::int64_t c = 0; c < 27 && is_free; ++c) {
            const auto found = cells.find(key(x + c % 3 - 1, y + c / 3 % 3 - 1, z + c / 9 - 1));
            if (found == cells.end()) continue;
            for (const std::uint32_t other : found->second)
                is_free = is_free && length_squared(places[other] - p) > edge * edge;
        }
        if (!is_free) continue;
        cells[key(x, y, z)].push_back(static_cast<std::uint32_t>(places.size()));
        places.push_back(p);
    }
    return places;
}

}  // namespace

GrainKinds make_grain_kinds(const std::vector<GrainsDesc>& sets) {
    GrainKinds out;
    for (std::uint32_t k = 0; k < sets.size(); ++k) add_parts(sets[k], k, out);
    return out;
}

DrawnGrain draw_grain(const GrainKinds& kinds, const GrainsDesc& desc, std::uint32_t set,
                      std::int64_t number) {
    Rng draw(static_cast<std::uint64_t>(desc.seed), static_cast<std::uint64_t>(number));
    const auto& parts = kinds.parts[set];
    double all = 0;
    for (const auto& part : parts) all += part.share;
    double u = draw.uniform() * all;
    std::size_t k = 0;
    while (k + 1 < parts.size() && u >= parts[k].share) u -= parts[k++].share;
    DrawnGrain grain;
    grain.kind = parts[k].first + static_cast<std::uint32_t>(draw.next() % parts[k].count);
    grain.size = draw_size(parts[k].sizes, draw);
    const auto* block = std::get_if<BlockPlace>(&desc.place);
    grain.orientation = kinds.kinds[grain.kind].shape.from_given;
    if (!block || block->turned) grain.orientation = draw.rotation();
    return grain;
}

double largest_grain(const GrainKinds& kinds, std::uint32_t set) {
    double most = 0;
    for (const auto& part : kinds.parts[set])
        for (std::uint32_t k = part.first; k < part.first + part.count; ++k)
            most = std::max(most, kinds.kinds[k].shape.radius * largest_size(part.sizes));
    return most;
}

void expand_grains(const ScenePart& part, std::vector<GrainsDesc>& out) {
    for (GrainsDesc desc : part.scene->grains) {
        desc.name = part.prefix + (desc.name.empty() ? fmt::format("grains[{}]", out.size()) : desc.name);
        if (desc.material.empty()) desc.material = "default";
        std::visit([&](auto& place) { place.lower += part.X_WI.position, place.upper += part.X_WI.position; },
                   desc.place);
        out.push_back(std::move(desc));
    }
}

std::vector<Vec3> grain_places(const GrainKinds& kinds, const GrainsDesc& desc, std::uint32_t set) {
    const double radius = largest_grain(kinds, set);
    if (const auto* block = std::get_if<BlockPlace>(&desc.place))
        return block_places(*block, radius, desc.count, static_cast<std::uint64_t>(desc.seed));
    if (const auto* box = std::get_if<ScatterPlace>(&desc.place))
        return scatter_places(*box, radius, desc.count, static_cast<std::uint64_t>(desc.seed));
    return {};
}

}  // namespace impuls
