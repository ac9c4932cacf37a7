// Impacts: where surfaces that touch, or axes at their limits, approach too fast for contact forces,
// velocities jump. With the normal velocity u before (negative: approaching), restitution e and the velocity
// per impulse K, through joints where there are any,
//     p = -(1 + e) u / K           (spec: workbench 2.7, with the restitution of the velocity before)
// or, for a group of points at once, the complementarity problem  0 <= p,  u + K p + e u >= 0.  Afterwards
// friction takes up to mu p of the tangential velocity. Groups by method.impacts: all points (simultaneous),
// those of a pair (propagating), each point (sequential); again until nobody approaches.
#pragma once

#include <vector>

#include "steppers/force/contacts.h"
#include "steppers/force/joints.h"

namespace impuls::force_level {

class Impacts {
  public:
    // Whether anything that touches approaches too fast. Contacts were found where the bodies are.
    bool are_due(const WorldView& view, const Island& island, const Contacts& contacts, Joints& joints,
                 const Bodies& bodies);
    // Resolves them: velocities of the nodes change. Returns the kinetic energy lost, J; impulses on b by
    // contact point are in impulses().
    double resolve(const WorldView& view, const Island& island, const Contacts& contacts, Joints& joints,
                   Bodies& bodies);
    struct Impulse {
        std::uint32_t point = 0;  // among the contacts
        Vec3 on_b{};
    };
    std::span<const Impulse> impulses() const { return impulses_; }

  private:
    struct Hit {
        std::uint32_t group = 0;
        std::int32_t point = -1;  // a contact, or
        std::int32_t axis = -1;   // a limit, on its side
        int side = 0;
        double restitution = 0, friction = 0;
        double k = 0;                  // velocity per impulse, along itself
        double impulse = 0;            // all together
        double target = 0, share = 0;  // in the group's turn: wanted velocity, impulse
        Vec3 tangent_impulse{};
    };
    void list(const WorldView& view, const Island& island, const Contacts& contacts, Joints& joints);
    // The impulse along a direction at a point, or along an axis, of size 1, by node.
    void set_unit(const Island& island, const Contacts& contacts, Joints& joints, const Hit& hit,
                  const Vec3& d);
    double velocity_along(const Island& island, const Contacts& contacts, Joints& joints, const Hit& hit,
                          const Vec3& d, const Bodies& bodies) const;
    Vec3 direction(const Contacts& contacts, const Hit& hit) const;
    // Velocity of each node by the unit impulse along d at the hit.
    void find_response(const WorldView& view, const Island& island, const Contacts& contacts, Joints& joints,
                       const Hit& hit, const Vec3& d, std::span<Wrench> out);
    void apply(const Island& island, std::span<const Wrench> response, double impulse, Bodies& bodies) const;
    void resolve_group(const Island& island, const Contacts& contacts, Joints& joints, std::size_t first,
                       std::size_t end, bool bounces, double fastest, Bodies& bodies);
    void rub(const WorldView& view, const Island& island, const Contacts& contacts, Joints& joints,
             Bodies& bodies);
    std::span<Wrench> response_of(std::size_t hit) {
        return std::span(responses_).subspan(hit * nodes_, nodes_);
    }

    std::vector<Hit> hits_{};
    std::vector<Wrench> unit_{}, responses_{}, tangent_response_{};
    std::vector<Impulse> impulses_{};
    std::size_t nodes_ = 0;
};

}  // namespace impuls::force_level
