// Contact points of a running world: geometry, and the impulses that carry over from substep to substep and
// from step to step. The two solver phases of a substep get their rows from here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/raw_vector.h"
#include "collision/graph/pair_key.h"
#include "collision/manifold.h"
#include "constraints/problem.h"
#include "dynamics/contact_law.h"
#include "impuls/vec.h"

namespace impuls {

// A place or direction in a body's frame, in floats: an error of 6e-8 of its length.
struct Rounded3 {
    float x = 0, y = 0, z = 0;
    Rounded3() = default;
    explicit Rounded3(const Vec3& v)
        : x(static_cast<float>(v.x)), y(static_cast<float>(v.y)), z(static_cast<float>(v.z)) {}
    operator Vec3() const { return {x, y, z}; }
    friend bool operator==(const Rounded3&, const Rounded3&) = default;
};

// What most look at comes first: points are many, and hardly fit into a cache.
struct ContactPoint {
    PairKey key{};
    std::uint32_t feature = 0;
    bool is_present = false;    // in the manifold now; others are kept for the impulse they gave in this step
    bool is_sliding = false;    // friction is at its limit: dynamic, not static
    bool is_fresh = false;      // there was no such point before
    std::uint8_t substeps = 0;  // of its island in the last step (by blocks)
    double separation = 0;
    Vec3 sum{};  // on b since the step began, N s
    Vec3 position{}, normal{};
    double previous_n = 0;  // impulses of the last substep: warm start
    Vec3 previous_t{};
    Vec3 previous_torque{};  // against rolling and spinning, world frame
    // By blocks: where it was found, in the frames of both bodies, to be kept while they stay as they are. By
    // the impulse stepper: levers of the last substep instead (PointLevers).
    float found = 0;         // separation then
    float found_within = 0;  // margin then, m; 0: not found so; negative: the rest is levers
    // Points that roll, which are never kept, have in their place how far their levers from either body's
    // centre, W, and the normal (normal_b) change until the middle of the pass.
    Rounded3 anchor_a{}, anchor_b{}, normal_a{}, normal_b{};
};

using ContactPoints = RawVector<ContactPoint>;

// From the bodies' centres of mass to a contact point, at the start of a substep, W. They stay with the point
// from step to step in the place of its anchors, each as the sum of two floats: 48 bits.
struct PointLevers {
    Vec3 a{}, b{};
    bool is_known = false;

    static PointLevers of(const ContactPoint& point);
    void keep(ContactPoint& point) const;
};

// With what holds within a substep only.
struct SubstepPoint : ContactPoint {
    SubstepPoint() = default;
    explicit SubstepPoint(const ContactPoint& point) : ContactPoint(point), levers(PointLevers::of(point)) {}

    bool is_hit = false;   // an impact with restitution in this substep
    PointLevers levers{};  // of the last substep, until this one's displacement phase
    double lead = 0;       // s until a swept touch, which then is at `position`; 0: now
    double impulse_n = 0;  // in this substep
    double least_n = 0;    // of these: what it gave before must not pull along a normal that turned since
    Vec3 impulse_t{};      // world frame
    Vec3 torque_impulse{};
    Vec3 frozen{};         // of these: what frozen bodies gave, world frame
    double approach = 0;   // speed of impact, m/s
    double remaining = 0;  // normal velocity after the displacement phase
    double rebound = 0;    // normal velocity wanted after the impact
    Vec3 shift{};          // from `position` to where its friction acts (steppers/substep/patches.h)
    double grip = 1;       // its friction, relative to the law's
};

// Puts the points of all manifolds of a pair into `out`, each with what the point of the same feature in
// `old` (same pair) had; a point without a match takes over from the nearest one left within `reach`. Old
// points that gave an impulse in this step and are gone stay as not present, unless `old` is of the last
// step.
enum class OldPoints { OfThisStep, OfLastStep };
template <class Points>  // vectors of ContactPoint or SubstepPoint
void match_points(const PairKey& key, std::span<const Manifold> manifolds,
                  std::span<const typename Points::value_type> old, double reach, Points& out,
                  OldPoints are = OldPoints::OfThisStep);

// Depth that is left alone, relative to size: contacts at rest stay closed within it.
inline constexpr double kSlop = 1e-3;
// Gap that still counts as touching, relative to size: points that take over from others at rest (a body
// sliding from one triangle or part to the next) are open by rounding.
inline constexpr double kTouching = 1e-7;
// Pairs that move farther than this in a substep, relative to size, are swept.
inline constexpr double kSweptWay = 0.3;
// Pairs deeper than this, relative to size, have not struck each other, but overlap for reasons of their own
// (a start, an edit) and come out of each other.
inline constexpr double kOverlap = 0.05;
// Share of the depth beyond the slop that one substep removes.
inline constexpr double kRecovery = 0.2;

// A contact point that yields: with the depth -s, s being the gap, a force F = -s/c - d v, as a row v + bias
// + compliance * p
// >= 0 for the impulse p in the time t, when v is the velocity that moves the point until then:
//     p = -t ((s + t v)/c + d v)   <=>   v + s/(t + c d) + p c/(t (t + c d)) = 0
// With t half a substep, s + t v is in its middle and p half of its impulse: the midpoint rule, as for
// springs of joints. The damper acts at a touch only.
struct ContactSpring {
    double bias, compliance;
};
ContactSpring contact_spring(double separation, const ContactLaw& law, double t);

// Speed at which two points meet that are `separation` apart, approach at -vn and accelerate by an (along
// the normal, negative: towards each other): exact for constant acceleration. 0 when they do not meet.
double impact_speed(double separation, double vn, double an);

}  // namespace impuls
