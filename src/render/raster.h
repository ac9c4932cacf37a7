// Triangles to samples: perspective projection, clipping at a near plane, and a z-buffer. With w = 1/z linear
// over the picture, a value a at the corners is sum(b w a) / sum(b w) at barycentric coordinates b. Called by
// picture.cpp for what the camera sees, and by shadow.cpp for what the light sees.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "render/facets.h"

namespace impuls {

// Of a grid of width x height samples; `focal` is in samples per unit tangent.
struct Projection {
    Vec3 location{}, forward{}, right{}, up{};
    double focal = 1, near = 1e-3;
    int width = 0, height = 0;

    // (x, y) in samples with y down, and the depth.
    Vec3 operator()(const Vec3& p) const {
        const Vec3 d = p - location;
        const double z = dot(d, forward);
        return {0.5 * width + focal * dot(d, right) / z, 0.5 * height - focal * dot(d, up) / z, z};
    }
    // Through the middle of a sample; its part along `forward` is 1.
    Vec3 ray(int x, int y) const {
        return forward + ((x + 0.5 - 0.5 * width) / focal) * right + ((0.5 * height - y - 0.5) / focal) * up;
    }
};

// visit(x, y, z, weights): samples inside a triangle that lies ahead of the near plane; the weights sum to 1.
template <class Visit>
void fill_triangle(const std::array<Vec3, 3>& s, int width, int height, Visit&& visit) {
    const double area = (s[1].x - s[0].x) * (s[2].y - s[0].y) - (s[2].x - s[0].x) * (s[1].y - s[0].y);
    if (!(std::abs(area) > 0)) return;
    const auto [left, right] = std::minmax({s[0].x, s[1].x, s[2].x});
    const auto [top, bottom] = std::minmax({s[0].y, s[1].y, s[2].y});
    const int x0 = static_cast<int>(std::clamp(std::ceil(left - 0.5), 0.0, double(width)));
    const int x1 = static_cast<int>(std::clamp(std::floor(right - 0.5) + 1, 0.0, double(width)));
    const int y0 = static_cast<int>(std::clamp(std::ceil(top - 0.5), 0.0, double(height)));
    const int y1 = static_cast<int>(std::clamp(std::floor(bottom - 0.5) + 1, 0.0, double(height)));
    const std::array<double, 3> w{1 / s[0].z, 1 / s[1].z, 1 / s[2].z};
    for (int y = y0; y < y1; ++y) {
        for (int x = x0; x < x1; ++x) {
            const double px = x + 0.5, py = y + 0.5;
            const auto part = [&](const Vec3& a, const Vec3& b) {
                return ((a.x - px) * (b.y - py) - (b.x - px) * (a.y - py)) / area;
            };
            const std::array<double, 3> b{part(s[1], s[2]), part(s[2], s[0]), part(s[0], s[1])};
            if (b[0] < 0 || b[1] < 0 || b[2] < 0) continue;
            const double sum = b[0] * w[0] + b[1] * w[1] + b[2] * w[2];
            visit(x, y, 1 / sum,
                  std::array<double, 3>{b[0] * w[0] / sum, b[1] * w[1] / sum, b[2] * w[2] / sum});
        }
    }
}

// The same for a facet of the world, cut at the near plane; visit(x, y, z, normal).
template <class Visit>
void fill_facet(const Facet& facet, const Projection& projection, Visit&& visit) {
    std::array<Vec3, 4> p, n;
    std::size_t count = 0;
    const auto depth = [&](const Vec3& q) { return dot(q - projection.location, projection.forward); };
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t next = (k + 1) % 3;
        const double a = depth(facet.p[k]) - projection.near, b = depth(facet.p[next]) - projection.near;
        if (a > 0) p[count] = facet.p[k], n[count++] = facet.n[k];
        if ((a > 0) == (b > 0)) continue;
        const double t = a / (a - b);
        p[count] = facet.p[k] + t * (facet.p[next] - facet.p[k]);
        n[count++] = facet.n[k] + t * (facet.n[next] - facet.n[k]);
    }
    for (std::size_t k = 2; k < count; ++k) {
        const std::array<Vec3, 3> s{projection(p[0]), projection(p[k - 1]), projection(p[k])};
        fill_triangle(s, projection.width, projection.height,
                      [&](int x, int y, double z, const std::array<double, 3>& b) {
                          visit(x, y, z, b[0] * n[0] + b[1] * n[k - 1] + b[2] * n[k]);
                      });
    }
}

}  // namespace impuls
