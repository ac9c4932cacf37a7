// Clipping a closed polyhedron by planes (overlap.h): Sutherland-Hodgman (CACM 17, 1974) on faces that share
// corners and edges. Invariant: every edge number occurs in exactly two faces, in opposite directions. A
// crossed edge is left by one face and entered by the other, so the new edges link up to closed caps.
#include "geometry/overlap.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace impuls {
namespace {

constexpr double kRounding = 8 * std::numeric_limits<double>::epsilon();
constexpr std::uint32_t kNone = ~0u;

double radius_of(const PolyhedronView& p) {
    double r2 = 0;
    for (const Vec3& v : p.vertices) r2 = std::max(r2, length_squared(v - p.center));
    return std::sqrt(r2);
}

}  // namespace

bool OverlapFinder::find(const PolyhedronView& a, const PolyhedronView& b, const Pose& X_AB, Overlap& out) {
    out = {};
    vertices_.clear(), now_.source.clear(), now_.corners.clear(), now_.first.assign(1, 0);
    const double ra = radius_of(a), rb = radius_of(b);
    cut_by_b_ = ra <= rb;
    radius_ = std::min(ra, rb);
    const PolyhedronView &body = cut_by_b_ ? a : b, &cutter = cut_by_b_ ? b : a;
    const Vec3 center = cut_by_b_ ? a.center : X_AB * b.center;
    if (!load_planes(cutter, X_AB, center)) return false;
    load(body, X_AB);
    bound();
    for (const Plane& plane : planes_) {
        if (misses(plane)) continue;
        if (!clip(plane)) {
            vertices_.clear(), now_.source.clear(), now_.corners.clear(), now_.first.assign(1, 0);
            return false;
        }
    }
    measure(center, out);
    return true;
}

// Planes in a's axes about the clipped body's centre, the deepest cut first; those that the bounding sphere
// is inside of are left out. False when the sphere is outside one.
bool OverlapFinder::load_planes(const PolyhedronView& cutter, const Pose& X_AB, const Vec3& center) {
    planes_.clear();
    const Vec3 c = cut_by_b_ ? rotate_inverse(X_AB.orientation, center - X_AB.position) : center;
    const Mat3 R = cut_by_b_ ? to_matrix(X_AB.orientation) : Mat3{};
    std::size_t first = 0;
    for (std::uint32_t f = 0; f < cutter.face_count(); ++f) {
        const HullPlane& p = cutter.planes[f];
        const double at = dot(p.normal, c), offset = p.offset - at;
        const double tolerance = kRounding * (radius_ + std::abs(p.offset) + std::abs(at));
        if (offset <= tolerance - radius_) return false;
        if (offset >= radius_) continue;
        planes_.push_back({R * p.normal, offset, tolerance, f});
        if (offset < planes_[first].offset) first = planes_.size() - 1;
    }
    if (!planes_.empty()) std::swap(planes_[0], planes_[first]);
    return true;
}

// The body's surface in a's axes about its centre.
void OverlapFinder::load(const PolyhedronView& body, const Pose& X_AB) {
    if (cut_by_b_) {
        for (const Vec3& v : body.vertices) vertices_.push_back(v - body.center);
    } else {
        const Mat3 R = to_matrix(X_AB.orientation);
        for (const Vec3& v : body.vertices) vertices_.push_back(R * (v - body.center));
    }
    for (std::size_t k = 0; k < body.corners.size(); ++k)
        now_.corners.push_back({body.corners[k], body.face_edges[k]});
    now_.first.assign(body.first_corner.begin(), body.first_corner.end());
    for (std::uint32_t f = 0; f < body.face_count(); ++f) now_.source.push_back({!cut_by_b_, f});
    crossings_.assign(body.edges.size(), {});
}

void OverlapFinder::bound() {
    Vec3 low = vertices_[0], high = vertices_[0];
    for (const Vec3& v : vertices_) {
        low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
        high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
    }
    box_center_ = 0.5 * (low + high), box_half_ = 0.5 * (high - low);
}

// The box around what is left lies inside the plane.
bool OverlapFinder::misses(const Plane& p) const {
    return dot(p.normal, box_center_) + std::abs(p.normal.x) * box_half_.x +
               std::abs(p.normal.y) * box_half_.y + std::abs(p.normal.z) * box_half_.z <=
           p.offset;
}

// False when nothing is left inside.
bool OverlapFinder::clip(const Plane& plane) {
    const std::size_t n = vertices_.size();
    height_.resize(n), side_.resize(n);
    bool any_inside = false, any_outside = false;
    for (std::size_t v = 0; v < n; ++v) {
        const double h = dot(plane.normal, vertices_[v]) - plane.offset;
        height_[v] = h;
        side_[v] = h < -plane.tolerance ? -1 : h > plane.tolerance ? 1 : 0;
        any_inside |= side_[v]<0, any_outside |= side_[v]> 0;
    }
    if (!any_inside) return false;
    if (!any_outside) return true;

    renumber();
    crossed_.clear();
    next_.corners.clear(), next_.source.clear(), next_.first.assign(1, 0);
    for (std::size_t f = 0; f < now_.source.size(); ++f) clip_face(f);
    add_caps(plane);
    for (const auto e : crossed_) crossings_[e] = {};
    std::swap(now_, next_);
    std::swap(vertices_, kept_);
    if (now_.source.size() < 4) return false;
    bound();
    return true;
}

