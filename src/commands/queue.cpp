// Which commands are due (queue.h).
#include "commands/queue.h"

namespace impuls {

std::vector<ConditionalCommand> find_conditions(const Descriptions& described) {
    std::vector<ConditionalCommand> found;
    const auto& timeline = described.first_parts().timeline;
    SceneRef scene;
    for (std::size_t k = 0; k < timeline.size(); ++k) {
        if (timeline[k].when.empty()) continue;
        if (!scene) scene = described.first_scene();
        found.push_back({k, find_condition(timeline[k].when, *scene), 0});
    }
    return found;
}

bool may_hold(const PresentWorld& now, const ConditionalCommand& c) {
    return !c.is_done && now.has_come(now.described.first_parts().timeline[c.entry].time);
}

bool has_due_commands(const PresentWorld& now, const CommandQueue& queue) {
    bool is_any = !queue.pending.empty();
    for (const ConditionalCommand& c : queue.conditional) is_any = is_any || may_hold(now, c);
    for_due_commands(now, queue, [&](const Command&) { is_any = true; });
    return is_any;
}

}  // namespace impuls
