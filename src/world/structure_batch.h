// Changes of what there is in a world, all those of a step as one: while they are applied, arrays only grow
// and what is removed stays where it is, so that numbers hold; `finish` removes it in one pass, finds the
// numbers of what is new (or all, where something went or was replaced), and wakes whom it concerns. A step
// with n changes costs n, and one pass over the tables where something is removed or replaced.
// What describes it is changed in place while nobody else holds it (frames and recordings do), else in a
// copy. Called by commands.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "world/state.h"

namespace impuls {

class StructureBatch {
  public:
    explicit StructureBatch(WorldState& s);

    // Checked, and complete (commands/check.h).
    void put(const Put& put);
    void remove(const Remove& remove);
    void put_force(const ForceDesc& desc);
    void remove_force(const std::string& name);

    Scene& parts();  // everything but bodies, to be changed
    void wake(std::uint32_t body) { s_.commands.woken.push_back(body); }
    void wake_joint(std::size_t j);
    void wake_force(std::size_t f);
    void wake_everyone() { wakes_all_ = true; }
    void note_holding() { has_holding_changed_ = true; }
    void note_nodes() { has_nodes_changed_ = true; }
    void note_caches() { has_stale_caches_ = true; }
    void finish();

  private:
    void put_material(const MaterialDesc& material);
    void put_contact(const ContactDesc& contact);
    void put_body(const BodyDesc& desc, bool takes_motion);
    void replace_body(std::uint32_t k, const BodyDesc& desc, bool takes_motion);
    void remove_joint(const std::string& name);
    void remove_body(const std::string& name);
    void remove_material(const std::string& name);
    void forget_contacts();
    void erase_dead();

    WorldState& s_;
    std::size_t bodies_before_, joints_before_;
    std::vector<std::uint8_t> dead_bodies_{}, dead_joints_{}, dead_forces_{};
    std::vector<std::uint64_t> lost_contact_{};  // uids of bodies that went or were replaced
    bool wakes_all_ = false;
    bool has_law_changed_ = false, has_holding_changed_ = false, has_nodes_changed_ = false;
    bool has_replaced_ = false, has_stale_caches_ = false;
};

}  // namespace impuls
