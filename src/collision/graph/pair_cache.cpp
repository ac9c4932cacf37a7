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
            gone.contact.margin = gone.screen.margin = -1;
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

void PairCache::make_room(std::size_t pair) {
    Slot& slot = (*this)[pair];
    slot.contact.manifolds.reserve(1);
    slot.screen.manifolds.reserve(1);
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

// The functions below with the poses of the colliders, at_a and at_b.
const std::vector<Manifold>& find_placed(const Collider& a, const Pose& X_WA, const Pose& at_a,
                                         const Collider& b, const Pose& X_WB, const Pose& at_b, double margin,
                                         NarrowResult& known, std::uint32_t& calls) {
    if (known.margin == margin && is_same(known.X_WA, X_WA) && is_same(known.X_WB, X_WB))
        return known.manifolds;
    ++calls;
    known.X_WA = X_WA;
    known.X_WB = X_WB;
    known.margin = margin;
    known.manifolds.clear();
    collide(a, at_a, b, at_b, margin, known.manifolds);
    return known.manifolds;
}

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

const std::vector<Manifold>& find_manifolds(const Collider& a, const Pose& X_WA, const Collider& b,
                                            const Pose& X_WB, double margin, NarrowResult& known,
                                            std::uint32_t& calls) {
    return find_placed(a, X_WA, X_WA * a.X_BC, b, X_WB, X_WB * b.X_BC, margin, known, calls);
}

const std::vector<Manifold>& contacts_between(const Collider& a, const Pose& X_WA, const Collider& b,
                                              const Pose& X_WB, double margin, PairCache::Slot& slot) {
    const Pose at_a = X_WA * a.X_BC, at_b = X_WB * b.X_BC;
    if (are_placed_apart(a, at_a, b, at_b, margin, slot.axis)) {
        slot.contact.margin = -1;
        slot.contact.manifolds.clear();
        return slot.contact.manifolds;
    }
    const auto& found = find_placed(a, X_WA, at_a, b, X_WB, at_b, margin, slot.contact, slot.calls);
    if (!found.empty()) slot.axis = found.front().normal;
    return found;
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
    slot.near_a = near_a, slot.near_b = near_b;
    slot.has_near = true;
}

}  // namespace

bool is_within(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
               PairCache::Slot& slot) {
    if (are_near(X_WA, X_WB, margin, slot)) return true;
    if (are_apart(a, X_WA, b, X_WB, margin, slot.axis)) return false;
    const auto calls = slot.calls;
    const auto& found = find_manifolds(a, X_WA, b, X_WB, margin, slot.screen, slot.calls);
    if (!found.empty()) {
        slot.axis = found.front().normal;
        remember(a, X_WA, b, X_WB, found.front(), slot);
        return true;
    }
    // Manifolds of polyhedra begin at faces and edges: corners on their way to each other are found by
    // distance.
    if (a.kind == ColliderKind::DistanceField || b.kind == ColliderKind::DistanceField) return false;
    if (slot.calls != calls) {
        const Closest c = closest(a, X_WA * a.X_BC, b, X_WB * b.X_BC, margin);
        slot.is_near = c.distance <= margin;
        slot.axis = c.normal;
        if (slot.is_near)
            slot.near_a = inverse(X_WA) * c.p_a, slot.near_b = inverse(X_WB) * c.p_b, slot.has_near = true;
    }
    return slot.is_near;
}

double rounded_margin(double size, double needed) {
    double margin = 0.02 * size;
    for (int k = 0; k < 1000 && margin < needed && margin > 0; ++k) margin *= 2;
    return margin;
}

}  // namespace impuls
