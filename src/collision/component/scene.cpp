// CollisionScene: adding, moving, updating and contacts (impuls/collision.h).
#include <algorithm>

#include "collision/component/scene_state.h"
#include "collision/ray/interval.h"
#include "impuls/errors.h"

namespace impuls {

CollisionScene::CollisionScene() : state_(std::make_unique<State>()) {}
CollisionScene::~CollisionScene() = default;
CollisionScene::CollisionScene(CollisionScene&&) noexcept = default;
CollisionScene& CollisionScene::operator=(CollisionScene&&) noexcept = default;

CollisionScene::State::Slot& CollisionScene::State::at(ProxyId id) {
    if (id.index >= slots.size() || !slots[id.index].solid || slots[id.index].generation != id.generation)
        throw InputError("this proxy id is not valid (any more)");
    return slots[id.index];
}

ProxyId CollisionScene::add(const Solid& solid, const Pose& pose, const Filter& filter, bool sensor) {
    State& s = *state_;
    if (s.free.empty()) {
        s.free.push_back(static_cast<std::uint32_t>(s.slots.size()));
        s.slots.emplace_back();
    }
    const std::uint32_t index = s.free.back();
    s.free.pop_back();
    State::Slot& slot = s.slots[index];
    slot = {slot.generation + 1, solid, pose, filter, sensor};
    ++s.alive;
    return {index, slot.generation};
}

void CollisionScene::remove(ProxyId id) {
    state_->at(id).solid.reset();
    state_->free.push_back(id.index);
    --state_->alive;
}

void CollisionScene::set_pose(ProxyId id, const Pose& pose) {
    state_->at(id).pose = pose;
}

Pose CollisionScene::pose(ProxyId id) const {
    return state_->at(id).pose;
}

std::size_t CollisionScene::size() const {
    return state_->alive;
}

void CollisionScene::update(Executor& executor) {
    State& s = *state_;
    s.seen = s.slots;
    s.index.targets.assign(s.seen.size(), {});
    s.largest = 0;
    for (std::size_t k = 0; k < s.seen.size(); ++k) {
        const State::Slot& slot = s.seen[k];
        if (!slot.solid) continue;
        s.index.targets[k] = {group_of(*slot.solid),        slot.pose, slot.filter.layer, 1, slot.sensor,
                              static_cast<std::uint32_t>(k)};
        s.largest = std::max(s.largest, slot.solid->parts().size);
    }
    s.index.build(executor);
}

namespace {

double margin_of(const Margin& margin, double size_a, double size_b) {
    return margin.distance + margin.part * smaller_of(size_a, size_b);
}

}  // namespace

std::vector<PairContacts> CollisionScene::contacts(const Margin& margin, Executor& executor) const {
    const State& s = *state_;
    std::vector<std::vector<PairContacts>> found(s.seen.size());
    const auto look = [&](std::uint32_t k, std::uint32_t other) {
        const State::Slot &a = s.seen[k], &b = s.seen[other];
        if (other <= k || !(a.filter.mask & b.filter.layer) || !(a.filter.layer & b.filter.mask)) return;
        const double within = margin_of(margin, a.solid->parts().size, b.solid->parts().size);
        auto points = impuls::contacts(*a.solid, a.pose, *b.solid, b.pose, within);
        if (points.empty()) return;
        found[k].push_back({s.id_of(k), s.id_of(other), a.sensor || b.sensor, std::move(points)});
    };
    executor.parallel_for(s.seen.size(), 16, [&](std::size_t begin, std::size_t end) {
        for (auto k = static_cast<std::uint32_t>(begin); k < end; ++k) {
            if (!s.seen[k].solid) continue;
            // Where this one has no size, the other's counts, which is not known yet.
            const double far = margin_of(margin, s.seen[k].solid->parts().size, s.largest);
            s.index.tree().visit_overlaps(grown(s.index.box(k), far),
                                          [&](std::uint32_t other) { look(k, other); });
            std::sort(found[k].begin(), found[k].end(),
                      [](const PairContacts& p, const PairContacts& q) { return p.b.index < q.b.index; });
        }
    });
    std::vector<PairContacts> out;
    for (auto& list : found)
        for (PairContacts& pair : list) out.push_back(std::move(pair));
    return out;
}

}  // namespace impuls
