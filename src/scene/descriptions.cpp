// Making descriptions again (descriptions.h).
#include "scene/descriptions.h"

#include <algorithm>

#include "base/assert.h"
#include "scene/parts.h"

namespace impuls {

Descriptions::Descriptions(std::shared_ptr<const Scene> given,
                           const std::function<void(const BodyDesc&, const Scene& parts)>& visit) {
    auto first = std::make_shared<First>();
    first->parts = expand_all_but_bodies(*given);
    const std::vector<ScenePart> parts = scene_parts(*given);
    BodyOrigin last;
    for_each_body(*given, [&](BodyDesc&& body, const BodyOrigin& at) {
        const bool is_generator = parts[at.part].scene->bodies[at.element].repeat.has_value();
        const bool goes_on = !first->stretches.empty() && at.part == last.part &&
                             is_generator == first->stretches.back().is_generator &&
                             at.element - last.element == (is_generator ? 0u : 1u);
        if (!goes_on) first->stretches.push_back({at, is_generator});
        last = at;
        ++first->bodies;
        visit(body, first->parts);
    });
    first->given = std::move(given);
    parts_ = std::shared_ptr<const Scene>(first, &first->parts);
    first_ = std::move(first);
}

std::vector<Descriptions::Change>::const_iterator Descriptions::find(const std::vector<Change>& changes,
                                                                     std::uint64_t uid) {
    return std::lower_bound(changes.begin(), changes.end(), uid,
                            [](const Change& c, std::uint64_t u) { return c.uid < u; });
}

BodyDesc Descriptions::body(std::uint64_t uid) const {
    if (const auto at = find(changes_, uid); at != changes_.end() && at->uid == uid) return *at->desc;
    IMPULS_ASSERT(uid > 0 && uid <= first_->bodies);
    const auto number = static_cast<std::int64_t>(uid - 1);
    const auto after =
        std::upper_bound(first_->stretches.begin(), first_->stretches.end(), number,
                         [](std::int64_t k, const Stretch& stretch) { return k < stretch.first.number; });
    const Stretch& stretch = *std::prev(after);
    BodyOrigin origin = stretch.first;
    const std::int64_t beyond = number - origin.number;
    origin.number = number;
    if (stretch.is_generator)
        origin.copy += beyond;
    else
        origin.element += static_cast<std::size_t>(beyond);
    return expanded_body(*first_->given, origin);
}

void Descriptions::set_body(std::uint64_t uid, BodyDesc desc) {
    forget_scene();
    auto shared = std::make_shared<const BodyDesc>(std::move(desc));
    const auto at = changes_.begin() + (find(changes_, uid) - changes_.begin());
    if (at != changes_.end() && at->uid == uid)
        at->desc = std::move(shared);
    else
        changes_.insert(at, {uid, std::move(shared)});
}

void Descriptions::remove_bodies(std::span<const std::uint64_t> uids) {
    forget_scene();
    std::erase_if(changes_,
                  [&](const Change& c) { return std::binary_search(uids.begin(), uids.end(), c.uid); });
}

Scene& Descriptions::change_parts() {
    forget_scene();
    if (parts_.use_count() > 1) parts_ = std::make_shared<Scene>(*parts_);
    return const_cast<Scene&>(*parts_);  // nobody else holds it; it was made without const, here
}

// Bodies of the scene that are still there, as they were or as they were changed, then those that came.
std::shared_ptr<const Scene> Descriptions::make(const First& first, Scene parts,
                                                const std::vector<Change>& changes,
                                                std::span<const std::uint64_t> uids) {
    auto scene = std::make_shared<Scene>(std::move(parts));
    scene->bodies.reserve(uids.size());
    auto next = uids.begin();
    for_each_body(*first.given, [&](BodyDesc&& body, const BodyOrigin& origin) {
        const auto uid = static_cast<std::uint64_t>(origin.number) + 1;
        if (next == uids.end() || *next != uid) return;
        ++next;
        const auto at = find(changes, uid);
        scene->bodies.push_back(at != changes.end() && at->uid == uid ? *at->desc : std::move(body));
    });
    for (; next != uids.end(); ++next) scene->bodies.push_back(*find(changes, *next)->desc);
    return scene;
}

SceneRef Descriptions::scene(std::span<const std::uint64_t> uids) const {
    const std::lock_guard lock(now_->making);
    if (!now_->scene)
        now_->scene = SceneRef(
            [first = first_, parts = parts_, changes = changes_,
             all = std::vector(uids.begin(), uids.end())] { return make(*first, *parts, changes, all); });
    return now_->scene;
}

std::uint64_t Descriptions::fingerprint(std::uint64_t (*number_of)(const Scene&)) const {
    std::call_once(first_->is_numbered, [&] { first_->number = number_of(*first_scene()); });
    return first_->number;
}

SceneRef Descriptions::first_scene() const {
    return SceneRef([first = first_] {
        std::vector<std::uint64_t> all(first->bodies);
        for (std::size_t k = 0; k < all.size(); ++k) all[k] = k + 1;
        return make(*first, first->parts, {}, all);
    });
}

}  // namespace impuls
