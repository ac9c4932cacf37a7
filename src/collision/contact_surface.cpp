// Building triangle surfaces (contact_surface.h): welding, neighbours by sorted edges, a tree of triangles.
// Called once a shape.
#include "collision/contact_surface.h"

#include <algorithm>
#include <cmath>

#include "geometry/edge_runs.h"
#include "geometry/triangles.h"
#include "geometry/weld.h"

namespace impuls {
namespace {

// Sine of the angle below which an edge counts as flat: above the rounding of given coordinates, below any
// angle that a contact could feel.
constexpr double kFlatEdge = 1e-6;

void include(Aabb& box, const Vec3& p) {
    for (int i = 0; i < 3; ++i) {
        box.min[i] = std::min(box.min[i], p[i]);
        box.max[i] = std::max(box.max[i], p[i]);
    }
}

// Every triangle's corners replaced by the lowest vertex at the same place; triangles without area dropped.
void clean(TriangleMesh& mesh) {
    const auto& v = mesh.vertices;
    const std::vector<std::uint32_t> same = welded(v);
    for (auto& t : mesh.triangles) t = {same[t[0]], same[t[1]], same[t[2]]};
    std::erase_if(mesh.triangles, [&](const auto& t) {
        const Vec3 n = cross(v[t[1]] - v[t[0]], v[t[2]] - v[t[0]]);
        return !(length_squared(n) > 0);
    });
}

}  // namespace

ContactSurface::ContactSurface(const Mesh& mesh) : ContactSurface(to_triangles(mesh)) {}

ContactSurface::ContactSurface(TriangleMesh mesh) {
    clean(mesh);
    take(std::move(mesh));
    is_solid_ = std::none_of(neighbours_.begin(), neighbours_.end(),
                             [](const auto& n) { return std::find(n.begin(), n.end(), kNone) != n.end(); });
    tree_.build(vertices_, triangles_);
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
    find_pieces();
}

void ContactSurface::find_normals() {
    for (const auto& t : triangles_)
        normals_.push_back(
            normalized(cross(vertices_[t[1]] - vertices_[t[0]], vertices_[t[2]] - vertices_[t[0]])));
}

// Opposite runs along an edge are neighbours, in order where there are several.
void ContactSurface::find_neighbours() {
    const std::vector<EdgeRun> runs = sorted_edge_runs(triangles_);
    neighbours_.assign(triangles_.size(), {kNone, kNone, kNone});
    for (std::size_t i = 0, end = 0; i < runs.size(); i = end) {
        std::size_t middle = i;
        while (middle < runs.size() && runs[middle].is_along(runs[i]) && !runs[middle].upwards) ++middle;
        for (end = middle; end < runs.size() && runs[end].is_along(runs[i]);) ++end;
        for (std::size_t n = 0; i + n < middle && middle + n < end; ++n) {
            const EdgeRun &down = runs[i + n], &up = runs[middle + n];
            neighbours_[down.triangle][down.edge] = up.triangle;
            neighbours_[up.triangle][up.edge] = down.triangle;
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

void ContactSurface::find_pieces() {
    std::vector<bool> is_known(vertices_.size());
    std::vector<std::uint32_t> open;
    const auto reach = [&](std::uint32_t v) {
        if (!is_known[v]) is_known[v] = true, open.push_back(v);
    };
    for (const auto& t : triangles_) {
        if (is_known[t[0]]) continue;
        pieces_.push_back(t[0]);
        for (reach(t[0]); !open.empty();) {
            const std::uint32_t v = open.back();
            open.pop_back();
            for (const std::uint32_t next : around(v)) reach(next);
        }
    }
}

Aabb ContactSurface::box_of(std::uint32_t t) const {
    Aabb box;
    for (const std::uint32_t v : triangles_[t]) include(box, vertices_[v]);
    return box;
}

// Of a height field; y at p by the triangle's plane. Of several at an edge, the lowest number.
std::uint32_t ContactSurface::triangle_above(const Vec3& p) const {
    std::uint32_t found = kNone;
    for_each_in({p, {p.x, box_.max.y, p.z}}, [&](std::uint32_t t) {
        const auto& [a, b, c] = triangles_[t];
        const auto is_left = [&](const Vec3& from, const Vec3& to) {
            return (to.z - from.z) * (p.x - from.x) - (to.x - from.x) * (p.z - from.z) >= 0;
        };
        if (found < t || !is_left(vertices_[a], vertices_[b]) || !is_left(vertices_[b], vertices_[c]) ||
            !is_left(vertices_[c], vertices_[a]))
            return;
        if (dot(normals_[t], p - vertices_[a]) < 0) found = t;
    });
    return found;
}

std::optional<ContactSurface::Exit> ContactSurface::exit_of(const Vec3& p) const {
    if (!is_solid_ || p.y > box_.max.y) return {};
    if (columns_ > 0) {
        const std::uint32_t t = triangle_above(p);
        if (t == kNone) return {};
        return Exit{vertices_[triangles_[t][0]], normals_[t]};
    }
    // Inside is where the first triangle above is seen from behind.
    if (!overlaps(box_, {p, p})) return {};
    const RayOnMesh above = tree_.ray(p, {0, 1, 0});
    if (above.triangle == kNone || normals_[above.triangle].y <= 0) return {};
    const ClosestOnMesh nearest = tree_.closest(p);
    const double depth = std::sqrt(nearest.distance_squared);
    const bool has_direction = depth > 1e-9 * radius_;
    return Exit{nearest.point, has_direction ? (nearest.point - p) / depth : normals_[nearest.triangle]};
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
