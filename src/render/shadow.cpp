// Shadows (shadow.h). The point is moved off its surface by some cells, so that a surface does not shade
// itself by the roughness of the grid.
#include "render/shadow.h"

#include <limits>

namespace impuls {

namespace {

constexpr double kOff = 2.0;     // cells
constexpr double kWidest = 1.2;  // tangent of half the widest angle
constexpr double kNever = std::numeric_limits<float>::infinity();

}  // namespace

ShadowMap::ShadowMap(const Vec3& light, const Vec3& center, double radius, int size) : radius_(radius) {
    const Vec3 way = center - light;
    const double distance = length(way);
    Projection& c = projection_;
    c.forward = distance > 0 ? way / distance : Vec3{0, -1, 0};
    c.right = square_to(c.forward);
    c.up = cross(c.right, c.forward);
    c.location = light;
    const double tangent = distance > radius
                               ? std::min(kWidest, radius / std::sqrt(distance * distance - radius * radius))
                               : kWidest;
    c.width = c.height = size;
    c.focal = 0.5 * size / tangent;
    c.near = 1e-3 * radius;
    depths_.assign(static_cast<std::size_t>(size) * static_cast<std::size_t>(size),
                   static_cast<float>(kNever));
}

void ShadowMap::add(const Facet& facet) {
    fill_facet(facet, projection_, [&](int x, int y, double z, const Vec3&) {
        float& depth = depths_[static_cast<std::size_t>(y) * static_cast<std::size_t>(projection_.width) +
                               static_cast<std::size_t>(x)];
        depth = std::min(depth, static_cast<float>(z));
    });
}

double ShadowMap::light_at(const Vec3& p, const Vec3& normal) const {
    const double cell = dot(p - projection_.location, projection_.forward) / projection_.focal;
    if (!(cell > 0)) return 1;
    const Vec3 s = projection_(p + kOff * cell * normal);
    if (!(s.z > projection_.near)) return 1;
    const double x = std::floor(s.x), y = std::floor(s.y);
    const int size = projection_.width;
    if (!(x >= 1 && y >= 1 && x < size - 1 && y < size - 1)) return 1;
    const double limit = s.z - 1e-4 * radius_;
    // Over 2x2 groups of cells, weighted by where the point lies between them: no steps at the edge.
    const double u = s.x - x, v = s.y - y;
    double lit = 0;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
            const double wx = i < 0 ? 1 - u : i > 0 ? u : 1, wy = j < 0 ? 1 - v : j > 0 ? v : 1;
            const float depth =
                depths_[static_cast<std::size_t>((static_cast<int>(y) + j) * size + static_cast<int>(x) + i)];
            if (static_cast<double>(depth) >= limit) lit += wx * wy;
        }
    return lit / 4;
}

}  // namespace impuls
