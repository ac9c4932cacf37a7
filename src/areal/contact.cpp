// Pressing two surfaces (contact.h).
#include "areal/contact.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace impuls::areal {
namespace {

constexpr Vec3 kUp{0, 1, 0};  // of a plane

std::array<Vec3, 3> corners_of(const TriangleSurface& s, std::uint32_t t) {
    const auto& c = s.triangles[t];
    return {s.vertices[c[0]], s.vertices[c[1]], s.vertices[c[2]]};
}

std::array<Vec<double>, 3> placed(const std::array<Vec3, 3>& corners, const Mat3& R, const Vec3& p) {
    std::array<Vec<double>, 3> out;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 x = R * corners[i] + p;
        out[i] = {x.x, x.y, x.z};
    }
    return out;
}

// The same with derivatives: a displacement, and a rotation about the target's origin.
std::array<Vec<Dual>, 3> placed_dual(const std::array<Vec3, 3>& corners, const Mat3& R, const Vec3& p) {
    std::array<Vec<Dual>, 3> out;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 arm = R * corners[i], x = arm + p;
        out[i] = {Dual(x.x), Dual(x.y), Dual(x.z)};
        out[i].x.d[0] = out[i].y.d[1] = out[i].z.d[2] = 1;
        for (int k = 0; k < 3; ++k) {
            Vec3 axis{};
            axis[k] = 1;
            const Vec3 turn = cross(axis, arm);
            const auto d = static_cast<std::size_t>(3 + k);
            out[i].x.d[d] = turn.x, out[i].y.d[d] = turn.y, out[i].z.d[d] = turn.z;
        }
    }
    return out;
}

Motion6<Dual> with_derivatives(const Twist& motion) {
    Motion6<Dual> out{{Dual(motion.v.x), Dual(motion.v.y), Dual(motion.v.z)},
                      {Dual(motion.w.x), Dual(motion.w.y), Dual(motion.w.z)}};
    out.v.x.d[6] = out.v.y.d[7] = out.v.z.d[8] = 1;
    out.w.x.d[9] = out.w.y.d[10] = out.w.z.d[11] = 1;
    return out;
}

template <class T>
double area_of(const Polygon<T>& p, const Vec3& n) {
    double sum = 0;
    for (int i = 1; i + 1 < p.count; ++i) {
        const Vec3 a = plain(p.corner[0]), b = plain(p.corner[static_cast<std::size_t>(i)]),
                   c = plain(p.corner[static_cast<std::size_t>(i + 1)]);
        sum += 0.5 * dot(cross(b - a, c - a), n);
    }
    return sum;
}

Vec3 center_of(const Polygon<double>& p) {
    Vec3 sum{};
    for (int i = 0; i < p.count; ++i) sum += plain(p.corner[static_cast<std::size_t>(i)]);
    return sum / p.count;
}

// Whether a place in the base's plane is in the polygon (either way round).
bool is_inside(const Polygon<double>& p, const Vec3& n, const Vec3& x) {
    int sides = 0;
    for (int i = 0; i < p.count; ++i) {
        const Vec3 a = plain(p.corner[static_cast<std::size_t>(i)]),
                   b = plain(p.corner[static_cast<std::size_t>(i + 1 < p.count ? i + 1 : 0)]);
        sides += dot(cross(n, b - a), x - a) >= 0 ? 1 : -1;
    }
    return sides == p.count || sides == -p.count;
}

}  // namespace

void ArealPair::bind(const Surface& a, const Surface& b, const ArealLaw& law, double share_a,
                     double spacing) {
    const auto rank = [](const Surface& s) { return std::tuple{s.is_plane(), !s.is_sharp, s.radius}; };
    a_is_base_ = rank(a) >= rank(b);
    base_ = a_is_base_ ? a : b, target_ = a_is_base_ ? b : a;
    base_share_ = a_is_base_ ? share_a : 1 - share_a;
    spacing_ = spacing;
    law_ = law;
    candidates_ = {};
}

