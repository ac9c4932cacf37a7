// The kernel of generator F: what a triangle of the target covers of a triangle of the base (spec:
// areal-contact 2.12, clipped base triangles). Rays go from the base inwards, along -n_b; with the target's
// plane m (x - q) = 0 the depth along them is linear,
//     u(x) = m (x - q) / (m n_b),   m n_b < 0,
// so the part with u > 0 that is covered is a convex polygon of at most seven corners, and integrals of u,
// u^2 and x u over it are exact by the middles of edges of its fan. The target is pressed on its own area,
// dA_b / |n_t n_b|, along its own normal: this is the gradient of the energy k/2 Int u^2 dA_b, so undamped
// contact keeps its energy. Here a plane as base has vertical rays. In the base's axes; forces are on the
// base. Called by ArealPair (contact.h) with plain numbers and with derivatives (dual.h).
#pragma once

#include <array>

#include "areal/press.h"

namespace impuls::areal {

// Surfaces that face each other less than by this cosine have no pressure: rays that graze a surface find
// depths that are not those of the contact (sharp edges). Below a plane every depth is true.
inline constexpr double kFacing = 0.25, kFacingPlane = 1e-9;

template <class T>
struct Polygon {
    std::array<Vec<T>, 8> corner{};
    int count = 0;
};

// Keeps the part where h (x - q) >= 0.
template <class T>
void cut(Polygon<T>& polygon, const Vec<T>& h, const Vec<T>& q) {
    std::array<T, 8> side;
    int inside = 0;
    for (int i = 0; i < polygon.count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        side[k] = dot(h, polygon.corner[k] - q);
        inside += value_of(side[k]) >= 0;
    }
    if (inside == polygon.count) return;
    if (inside == 0) {
        polygon.count = 0;
        return;
    }
    const Polygon<T> in = polygon;
    polygon.count = 0;
    const auto add = [&](const Vec<T>& x) {
        if (polygon.count < 8) polygon.corner[static_cast<std::size_t>(polygon.count++)] = x;
    };
    for (int i = 0; i < in.count; ++i) {
        const auto k = static_cast<std::size_t>(i),
                   l = static_cast<std::size_t>(i + 1 < in.count ? i + 1 : 0);
        const bool is_in = value_of(side[k]) >= 0, is_next = value_of(side[l]) >= 0;
        if (is_in) add(in.corner[k]);
        if (is_in != is_next)
            add(in.corner[k] + (in.corner[l] - in.corner[k]) * (side[k] / (side[k] - side[l])));
    }
}

// A facet of the target seen from the base.
template <class T>
struct Facet {
    Vec<T> q{}, m{};   // a corner; the normal, times twice the area
    T along{};         // m n_b
    double look = -1;  // -1: towards the base, 1: away (below a plane alone)
    T depth(const Vec<T>& x) const { return dot(m, x - q) / along; }
};
template <class T>
Facet<T> facet_of(const std::array<Vec<T>, 3>& corners, const Vec3& n_b) {
    Facet<T> f;
    f.q = corners[0];
    f.m = cross(corners[1] - corners[0], corners[2] - corners[0]);
    f.along = dot(f.m, n_b);
    return f;
}
// How the facet looks at the base: -1: towards it, 1: away (a ray enters there), 0: along the rays.
template <class T>
int looks(const Facet<T>& f, double facing) {
    const Vec3 m = plain(f.m);
    const double along = value_of(f.along), limit = facing * length(m);
    return along < -limit ? -1 : along > limit ? 1 : 0;
}

// The part of a base triangle below the facet, u > 0.
template <class T>
Polygon<T> covered(const std::array<Vec3, 3>& base, const Vec3& n_b, const Facet<T>& f,
                   const std::array<Vec<T>, 3>& target, int look) {
    Polygon<T> out;
    for (const Vec3& x : base) out.corner[static_cast<std::size_t>(out.count++)] = fixed<T>(x);
    const double sign = look;
    cut(out, f.m * sign, f.q);
    const Vec<T> n = fixed<T>(n_b);
    for (std::size_t i = 0; i < 3 && out.count > 0; ++i)
        cut(out, cross(n, target[(i + 1) % 3] - target[i]) * sign, target[i]);
    return out;
}

// The part of a target triangle below the plane x n_b = 0, seen along n_b: its shadow on the plane.
template <class T>
Polygon<T> below_plane(const Vec3& n_b, const std::array<Vec<T>, 3>& target, double look) {
    Polygon<T> out;
    for (const Vec<T>& x : target) out.corner[static_cast<std::size_t>(out.count++)] = x;
    const Vec<T> n = fixed<T>(n_b);
    cut(out, n * -1.0, Vec<T>{T(0), T(0), T(0)});
    for (int i = 0; i < out.count; ++i) {
        Vec<T>& x = out.corner[static_cast<std::size_t>(i)];
        x = x - n * dot(x, n_b);
    }
    if (look > 0) return out;
    // The shadow of what faces the plane runs the other way round.
    for (int i = 0, j = out.count - 1; i < j; ++i, --j)
        std::swap(out.corner[static_cast<std::size_t>(i)], out.corner[static_cast<std::size_t>(j)]);
    return out;
}

// Integrals over a piece of the base.
template <class T>
void press(const ArealLaw& law, const Polygon<T>& polygon, const Facet<T>& f, const Vec3& n_b,
           const Motion6<T>& motion, Pressed<T>& sum) {
    const T inverse = T(f.look) / f.along;  // positive
    const Vec<T> n = fixed<T>(n_b);
    for (int i = 1; i + 1 < polygon.count; ++i) {
        const std::array<Vec<T>, 3> x{polygon.corner[0], polygon.corner[static_cast<std::size_t>(i)],
                                      polygon.corner[static_cast<std::size_t>(i + 1)]};
        const T third = dot(cross(x[1] - x[0], x[2] - x[0]), n_b) * (0.5 / 3);  // of its area
        if (!(value_of(third) > 0)) continue;
        const Vec<T> area = f.m * (third * inverse);  // of the target, along its normal
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec<T> middle = (x[k] + x[(k + 1) % 3]) * 0.5;
            const T u = f.depth(middle);
            if (!(value_of(u) > 0)) continue;
            press_part(law, middle - n * u, u, area, value_of(third), f.look, motion, sum);
        }
    }
}

}  // namespace impuls::areal
