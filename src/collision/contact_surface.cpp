// Building triangle surfaces (contact_surface.h): welding, neighbours by sorted half edges, a tree of
// bounding boxes split at the median of the longest axis. Called once a shape.
#include "collision/contact_surface.h"

#include <algorithm>
#include <cmath>

#include "geometry/triangles.h"

namespace impuls {
namespace {

// Sine of the angle below which an edge counts as flat: above the rounding of given coordinates, below any
// angle that a contact could feel.
constexpr double kFlatEdge = 1e-6;
constexpr std::uint32_t kLeaf = 4;

void include(Aabb& box, const Vec3& p) {
    for (int i = 0; i < 3; ++i) {
        box.min[i] = std::min(box.min[i], p[i]);
        box.max[i] = std::max(box.max[i], p[i]);
    }
}

// Every triangle's corners replaced by the lowest vertex at the same place; triangles without area dropped.
void weld(TriangleMesh& mesh) {
    const auto& v = mesh.vertices;
    std::vector<std::uint32_t> order(v.size()), same(v.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = same[i] = i;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (v[a].x != v[b].x) return v[a].x < v[b].x;
        if (v[a].y != v[b].y) return v[a].y < v[b].y;
        return v[a].z != v[b].z ? v[a].z < v[b].z : a < b;
    });
    for (std::size_t i = 1; i < order.size(); ++i)
        if (v[order[i]] == v[order[i - 1]]) same[order[i]] = same[order[i - 1]];
    for (auto& t : mesh.triangles) t = {same[t[0]], same[t[1]], same[t[2]]};
    std::erase_if(mesh.triangles, [&](const auto& t) {
        const Vec3 n = cross(v[t[1]] - v[t[0]], v[t[2]] - v[t[0]]);
        return !(length_squared(n) > 0);
    });
}

}  // namespace

ContactSurface::ContactSurface(const Mesh& mesh) : ContactSurface(to_triangles(mesh)) {}

