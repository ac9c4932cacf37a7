// Finding pairs of a surface with itself (pairs.h): boxes of triangles, larger by the budgets of their
// vertices and half the thickness, sorted along x and swept.
#include "deformable/self/pairs.h"

#include <algorithm>
#include <set>

#include "deformable/contact/closest.h"

namespace impuls::deformable {

Separation separation_of(const Columns& x, const SelfPair& pair) {
    const auto& i = pair.node;
    const Vec3 a = x.at(i[0]), b = x.at(i[1]), c = x.at(i[2]), e = x.at(i[3]);
    Separation s;
    if (pair.is_edges) {
        const auto [u, v] = closest_of_segments(a, b, c, e);
        s.weight = {1 - u, u, -(1 - v), -v};
    } else {
        const auto w = closest_on_triangle(a, b, c, e);
        s.weight = {1, -w[0], -w[1], -w[2]};
    }
    const Vec3 d = a * s.weight[0] + b * s.weight[1] + c * s.weight[2] + e * s.weight[3];
    s.d = length(d);
    if (s.d > 0) s.n = d / s.d;
    return s;
}

double gap_along(const Columns& x, const SelfPair& pair, const Vec3& n) {
    double at[4];
    for (std::size_t k = 0; k < 4; ++k) at[k] = dot(n, x.at(pair.node[k]));
    if (pair.is_edges) return std::min(at[0], at[1]) - std::max(at[2], at[3]);
    return at[0] - std::max({at[1], at[2], at[3]});
}

SelfPairs::SelfPairs(const Surface& surface) : surface_(&surface), owned_(surface.triangles.size()) {
    std::set<std::uint32_t> vertices;
    std::set<std::array<std::uint32_t, 2>> edges;
    for (std::size_t t = 0; t < owned_.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = surface.triangles[t][k], b = surface.triangles[t][(k + 1) % 3];
            if (vertices.insert(a).second) owned_[t].vertices.push_back(a);
            const std::array<std::uint32_t, 2> edge{std::min(a, b), std::max(a, b)};
            if (edges.insert(edge).second) owned_[t].edges.push_back(edge);
        }
    boxes_.resize(owned_.size());
}

void SelfPairs::add(const Columns& x, std::span<const double> budget, double thickness,
                    const SelfPair& pair) {
    const auto& i = pair.node;
    double reach = 0;
    if (pair.is_edges) {
        if (i[0] == i[2] || i[0] == i[3] || i[1] == i[2] || i[1] == i[3]) return;
        reach = 0.5 * thickness + std::max(budget[i[0]], budget[i[1]]) + std::max(budget[i[2]], budget[i[3]]);
    } else {
        if (i[0] == i[1] || i[0] == i[2] || i[0] == i[3]) return;
        reach = thickness + budget[i[0]] + std::max({budget[i[1]], budget[i[2]], budget[i[3]]});
    }
    if (separation_of(x, pair).d < reach) list_.push_back(pair);
}

void SelfPairs::test(const Columns& x, std::span<const double> budget, double thickness, std::uint32_t a,
                     std::uint32_t b) {
    const Triangle &ta = surface_->triangles[a], &tb = surface_->triangles[b];
    for (const std::uint32_t v : owned_[a].vertices)
        add(x, budget, thickness, {{v, tb[0], tb[1], tb[2]}, false});
    for (const std::uint32_t v : owned_[b].vertices)
        add(x, budget, thickness, {{v, ta[0], ta[1], ta[2]}, false});
    for (auto e : owned_[a].edges)
        for (auto f : owned_[b].edges) {
            if (f < e) std::swap(e, f);
            add(x, budget, thickness, {{e[0], e[1], f[0], f[1]}, true});
        }
}

void SelfPairs::find(const Columns& x, std::span<const double> budget, double thickness) {
    for (std::uint32_t t = 0; t < boxes_.size(); ++t) {
        const Triangle& triangle = surface_->triangles[t];
        Box& box = boxes_[t];
        box.triangle = t;
        box.min = box.max = x.at(triangle[0]);
        double most = 0;
        for (const std::uint32_t k : triangle) {
            const Vec3 p = x.at(k);
            most = std::max(most, budget[k]);
            for (int axis = 0; axis < 3; ++axis) {
                box.min[axis] = std::min(box.min[axis], p[axis]);
                box.max[axis] = std::max(box.max[axis], p[axis]);
            }
        }
        const double by = most + 0.5 * thickness;
        box.min -= {by, by, by};
        box.max += {by, by, by};
    }
    std::sort(boxes_.begin(), boxes_.end(), [](const Box& a, const Box& b) {
        return a.min.x < b.min.x || (a.min.x == b.min.x && a.triangle < b.triangle);
    });
    list_.clear();
    for (std::size_t i = 0; i < boxes_.size(); ++i)
        for (std::size_t j = i + 1; j < boxes_.size() && boxes_[j].min.x <= boxes_[i].max.x; ++j) {
            const Box &a = boxes_[i], &b = boxes_[j];
            if (a.min.y > b.max.y || b.min.y > a.max.y || a.min.z > b.max.z || b.min.z > a.max.z) continue;
            test(x, budget, thickness, std::min(a.triangle, b.triangle), std::max(a.triangle, b.triangle));
        }
    std::sort(list_.begin(), list_.end());
    list_.erase(std::unique(list_.begin(), list_.end()), list_.end());
}

}  // namespace impuls::deformable
