// Slots that follow their pairs, and reuse of narrow-phase results (pair_cache.h).
#include "collision/graph/pair_cache.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/assert.h"
#include "collision/convex/support.h"
#include "collision/distance/closest.h"
#include "collision/narrow/narrow.h"

namespace impuls {

// Slots are large and scattered, and most pairs that come and go never used theirs: only used ones are reset.
void PairCache::match(std::span<const LastPlace> before) {
    next_slot_of_.resize(before.size());
    fresh_.clear();
    std::uint32_t old = 0;
    const auto drop_until = [&](std::size_t end) {
        for (; old < end; ++old) {
            const std::uint32_t slot = slot_of_[old];
            free_.push_back(slot);
            if (!is_used_[slot]) continue;
            is_used_[slot] = 0;
            Slot& gone = slots_[slot];
            gone.contact_margin = gone.screen_margin = -1;
            gone.axis = {};
            gone.has_near = false;
        }
    };
    for (std::uint32_t p = 0; p < before.size(); ++p) {
        if (!before[p].is_known()) {
            fresh_.push_back(p);
            continue;
        }
        drop_until(before[p].place());
        IMPULS_ASSERT(old == before[p].place());  // places ascend
        IMPULS_ASSERT_INDEX(old, slot_of_.size());
        next_slot_of_[p] = slot_of_[old++];
    }
    drop_until(slot_of_.size());
    // Slots are large: where more are needed, no more than half of them is room for later.
    const std::size_t needed = slots_.size() + fresh_.size() - std::min(fresh_.size(), free_.size());
    if (needed > slots_.capacity()) slots_.reserve(std::max(needed, slots_.size() + slots_.size() / 2));
    for (const std::uint32_t p : fresh_) {
        if (free_.empty()) {
            free_.push_back(static_cast<std::uint32_t>(slots_.size()));
            slots_.emplace_back();
        }
        next_slot_of_[p] = free_.back();
        free_.pop_back();
    }
    is_used_.resize(slots_.size());
    IMPULS_ASSERT(before.size() + free_.size() == slots_.size());
    std::swap(slot_of_, next_slot_of_);
}

std::uint64_t PairCache::calls() const {
    std::uint64_t sum = 0;
    for (const Slot& slot : slots_) sum += slot.calls;
    return sum;
}

namespace {

bool is_same(const Pose& a, const Pose& b) {
    static_assert(sizeof(Pose) == 7 * sizeof(double));
    return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace

bool PairCache::Slot::is_at(const Pose& at_a, const Pose& at_b) const {
    return is_same(X_WA, at_a) && is_same(X_WB, at_b);
}

void PairCache::Slot::move_to(const Pose& at_a, const Pose& at_b) {
    X_WA = at_a;
    X_WB = at_b;
    contact_margin = screen_margin = -1;
}

namespace {

bool are_placed_apart(const Collider& a, const Pose& at_a, const Collider& b, const Pose& at_b, double margin,
                      const Vec3& axis) {
    constexpr double kRounding = 1e-9;  // of the margin, or of how far they are apart
    if (axis == Vec3{} || !is_convex(a.kind) || !is_convex(b.kind)) return false;
    const double between = dot(axis, at_b.position - at_a.position);
    const double gap = between - reach_along(a, rotate_inverse(at_a.orientation, axis)) -
                       reach_along(b, -rotate_inverse(at_b.orientation, axis));
    return gap > margin + kRounding * (margin + between);
}

}  // namespace

void contacts_between(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
                      PairCache::Slot& slot, std::vector<Manifold>& out) {
    const Pose at_a = X_WA * a.X_BC, at_b = X_WB * b.X_BC;
    if (are_placed_apart(a, at_a, b, at_b, margin, slot.axis)) {
        slot.contact_margin = -1;
        slot.contact.clear();
        out.clear();
        return;
    }
    const bool is_here = slot.is_at(X_WA, X_WB);
    if (is_here && slot.contact_margin == margin) {
        slot.contact.read(out);
    } else {
        if (!is_here) slot.move_to(X_WA, X_WB);
        ++slot.calls;
        out.clear();
        collide(a, at_a, b, at_b, margin, out);
        slot.contact.store(out);
        slot.contact_margin = margin;
    }
    if (!out.empty()) slot.axis = out.front().normal;
}

void find_contacts(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
                   PairCache::Slot& slot, std::vector<Manifold>& out) {
    out.clear();
    const Pose at_a = X_WA * a.X_BC, at_b = X_WB * b.X_BC;
    if (are_placed_apart(a, at_a, b, at_b, margin, slot.axis)) return;
    ++slot.calls;
    collide(a, at_a, b, at_b, margin, out);
    if (!out.empty()) slot.axis = out.front().normal;
}

bool are_apart(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
               const Vec3& axis) {
    return are_placed_apart(a, X_WA * a.X_BC, b, X_WB * b.X_BC, margin, axis);
}

namespace {

// Two known points are close enough: so are the bodies.
bool are_near(const Pose& X_WA, const Pose& X_WB, double margin, const PairCache::Slot& slot) {
    constexpr double kRounding = 1e-9;
    const double most = (1 - kRounding) * margin;
    return slot.has_near && length_squared(X_WB * slot.near_b - X_WA * slot.near_a) < most * most;
}

// Whether a point, in the body's frame, is one of a polyhedron.
bool has_point(const Collider& c, const Vec3& p_B) {
    const double tolerance = 1e-11 * c.size;  // less than what are_near allows for
    const Vec3 p = inverse(c.X_BC) * p_B;
    if (c.kind == ColliderKind::Box)
        return std::abs(p.x) <= c.half.x + tolerance && std::abs(p.y) <= c.half.y + tolerance &&
               std::abs(p.z) <= c.half.z + tolerance;
    if (c.kind != ColliderKind::Convex) return false;
    const auto planes = c.polyhedron->view().planes;
    return std::all_of(planes.begin(), planes.end(), [&](const HullPlane& plane) {
        return dot(plane.normal, p) <= plane.offset + tolerance;
    });
}

// A point of a manifold lies on both bodies only where two faces meet: beside an edge, or moved onto a face,
// it is one of neither, and would show bodies to be near that are not.
void remember(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, const Manifold& m,
              PairCache::Slot& slot) {
    const Vec3 half = m.normal * (0.5 * m.points[0].separation);
    const Vec3 near_a = inverse(X_WA) * (m.points[0].position - half);
    const Vec3 near_b = inverse(X_WB) * (m.points[0].position + half);
    if (!has_point(a, near_a) || !has_point(b, near_b)) return;
    slot.near_a = near_a;
    slot.near_b = near_b;
    slot.has_near = true;
}

}  // namespace

bool is_within(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
               PairCache::Slot& slot, std::vector<Manifold>& scratch) {
    if (are_near(X_WA, X_WB, margin, slot)) return true;
    const Pose at_a = X_WA * a.X_BC, at_b = X_WB * b.X_BC;
    if (are_placed_apart(a, at_a, b, at_b, margin, slot.axis)) return false;
    const bool is_here = slot.is_at(X_WA, X_WB);
    if (is_here && slot.screen_margin == margin) return slot.is_near;
    if (!is_here) slot.move_to(X_WA, X_WB);
    ++slot.calls;
    slot.screen_margin = margin;
    scratch.clear();
    collide(a, at_a, b, at_b, margin, scratch);
    slot.is_near = !scratch.empty();
    if (slot.is_near) {
        slot.axis = scratch.front().normal;
        remember(a, X_WA, b, X_WB, scratch.front(), slot);
        return true;
    }
    // Manifolds of polyhedra begin at faces and edges: corners that approach each other are found by
    // distance.
    if (a.kind == ColliderKind::DistanceField || b.kind == ColliderKind::DistanceField) return false;
    const Closest c = closest(a, at_a, b, at_b, margin);
    slot.is_near = c.distance <= margin;
    slot.axis = c.normal;
    if (slot.is_near) {
        slot.near_a = inverse(X_WA) * c.p_a;
        slot.near_b = inverse(X_WB) * c.p_b;
        slot.has_near = true;
    }
    return slot.is_near;
}

double rounded_margin(double size, double needed) {
    double margin = 0.02 * size;
    for (int k = 0; k < 1000 && margin < needed && margin > 0; ++k) margin *= 2;
    return margin;
}

}  // namespace impuls
