// Writes frames of version 1, as earlier programs did: what the reader of such frames
// (io/recording/frame_v1.h) is tested with.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include "impuls/errors.h"
#include "impuls/scene.h"

namespace impuls::test::v1 {

static_assert(std::endian::native == std::endian::little, "the layout is copied byte by byte");
static_assert(sizeof(Vec3) == 24 && sizeof(Quat) == 32 && sizeof(BodyId) == 8 &&
              sizeof(JointReaction) == 56 && sizeof(AxisState) == 24);

inline constexpr std::uint8_t kVersion = 1;
inline constexpr std::uint8_t kHasContacts = 1;
inline constexpr std::uint8_t kHasEvents = 2;
inline constexpr std::uint8_t kHasAxes = 4;
inline constexpr std::uint8_t kHasSleepers = 8;
inline constexpr std::uint8_t kHasOutcomes = 16;

struct OldEnergy {
    double kinetic, potential, total;
};

struct Header {
    std::uint8_t version = kVersion;
    std::uint8_t flags = 0;
    std::uint16_t zero_a = 0;
    std::uint32_t bodies = 0;
    std::uint32_t joints = 0;
    std::uint32_t contacts = 0;
    std::uint32_t stages = kStages;
    std::uint32_t events = 0;
    std::int64_t step = 0;
    double time = 0;
    OldEnergy energy{};
    Vec3 linear_momentum{};
    Vec3 angular_momentum{};
    double max_penetration = 0;
    double max_joint_error = 0;
};
static_assert(sizeof(Header) == 24 + 16 + 11 * 8 && std::is_trivially_copyable_v<Header>);

struct PackedContact {
    std::uint32_t a, b, feature, zero;
    Vec3 point, normal;
    double depth;
    Vec3 force;
};
static_assert(sizeof(PackedContact) == 16 + 80 && std::is_trivially_copyable_v<PackedContact>);

struct PackedEvent {
    std::uint32_t kind, a, b, number;  // of the timer or of the joint
};

struct OutcomeCount {
    std::uint32_t outcomes = 0;
    std::uint32_t zero = 0;
};

struct PackedOutcome {
    std::uint32_t first_body, bodies;
    std::uint8_t stepper;
    std::array<std::uint8_t, kIslandSteppers> refused;
    std::array<std::uint8_t, 7 - kIslandSteppers> zero_a;
    std::uint32_t substeps, iterations, retries, zero_b;
    double residual, energy_removed;
};
static_assert(sizeof(PackedOutcome) == 48 && std::is_trivially_copyable_v<PackedOutcome>);

inline constexpr std::uint64_t kBytesPerBody =
    sizeof(BodyId) + 3 * sizeof(Vec3) + sizeof(Quat);  // id, three vectors, orientation

inline std::size_t axes_of(const Scene& structure) {
    std::size_t count = 0;
    for (const JointDesc& joint : structure.joints) count += axis_count(joint.joint);
    return count;
}

inline std::uint64_t encoded_size(const Header& h, const OutcomeCount& count, const Scene& structure) {
    const std::size_t axes = h.flags & kHasAxes ? axes_of(structure) : 0;
    return sizeof(Header) + h.stages * sizeof(double) + h.bodies * kBytesPerBody +
           h.joints * std::uint64_t{sizeof(JointReaction)} + axes * sizeof(AxisState) +
           h.contacts * std::uint64_t{sizeof(PackedContact)} + h.events * std::uint64_t{sizeof(PackedEvent)} +
           ((h.flags & kHasSleepers) != 0 ? h.bodies : std::uint64_t{0}) +
           ((h.flags & kHasOutcomes) != 0 ? sizeof(OutcomeCount) : 0) +
           count.outcomes * std::uint64_t{sizeof(PackedOutcome)};
}

template <class T>
void put(std::byte*& to, const T* from, std::size_t count) {
    if (count > 0) std::memcpy(to, from, count * sizeof(T));
    to += count * sizeof(T);
}

inline void check_sizes(const Frame& frame) {
    const std::size_t n = frame.bodies.size();
    const bool ok = frame.structure && frame.structure->bodies.size() == n &&
                    frame.structure->joints.size() == frame.joints.size() && frame.positions.size() == n &&
                    frame.orientations.size() == n && frame.velocities.size() == n &&
                    frame.angular_velocities.size() == n &&
                    (frame.axes.empty() || frame.axes.size() == axes_of(*frame.structure)) &&
                    (frame.asleep.empty() || frame.asleep.size() == n);
    if (!ok) throw InputError("the arrays of a frame do not have the sizes of its structure");
}

inline PackedOutcome pack(const Outcome& o) {
    PackedOutcome p{};
    p.first_body = o.first_body;
    p.bodies = o.bodies;
    p.stepper = static_cast<std::uint8_t>(o.stepper);
    for (std::size_t k = 0; k < o.refused.size(); ++k) p.refused[k] = static_cast<std::uint8_t>(o.refused[k]);
    p.substeps = o.substeps;
    p.iterations = o.iterations;
    p.retries = o.retries;
    p.residual = o.residual;
    p.energy_removed = o.energy_removed;
    return p;
}

inline void encode_frame(const Frame& frame, bool contacts, std::vector<std::byte>& out) {
    check_sizes(frame);
    Header h;
    h.flags = contacts ? kHasContacts : 0;
    h.bodies = static_cast<std::uint32_t>(frame.bodies.size());
    h.joints = static_cast<std::uint32_t>(frame.joints.size());
    h.contacts = contacts ? static_cast<std::uint32_t>(frame.contacts.size()) : 0;
    h.events = contacts ? static_cast<std::uint32_t>(frame.events.size()) : 0;
    if (h.events > 0) h.flags |= kHasEvents;
    if (!frame.axes.empty()) h.flags |= kHasAxes;
    if (std::find(frame.asleep.begin(), frame.asleep.end(), 1) != frame.asleep.end()) h.flags |= kHasSleepers;
    h.step = frame.step, h.time = frame.time,
    h.energy = {frame.energy.kinetic, frame.energy.potential, frame.energy.total};
    h.linear_momentum = frame.linear_momentum, h.angular_momentum = frame.angular_momentum;
    h.max_penetration = frame.max_penetration, h.max_joint_error = frame.max_joint_error;

    const OutcomeCount count{static_cast<std::uint32_t>(frame.outcomes.size())};
    if (count.outcomes > 0) h.flags |= kHasOutcomes;

    out.resize(encoded_size(h, count, *frame.structure));
    std::byte* to = out.data();
    put(to, &h, 1);
    put(to, &count, count.outcomes > 0 ? 1 : 0);
    put(to, frame.stage_seconds.data(), kStages);
    put(to, frame.bodies.data(), h.bodies);
    put(to, frame.positions.data(), h.bodies);
    put(to, frame.orientations.data(), h.bodies);
    put(to, frame.velocities.data(), h.bodies);
    put(to, frame.angular_velocities.data(), h.bodies);
    put(to, frame.joints.data(), h.joints);
    put(to, frame.axes.data(), frame.axes.size());
    for (std::uint32_t k = 0; k < h.contacts; ++k) {
        const Contact& c = frame.contacts[k];
        const PackedContact packed{c.a, c.b, c.feature, 0, c.point, c.normal, c.depth, c.force};
        put(to, &packed, 1);
    }
    for (std::uint32_t k = 0; k < h.events; ++k) {
        const Event& e = frame.events[k];
        const bool is_break = e.kind == EventKind::JointBreak;
        const PackedEvent packed{static_cast<std::uint32_t>(e.kind), e.a, e.b, is_break ? e.joint : e.timer};
        put(to, &packed, 1);
    }
    if ((h.flags & kHasSleepers) != 0) put(to, frame.asleep.data(), h.bodies);
    for (const Outcome& outcome : frame.outcomes) {
        const PackedOutcome bytes = pack(outcome);
        put(to, &bytes, 1);
    }
}

}  // namespace impuls::test::v1
