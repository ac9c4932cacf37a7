// Putting and removing, and the one pass at the end of it (structure_batch.h).
#include "world/structure_batch.h"

#include <algorithm>

#include "dynamics/add.h"
#include "scene/check.h"
#include "scene/described.h"

namespace impuls {
namespace {

void flag(std::vector<std::uint8_t>& dead, std::size_t k) {
    if (dead.size() <= k) dead.resize(k + 1);
    dead[k] = 1;
}

}  // namespace

StructureBatch::StructureBatch(WorldState& s)
    : s_(s), bodies_before_(s.bodies.size()), joints_before_(s.joints.size()) {
    s.output.frame.structure = {};  // of a frame that is old by now
    s.output.frame_is_current = false;
    s.commands.woken.clear();
}

Scene& StructureBatch::parts() {
    const Scene* before = &s_.described.parts();
    Scene& parts = s_.described.change_parts();
    if (&parts != before) s_.commands.work.copied += parts.joints.size() + parts.forces.size();
    return parts;
}

void StructureBatch::wake_joint(std::size_t j) {
    for (const auto k : {s_.joints.a[j], s_.joints.b[j], s_.joints.c[j]})
        if (k != kNoBody) wake(k);
}

void StructureBatch::wake_force(std::size_t f) {
    for (const auto k : {s_.forces.a[f], s_.forces.b[f]})
        if (k != kNoBody) wake(k);
}

void StructureBatch::put(const Put& put) {
    for (const MaterialDesc& material : put.materials) put_material(material);
    for (const ContactDesc& contact : put.contacts) put_contact(contact);
    for (const BodyDesc& body : put.bodies) put_body(body, put.move);
    for (const JointDesc& joint : put.joints) {
        if (s_.joint_ids.has(joint.name)) remove_joint(joint.name);
        parts().joints.push_back(joint);
        add_joint(s_, joint);
        wake_joint(s_.joints.size() - 1);
    }
    for (const ForceDesc& force : put.forces) put_force(force);
}

void StructureBatch::put_force(const ForceDesc& desc) {
    if (s_.force_ids.has(desc.name)) remove_force(desc.name);
    parts().forces.push_back(desc);
    add_force(s_, desc);
    wake_force(s_.forces.size() - 1);
}

void StructureBatch::put_material(const MaterialDesc& material) {
    has_law_changed_ = true;
    for (MaterialDesc& m : parts().materials)
        if (m.name == material.name) {
            m = material;
            return wake_everyone();
        }
    parts().materials.push_back(material);
}

void StructureBatch::put_contact(const ContactDesc& contact) {
    has_law_changed_ = true;
    for (ContactDesc& c : parts().contacts)
        if (is_same_pair(c, contact)) {
            c = contact;
            return;
        }
    parts().contacts.push_back(contact);
}

void StructureBatch::put_body(const BodyDesc& desc, bool takes_motion) {
    if (s_.body_ids.has(desc.name))
        return replace_body(s_.body_ids.dense(s_.body_ids.find(desc.name)), desc, takes_motion);
    add_body(s_, desc);
    s_.described.set_body(s_.bodies.uid.back(), desc);
}

// Its joints and forces are held by frames in its principal frame, which may be another one now.
void StructureBatch::replace_body(std::uint32_t k, const BodyDesc& desc, bool takes_motion) {
    wake(k);
    const bool was_described_active = description_of(s_, k).active;
    const Pose X_BP = s_.bodies.X_BP[k];
    const auto was_active = s_.bodies.is_active[k];
    const Scene& known = s_.described.parts();
    const MaterialDesc& material = material_of(known, desc.material);
    const auto number = static_cast<std::uint32_t>(&material - known.materials.data());
    s_.bodies.replace(k, desc, material, number, takes_motion);
    watch_mass(s_.bodies, k, desc, static_cast<double>(s_.step) * s_.dt, s_.output.watch, s_.output.warnings);
    if (was_described_active == desc.active) s_.bodies.is_active[k] = was_active;
    const bool has_new_frame = !(X_BP == s_.bodies.X_BP[k]);
    const Pose X_new_old = has_new_frame ? inverse(s_.bodies.X_BP[k]) * X_BP : Pose{};
    for (std::size_t j = 0; j < s_.joints.size() && has_new_frame; ++j)
        s_.joints.move_frames(j, k, X_new_old);
    for (std::size_t f = 0; f < s_.forces.size(); ++f)
        if (s_.forces.a[f] == k || s_.forces.b[f] == k)
            s_.forces.note_body(f, s_.bodies, k, X_new_old, desc.shape);
    s_.described.set_body(s_.bodies.uid[k], desc);
    lost_contact_.push_back(s_.bodies.uid[k]);
    has_replaced_ = true;
}

void StructureBatch::remove(const Remove& remove) {
    for (const std::string& name : remove.joints) remove_joint(name);
    for (const std::string& name : remove.forces) remove_force(name);
    for (const std::string& name : remove.bodies) remove_body(name);
    for (const MaterialPair& pair : remove.contacts) {
        const ContactDesc wanted{.a = pair.a, .b = pair.b};
        std::erase_if(parts().contacts, [&](const ContactDesc& c) { return is_same_pair(c, wanted); });
        has_law_changed_ = true;
    }
    for (const std::string& name : remove.materials) remove_material(name);
}

void StructureBatch::remove_joint(const std::string& name) {
    const auto j = s_.joint_ids.dense(s_.joint_ids.find(name));
    wake_joint(j);
    s_.joint_ids.release(name);
    flag(dead_joints_, j);
}

void StructureBatch::remove_force(const std::string& name) {
    const auto f = s_.force_ids.dense(s_.force_ids.find(name));
    wake_force(f);
    s_.force_ids.release(name);
    flag(dead_forces_, f);
}

void StructureBatch::remove_body(const std::string& name) {
    const auto k = s_.body_ids.dense(s_.body_ids.find(name));
    wake(k);
    lost_contact_.push_back(s_.bodies.uid[k]);
    s_.body_ids.release(name);
    flag(dead_bodies_, k);
}

void StructureBatch::remove_material(const std::string& name) {
    auto& materials = parts().materials;
    const auto is_it = [&](const MaterialDesc& m) { return m.name == name; };
    const auto at = std::find_if(materials.begin(), materials.end(), is_it);
    const auto number = static_cast<std::uint32_t>(at - materials.begin());
    materials.erase(at);
    for (std::uint32_t& m : s_.bodies.material) m -= m > number;
    has_law_changed_ = true;
}

void StructureBatch::forget_contacts() {
    std::sort(lost_contact_.begin(), lost_contact_.end());
    const auto is_lost = [&](std::uint64_t uid) {
        return std::binary_search(lost_contact_.begin(), lost_contact_.end(), uid);
    };
    std::erase_if(s_.contacts,
                  [&](const ContactPoint& c) { return is_lost(c.key.uid_a) || is_lost(c.key.uid_b); });
    s_.pairs.contact_start.clear();
}

void StructureBatch::erase_dead() {
    if (!dead_joints_.empty()) {
        s_.joints.remove(dead_joints_);
        s_.joint_ids.erase(dead_joints_);
        compact(parts().joints, dead_joints_);
    }
    if (!dead_forces_.empty()) {
        s_.forces.remove(dead_forces_);
        s_.force_ids.erase(dead_forces_);
        compact(parts().forces, dead_forces_);
    }
    if (dead_bodies_.empty()) return;
    forget_bodies(s_, dead_bodies_);
    std::vector<std::uint64_t> gone;
    for (std::size_t k = 0; k < dead_bodies_.size(); ++k)
        if (dead_bodies_[k]) gone.push_back(s_.bodies.uid[k]);
    s_.bodies.remove(dead_bodies_);
    s_.described.remove_bodies(gone);
    s_.body_ids.erase(dead_bodies_);
}

void StructureBatch::finish() {
    const bool is_any_dead = !dead_bodies_.empty() || !dead_joints_.empty() || !dead_forces_.empty();
    const bool has_new = s_.bodies.size() > bodies_before_ || s_.joints.size() > joints_before_;
    if (has_replaced_ || has_stale_caches_) drop_caches(s_);
    if (has_replaced_) update_numbers(s_);
    if (has_new && !has_replaced_) update_numbers(s_, {bodies_before_, joints_before_});
    if (wakes_all_) wake_all(s_);
    if (!wakes_all_ && !s_.commands.woken.empty()) impuls::wake(s_, s_.commands.woken);
    if (!lost_contact_.empty()) forget_contacts();
    if (is_any_dead) {
        erase_dead();
        update_numbers(s_);
    }
    if (has_holding_changed_) update_connected(s_);
    if (has_nodes_changed_) update_nodes(s_);
    if (has_law_changed_) s_.laws.build(s_.described.parts().materials, s_.described.parts().contacts);
}

}  // namespace impuls
