// Narrow-phase results kept with the edges of the contact graph (Erleben 2005, sections 5.2.2 and 5.2.3): a
// pair whose bodies have not moved is not looked at again.
//
// The text reuses contacts while the *relative* placement is unchanged; in world coordinates they would then
// be stale for a pair that moves as one, and in a body's frame they would differ from a fresh narrow phase in
// the last bits. So a result is reused only when both poses and the margin are the same bit for bit: then it
// is what a fresh call would give, and the cache can be dropped at any time without changing anything. The
// contacts of the substeps and the screening of the whole step share the poses that they were found at.
// Margins are rounded up to powers of two of the pair's size (rounded_margin), so that at rest they do not
// change. Of a pair that was apart the slot also keeps a separating axis: as long as it separates them there
// is no contact, as a fresh call would find; likewise two points of a pair that is near. Called by
// world/pairs.cpp (screening), world/events.cpp (sensors), steppers/substep/contacts.cpp and
// steppers/blocks/search.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/assert.h"
#include "collision/collider.h"
#include "collision/graph/pair_places.h"
#include "collision/graph/stored_manifolds.h"
#include "collision/manifold.h"
#include "impuls/vec.h"

namespace impuls {

class PairCache {
  public:
    struct Slot {
        Vec3 axis{};              // unit, world, from a to b: where they may be apart; 0: not known
        Vec3 near_a{}, near_b{};  // points of the two, each in its body's frame, that may be near each other
        std::uint32_t calls = 0;  // narrow phases so far
        bool has_near = false;    // whether near_a and near_b are set
        bool is_near = false;     // result of the screening: closer than its margin
        double screen_margin = -1, contact_margin = -1;  // of the results; below 0: nothing known
        Pose X_WA{}, X_WB{};                             // of the bodies, when they were found
        StoredManifolds contact{};                       // result of the contacts

        bool is_at(const Pose& at_a, const Pose& at_b) const;
        void move_to(const Pose& at_a, const Pose& at_b);  // nothing is known there
    };

    // Slots for these pairs (ascending), which were at these places in the last call; they keep theirs.
    void match(std::span<const LastPlace> before);
    Slot& operator[](std::size_t pair) {
        IMPULS_ASSERT_INDEX(pair, slot_of_.size());
        const std::uint32_t slot = slot_of_[pair];
        IMPULS_ASSERT_INDEX(slot, slots_.size());
        if (!is_used_[slot]) is_used_[slot] = 1;
        return slots_[slot];
    }
    // Address of the slot, for prefetches.
    const Slot* place(std::size_t pair) const { return &slots_[slot_of_[pair]]; }
    // Narrow phases of all pairs so far.
    std::uint64_t calls() const;

  private:
    std::vector<std::uint32_t> slot_of_{}, next_slot_of_{}, free_{}, fresh_{};
    std::vector<Slot> slots_{};
    std::vector<std::uint8_t> is_used_{};  // by slot: whether it may not be blank
};

// The manifolds of two colliders closer than `margin` into `out`: kept in the slot, and taken from there when
// poses and margin are the same. Poses are those of the bodies.
void contacts_between(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
                      PairCache::Slot& slot, std::vector<Manifold>& out);
// What that found last.
inline void known_contacts(const PairCache::Slot& slot, std::vector<Manifold>& out) {
    slot.contact.read(out);
}

// The same for callers that store contacts themselves: the slot's are unchanged.
void find_contacts(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
                   PairCache::Slot& slot, std::vector<Manifold>& out);

// Whether they are closer than `margin`, or overlap. `scratch` is overwritten.
bool is_within(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
               PairCache::Slot& slot, std::vector<Manifold>& scratch);

// True: two convex colliders are farther apart along the axis than `margin`. One support point of each, and
// proof enough, wherever the axis comes from. Poses are those of the bodies.
bool are_apart(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
               const Vec3& axis);

// The length that tolerances of a pair are relative to.
constexpr double smaller_size(double a, double b) {
    if (a == 0) return b;
    return b == 0 || a < b ? a : b;
}
constexpr double smaller_size(const Collider& a, const Collider& b) {
    return smaller_size(a.size, b.size);
}

// The smallest size/50 * 2^k (k >= 0) that is at least `needed`.
double rounded_margin(double size, double needed);

}  // namespace impuls
