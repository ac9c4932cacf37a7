// From an expanded scene to arrays, and the checks that only a world can make.
#include <algorithm>
#include <map>

#include "collision/collider.h"
#include "dynamics/add.h"
#include "dynamics/axis_goal.h"
#include "world/state.h"

namespace impuls {
namespace {

constexpr int kColliderBits =
    20;  // of a collider's id that number it in its body; the rest is the body's uid

}  // namespace

SceneRef structure_of(const WorldState& s) {
    return s.described.scene(s.bodies.uid);
}

BodyDesc description_of(const WorldState& s, std::size_t body) {
    return s.described.body(s.bodies.uid[body]);
}

void add_body(WorldState& s, const BodyDesc& desc) {
    add_body(s.bodies, s, desc, s.described.parts());
    watch_mass(s.bodies, s.bodies.size() - 1, desc, static_cast<double>(s.step) * s.dt, s.output.watch,
               s.output.warnings);
}

void add_joint(WorldState& s, const JointDesc& desc) {
    add_joint(s.joints, s, s.bodies, desc);
    s.active.lists.is_current = false;
}

void add_force(WorldState& s, const ForceDesc& desc) {
    const auto b = s.body_ids.dense(s.body_ids.find(desc.b));
    add_force(s.forces, s, s.bodies, desc, description_of(s, b).shape);
    s.active.lists.is_current = false;
}

void update_connected(WorldState& s) {
    s.connected.clear();
    for (std::size_t j = 0; j < s.joints.size(); ++j)
        if (s.joints.holds(j) && !s.joints.collide_connected[j] && s.joints.a[j] != kNoBody)
            s.connected.push_back(std::minmax({s.joints.a[j], s.joints.b[j]}));
    std::sort(s.connected.begin(), s.connected.end());
    s.pairs.search.can_compare = false;
}

void update_numbers(WorldState& s, Unchanged kept) {
    const bool is_all = kept.bodies == 0;
    if (is_all) {
        s.joints.update_numbers(s.bodies);
        s.forces.update_numbers(s.bodies);
    }
    s.commands.work.numbered += s.bodies.size() - kept.bodies;
    const std::size_t first = is_all ? 0 : s.numbers.first[kept.bodies];
    s.numbers.body.resize(first);
    s.numbers.number.resize(first);
    s.numbers.ids.resize(first);
    s.numbers.first.resize(kept.bodies);
    for (auto k = static_cast<std::uint32_t>(kept.bodies); k < s.bodies.size(); ++k) {
        s.numbers.first.push_back(static_cast<std::uint32_t>(s.numbers.body.size()));
        for (std::uint32_t c = 0; c < s.bodies.colliders[k].size(); ++c) {
            s.numbers.body.push_back(k);
            s.numbers.number.push_back(c);
            s.numbers.ids.push_back(s.bodies.uid[k] << kColliderBits | c);
        }
    }
    s.numbers.first.push_back(static_cast<std::uint32_t>(s.numbers.body.size()));
    s.active.lists.is_current = false;
    if (is_all || kept.joints < s.joints.size()) update_connected(s);
    update_nodes(s, kept);
    update_walls(s.grains, grains_view_of(s));
    s.output.frame_is_current = false;
}

// Shapes that forces ask for are kept aside: no description outlives its body's entry.
void build(WorldState& s, std::shared_ptr<const Scene> scene) {
    s.method = resolve(scene->settings.method);
    s.dt = scene->settings.dt;
    s.gravity = scene->settings.gravity;
    std::map<std::string, Shape> pushed;
    s.described = Descriptions(std::move(scene), [&](const BodyDesc& body, const Scene& parts) {
        if (s.bodies.size() == 0)
            for (const ForceDesc& force : parts.forces) pushed.try_emplace(force.b);
        add_body(s.bodies, s, body, parts);
        watch_mass(s.bodies, s.bodies.size() - 1, body, static_cast<double>(s.step) * s.dt, s.output.watch,
                   s.output.warnings);
        if (const auto at = pushed.find(body.name); at != pushed.end()) at->second = body.shape;
    });
    for (const auto& joint : s.described.parts().joints) add_joint(s, joint);
    for (const auto& force : s.described.parts().forces)
        add_force(s.forces, s, s.bodies, force, pushed.at(force.b));
    s.laws.build(s.described.parts().materials, s.described.parts().contacts);
    update_numbers(s);
    place_scripts(s);
    set_axes_as_described(s, s.described.parts().joints, s.bodies, s.joints);
    make_grains(s.grains, grains_view_of(s));
    s.commands.conditional = find_conditions(s.described);
}

void drop_caches(WorldState& s) {
    activate_all(s);  // what is between two dormant bodies is state
    static_cast<Caches&>(s) = {};
    for (const auto k : s.bodies.of_particles) s.bodies.particles[k]->has_next = false;
    s.described.forget_scene();
    s.output.frame = {};
    s.output.frame_is_current = false;
}

}  // namespace impuls