// Pieces no deeper than the limit; returns the largest depth among them, and beyond the limit that.
double ArealPair::cover(const Pose& X_BT, double limit) {
    const Mat3 R = to_matrix(X_BT.orientation);
    double deepest = 0;
    pieces_.clear();
    std::size_t first = 0;
    double base_area = 0, covered_area = 0;
    bool has_entry = false;
    const auto finish = [&] {
        if (has_entry || covered_area > base_area * (1 + 1e-9)) hide(first, pieces_.size());
    };
    std::uint32_t base = kNoTriangle;
    std::array<Vec3, 3> corners{};
    Vec3 n = kUp;
    for (const Candidate& c : candidates_.find(base_, target_, X_BT, limit)) {
        if (!base_.is_plane() && c.base != base) {
            finish();
            first = pieces_.size(), covered_area = 0, has_entry = false;
            base = c.base;
            corners = corners_of(*base_.triangles, base);
            n = base_.triangles->face_normals[base];
            base_area = 0.5 * length(cross(corners[1] - corners[0], corners[2] - corners[0]));
        }
        const auto target = placed(corners_of(*target_.triangles, c.target), R, X_BT.position);
        if (!base_.is_plane()) {  // what is above the base, or deeper than the limit, has no part
            const double at = dot(corners[0], n);
            const auto [low, high] =
                std::minmax({dot(target[0], n) - at, dot(target[1], n) - at, dot(target[2], n) - at});
            if (low > 0 || high < -limit) continue;
        }
        Facet<double> facet = facet_of(target, n);
        const int look = looks(facet, base_.is_plane() ? kFacingPlane : kFacing);
        if (look == 0) continue;
        facet.look = look;
        const Polygon<double> polygon =
            base_.is_plane() ? below_plane(n, target, look) : covered(corners, n, facet, target, look);
        if (polygon.count < 3) continue;
        double depth = 0;
        for (int i = 0; i < polygon.count; ++i)
            depth = std::max(depth, facet.depth(polygon.corner[static_cast<std::size_t>(i)]));
        if (!(depth > 0) || !(depth <= limit)) continue;
        Piece& piece = pieces_.emplace_back();
        piece = {c, polygon, facet, n, depth, false};
        if (look > 0) {
            has_entry = true;
            continue;
        }
        covered_area += area_of(polygon, n);
        deepest = std::max(deepest, depth);
    }
    if (base_.is_plane()) return deepest;
    finish();
    std::erase_if(pieces_, [](const Piece& p) { return p.is_hidden || p.facet.look > 0; });
    return deepest;
}

// A ray ends where it first meets the target: pieces behind others do not count, and none behind one where
// the ray would enter.
void ArealPair::hide(std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
        Piece& piece = pieces_[i];
        if (piece.facet.look > 0) continue;
        const Vec3 x = center_of(piece.polygon);
        const Vec<double> at{x.x, x.y, x.z};
        const double depth = piece.facet.depth(at);
        for (std::size_t j = first; j < end && !piece.is_hidden; ++j) {
            const Piece& other = pieces_[j];
            if (j == i || !is_inside(other.polygon, piece.normal, x)) continue;
            const double before = other.facet.depth(at);
            piece.is_hidden = before < depth || (before == depth && j < i);
        }
    }
}

template <class T>
Pressed<T> ArealPair::sum_cells(const Pose& X_BT, const Motion6<T>& motion) const {
    Pressed<T> sum;
    for (const IsoCell& cell : iso_.cells)
        areal::press(law_, iso_piece<T>(cell, base_share_, X_BT.position), motion, sum);
    return sum;
}

const Pressed<double>& ArealPair::press(const Pose& X_BT, const Twist& motion, Tangent* tangent) {
    if (spacing_ > 0) {
        find_cells(base_, target_, X_BT, base_share_, spacing_, iso_);
        pressed_ = sum_cells(X_BT, motion);
        if (tangent) find_tangent(X_BT, motion, *tangent);
        return pressed_;
    }
    // Rays are as long as twice the depth needs: a function of the pose alone, whatever was before.
    const double most = std::min(base_.thickness, target_.thickness);
    double limit = base_.is_plane() ? kInfinity : std::min({base_.edge, target_.edge, most});
    while (cover(X_BT, limit) > 0.5 * limit && limit < most) limit = std::min(2 * limit, most);
    pressed_ = {};
    for (const Piece& piece : pieces_)
        areal::press(law_, piece.polygon, piece.facet, piece.normal, motion, pressed_);
    if (tangent) find_tangent(X_BT, motion, *tangent);
    return pressed_;
}

