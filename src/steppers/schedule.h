// Threads, chunks and workspaces of the islands of a step: the only scheduling in this layer beside loops
// inside stages. Chunks hold a fixed number of islands, whatever the number of threads.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "steppers/scatter.h"
#include "steppers/workspace.h"

namespace impuls {

struct Groups;

class IslandSchedule {
  public:
    IslandSchedule();
    ~IslandSchedule();
    IslandSchedule(IslandSchedule&&) noexcept;
    IslandSchedule& operator=(IslandSchedule&&) noexcept;

    // Advances all islands of the groups by a step, side by side; those that sleep stay as they are.
    void advance(const WorldView& view, const Groups& groups, std::span<const std::uint8_t> is_asleep,
                 StepOutput& out);

    // Results of the last step, in the order of the islands.
    std::size_t chunks() const { return used_; }
    Results& results(std::size_t chunk) { return workspaces_[chunk]->results; }
    const Results& results(std::size_t chunk) const { return workspaces_[chunk]->results; }
    void clear();  // forgets all scratch space

  private:
    std::vector<std::unique_ptr<Workspace>> workspaces_{};
    std::vector<std::uint32_t> node_of_{};  // by body, written while its island is gathered
    std::size_t used_ = 0;
};

}  // namespace impuls