// Keeps the vertices inside and on the plane; crossing points follow behind them.
void OverlapFinder::renumber() {
    kept_.clear();
    number_.resize(vertices_.size());
    for (std::size_t v = 0; v < vertices_.size(); ++v) {
        number_[v] = static_cast<std::uint32_t>(kept_.size());
        if (side_[v] <= 0) kept_.push_back(vertices_[v]);
    }
}

// Where an edge crosses the plane: at its kept end when that is on the plane. Made once for both faces.
std::uint32_t OverlapFinder::crossing_vertex(std::uint32_t edge, std::uint32_t kept, std::uint32_t dropped) {
    Crossing& c = crossings_[edge];
    if (c.met) return c.vertex;
    c.met = true;
    crossed_.push_back(edge);
    if (side_[kept] == 0) return c.vertex = number_[kept];
    const double t = height_[kept] / (height_[kept] - height_[dropped]);
    kept_.push_back(vertices_[kept] + (vertices_[dropped] - vertices_[kept]) * t);
    return c.vertex = static_cast<std::uint32_t>(kept_.size() - 1);
}

// The part of a face inside the plane. A run of dropped corners is replaced by a new edge, whose other side
// belongs to a cap: there it leads back from the edge of entry to the edge of exit.
void OverlapFinder::clip_face(std::size_t f) {
    const Corner* corner = now_.corners.data() + now_.first[f];
    const std::size_t n = now_.first[f + 1] - now_.first[f], begin = next_.corners.size();
    std::size_t start = 0;  // an exit or, when nothing is dropped, any corner
    bool any_kept = false;
    for (std::size_t k = 0; k < n; ++k) {
        const bool kept = side_[corner[k].vertex] <= 0;
        any_kept |= kept;
        if (kept && side_[corner[(k + 1) % n].vertex] > 0) start = k;
    }
    if (!any_kept) return;
    std::uint32_t exit_edge = kNone, cap_edge = kNone;
    for (std::size_t i = 0; i < n; ++i) {
        const Corner &at = corner[(start + i) % n], &to = corner[(start + i + 1) % n];
        const bool here = side_[at.vertex] <= 0, there = side_[to.vertex] <= 0;
        if (here && there) {
            next_.corners.push_back({number_[at.vertex], at.edge});
        } else if (here) {
            const auto x = crossing_vertex(at.edge, at.vertex, to.vertex);
            if (side_[at.vertex] < 0) next_.corners.push_back({number_[at.vertex], at.edge});
            exit_edge = at.edge, cap_edge = static_cast<std::uint32_t>(crossings_.size());
            crossings_.push_back({});
            next_.corners.push_back({x, cap_edge});
        } else if (there) {
            const auto x = crossing_vertex(at.edge, to.vertex, at.vertex);
            if (side_[to.vertex] < 0) next_.corners.push_back({x, at.edge});
            crossings_[at.edge].next_edge = exit_edge, crossings_[at.edge].cap_edge = cap_edge;
        }
    }
    close(begin, now_.source[f]);
}

// Ends the face that began at `begin`. With two corners it is no face: its two edges become one,
// the older one, which faces still to come may use.
void OverlapFinder::close(std::size_t begin, OverlapFace source) {
    const std::size_t n = next_.corners.size() - begin;
    if (n >= 3) {
        next_.first.push_back(static_cast<std::uint32_t>(next_.corners.size()));
        next_.source.push_back(source);
        return;
    }
    if (n == 2) {
        const std::uint32_t e = next_.corners[begin].edge, g = next_.corners[begin + 1].edge;
        next_.corners.resize(begin);
        replace_edge(std::max(e, g), std::min(e, g));
    }
    next_.corners.resize(begin);
}

// Gives an edge another number wherever it is used: in finished faces and in caps to come.
void OverlapFinder::replace_edge(std::uint32_t old_edge, std::uint32_t edge) {
    for (Corner& c : next_.corners)
        if (c.edge == old_edge) c.edge = edge;
    for (const auto e : crossed_)
        if (crossings_[e].cap_edge == old_edge) crossings_[e].cap_edge = edge;
}

// The new faces in the plane: cycles from crossing to crossing. Corners on the plane are met by several
// crossed edges; steps of no length are left out.
void OverlapFinder::add_caps(const Plane& plane) {
    for (const auto start : crossed_) {
        if (crossings_[start].in_cap) continue;
        const std::size_t begin = next_.corners.size();
        for (auto e = start; !crossings_[e].in_cap; e = crossings_[e].next_edge) {
            Crossing& c = crossings_[e];
            c.in_cap = true;
            if (c.vertex != crossings_[c.next_edge].vertex) next_.corners.push_back({c.vertex, c.cap_edge});
        }
        close(begin, {cut_by_b_, plane.face});
    }
}

}  // namespace impuls
