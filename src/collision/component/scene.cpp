// CollisionScene: adding, moving, updating and contacts (impuls/collision.h).
#include <algorithm>

#include "collision/component/scene_state.h"
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

std::vector<std::uint32_t> CollisionScene::State::near(const Aabb& box, std::uint32_t mask,
                                                       bool sensors) const {
    std::vector<std::uint32_t> found;
    tree.visit_overlaps(box, [&](std::uint32_t slot) {
        if (passes(slot, mask, sensors)) found.push_back(slot);
    });
    std::sort(found.begin(), found.end());
    return found;
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
    s.boxes.resize(s.seen.size());
    executor.parallel_for(s.seen.size(), 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
            s.boxes[k] = s.seen[k].solid ? bounds(*s.seen[k].solid, s.seen[k].pose) : Aabb{};
    });
    s.fields.clear();
    for (std::uint32_t k = 0; k < s.seen.size(); ++k)
        if (s.seen[k].solid && s.seen[k].solid->parts().colliders[0].kind == ColliderKind::HeightField)
            s.fields.push_back(k);
    s.tree.build(s.boxes, executor);
}

std::vector<PairContacts> CollisionScene::contacts(double margin, Executor& executor) const {
    const State& s = *state_;
    std::vector<std::vector<PairContacts>> found(s.seen.size());
    executor.parallel_for(s.seen.size(), 16, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const State::Slot& a = s.seen[k];
            if (!a.solid) continue;
            for (const std::uint32_t other : s.near(grown(s.boxes[k], margin), a.filter.mask, true)) {
                const State::Slot& b = s.seen[other];
                if (other <= k || (a.filter.layer & b.filter.mask) == 0) continue;
                auto points = impuls::contacts(*a.solid, a.pose, *b.solid, b.pose, margin);
                if (points.empty()) continue;
                found[k].push_back({s.id_of(static_cast<std::uint32_t>(k)), s.id_of(other),
                                    a.sensor || b.sensor, std::move(points)});
            }
        }
    });
    std::vector<PairContacts> out;
    for (auto& list : found)
        for (PairContacts& pair : list) out.push_back(std::move(pair));
    return out;
}

}  // namespace impuls
