// What came out of a step. Arrays by dense index: entry k of every body array belongs to
// structure->bodies[k].
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "impuls/columns.h"
#include "impuls/events.h"
#include "impuls/ids.h"
#include "impuls/outcome.h"
#include "impuls/scene_ref.h"
#include "impuls/vec.h"

namespace impuls {

struct Scene;

inline constexpr std::uint32_t kNoBody = 0xffffffffu;

/// One contact point. `normal` points from a to b; `force` is what a does to b, averaged over the step.
struct Contact {
    std::uint32_t a = kNoBody;  // dense index
    std::uint32_t b = kNoBody;
    std::uint32_t feature = 0;  // stays the same while the same features touch
    Vec3 point{};               // m
    Vec3 normal{};
    double depth = 0;  // m, negative while apart
    Vec3 force{};      // N
};

/// What a joint does to its body b, averaged over the step, and how far it is off.
struct JointReaction {
    Vec3 force{};      // N, at the joint's anchor
    Vec3 torque{};     // N m
    double error = 0;  // m
};

/// One free axis of a joint: where it is, how fast it moves, and what its limits, motor, friction and spring
/// do along it, averaged over the step.
struct AxisState {
    double position = 0;  // m or rad
    double velocity = 0;  // m/s or rad/s
    double force = 0;     // N or N m
    friend constexpr bool operator==(const AxisState&, const AxisState&) = default;
};

/// One particle of a body that is made of them (shapes particles, rope, sheet).
struct ParticleState {
    std::uint32_t body = kNoBody;  // dense index; particles of a body follow each other, by number
    Vec3 position{};               // m
    Vec3 velocity{};               // m/s
};

/// A body that is made of particles, as a whole.
struct ParticleBody {
    std::uint32_t body = kNoBody;  // dense index
    std::uint32_t first = 0;       // of its particles in Frame::particles
    std::uint32_t count = 0;
    double stretch = 0;  // largest of its links, relative to their lengths
    double kinetic = 0;  // J
    double elastic = 0;  // J, of links that yield
};

/// What a force of the scene does at this moment, with its velocities; all 0 while it does not act.
struct ForceState {
    Vec3 force{};       // N, on body b
    Vec3 torque{};      // N m, on body b about its centre of mass
    double length = 0;  // m, between its two points (of a cable, too)
    double power = 0;   // W, that both bodies gain by it
};

/// One connected area over which two bodies press each other (docs/manual/areal.md).
struct ContactPatch {
    std::uint32_t a = kNoBody;  // dense index
    std::uint32_t b = kNoBody;
    std::uint32_t elements = 0;
    Vec3 point{};         // m, centre of pressure
    Vec3 normal{};        // of the pressure, from a to b
    double area = 0;      // m^2
    double depth = 0;     // m, largest
    double pressure = 0;  // Pa, largest
    Vec3 force{};         // N, what a does to b
    Vec3 moment{};        // N m, likewise, about the centre of pressure
};
/// A triangle of the surface between them, with its mean pressure.
struct PressedTriangle {
    std::uint32_t patch = 0;                  // among the frame's
    double pressure = 0;                      // Pa
    Vec3 corner_1{}, corner_2{}, corner_3{};  // m
};

struct Energy {
    double kinetic = 0;    // J
    double potential = 0;  // J, of gravity (zero at the world's origin), springs of joints, and forces
    double total = 0;      // J
    // J since the start, in worlds that have, or had, forces: total + dissipated - supplied stays as it is
    // (docs/manual/forces.md).
    double supplied = 0, dissipated = 0;
};

/// Stages of a step. Contacts, solve and integrate repeat in every substep; times are sums over threads.
enum class Stage { Commands, Pairs, Islands, Contacts, Solve, Integrate, Finish };
inline constexpr int kStages = 7;
inline constexpr std::array<const char*, kStages> kStageNames{"commands", "pairs",     "islands", "contacts",
                                                              "solve",    "integrate", "finish"};

/// Of the frame as a whole.
struct FrameTotals {
    Energy energy{};          // of active dynamic bodies
    Vec3 linear_momentum{};   // kg m/s, of active dynamic bodies
    Vec3 angular_momentum{};  // kg m^2/s, about the origin
    double max_penetration = 0;
    double max_joint_error = 0;
    std::array<double, kStages> stage_seconds{};
};

struct Frame : FrameTotals {
    std::int64_t step = 0;
    double time = 0;       // s
    SceneRef structure{};  // expanded: bodies, joints and materials as of this step; made when looked at

    std::vector<BodyId> bodies{};
    std::vector<Vec3> positions{};  // m, of the body frames
    std::vector<Quat> orientations{};
    std::vector<Vec3> velocities{};          // m/s, of the centres of mass
    std::vector<Vec3> angular_velocities{};  // rad/s
    std::vector<std::uint8_t> asleep{};      // 1: not advanced until something wakes it
    std::vector<Contact> contacts{};
    std::vector<JointReaction> joints{};
    std::vector<AxisState>
        axes{};  // of the first joint in the order of its fields, then of the next (joints.h)
    std::vector<ParticleBody> particle_bodies{};
    std::vector<ParticleState> particles{};  // of the first body that has some, then of the next
    std::vector<ForceState> forces{};
    std::vector<Event> events{};  // of the step that led here, of the kinds in settings.events
    std::vector<Outcome>
        outcomes{};  // of the islands that were advanced in the step that led here, in the order of islands

    std::vector<ContactPatch> patches{};
    std::vector<PressedTriangle> pressed{};  // of the patches

    std::vector<ColumnGroup> groups{};  // of the program's own (World::add_columns)
};

}  // namespace impuls
