// Contacts in the right-hand side: the points of the narrow phase, where the bodies are now or where they
// were found, each with a normal force by its depth and speed and friction by its slip. All of their power
// is lost or held by them; what a running surface gives counts against that.
#pragma once

#include <vector>

#include "collision/manifold.h"
#include "steppers/force/grips.h"
#include "steppers/force/laws.h"
#include "steppers/force/motion.h"

namespace impuls::force_level {

// Where two bodies touch or will.
struct Touch {
    std::uint32_t pair = 0;  // of the island
    std::uint32_t feature = 0;
    Vec3 position{}, normal{};  // normal from a to b
    double separation = 0;
    Vec3 force{};  // on b
    bool slides = false;
    std::uint32_t grip = kNoGrip;
    Vec3 p_A{}, p_B{}, n_A{};  // surfaces' points and the normal where it was found, seen from the bodies
};

class Contacts {
  public:
    void begin(const WorldView& view, Island& island);
    // Points where the bodies are now: of pairs that are on, or of all.
    enum class Which { On, All };
    void find(const WorldView& view, const Island& island, Which which = Which::All);
    // A pair that is apart when a step of the integrator begins has no force within it, so that forces are
    // smooth; where it comes to touch is an event (events.h), after which it is on.
    void turn(std::uint32_t pair, bool is_on) { is_on_[pair] = is_on; }
    // The points found move with their bodies.
    void carry(const Island& island);
    // Adds their forces; `keeps`: those of the last call once more.
    void push(const WorldView& view, const Island& island, bool keeps, Bodies& bodies);

    // Points found where the bodies are now, between steps of the integrator: friction with memory holds at
    // them from here on. Whether the right-hand side jumps by it.
    bool settle_grips(const WorldView& view, const Island& island, const Bodies& bodies);
    Grips& grips() { return grips_; }
    bool have_grips() const { return have_grips_; }

    std::span<const Touch> points() const { return points_; }
    std::vector<Touch>& points() { return points_; }
    const PairLaw& law_of(std::uint32_t pair) const { return laws_[pair]; }
    bool are_none() const { return laws_.empty(); }

  private:
    Grips grips_{};
    bool have_grips_ = false;
    std::vector<PairLaw> laws_{};
    std::vector<std::uint8_t> is_on_{};  // by pair
    std::vector<Touch> points_{};
    std::vector<Manifold> found_{};
};

// Gap of pair p where the bodies are now, m; at most its margin. Its manifolds go into `found`.
double gap_of(const WorldView& view, const Island& island, std::uint32_t p, std::vector<Manifold>& found);
// Velocity of b's surface relative to a's at a place.
Vec3 relative_velocity(const WorldView& view, const Island& island, const Bodies& bodies,
                       const IslandPair& pair, const Vec3& position);
// How fast the surfaces of a pair can come closer, m/s, at most.
double closing_speed(const WorldView& view, const Island& island, const Bodies& bodies,
                     const IslandPair& pair);

}  // namespace impuls::force_level
