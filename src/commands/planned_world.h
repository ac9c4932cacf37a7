// The world as its pending commands will leave it: what a name will mean. Looking up costs the same however
// many bodies there are. Called by check.cpp.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "commands/plan.h"
#include "commands/present_world.h"
#include "impuls/command.h"

namespace impuls {

// The world as the plan will leave it.
class PlannedWorld {
  public:
    PlannedWorld(const PresentWorld& now, const CommandPlan& plan) : now_(now), plan_(plan) {}

    const Scene& parts() const { return now_.described.parts(); }  // now, everything but bodies

    bool has_body(const std::string& name) const {
        if (const auto* planned = find_planned(name, plan_.bodies)) return planned->has_value();
        return now_.ids.body_ids.has(name);
    }
    void require_body(const std::string& name) const {
        if (!has_body(name)) throw unknown("body", name, names(now_.ids.body_ids));
    }
    // It is made anew where nobody has changed it, which costs.
    BodyDesc body(const std::string& name) const {
        require_body(name);
        if (const auto* planned = find_planned(name, plan_.bodies)) return **planned;
        return now_.described.body(now_.bodies.uid[number_of(name)]);
    }
    BodyKind kind_of(const std::string& name) const {
        require_body(name);
        if (const auto* planned = find_planned(name, plan_.bodies)) return (*planned)->kind;
        return now_.bodies.kind[number_of(name)];
    }
    bool is_scripted(const std::string& name) const {
        require_body(name);
        if (const auto* planned = find_planned(name, plan_.bodies)) return (*planned)->motion.has_value();
        return now_.bodies.script[number_of(name)] != nullptr;
    }

    // Null: there is none.
    const JointDesc* find(const std::string& name, const JointDesc*) const {
        return look_up(name, plan_.joints, now_.ids.joint_ids, parts().joints);
    }
    const ForceDesc* find(const std::string& name, const ForceDesc*) const {
        return look_up(name, plan_.forces, now_.ids.force_ids, parts().forces);
    }
    const MaterialDesc* find(const std::string& name, const MaterialDesc*) const {
        if (const auto it = plan_.materials.find(name); it != plan_.materials.end())
            return it->second ? &*it->second : nullptr;
        for (const MaterialDesc& material : parts().materials)
            if (material.name == name) return &material;
        return nullptr;
    }
    const ForceDesc& force(const std::string& name) const {
        return require<ForceDesc>("force", name, parts().forces);
    }
    const MaterialDesc& material(const std::string& name) const {
        return require<MaterialDesc>("material", name, parts().materials);
    }
    // With the axes that it has.
    JointDesc joint(const std::string& name) const {
        JointDesc desc = require<JointDesc>("joint", name, parts().joints);
        if (!plan_.joints.contains(name))
            desc.joint = now_.joints.joint[now_.ids.joint_ids.dense(now_.ids.joint_ids.find(name))];
        return desc;
    }
    bool has_contact(const MaterialPair& pair) const {
        const auto is_it = [&](const auto& other) {
            return (other.a == pair.a && other.b == pair.b) || (other.a == pair.b && other.b == pair.a);
        };
        for (auto it = plan_.contacts.rbegin(); it != plan_.contacts.rend(); ++it)
            if (is_it(it->first)) return it->second;
        return std::any_of(parts().contacts.begin(), parts().contacts.end(), is_it);
    }
    // All materials there are, in order, and those of the plan.
    std::vector<MaterialDesc> materials() const {
        std::vector<MaterialDesc> all;
        for (const MaterialDesc& material : parts().materials)
            if (!plan_.materials.contains(material.name)) all.push_back(material);
        for (const auto& [name, material] : plan_.materials)
            if (material) all.push_back(*material);
        return all;
    }
    bool is_used(const std::string& material) const {
        for (std::size_t k = 0; k < now_.bodies.size(); ++k)
            if (parts().materials[now_.bodies.material[k]].name == material &&
                !plan_.bodies.contains(now_.ids.body_ids.name(k)))
                return true;
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
        throw unknown(kind, name, names);
    }
    template <class T>
    static const std::optional<T>* find_planned(const std::string& name, const PlannedNames<T>& planned) {
        const auto it = planned.find(name);
        return it != planned.end() ? &it->second : nullptr;
    }
    std::uint32_t number_of(const std::string& body) const {
        return now_.ids.body_ids.dense(now_.ids.body_ids.find(body));
    }
    template <class Tag>
    static std::vector<std::string> names(const IdTable<Tag>& ids) {
        std::vector<std::string> all;
        for (std::size_t k = 0; k < ids.size(); ++k) all.push_back(ids.name(k));
        return all;
    }
    static InputError unknown(const char* kind, const std::string& name,
                              const std::vector<std::string>& known) {
        return InputError(fmt::format("there is no {} '{}'{}", kind, name, did_you_mean(name, known)));
    }

    const PresentWorld now_;
    const CommandPlan& plan_;
};

}  // namespace impuls
