// Contacts at seams (seams.h).
#include "steppers/seams.h"

#include <algorithm>
#include <limits>

#include "collision/convex/support.h"
#include "collision/narrow/feature.h"
#include "collision/narrow/narrow.h"
#include "steppers/tuning.h"

namespace impuls {
namespace {

using tuning::kFlush;
using tuning::kSameDirection;
using tuning::kSameFace;

// The dynamic body of a pair above, the other below.
struct Sides {
    const Collider *upper, *lower;
    std::uint32_t upper_node, lower_node;
    double sign;  // of the normal, to point from the lower to the upper

    Sides(const Island& island, const IslandPair& pair) {
        const bool is_a = pair.a < island.dynamic_count;
        upper = is_a ? pair.collider_a : pair.collider_b;
        lower = is_a ? pair.collider_b : pair.collider_a;
        upper_node = is_a ? pair.a : pair.b;
        lower_node = is_a ? pair.b : pair.a;
        sign = is_a ? -1 : 1;
    }
};

bool is_between_kinds(const Island& island, const IslandPair& pair) {
    return (pair.a < island.dynamic_count) != (pair.b < island.dynamic_count);
}

// How far the collider of a body at X_WB reaches along the unit vector u, from the origin of W. Of surfaces,
// how far their boxes do.
double height_along(const Collider& c, const Pose& X_WB, const Vec3& u) {
    const Pose X = X_WB * c.X_BC;
    if (is_convex(c.kind)) return dot(u, X.position) + reach_along(c, rotate_inverse(X.orientation, u));
    if (!c.surface || c.kind == ColliderKind::Plane) return std::numeric_limits<double>::infinity();
    const Aabb& box = c.surface->box();
    const Vec3 n = rotate_inverse(X.orientation, u);
    double height = dot(u, X.position);
    for (int i = 0; i < 3; ++i) height += n[i] * (n[i] > 0 ? box.max[i] : box.min[i]);
    return height;
}

// Heights of the points of a contact along u: the highest on the lower body, the lowest on the upper one.
struct Heights {
    double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();