void ArealPair::find_tangent(const Pose& X_BT, const Twist& motion, Tangent& tangent) {
    const Mat3 R = to_matrix(X_BT.orientation);
    const Motion6<Dual> moving = with_derivatives(motion);
    Pressed<Dual> sum = spacing_ > 0 ? sum_cells(X_BT, moving) : Pressed<Dual>{};
    for (const Piece& piece : pieces_) {
        const auto target = placed_dual(corners_of(*target_.triangles, piece.of.target), R, X_BT.position);
        Facet<Dual> facet = facet_of(target, piece.normal);
        facet.look = piece.facet.look;
        const Polygon<Dual> polygon = base_.is_plane() ? below_plane(piece.normal, target, facet.look)
                                                       : covered(corners_of(*base_.triangles, piece.of.base),
                                                                 piece.normal, facet, target, -1);
        areal::press(law_, polygon, facet, piece.normal, moving, sum);
    }
    tangent.by = {sum.force.x.d,  sum.force.y.d,  sum.force.z.d,
                  sum.torque.x.d, sum.torque.y.d, sum.torque.z.d};
}

void ArealPair::find_elements(const Pose& X_BT, const Twist& motion) {
    press(X_BT, motion);
    elements_.clear(), corners_.clear(), owned_.clear();
    if (spacing_ > 0)
        find_cell_elements(X_BT, motion);
    else
        find_pieces(motion);
    for (std::size_t k = 0; k < elements_.size(); ++k) {
        Element& e = elements_[k];
        const Pressed<double>& own = owned_[k];
        if (own.load > 0) e.center = own.center / own.load;
        e.area = own.area;
        e.pressure = own.load / own.area;
        e.velocity = plain(motion.v) + cross(plain(motion.w), e.center);
    }
    join_patches();
    sum_patches();
}

void ArealPair::find_pieces(const Twist& motion) {
    for (const Piece& piece : pieces_) {
        Pressed<double> own;
        areal::press(law_, piece.polygon, piece.facet, piece.normal, motion, own);
        if (!(own.area > 0)) continue;
        owned_.push_back(own);
        Element& e = elements_.emplace_back();
        const Vec3 middle = center_of(piece.polygon);
        e.depth = piece.facet.depth({middle.x, middle.y, middle.z});
        e.center = middle - piece.normal * e.depth;
        e.normal = normalized(plain(piece.facet.m));
        e.name = base_.is_plane() ? piece.of.target : piece.of.base;
        e.first_corner = static_cast<std::uint32_t>(corners_.size());
        e.corners = static_cast<std::uint32_t>(piece.polygon.count);
        for (int i = 0; i < piece.polygon.count; ++i) {
            const auto& x = piece.polygon.corner[static_cast<std::size_t>(i)];
            corners_.push_back(plain(x) - piece.normal * (base_share_ * piece.facet.depth(x)));
        }
    }
}

void ArealPair::find_cell_elements(const Pose& X_BT, const Twist& motion) {
    std::sort(iso_.cells.begin(), iso_.cells.end(),
              [](const IsoCell& a, const IsoCell& b) { return a.box < b.box; });
    for (const IsoCell& cell : iso_.cells) {
        const IsoPiece<double> piece = iso_piece<double>(cell, base_share_, X_BT.position);
        Pressed<double> own;
        areal::press(law_, piece, motion, own);
        if (!(own.area > 0)) continue;
        owned_.push_back(own);
        Element& e = elements_.emplace_back();
        e.name = cell.box;
        e.center = center_of(piece.polygon);
        const auto& c = piece.polygon.corner;
        e.normal = normalized(cross(plain(c[2]) - plain(c[0]), plain(c[1]) - plain(c[0])));
        for (int i = 0; i < piece.polygon.count; ++i)
            e.depth += piece.depth[static_cast<std::size_t>(i)] / piece.polygon.count;
        e.first_corner = static_cast<std::uint32_t>(corners_.size());
        e.corners = static_cast<std::uint32_t>(piece.polygon.count);
        for (int i = 0; i < piece.polygon.count; ++i)
            corners_.push_back(plain(c[static_cast<std::size_t>(i)]));
    }
}

