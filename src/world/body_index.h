// The query index of a world's bodies, made when the first query after a change asks for it. Any number of
// threads may ask at once: the first builds under a lock (on its own thread, so that a query inside a task
// cannot wait for itself), the others wait, and after that nobody writes until forget(), which only
// functions call that change the world.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "collision/query/net_targets.h"
#include "world/state.h"
#include "world/undo.h"

namespace impuls {

class BodyIndex {
  public:
    const BodyIndex& get(const WorldState& s) {
        if (!is_current_.load(std::memory_order_acquire)) build(s);
        return *this;
    }
    const QueryIndex& queries() const { return index_; }
    const QueryTarget& target(std::uint32_t k) const { return index_.targets[k]; }
    const NetTargets::Element& element(std::uint32_t k) const { return nets_[k]; }
    void forget() { is_current_.store(false, std::memory_order_relaxed); }

  private:
    void build(const WorldState& s);

    QueryIndex index_{};
    NetTargets nets_{};
    Executor here_{1};
    std::mutex building_{};
    std::atomic<bool> is_current_{false};
};

// A group that the program adds to frames.
struct GroupSource {
    GroupDesc desc{};
    std::function<void(const Frame& frame, ColumnGroup& group)> fill{};
};

struct World::State : WorldState {
    BodyIndex index{};
    std::vector<GroupSource> groups{};
    std::unique_ptr<Interruption> interruption{};
};

}  // namespace impuls
