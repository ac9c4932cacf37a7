// All bodies of a world as arrays. Entry k of each array is one body; entries are kept in the order of their
// uid, so every loop over bodies is a loop in uid order whatever was added or removed before.
// State lives in the principal frame P: origin at the centre of mass, axes along the principal axes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/assert.h"
#include "base/instances.h"
#include "base/owned.h"
#include "collision/collider.h"
#include "collision/shape_cache.h"
#include "dynamics/contact_law.h"
#include "dynamics/damping.h"
#include "dynamics/particles.h"
#include "impuls/bodies.h"
#include "impuls/frame.h"
#include "impuls/materials.h"
#include "impuls/settings.h"
#include "impuls/vec.h"
#include "math/motion/script.h"

namespace impuls {

// A part of a body that joints and forces hold: a particle, or the body itself.
inline constexpr std::uint32_t kNoPart = 0xffffffffu;

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
        if (count == kSteps) {
            std::copy(energy.begin() + 1, energy.end(), energy.begin());
            --count;
        }
        still = std::min(still + 1, kMost);
        if (count == 0 || !is_close) {
            anchor = pose;
            still = 0;
        }
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
    std::vector<Pose> pose{};           // X_WP
    std::vector<Vec3> v{};              // m/s, of the centre of mass
    std::vector<Vec3> w{};              // rad/s, world frame
    Instances<Vec3> force{}, torque{};  // set by commands, world frame; nearly always none
    std::vector<std::uint8_t> is_active{};
    std::vector<std::uint8_t> is_asleep{};
    std::vector<Owned<ParticleRange>> particles{};  // of bodies that are made of them
    std::vector<RestWindow> rest{};  // empty until one has been at work: worlds that do not sleep have none
};

// How a body answers forces; constant. Bodies that are alike share their values.
struct BodyModel {
    std::vector<BodyKind> kind{};
    Instances<Pose> X_BP{};  // principal frame in the body's frame
    Instances<double> mass{}, inv_mass{};
    Instances<Vec3> inertia{}, inv_inertia{};  // principal moments; 0 inverse: does not rotate
    Instances<double> gravity_scale{}, linear_damping{}, angular_damping{};
    Instances<Vec3> spin_axis{};                          // P, unit; 0: none
    std::vector<std::shared_ptr<const Script>> script{};  // what moves it, of kinematic bodies; or null
    std::vector<std::uint32_t> scripted{};                // the bodies that have one
    std::vector<std::uint32_t> of_particles{};            // the bodies that are made of particles
};

// Whether colliders are interchangeable: equal in kind, sizes and place, and in what they share.
template <>
struct InstanceTraits<std::vector<Collider>> {
    static bool is_same(const std::vector<Collider>& a, const std::vector<Collider>& b);
    static std::uint64_t hash(const std::vector<Collider>& colliders);
};

// What it touches others with, and whom; constant. Bodies are instances of one table of shapes.
struct BodyShapes {
    Instances<std::vector<Collider>> colliders{};
    Instances<double> radius{};  // of a sphere about the centre of mass around all colliders; 0: a plane
    std::vector<std::uint32_t> material{};  // number in the structure
    Instances<Vec3> surface_velocity{};     // P
    Instances<ArealTerms> areal{};          // of its own layer
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
    void reserve(std::size_t count);
    // Body k as described from now on; its pose and velocity are taken over unless the description's are
    // meant.
    void replace(std::size_t k, const BodyDesc& desc, const MaterialDesc& of, std::uint32_t material_number,
                 bool takes_motion);
    // Removes the entries that are flagged; later ones move down.
    void remove(std::span<const std::uint8_t> is_dead);
    // Of a body that may fall asleep; of those that have none yet it is blank.
    RestWindow& window_of(std::size_t k) {
        if (rest.size() < size()) rest.resize(size());
        return rest[k];
    }
    std::uint32_t rest_count(std::size_t k) const { return k < rest.size() ? rest[k].count : 0; }
    void forget_rest(std::size_t k) {
        if (k < rest.size()) rest[k].count = 0;
    }
    void list_special();  // scripted ones, and those of particles
    Damping damping(std::size_t k) const { return {linear_damping[k], angular_damping[k]}; }
    bool is_dynamic(std::size_t k) const { return kind[k] == BodyKind::Dynamic; }
    // Pose of the body's own frame, X_WB.
    Pose body_pose(std::size_t k) const { return pose[k] * inverse(X_BP[k]); }

    // Of a part of it: the body itself (kNoPart), or a particle, which does not turn.
    Pose part_pose(std::size_t k, std::uint32_t part) const {
        return part == kNoPart ? pose[k] : Pose{particles[k]->now.x[part], {}};
    }
    // Of a collider: particles have one each.
    Pose carrier_pose(std::size_t k, std::uint32_t collider) const {
        return part_pose(k, particles[k] ? collider : kNoPart);
    }
    // Pose and velocity from those of the particles.
    void follow_particles(std::size_t k);
    // Its particles go to another pose of the body as one.
    void carry_particles(std::size_t k, const Pose& X_WP);

  private:
    void append(const BodyDesc& desc, const MaterialDesc& of, std::uint32_t material_number);
    void take_particles(std::size_t from, std::size_t to);
};

// The particle of body k that is nearest to a point; kNoPart: it is not made of particles, or the world.
std::uint32_t part_near(const BodySet& bodies, std::uint32_t k, const Vec3& point);

struct Motion {
    Pose pose;
    Vec3 v, w;
};
// A body with a script at a time: its velocities are those of its surface there and then.
Motion scripted_motion(const BodySet& bodies, std::size_t k, double time);
// From there straight on to where it is a time h later: what it does in a substep, seen from its beginning.
Motion scripted_chord(const BodySet& bodies, std::size_t k, double time, double h);
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