// Elements belong together whose triangles share an edge, or whose boxes share a corner. In the order of
// names, so that each finds those before it.
void ArealPair::join_patches() {
    const auto n = static_cast<std::uint32_t>(elements_.size());
    parent_.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) parent_[i] = i;
    const auto root_of = [&](std::uint32_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    };
    const auto join_with = [&](std::uint32_t i, std::uint64_t name) {
        const auto end = elements_.begin() + i;
        const auto at = std::lower_bound(elements_.begin(), end, name,
                                         [](const Element& e, std::uint64_t k) { return e.name < k; });
        if (at == end || at->name != name) return;
        const std::uint32_t a = root_of(i), b = root_of(static_cast<std::uint32_t>(at - elements_.begin()));
        parent_[std::max(a, b)] = std::min(a, b);
    };
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint64_t name = elements_[i].name;
        join_with(i, name);
        if (spacing_ > 0) {
            for (std::uint64_t k = 0; k < 27; ++k)
                join_with(i, name + ((k % 3) << 42) + ((k / 3 % 3) << 21) + k / 9 -
                                 ((std::uint64_t{1} << 42) + (std::uint64_t{1} << 21) + 1));
            continue;
        }
        const TriangleSurface& mesh = base_.is_plane() ? *target_.triangles : *base_.triangles;
        for (const std::uint32_t t : mesh.neighbours[name])
            if (t != kNoTriangle && t < name) join_with(i, t);
    }
    patches_.clear();
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t top = root_of(i);
        elements_[i].patch = top == i ? static_cast<std::uint32_t>(patches_.size()) : elements_[top].patch;
        if (top == i) patches_.emplace_back();
    }
}

void ArealPair::sum_patches() {
    for (std::size_t k = 0; k < elements_.size(); ++k) {
        const Pressed<double>& own = owned_[k];
        Patch& patch = patches_[elements_[k].patch];
        patch.area += own.area;
        patch.load += own.load;
        patch.depth = std::max(patch.depth, own.depth);
        patch.pressure = std::max(patch.pressure, own.pressure);
        patch.force += plain(own.force);
        patch.moment += plain(own.torque);
        patch.center += own.center;
        patch.normal += elements_[k].normal * own.load;
        ++patch.elements;
    }
    for (Patch& patch : patches_) {
        if (patch.load > 0) patch.center = patch.center / patch.load;
        patch.normal = normalized(patch.normal);
        patch.moment -= cross(patch.center, patch.force);
    }
}

bool ArealPair::is_immersed(const Pose& X_BT) const {
    if (!target_.triangles || target_.triangles->vertices.empty()) return false;
    const Vec3 target = X_BT * target_.triangles->vertices.front();
    if (base_.is_plane()) return false;  // any depth below a plane is one
    const auto inside = [](const Surface& s, const Vec3& x) {
        return s.is_closed && length(x) <= s.radius &&
               signed_distance(*s.triangles, x, 2 * s.radius).distance < 0;
    };
    return inside(base_, target) || inside(target_, inverse(X_BT) * base_.triangles->vertices.front());
}

double ArealPair::sagitta_share() const {
    double worst = 0;
    const auto see = [&](const Surface& s, std::uint32_t t, double depth) {
        if (s.is_plane() || !(depth > 0)) return;
        const auto corners = corners_of(*s.triangles, t);
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t other = s.triangles->neighbours[t][k];
            if (other == kNoTriangle) continue;
            const double cosine = dot(s.triangles->face_normals[t], s.triangles->face_normals[other]);
            if (cosine < kRoundCosine) continue;
            // Two chords that meet at an angle a stand for an arc: sagitta = length a / 8.
            const double angle = std::sqrt(std::max(0.0, 2 - 2 * cosine));
            const double height = length(cross(corners[1] - corners[0], corners[2] - corners[0])) /
                                  length(corners[(k + 1) % 3] - corners[k]);
            worst = std::max(worst, angle * height / (8 * depth));
        }
    };
    double depth = 0;
    for (const Patch& patch : patches_) depth = std::max(depth, patch.depth);
    for (const Piece& piece : pieces_) see(base_, piece.of.base, depth), see(target_, piece.of.target, depth);
    return worst;
}

}  // namespace impuls::areal