ContactSurface::ContactSurface(TriangleMesh mesh) {
    weld(mesh);
    take(std::move(mesh));
    is_solid_ = std::none_of(neighbours_.begin(), neighbours_.end(),
                             [](const auto& n) { return std::find(n.begin(), n.end(), kNone) != n.end(); });
    std::vector<Vec3> centers;
    for (const auto& t : triangles_)
        centers.push_back((vertices_[t[0]] + vertices_[t[1]] + vertices_[t[2]]) / 3);
    order_.resize(triangles_.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    if (!order_.empty()) build(0, static_cast<std::uint32_t>(order_.size()), centers);
}

ContactSurface::ContactSurface(const HeightField& field) : spacing_(field.spacing) {
    take(tessellate(field));
    is_solid_ = true;
    columns_ = static_cast<std::uint32_t>(field.columns - 1);
    rows_ = columns_ > 0 ? static_cast<std::uint32_t>(triangles_.size() / 2 / columns_) : 0;
}

void ContactSurface::take(TriangleMesh mesh) {
    vertices_ = std::move(mesh.vertices);
    triangles_ = std::move(mesh.triangles);
    for (const auto& t : triangles_)
        for (const std::uint32_t v : t) {
            include(box_, vertices_[v]);
            radius_ = std::max(radius_, length(vertices_[v]));
        }
    find_normals();
    find_neighbours();
    find_rings();
}

void ContactSurface::find_normals() {
    for (const auto& t : triangles_)
        normals_.push_back(
            normalized(cross(vertices_[t[1]] - vertices_[t[0]], vertices_[t[2]] - vertices_[t[0]])));
}

// Half edges sorted by their ends; opposite ones are neighbours, in order where there are several.
void ContactSurface::find_neighbours() {
    struct HalfEdge {
        std::uint32_t low, high, up, t, k;
        auto key() const { return std::array{low, high, up, t, k}; }
    };
    std::vector<HalfEdge> halves;
    for (std::uint32_t t = 0; t < triangles_.size(); ++t)
        for (std::uint32_t k = 0; k < 3; ++k) {
            const std::uint32_t a = triangles_[t][k], b = triangles_[t][(k + 1) % 3];
            halves.push_back({std::min(a, b), std::max(a, b), a < b, t, k});
        }
    std::sort(halves.begin(), halves.end(),
              [](const HalfEdge& x, const HalfEdge& y) { return x.key() < y.key(); });
    neighbours_.assign(triangles_.size(), {kNone, kNone, kNone});
    for (std::size_t i = 0, end = 0; i < halves.size(); i = end) {
        std::size_t middle = i;
        while (middle < halves.size() && halves[middle].low == halves[i].low &&
               halves[middle].high == halves[i].high && halves[middle].up == 0)
            ++middle;
        for (end = middle;
             end < halves.size() && halves[end].low == halves[i].low && halves[end].high == halves[i].high;)
            ++end;
        for (std::size_t n = 0; i + n < middle && middle + n < end; ++n) {
            const HalfEdge &down = halves[i + n], &up = halves[middle + n];
            neighbours_[down.t][down.k] = up.t;
            neighbours_[up.t][up.k] = down.t;
        }
    }
    sharp_.assign(triangles_.size(), 0);
    for (std::uint32_t t = 0; t < triangles_.size(); ++t)
        for (std::uint32_t k = 0; k < 3; ++k) {
            const std::uint32_t other = neighbours_[t][k];
            double height = -1;  // of the neighbour's far corner over this triangle, as a sine
            if (other != kNone) {
                const Vec3& p = vertices_[triangles_[t][k]];
                for (const std::uint32_t v : triangles_[other])
                    if (v != triangles_[t][k] && v != triangles_[t][(k + 1) % 3])
                        height = dot(normals_[t], vertices_[v] - p) / length(vertices_[v] - p);
            }
            if (height < -kFlatEdge) sharp_[t] = static_cast<std::uint8_t>(sharp_[t] | 1u << k);
        }
}

void ContactSurface::find_rings() {
    std::vector<std::array<std::uint32_t, 2>> ends;
    for (const auto& t : triangles_)
        for (std::size_t k = 0; k < 3; ++k) {
            ends.push_back({t[k], t[(k + 1) % 3]});
            ends.push_back({t[(k + 1) % 3], t[k]});
        }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    first_ring_.assign(vertices_.size() + 1, 0);
    for (const auto& e : ends) ++first_ring_[e[0] + 1], ring_.push_back(e[1]);
    for (std::size_t v = 0; v < vertices_.size(); ++v) first_ring_[v + 1] += first_ring_[v];
}

Aabb ContactSurface::box_of(std::uint32_t t) const {
    Aabb box;
    for (const std::uint32_t v : triangles_[t]) include(box, vertices_[v]);
    return box;
}

std::uint32_t ContactSurface::build(std::uint32_t begin, std::uint32_t end,
                                    const std::vector<Vec3>& centers) {
    const auto at = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({{}, begin, end - begin});
    Aabb box, middles;
    for (std::uint32_t k = begin; k < end; ++k) {
        const Aabb own = box_of(order_[k]);
        include(box, own.min), include(box, own.max);
        include(middles, centers[order_[k]]);
    }
    nodes_[at].box = box;
    if (end - begin <= kLeaf) return at;
    int axis = 0;
    for (int i = 1; i < 3; ++i)
        if (middles.max[i] - middles.min[i] > middles.max[axis] - middles.min[axis]) axis = i;
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](std::uint32_t a, std::uint32_t b) {
                         const double x = centers[a][axis], y = centers[b][axis];
                         return x != y ? x < y : a < b;
                     });
    build(begin, middle, centers);
    const std::uint32_t second = build(middle, end, centers);
    nodes_[at].first = second, nodes_[at].count = 0;
    return at;
}

ContactSurface::Cells ContactSurface::cells_in(const Aabb& box) const {
    const auto cell = [&](double x, double origin, std::uint32_t count) {
        const double c = std::floor((x - origin) / spacing_);
        return c <= 0 ? 0u : c >= count - 1 ? count - 1 : static_cast<std::uint32_t>(c);
    };
    const Vec3& o = box_.min;
    return {cell(box.min.x, o.x, columns_), cell(box.max.x, o.x, columns_), cell(box.min.z, o.z, rows_),
            cell(box.max.z, o.z, rows_)};
}

}  // namespace impuls
