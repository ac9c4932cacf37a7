// Narrow-phase results kept with the edges of the contact graph (Erleben 2005, sections 5.2.2 and 5.2.3): a
// pair whose bodies have not moved is not looked at again.
//
// The text reuses contacts while the *relative* placement is unchanged; in world coordinates they would then
// be stale for a pair that moves as one, and in a body's frame they would differ from a fresh narrow phase in
// the last bits. So a result is reused only when both poses and the margin are the same bit for bit: then it
// is what a fresh call would give, and the cache can be dropped at any time without changing anything.
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
#include "collision/manifold.h"
#include "impuls/vec.h"

namespace impuls {

// What one narrow phase found, and its arguments.
struct NarrowResult {
    Pose X_WA{}, X_WB{};  // of the bodies
    double margin = -1;   // below 0: nothing known
    std::vector<Manifold> manifolds{};
};

class PairCache {
  public:
    struct Slot {
        Vec3 axis{};              // unit, world, from a to b: where they may be apart; 0: not known
        std::uint32_t calls = 0;  // narrow phases so far
        bool is_near = false;     // closer than the margin of `screen`, although nothing is in it
        bool has_near = false;    // whether near_a and near_b are set
        Vec3 near_a{}, near_b{};  // points of the two, each in its body's frame, that may be near each other
        NarrowResult contact{};   // of the substeps
        NarrowResult screen{};    // of the whole step
    };

    // Slots for these pairs (ascending), which were at these places in the last call; they keep theirs.
    void match(std::span<const LastPlace> before);
    // The others, which have blank slots now.
    std::span<const std::uint32_t> fresh() const { return fresh_; }
    // Allocates ahead, so that the first manifold of a pair does not.
    void make_room(std::size_t pair);
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

// The manifolds of two colliders closer than `margin`, from `known` when its arguments were the same.
// Poses are those of the bodies.
const std::vector<Manifold>& find_manifolds(const Collider& a, const Pose& X_WA, const Collider& b,
                                            const Pose& X_WB, double margin, NarrowResult& known,
                                            std::uint32_t& calls);

// The same for the contacts of a pair, which may be known to be apart.
const std::vector<Manifold>& contacts_between(const Collider& a, const Pose& X_WA, const Collider& b,
                                              const Pose& X_WB, double margin, PairCache::Slot& slot);

// The same into `out`, for those who keep contacts themselves: the slot's stay as they are.
void find_contacts(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
                   PairCache::Slot& slot, std::vector<Manifold>& out);

// Whether they are closer than `margin`, or overlap.
bool is_within(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
               PairCache::Slot& slot);

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