    Heights(const Manifold& m, const Vec3& out, const Vec3& u) {
        const double along = dot(out, u);
        for (int k = 0; k < m.count; ++k) {
            const ManifoldPoint& p = m.points[static_cast<std::size_t>(k)];
            const double middle = dot(u, p.position), half = 0.5 * p.separation * along;
            lower = std::max(lower, middle - half);
            upper = std::min(upper, middle + half);
        }
    }
};

// The normal of the face that looks along u within kSameFace, in W; u itself where there is none. A body that
// trembles touches with a face of its own now and then, of which far ends of a floor rise above the plane.
Vec3 face_along(const Collider& c, const Pose& X_WB, const Vec3& u) {
    if (c.kind != ColliderKind::Box && c.kind != ColliderKind::Convex) return u;
    const Quat q = (X_WB * c.X_BC).orientation;
    narrow::Feature face;
    narrow::facing_feature(c, rotate_inverse(q, u), kSameFace, face);
    if (face.count < 3) return u;
    const Vec3 n = rotate(q, face.normal);
    return length_squared(n - u) < kSameFace * kSameFace ? n : u;
}

}  // namespace

Seams::Touch Seams::touch_of(const Island& island, std::uint32_t p, const Manifold& m) {
    const Sides sides(island, island.pairs[p]);
    const Vec3 up = m.normal * sides.sign;
    const Heights own(m, up, up);
    return {{up, own.lower, std::max(0.0, own.lower - own.upper)}, {}, p, sides.upper_node, m.count > 2};
}

void Seams::add(const Island& island, std::uint32_t p, const Manifold& m) {
    const IslandPair& pair = island.pairs[p];
    if (!is_between_kinds(island, pair) || !is_convex(Sides(island, pair).upper->kind)) return;
    Touch& t = touches_.emplace_back(touch_of(island, p, m));
    const Sides sides(island, pair);
    const Pose& X_lower = island.nodes[sides.lower_node].pose;
    const Vec3 up = face_along(*sides.lower, X_lower, t.own.up);
    const Heights heights(m, t.own.up, up);
    const double top = up == t.own.up ? t.own.height : height_along(*sides.lower, X_lower, up);
    t.plane = {up, top, std::max(0.0, top - heights.upper)};
}

void Seams::sort(const Island& island) {
    start_.assign(island.dynamic_count + 1, 0);
    for (const Touch& t : touches_) ++start_[t.node + 1];
    for (std::size_t k = 0; k < island.dynamic_count; ++k) start_[k + 1] += start_[k];
    sorted_.resize(touches_.size());
    for (const Touch& t : touches_) sorted_[start_[t.node]++] = t;
    for (std::size_t k = island.dynamic_count; k > 0; --k) start_[k] = start_[k - 1];
    start_[0] = 0;
    for (std::uint32_t k = 0; k < island.dynamic_count; ++k) {
        const auto touches = std::span(sorted_).subspan(start_[k], start_[k + 1] - start_[k]);
        for (Touch& t : touches) {
            const Sides sides(island, island.pairs[t.pair]);
            const Place here{island.nodes[sides.upper_node].pose, island.nodes[sides.lower_node].pose, {}};
            t.is_hidden = std::any_of(touches.begin(), touches.end(),
                                      [&](const Touch& other) { return is_behind(island, t, other, here); });
        }
    }
}

// Whether the plane of one contact of a body separates it from what it touches in another one.
bool Seams::is_behind(const Island& island, const Touch& t, const Touch& other, const Place& at) {
    if (other.pair == t.pair) return false;
    const Plane& plane = other.plane;
    const IslandPair& pair = island.pairs[t.pair];
    const Sides sides(island, pair), others(island, island.pairs[other.pair]);
    const double same = t.is_face ? kSameFace : kSameDirection, apart = length_squared(plane.up - t.own.up);
    if (others.upper != sides.upper || apart < same * same) return false;
    const double flush = kFlush * pair.size;
    const double rise = height_along(*sides.lower, at.lower, plane.up) - plane.height;
    if (rise > flush) return false;
    const double below = plane.height - plane.depth - flush + std::min(0.0, dot(plane.up, at.way));
    if (-height_along(*sides.upper, at.upper, -plane.up) < below) return false;
    const Pose& X_others = island.nodes[others.lower_node].pose;
    const double back = height_along(*others.lower, X_others, t.own.up) - t.own.height;
    return back > flush || (apart < kSameFace * kSameFace && rise < back);
}

bool Seams::is_far_from(const Island& island, std::uint32_t p) const {
    const IslandPair& pair = island.pairs[p];
    if (touches_.empty() || !is_between_kinds(island, pair)) return true;
    const auto touches = of(Sides(island, pair).upper_node);
    return touches.empty() || (touches.front().pair == p && touches.back().pair == p);
}

std::optional<Vec3> Seams::direction(const Island& island, std::uint32_t p, const Manifold& m,
                                     const Pose& X_WA, const Pose& X_WB, const Vec3& way) const {
    const Sides sides(island, island.pairs[p]);
    const bool is_a_upper = sides.sign < 0;
    const Place at{is_a_upper ? X_WA : X_WB, is_a_upper ? X_WB : X_WA, way};
    const Touch contact = touch_of(island, p, m);
    const Touch* best = nullptr;
    const auto nearness = [&](const Touch& t) { return dot(t.plane.up, contact.own.up); };
    for (const Touch& other : of(sides.upper_node))
        if (!other.is_hidden && is_behind(island, contact, other, at) &&
            (!best || nearness(other) > nearness(*best)))
            best = &other;
    if (!best) return {};
    return best->plane.up * sides.sign;
}

bool Seams::correct(const Island& island, std::uint32_t p, std::span<const Manifold> found,
                    std::vector<Manifold>& out) const {
    if (found.empty() || is_far_from(island, p)) return false;
    const IslandPair& pair = island.pairs[p];
    const Pose &X_WA = island.nodes[pair.a].pose, &X_WB = island.nodes[pair.b].pose;
    out.clear();
    bool is_changed = false;
    for (const Manifold& m : found) {
        const auto n = direction(island, p, m, X_WA, X_WB);
        out.push_back(m);
        if (!n) continue;
        Manifold along;
        switch (collide_along(*pair.collider_a, X_WA * pair.collider_a->X_BC, *pair.collider_b,
                              X_WB * pair.collider_b->X_BC, *n, pair.margin, along)) {
            case Along::NoFace:
                continue;
            case Along::Beside:
                out.pop_back();
                break;
            case Along::Touching:
                out.back() = along;
                break;
        }
        is_changed = true;
    }
    return is_changed;
}

}  // namespace impuls
