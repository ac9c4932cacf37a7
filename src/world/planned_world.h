// The world as its pending commands will leave it: what a name will mean. Looking up costs the same however
// many bodies there are. Called by command_check.cpp.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "impuls/command.h"
#include "world/state.h"

namespace impuls {

// The world as the plan will leave it.
class PlannedWorld {
  public:
    PlannedWorld(const WorldState& s, const CommandPlan& plan) : s_(s), plan_(plan) {}

    const Scene& structure() const { return *s_.structure; }

    // Null: there is none.
    const BodyDesc* find(const std::string& name, const BodyDesc*) const {
        return look_up(name, plan_.bodies, s_.body_ids, structure().bodies);
    }
    const JointDesc* find(const std::string& name, const JointDesc*) const {
        return look_up(name, plan_.joints, s_.joint_ids, structure().joints);
    }
    const ForceDesc* find(const std::string& name, const ForceDesc*) const {
        return look_up(name, plan_.forces, s_.force_ids, structure().forces);
    }
    const MaterialDesc* find(const std::string& name, const MaterialDesc*) const {
        if (const auto it = plan_.materials.find(name); it != plan_.materials.end())
            return it->second ? &*it->second : nullptr;
        for (const MaterialDesc& material : structure().materials)
            if (material.name == name) return &material;
        return nullptr;
    }
    const BodyDesc& body(const std::string& name) const {
        return require<BodyDesc>("body", name, structure().bodies);
    }
    const ForceDesc& force(const std::string& name) const {
        return require<ForceDesc>("force", name, structure().forces);
    }
    const MaterialDesc& material(const std::string& name) const {
        return require<MaterialDesc>("material", name, structure().materials);
    }
    // With the axes that it has.
    JointDesc joint(const std::string& name) const {
        JointDesc desc = require<JointDesc>("joint", name, structure().joints);
        if (!plan_.joints.contains(name))
            desc.joint = s_.joints.joint[s_.joint_ids.dense(s_.joint_ids.find(name))];
        return desc;
    }
    bool has_contact(const MaterialPair& pair) const {
        const auto is_it = [&](const auto& other) {
            return (other.a == pair.a && other.b == pair.b) || (other.a == pair.b && other.b == pair.a);
        };
        for (auto it = plan_.contacts.rbegin(); it != plan_.contacts.rend(); ++it)
            if (is_it(it->first)) return it->second;
        return std::any_of(structure().contacts.begin(), structure().contacts.end(), is_it);
    }
    // All materials there are, in order, and those of the plan.
    std::vector<MaterialDesc> materials() const {
        std::vector<MaterialDesc> all;
        for (const MaterialDesc& material : structure().materials)
            if (!plan_.materials.contains(material.name)) all.push_back(material);
        for (const auto& [name, material] : plan_.materials)
            if (material) all.push_back(*material);
        return all;
    }
    bool is_used(const std::string& material) const {
        for (const BodyDesc& body : structure().bodies)
            if (body.material == material && !plan_.bodies.contains(body.name)) return true;
        return std::any_of(plan_.bodies.begin(), plan_.bodies.end(), [&](const auto& entry) {
            return entry.second && entry.second->material == material;
        });
    }

  private:
    template <class T, class Ids>
    static const T* look_up(const std::string& name, const PlannedNames<T>& planned, const Ids& ids,
                            const std::vector<T>& list) {
        if (const auto it = planned.find(name); it != planned.end())
            return it->second ? &*it->second : nullptr;
        return ids.has(name) ? &list[ids.dense(ids.find(name))] : nullptr;
    }
    template <class T>
    const T& require(const char* kind, const std::string& name, const std::vector<T>& list) const {
        if (const T* found = find(name, static_cast<const T*>(nullptr))) return *found;
        std::vector<std::string> names;
        for (const T& item : list) names.push_back(item.name);
        throw InputError(fmt::format("there is no {} '{}'{}", kind, name, did_you_mean(name, names)));
    }

    const WorldState& s_;
    const CommandPlan& plan_;
};

}  // namespace impuls
