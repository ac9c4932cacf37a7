// Names and references across all parts of a scene.
#include <fmt/format.h>

#include <algorithm>

#include "scene/described.h"
#include "scene/material_library.h"
#include "scene/unroll.h"
#include "scene/validator.h"

namespace impuls {

// When a name could not be read, references to it would be reported for nothing.
bool Validator::names_are_broken() const {
    for (const auto& [scene, paths] : broken_) {
        for (const std::string& path : paths) {
            const std::vector<std::string> parts = path_parts(path);
            const std::string list = parts.empty() ? "" : parts[0];
            const bool named =
                list == "bodies" || list == "joints" || list == "forces" || list == "materials";
            const bool is_name = parts.size() <= 2 || parts[2] == "name" || parts[2] == "repeat";
            if (parts.empty() || list == "include" || (named && is_name)) return true;
        }
    }
    for (const Scene* scene : scenes_) {
        for (const IncludeDesc& include : scene->include) {
            if (!include.scene) return true;
        }
    }
    return false;
}

void Validator::collect_materials() {
    for (const Scene* scene : scenes_) {
        std::set<std::string> own;
        for (std::size_t k = 0; k < scene->materials.size(); ++k) {
            const MaterialDesc& material = scene->materials[k];
            check_material_rules(material, [&](const std::string& at, const std::string& m) {
                report(*scene, element_path("materials", k) + at, m);
            });
            const std::string path = element_path("materials", k) + "/name";
            if (has_broken(*scene, path)) continue;
            const auto [known, is_new] = materials_.emplace(material.name, std::pair(&material, scene));
            if (!own.insert(material.name).second) {
                report(*scene, path, fmt::format("there is another material '{}'", material.name));
            } else if (!is_new && !same(*known->second.first, material)) {
                report(*scene, path,
                       fmt::format("material '{}' is different in {}", material.name,
                                   known->second.second->file));
            }
        }
    }
}

// Each pair of materials at most once in all files, or with the same values.
void Validator::check_contacts() {
    for (const Scene* scene : scenes_) {
        for (std::size_t k = 0; k < scene->contacts.size(); ++k) {
            const ContactDesc& contact = scene->contacts[k];
            const std::string path = element_path("contacts", k);
            const auto problem = [&](const std::string& at, const std::string& m) {
                if (!m.empty()) report(*scene, path + at, m);
            };
            problem("/a", contact.a.empty() ? "names no material" : material_problem(contact.a));
            problem("/b", contact.b.empty() ? "names no material" : material_problem(contact.b));
            check_contact_rules(contact, problem);
            if (const auto* areal = contact.contact ? std::get_if<ArealContact>(&*contact.contact) : nullptr)
                if (const auto* a = material(contact.a), *b = material(contact.b); a && b)
                    problem("/contact", layer_problem(*areal, {a, b}));
            if (has_broken(*scene, path)) continue;
            for (const auto& [other, in] : contacts_) {
                if (!is_same_pair(*other, contact) || (in != scene && same(*other, contact))) continue;
                problem("", fmt::format("there is another contact of '{}' and '{}'", contact.a, contact.b) +
                                (in == scene ? "" : " in " + in->file));
                break;
            }
            contacts_.emplace_back(&contact, scene);
        }
    }
}

// Null when there is none of this name, or it is made later.
const MaterialDesc* Validator::material(const std::string& name) const {
    static const MaterialDesc usual;
    if (const auto at = materials_.find(name); at != materials_.end()) return at->second.first;
    if (name.empty() || name == "default") return &usual;
    const LibraryMaterial* known = find_library_material(name);
    return known ? &known->material : nullptr;
}

std::string Validator::material_problem(const std::string& name) const {
    if (name.empty() || name == "default" || materials_.count(name) || new_materials_.count(name) ||
        names_are_broken())
        return {};
    if (find_library_material(name)) return {};
    std::vector<std::string> known{"default"};
    for (const LibraryMaterial& m : material_library()) known.push_back(m.material.name);
    for (const auto& entry : materials_) known.push_back(entry.first);
    return fmt::format("unknown material '{}'{}", name, did_you_mean(name, known));
}

// Things without a name are called body[n] or joint[n] by their number in the expanded scene.
template <class T>
void Validator::add_names(const char* list, std::vector<T> Scene::*things, std::vector<Made> SceneInfo::*made,
                          NameTable& table) {
    const std::string unnamed = std::is_same_v<T, BodyDesc> ? "body" : "joint";
    std::int64_t number = 0;
    for (const ScenePart& part : parts_) {
        for (std::size_t k = 0; k < (part.scene->*things).size(); ++k) {
            const T& thing = (part.scene->*things)[k];
            const Made& m = (info_[part.scene].*made)[k];
            const NameTable::Origin origin{part.scene, k};
            std::optional<NameTable::Origin> earlier;
            std::string name = part.prefix + thing.name;
            if (!m.names.empty()) {
                for (const std::string& child : m.names) {
                    const auto taken = table.add(name = part.prefix + child, origin);
                    if (taken && !earlier) earlier = taken;
                    if (taken) break;
                }
            } else if (thing.name.empty()) {
                earlier = table.add_copies(name = part.prefix + unnamed, number, m.count, origin);
            } else {
                earlier = thing.repeat ? table.add_copies(name, 0, m.count, origin) : table.add(name, origin);
            }
            number += m.count;
            if (!earlier) continue;
            const std::string where =
                issue_at(*earlier->scene, element_path(list, earlier->number), "").text();
            report(*part.scene, element_path(list, k) + (thing.name.empty() ? "" : "/name"),
                   fmt::format("the name '{}' is taken by {}", name, where.substr(0, where.size() - 2)));
        }
    }
}

template void Validator::add_names(const char*, std::vector<BodyDesc> Scene::*,
                                   std::vector<Made> SceneInfo::*, NameTable&);
template void Validator::add_names(const char*, std::vector<JointDesc> Scene::*,
                                   std::vector<Made> SceneInfo::*, NameTable&);
template void Validator::add_names(const char*, std::vector<ForceDesc> Scene::*,
                                   std::vector<Made> SceneInfo::*, NameTable&);

template <class T>
bool Validator::check_ends(const ScenePart& part, const std::string& path, const T& thing,
                           const std::string& note) {
    const std::size_t before = issues_.size();
    const auto check = [&](const char* end, const std::string& name) {
        if (name.empty() || bodies_.has(part.prefix + name)) return;
        report(*part.scene, path + end,
               fmt::format("{}unknown body '{}'{}", note, name, bodies_.suggestion(part.prefix + name)));
    };
    check("/a", thing.a);
    check("/b", thing.b);
    if constexpr (std::is_same_v<T, JointDesc>) check("/frame", thing.frame);
    return issues_.size() == before;
}

template <class T>
void Validator::check_all_ends(const char* list, std::vector<T> Scene::*things,
                               std::vector<Made> SceneInfo::*made) {
    for (const ScenePart& part : parts_) {
        const std::vector<T>& all = part.scene->*things;
        for (std::size_t k = 0; k < all.size(); ++k) {
            const std::string path = element_path(list, k);
            if ((info_[part.scene].*made)[k].count == 0 || has_broken(*part.scene, path)) continue;
            if (!all[k].repeat) {
                check_ends(part, path, all[k], "");
                continue;
            }
            Unroller<T> unroller(*part.scene, path, all[k], scope_of(*part.scene));
            const bool same_ends =
                !unroller.varies("/a") && !unroller.varies("/b") && !unroller.varies("/frame");
            unroller.each([&](const T& copy, const GridIndex& index, std::int64_t) {
                const std::string note = same_ends ? "" : fmt::format("with i = {}: ", index.i);
                return check_ends(part, path, copy, note) && !same_ends;
            });
        }
    }
}
template void Validator::check_all_ends(const char*, std::vector<JointDesc> Scene::*,
                                        std::vector<Made> SceneInfo::*);
template void Validator::check_all_ends(const char*, std::vector<ForceDesc> Scene::*,
                                        std::vector<Made> SceneInfo::*);

}  // namespace impuls
