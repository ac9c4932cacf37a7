// Particles, links and triangles from their description (particle_net.h).
#include "geometry/particle_net.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <type_traits>

namespace impuls {
namespace {

std::uint32_t number(std::int64_t i) {
    return static_cast<std::uint32_t>(i);
}

// Descriptions that were not checked may name particles that are not there: what does is left out.
bool is_known(const ParticleNet& net, std::int64_t i) {
    return i >= 0 && static_cast<std::size_t>(i) < net.points.size();
}

void set_triangles(const Particles& shape, ParticleNet& net) {
    for (std::size_t t = 0; t + 2 < shape.triangles.size(); t += 3) {
        const auto given = std::span(shape.triangles).subspan(t, 3);
        if (!std::all_of(given.begin(), given.end(), [&](auto i) { return is_known(net, i); })) continue;
        std::array<std::uint32_t, 3> corners{number(shape.triangles[t]), number(shape.triangles[t + 1]),
                                             number(shape.triangles[t + 2])};
        std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
        net.triangles.push_back(corners);
    }
    std::sort(net.triangles.begin(), net.triangles.end());
    net.first_triangle.assign(net.points.size() + 1, 0);
    for (const auto& corners : net.triangles) ++net.first_triangle[corners[0] + 1];
    for (std::size_t k = 0; k < net.points.size(); ++k) net.first_triangle[k + 1] += net.first_triangle[k];
}

struct Edge {
    std::uint32_t low, high, triangle, place;
};

// By edge, then by triangle.
std::vector<Edge> edges_of(const ParticleNet& net) {
    std::vector<Edge> edges;
    for (std::uint32_t t = 0; t < net.triangles.size(); ++t)
        for (std::uint32_t k = 0; k < 3; ++k) {
            const auto [low, high] = std::minmax(net.triangles[t][k], net.triangles[t][(k + 1) % 3]);
            edges.push_back({low, high, t, k});
        }
    std::sort(edges.begin(), edges.end(), [](const Edge& x, const Edge& y) {
        return std::array{x.low, x.high, x.triangle} < std::array{y.low, y.high, y.triangle};
    });
    return edges;
}

// What no triangle covers.
void find_bare(const std::vector<Edge>& edges, ParticleNet& net) {
    std::vector<std::uint8_t> is_held(net.points.size(), 0);
    for (const auto& corners : net.triangles)
        for (const std::uint32_t k : corners) is_held[k] = 1;
    for (const ParticleLink& link : net.links) {
        is_held[link.a] = is_held[link.b] = 1;
        const auto [low, high] = std::minmax(link.a, link.b);
        const auto at = std::lower_bound(edges.begin(), edges.end(), std::array{low, high},
                                         [](const Edge& e, const std::array<std::uint32_t, 2>& key) {
                                             return std::array{e.low, e.high} < key;
                                         });
        if (at == edges.end() || at->low != low || at->high != high) net.bare_links.push_back({low, high});
    }
    std::sort(net.bare_links.begin(), net.bare_links.end());
    for (std::uint32_t k = 0; k < net.points.size(); ++k)
        if (!is_held[k]) net.bare_points.push_back(k);
}

void set_links(const Particles& shape, ParticleNet& net) {
    net.own_edges.assign(net.triangles.size(), 0);
    const std::vector<Edge> edges = edges_of(net);
    for (std::size_t k = 0; k < edges.size(); ++k) {
        const Edge& edge = edges[k];
        if (k > 0 && edges[k - 1].low == edge.low && edges[k - 1].high == edge.high) continue;
        net.own_edges[edge.triangle] |= static_cast<std::uint8_t>(1u << edge.place);
        if (shape.links.empty()) net.links.push_back({edge.low, edge.high, 0});
    }
    for (std::size_t k = 0; k + 1 < shape.links.size(); k += 2)
        if (is_known(net, shape.links[k]) && is_known(net, shape.links[k + 1]))
            net.links.push_back({number(shape.links[k]), number(shape.links[k + 1]), 0});
    find_bare(edges, net);
    for (std::size_t k = 0; k < net.links.size(); ++k) {
        ParticleLink& link = net.links[k];
        link.length =
            k < shape.lengths.size() ? shape.lengths[k] : length(net.points[link.b] - net.points[link.a]);
    }
}

void set_masses(const Particles& shape, double density, ParticleNet& net) {
    net.masses = shape.masses;
    if (net.masses.size() == net.points.size()) return;
    net.masses.assign(net.points.size(), 0);
    const double r = shape.radius;
    for (const auto& [a, b, c] : net.triangles) {
        const Vec3 &p = net.points[a], &q = net.points[b], &s = net.points[c];
        const double share = density * length(cross(q - p, s - p)) * 0.5 * (2 * r) / 3;
        for (const std::uint32_t k : {a, b, c}) net.masses[k] += share;
    }
    const std::vector<double> of_triangles = net.masses;
    for (const ParticleLink& link : net.links)
        for (const std::uint32_t k : {link.a, link.b})
            if (of_triangles[k] == 0) net.masses[k] += density * std::numbers::pi * r * r * 0.5 * link.length;
    for (double& mass : net.masses)
        if (mass == 0) mass = density * 4.0 / 3.0 * std::numbers::pi * r * r * r;
}

}  // namespace

// The corner of the V lies below the middle of the ends by Pythagoras.
Rope::operator Particles() const {
    Particles out;
    out.radius = radius;
    out.compliance = compliance;
    out.pins = pins;
    const double way = impuls::length(to - from), whole = std::max(length.value_or(way), way);
    const double depth = 0.5 * std::sqrt(std::max(0.0, whole * whole - way * way));
    for (std::int64_t k = 0; k <= pieces; ++k) {
        const double s = static_cast<double>(k) / static_cast<double>(pieces);
        out.points.push_back(from + (to - from) * s + Vec3{0, -depth * (1 - std::abs(2 * s - 1)), 0});
        if (k == 0) continue;
        out.links.push_back(k - 1);
        out.links.push_back(k);
    }
    return out;
}

Sheet::operator Particles() const {
    Particles out;
    out.radius = radius;
    out.compliance = compliance;
    out.pins = pins;
    const std::int64_t across = columns + 1;
    for (std::int64_t z = 0; z <= rows; ++z)
        for (std::int64_t x = 0; x <= columns; ++x) {
            const double u = static_cast<double>(x) / static_cast<double>(columns) - 0.5,
                         v = static_cast<double>(z) / static_cast<double>(rows) - 0.5;
            const std::int64_t k = x + z * across;
            out.points.push_back({u * width, 0, v * depth});
            if (x > 0) out.links.insert(out.links.end(), {k - 1, k});
            if (z > 0) out.links.insert(out.links.end(), {k - across, k});
            if (x == 0 || z == 0) continue;
            const std::int64_t p = k - across - 1, q = k - across, r = k - 1;
            // Diagonals alternate, so that no direction is preferred.
            if ((x + z) % 2 == 0)
                out.triangles.insert(out.triangles.end(), {p, r, k, p, k, q});
            else
                out.triangles.insert(out.triangles.end(), {p, r, q, q, r, k});
        }
    return out;
}

std::optional<Particles> particles_of(const Shape& shape) {
    return std::visit(
        [](const auto& s) -> std::optional<Particles> {
            if constexpr (std::is_convertible_v<decltype(s), Particles>) return Particles(s);
            return {};
        },
        shape);
}

bool is_of_particles(const Shape& shape) {
    return std::visit([](const auto& s) { return std::is_convertible_v<decltype(s), Particles>; }, shape);
}

ParticleNet make_net(const Particles& shape, double density) {
    ParticleNet net;
    net.points = shape.points;
    net.radius = shape.radius;
    net.compliance = shape.compliance;
    net.is_pinned.assign(net.points.size(), 0);
    const auto count = static_cast<std::int64_t>(net.points.size());
    for (std::int64_t pin : shape.pins) {
        if (pin < 0) pin += count;
        if (is_known(net, pin)) net.is_pinned[static_cast<std::size_t>(pin)] = 1;
    }
    set_triangles(shape, net);
    set_links(shape, net);
    set_masses(shape, density, net);
    return net;
}

Aabb box_of_patch(const ParticleNet& net, const std::vector<Vec3>& places, std::uint32_t lead) {
    const Vec3 around{net.radius, net.radius, net.radius};
    Aabb box{places[lead] - around, places[lead] + around};
    for (std::uint32_t t = net.first_triangle[lead]; t < net.first_triangle[lead + 1]; ++t)
        for (const std::uint32_t k : net.triangles[t])
            include_box(box, {places[k] - around, places[k] + around});
    return box;
}

// Ericson, Real-Time Collision Detection, 5.1.5.
std::array<double, 3> nearest_weights(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        const double v = d1 / (d1 - d3);
        return {1 - v, v, 0};
    }
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        const double w = d2 / (d2 - d6);
        return {1 - w, 0, w};
    }
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return {0, 1 - w, w};
    }
    const double sum = va + vb + vc;
    const double v = vb / sum, w = vc / sum;
    return {1 - v - w, v, w};
}

}  // namespace impuls
