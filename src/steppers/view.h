// What a stepper may read of the world: the state before the step, and the pairs of the step. Steppers write
// to their Island (island.h) and to the Results of their workspace alone; the world takes it from there
// (scatter.h). Islands do not share anything that is written, so they run side by side.
#pragma once

#include <cstdint>
#include <span>

#include "base/stop.h"
#include "collision/broad/broad.h"
#include "collision/graph/pair_cache.h"
#include "collision/graph/pair_key.h"
#include "collision/outline.h"
#include "dynamics/body_set.h"
#include "dynamics/contact.h"
#include "dynamics/contact_law.h"
#include "dynamics/force.h"
#include "dynamics/joint.h"
#include "impuls/executor.h"
#include "impuls/settings.h"
#include "steppers/ode_memory.h"

namespace impuls {

// Colliders of all bodies, one behind the other.
struct ColliderView {
    std::span<const std::uint32_t> number{};  // by collider: its number in its body
    std::span<const std::uint32_t> first{};   // by body, and one end
    std::span<const Outline> outline{};       // by collider, as the step began
    std::span<const double> size{};           // by collider
};

// Pairs of colliders that may touch within the step, in the order of their keys.
struct PairView {
    std::span<const Pair> colliders{}, bodies{};
    std::span<const PairKey> keys{};
    std::span<const ContactPoint> points{};      // after the last step
    std::span<const std::uint32_t> old_start{};  // by pair: its points among these, and one end
    PairCache* cache = nullptr;                  // neutral; each pair belongs to one island

    // Points that pair p may have had after the last step: its own are those of its key.
    std::span<const ContactPoint> old_range(std::size_t p) const {
        return points.subspan(old_start[p], old_start[p + 1] - old_start[p]);
    }
    bool is_kept(std::size_t p, const ContactPoint& point) const {
        return point.is_present && point.key == keys[p];
    }
};

struct Scene;
namespace areal {
class SurfaceCache;
}

struct WorldView {
    const Method& method;
    double dt;  // s: a step, the interval between frames
    Vec3 gravity;
    const BodySet& bodies;
    const JointSet& joints;
    const ContactLaws& laws;
    const Scene& structure;  // but for bodies: settings, names of forces
    ColliderView colliders{};
    PairView pairs{};
    Executor& executor;
    const StopRequest* stop = nullptr;        // asked once a substep or pass, and in long loops
    const ForceSet* forces = nullptr;         // none: nothing but gravity and what commands set
    std::span<const double> pull{};           // by body, m/s^2: see pull_of; empty: without forces
    double time = 0;                          // s, at the start of the step
    const OdeMemories* memories = nullptr;    // of integrators, after the last step
    areal::SurfaceCache* surfaces = nullptr;  // neutral

    // The length of a substep when nothing asks for a shorter one; impulses kept for warm starts belong to
    // it.
    double usual_substep() const { return dt / static_cast<double>(method.rows().substeps); }
    // By gravity and the force set by commands.
    Vec3 acceleration_of(std::uint32_t body) const { return external_acceleration(bodies, body, gravity); }
    // Most that external forces together can accelerate the body by.
    double pull_of(std::uint32_t body) const {
        return pull.empty() ? length(acceleration_of(body)) : pull[body];
    }
};

}  // namespace impuls
