// Threads, chunks and workspaces of the islands of a step (schedule.h).
#include "steppers/schedule.h"

#include "collision/graph/groups.h"
#include "steppers/choose.h"
#include "steppers/energy_note.h"

namespace impuls {
namespace {

constexpr std::size_t kIslandsPerChunk = 4;

}  // namespace

IslandSchedule::IslandSchedule() = default;
IslandSchedule::~IslandSchedule() = default;
IslandSchedule::IslandSchedule(IslandSchedule&&) noexcept = default;
IslandSchedule& IslandSchedule::operator=(IslandSchedule&&) noexcept = default;

void IslandSchedule::clear() {
    workspaces_.clear();
    node_of_ = {};
    used_ = 0;
}

void IslandSchedule::advance(const WorldView& view, const Groups& groups,
                             std::span<const std::uint8_t> is_asleep, StepOutput& out) {
    used_ = (groups.size() + kIslandsPerChunk - 1) / kIslandsPerChunk;
    while (workspaces_.size() < used_) workspaces_.push_back(std::make_unique<Workspace>());
    for (std::size_t k = 0; k < used_; ++k) workspaces_[k]->results.clear();
    node_of_.resize(view.bodies.size());
    view.executor.parallel_for(groups.size(), kIslandsPerChunk, [&](std::size_t begin, std::size_t end) {
        Workspace& workspace = *workspaces_[begin / kIslandsPerChunk];
        for (std::size_t i = begin; i < end; ++i) {
            if (is_asleep[i]) {
                keep_as_it_is(view, groups, i, out, workspace.results);
                continue;
            }
            StageClock clock(workspace.results.stage_seconds);
            gather(view, groups, i, node_of_, workspace.island);
            clock(Stage::Islands);
            workspace.results.note = {};
            workspace.results.outcomes.push_back(advance_island(view, workspace));
            note_energy(view, workspace.island, workspace.energy, workspace.results.note);
            workspace.results.notes.push_back(workspace.results.note);
            StageClock rest(workspace.results.stage_seconds);
            scatter(view, workspace.island, out);
            rest(Stage::Integrate);
        }
    });
}

}  // namespace impuls
