// All bodies of a world as arrays. Entry k of each array is one body; entries are kept in the order of their
// uid, so every loop over bodies is a loop in uid order whatever was added or removed before.
// State lives in the principal frame P: origin at the centre of mass, axes along the principal axes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/assert.h"
#include "collision/collider.h"
#include "collision/shape_cache.h"
#include "impuls/bodies.h"
#include "impuls/frame.h"
#include "impuls/materials.h"
#include "impuls/settings.h"
#include "impuls/vec.h"

namespace impuls {

// What sleeping has to know of the last steps (world/sleep.cpp): kinetic energies per mass (J/kg), the newest
// last; and since when the body has stayed close to where it was then.
struct RestWindow {
    static constexpr int kSteps = 5;
    std::array<double, kSteps> energy{};
    std::uint8_t count = 0;
    std::uint32_t still = 0;  // steps; up to kMost
    Pose anchor{};            // X_WP then
    static constexpr std::uint32_t kMost = 1u << 30;

    void add(double e, const Pose& pose, bool is_close) {
        IMPULS_ASSERT(count <= kSteps);
        if (count == kSteps) std::copy(energy.begin() + 1, energy.end(), energy.begin()), --count;
        still = std::min(still + 1, kMost);
        if (count == 0 || !is_close) anchor = pose, still = 0;
        energy[count++] = e;
    }
    bool rises() const {
        for (int k = 1; k < count; ++k)
            if (!(energy[static_cast<std::size_t>(k)] > energy[static_cast<std::size_t>(k - 1)]))
                return false;
        return count > 1;
    }
};

// What a step changes, and what commands set for it.
struct BodyState {
    std::vector<Pose> pose{};             // X_WP
    std::vector<Vec3> v{};                // m/s, of the centre of mass
    std::vector<Vec3> w{};                // rad/s, world frame
    std::vector<Vec3> force{}, torque{};  // set by commands, world frame
    std::vector<std::uint8_t> is_active{};
    std::vector<std::uint8_t> is_asleep{};
    std::vector<RestWindow> rest{};
};

// How a body answers forces; constant.
struct BodyModel {
    std::vector<BodyKind> kind{};
    std::vector<Pose> X_BP{};  // principal frame in the body's frame
    std::vector<double> mass{}, inv_mass{};
    std::vector<Vec3> inertia{}, inv_inertia{};  // principal moments; 0 inverse: does not rotate
    std::vector<double> gravity_scale{}, linear_damping{}, angular_damping{};
    std::vector<Vec3> spin_axis{};  // P, unit; 0: none
};

// What it touches others with, and whom; constant.
struct BodyShapes {
    std::vector<std::vector<Collider>> colliders{};
    std::vector<double> radius{};  // of a sphere about the centre of mass around all colliders; 0: a plane
    std::vector<std::uint32_t> material{};  // number in the structure
    std::vector<Vec3> surface_velocity{};   // P
    std::vector<std::uint8_t> collides{}, is_sensor{};
    std::vector<std::uint32_t> layer{}, ignores{};  // number, bits
    ShapeCache shapes{};                            // what equal colliders share
};

struct BodySet : BodyState, BodyModel, BodyShapes {
    std::uint64_t next_uid = 1;
    std::vector<std::uint64_t> uid{};

    std::size_t size() const { return uid.size(); }
    // Appends a body described by an expanded description.
    void add(const BodyDesc& desc, const MaterialDesc& of, std::uint32_t material_number = 0);
    // Body k as described from now on; its pose and velocity are taken over unless the description's are
    // meant.
    void replace(std::size_t k, const BodyDesc& desc, const MaterialDesc& of, std::uint32_t material_number,
                 bool takes_motion);
    // Removes the entries that are flagged; later ones move down.
    void remove(std::span<const std::uint8_t> is_dead);
    bool is_dynamic(std::size_t k) const { return kind[k] == BodyKind::Dynamic; }
    // Pose of the body's own frame, X_WB.
    Pose body_pose(std::size_t k) const { return pose[k] * inverse(X_BP[k]); }

  private:
    void append(const BodyDesc& desc, const MaterialDesc& of, std::uint32_t material_number);
};

// exp(-x) for x >= 0 to second order, never negative: damping over a time x/c.
constexpr double decay(double x) {
    return x > 0 ? 1 / (1 + x * (1 + 0.5 * x)) : 1;
}

struct Motion {
    Pose pose;
    Vec3 v, w;
};
// Body k moved for a time h with nothing touching it; constant force and torque, kinematic bodies by
// velocity.
Motion fly(const BodySet& bodies, std::size_t k, const Motion& start, const Vec3& gravity,
           Integrator integrator, double h);
// The same for all bodies of a list, from their state into `next` (indexed as the bodies), many at a time;
// same bits as fly.
void fly_all(const BodySet& bodies, std::span<const std::uint32_t> list, const Vec3& gravity,
             Integrator integrator, double h, std::span<Motion> next);

// Acceleration of dynamic body k by gravity and the forces set from outside.
inline Vec3 external_acceleration(const BodySet& bodies, std::size_t k, const Vec3& gravity) {
    return gravity * bodies.gravity_scale[k] + bodies.force[k] * bodies.inv_mass[k];
}

// Kinetic energy, J.
double kinetic_energy(const BodySet& bodies, std::size_t k);
// Energy and momenta of all dynamic bodies, into the frame.
void measure_bodies(const BodySet& bodies, const Vec3& gravity, Frame& frame);

}  // namespace impuls
