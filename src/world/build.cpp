// From an expanded scene to arrays, and the checks that only a world can make.
#include <fmt/format.h>

#include <algorithm>

#include "collision/collider.h"
#include "world/state.h"

namespace impuls {
namespace {

constexpr int kColliderBits =
    20;  // of a collider's id that number it in its body; the rest is the body's uid

}  // namespace

const MaterialDesc& material_of(const Scene& structure, const std::string& name) {
    for (const auto& material : structure.materials)
        if (material.name == name) return material;
    std::vector<std::string> known;
    for (const auto& material : structure.materials) known.push_back(material.name);
    throw InputError(fmt::format("there is no material '{}'{}", name, did_you_mean(name, known)));
}

void add_body(WorldState& s, const BodyDesc& desc) {
    const MaterialDesc& material = material_of(*s.structure, desc.material);
    s.bodies.add(desc, material, static_cast<std::uint32_t>(&material - s.structure->materials.data()));
    s.body_ids.add(desc.name);
}

void add_joint(WorldState& s, const JointDesc& desc) {
    const auto number = [&](const std::string& name) {
        return name.empty() ? kNoBody : s.body_ids.dense(s.body_ids.find(name));
    };
    s.joints.add(desc, s.bodies, number(desc.a), number(desc.b), number(desc.frame));
    s.joint_ids.add(desc.name);
    s.active.lists.is_current = false;
}

void add_force(WorldState& s, const ForceDesc& desc) {
    const auto b = s.body_ids.dense(s.body_ids.find(desc.b));
    const auto a = desc.a.empty() ? kNoBody : s.body_ids.dense(s.body_ids.find(desc.a));
    s.forces.add(desc, s.bodies, a, b, s.structure->bodies[b].shape);
    s.force_ids.add(desc.name);
    s.active.lists.is_current = false;
}

void update_connected(WorldState& s) {
    s.pairs.connected.clear();
    for (std::size_t j = 0; j < s.joints.size(); ++j)
        if (s.joints.holds(j) && !s.joints.collide_connected[j] && s.joints.a[j] != kNoBody)
            s.pairs.connected.push_back(std::minmax({s.joints.a[j], s.joints.b[j]}));
    std::sort(s.pairs.connected.begin(), s.pairs.connected.end());
    s.pairs.search.can_compare = false;
}

void update_numbers(WorldState& s, Unchanged kept) {
    const bool is_all = kept.bodies == 0;
    if (is_all) {
        s.joints.update_numbers(s.bodies);
        s.forces.update_numbers(s.bodies);
    }
    s.commands.work.numbered += s.bodies.size() - kept.bodies;
    const std::size_t first = is_all ? 0 : s.colliders.first[kept.bodies];
    s.colliders.body.resize(first);
    s.colliders.number.resize(first);
    s.colliders.ids.resize(first);
    s.colliders.first.resize(kept.bodies);
    for (auto k = static_cast<std::uint32_t>(kept.bodies); k < s.bodies.size(); ++k) {
        s.colliders.first.push_back(static_cast<std::uint32_t>(s.colliders.body.size()));
        for (std::uint32_t c = 0; c < s.bodies.colliders[k].size(); ++c) {
            s.colliders.body.push_back(k);
            s.colliders.number.push_back(c);
            s.colliders.ids.push_back(s.bodies.uid[k] << kColliderBits | c);
        }
    }
    s.colliders.first.push_back(static_cast<std::uint32_t>(s.colliders.body.size()));
    s.active.lists.is_current = false;
    if (is_all || kept.joints < s.joints.size()) update_connected(s);
    update_nodes(s, kept);
    s.output.frame_is_current = false;
}

void build(WorldState& s, std::shared_ptr<const Scene> structure) {
    s.first_structure = s.structure = structure;
    s.method = resolve(structure->settings.method);
    s.dt = structure->settings.dt;
    s.gravity = structure->settings.gravity;
    for (const auto& body : structure->bodies) add_body(s, body);
    for (const auto& joint : structure->joints) add_joint(s, joint);
    for (const auto& force : structure->forces) add_force(s, force);
    s.laws.build(structure->materials, structure->contacts);
    update_numbers(s);
}

void drop_caches(WorldState& s) {
    activate_all(s);
    s.active = {};
    s.colliders.size = {};
    s.colliders.boxes = {};
    s.colliders.outlines = {};
    s.colliders.broad.reset();
    s.pairs = PairTables{.connected = std::move(s.pairs.connected)};
    s.islands = {};
    s.output.frame = {};
    s.output.frame_is_current = false;
}

}  // namespace impuls
