// What contacts give the block solver, and what they take back: impulses, separations and places.
#pragma once

#include <atomic>
#include <cstdint>

#include "dynamics/contact.h"
#include "solvers/blocks/contacts.h"

namespace impuls {
struct IslandNode;
}

namespace impuls::blocks {

struct BlockManifold;
struct Context;
struct Displacement;

// For one pass: after load_solver(), while its points and manifolds stay where they are.
class ContactExchange final : public BlockContacts::Exchange {
  public:
    explicit ContactExchange(Context& c);
    void give(std::size_t manifold, BlockContacts::Manifold& m) const override;
    void take(std::size_t manifold, const BlockContacts::Result& result) override;
    void begin_substep() const override;

    // A point is deeper than kOverlapped, than kCrushed of its pair's size, after take().
    bool has_overlap() const { return has_overlap_.load(std::memory_order_relaxed); }
    bool has_deep() const { return has_deep_.load(std::memory_order_relaxed); }

  private:
    void prefetch(std::size_t manifold) const;
    double friction_of(const BlockManifold& m) const;
    bool begins_at_rest(const BlockManifold& m) const;
    void give_weight(const BlockManifold& m, BlockContacts::Manifold& to) const;
    void give_rolling(const BlockManifold& m, BlockContacts::Manifold& to) const;

    const Context& c_;
    BlockManifold* manifolds_;
    std::size_t count_;  // of them
    const IslandNode* nodes_;
    const Displacement* displaced_;
    ContactPoint* points_;
    double h_;      // s, substep
    double usual_;  // s, the substep that kept impulses belong to
    std::atomic<bool> has_overlap_{false}, has_deep_{false};
};

}  // namespace impuls::blocks
