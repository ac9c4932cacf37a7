// Frames of version 1, which are read but no longer written (all little-endian):
//   u8 version, u8 flags (1: contacts stored), u16 zero, u32 bodies, u32 joints, u32 contacts, u32 stages,
//   u32 events, i64 step, f64 time, f64[3] energy, f64[3] linear and f64[3] angular momentum, f64
//   penetration, f64 joint error f64[stages]; then arrays: ids u32[2], positions f64[3], orientations f64[4]
//   (w x y z), velocities f64[3], angular velocities f64[3], joints {force f64[3], torque f64[3], error f64},
//   axes of joints {position, velocity, force f64} with flag 4 (as many as the structure's joints have),
//   contacts {u32 a, b, feature, zero; point f64[3], normal f64[3], depth f64, force f64[3]}, events {u32
//   kind, a, b, number of the timer or joint}, asleep u8 with flag 8, outcomes {u32 first body, bodies; u8
//   stepper, u8[4] refusals by stepper, u8[3] zero; u32 substeps, iterations, retries, zero; f64 residual,
//   energy removed} with flag 16, whose number is then u32, u32 zero behind the header. Flag 2 says that
//   events are stored (with contacts, when there are any); frames of earlier versions have neither.
// The counts come first, so that the reader knows the exact size before it believes anything else.
#include "io/recording/frame_v1.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include "impuls/errors.h"
#include "impuls/scene.h"

namespace impuls {

namespace {

static_assert(std::endian::native == std::endian::little, "the layout is copied byte by byte");
static_assert(sizeof(Vec3) == 24 && sizeof(Quat) == 32 && sizeof(BodyId) == 8 &&
              sizeof(JointReaction) == 56 && sizeof(AxisState) == 24);

constexpr std::uint8_t kVersion = 1;
constexpr std::uint8_t kHasContacts = 1;
constexpr std::uint8_t kHasEvents = 2;
constexpr std::uint8_t kHasAxes = 4;
constexpr std::uint8_t kHasSleepers = 8;
constexpr std::uint8_t kHasOutcomes = 16;

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

constexpr std::size_t kSteppers = 4;  // of then

struct PackedOutcome {
    std::uint32_t first_body, bodies;
    std::uint8_t stepper;
    std::array<std::uint8_t, kSteppers> refused;
    std::array<std::uint8_t, 7 - kSteppers> zero_a;
    std::uint32_t substeps, iterations, retries, zero_b;
    double residual, energy_removed;
};
static_assert(sizeof(PackedOutcome) == 48 && std::is_trivially_copyable_v<PackedOutcome>);

constexpr std::uint64_t kBytesPerBody =
    sizeof(BodyId) + 3 * sizeof(Vec3) + sizeof(Quat);  // id, three vectors, orientation

std::size_t axes_of(const Scene& structure) {
    std::size_t count = 0;
    for (const JointDesc& joint : structure.joints) count += axis_count(joint.joint);
    return count;
}

std::uint64_t encoded_size(const Header& h, const OutcomeCount& count, const Scene& structure) {
    const std::size_t axes = h.flags & kHasAxes ? axes_of(structure) : 0;
    return sizeof(Header) + h.stages * sizeof(double) + h.bodies * kBytesPerBody +
           h.joints * std::uint64_t{sizeof(JointReaction)} + axes * sizeof(AxisState) +
           h.contacts * std::uint64_t{sizeof(PackedContact)} + h.events * std::uint64_t{sizeof(PackedEvent)} +
           ((h.flags & kHasSleepers) != 0 ? h.bodies : std::uint64_t{0}) +
           ((h.flags & kHasOutcomes) != 0 ? sizeof(OutcomeCount) : 0) +
           count.outcomes * std::uint64_t{sizeof(PackedOutcome)};
}

template <class T>
void take(const std::byte*& from, T* to, std::size_t count) {
    if (count > 0) std::memcpy(to, from, count * sizeof(T));
    from += count * sizeof(T);
}

void check_header(const Header& h, const OutcomeCount& count, std::size_t size, const Scene& structure) {
    if (h.version != kVersion) throw FileError("a frame has an unknown layout version");
    if (encoded_size(h, count, structure) != size) throw FileError("a frame has a wrong size");
    if (h.bodies != structure.bodies.size() || h.joints != structure.joints.size()) {
        throw FileError("a frame does not fit its structure");
    }
    constexpr int kKnown = kHasContacts | kHasEvents | kHasAxes | kHasSleepers | kHasOutcomes;
    const bool flags_ok = (h.flags & ~kKnown) == 0 && ((h.flags & kHasContacts) != 0 || h.contacts == 0) &&
                          ((h.flags & kHasEvents) != 0) == (h.events > 0) &&
                          ((h.flags & kHasOutcomes) != 0) == (count.outcomes > 0);
    if (!flags_ok || h.zero_a != 0 || count.zero != 0) throw FileError("a frame has unknown flags");
}

std::uint32_t checked_body(std::uint32_t index, std::uint32_t bodies) {
    if (index >= bodies && index != kNoBody) throw FileError("a contact names a body that does not exist");
    return index;
}

Event checked_event(const PackedEvent& e, const Header& h, std::size_t timers) {
    const bool is_break = e.kind == static_cast<std::uint32_t>(EventKind::JointBreak);
    const bool ok =
        e.kind < kEventKinds && (is_break ? e.number < h.joints : e.number < timers || e.number == kNoTimer);
    if (!ok) throw FileError("a frame has an event that cannot be");
    return {static_cast<EventKind>(e.kind), checked_body(e.a, h.bodies), checked_body(e.b, h.bodies),
            is_break ? kNoTimer : e.number, is_break ? e.number : kNoJoint};
}

Outcome checked_outcome(const PackedOutcome& p, const Header& h) {
    bool ok = p.first_body < h.bodies && p.bodies <= h.bodies && p.stepper < kSteppers;
    for (const auto refusal : p.refused) ok = ok && refusal < kRefusals;
    for (const auto zero : p.zero_a) ok = ok && zero == 0;
    if (!ok || p.zero_b != 0) throw FileError("a frame has an outcome of an island that cannot be");
    Outcome o{p.first_body, p.bodies};
    o.stepper = static_cast<IslandStepper>(p.stepper);
    for (std::size_t k = 0; k < kSteppers; ++k) o.refused[k] = static_cast<Refusal>(p.refused[k]);
    o.substeps = p.substeps;
    o.iterations = p.iterations;
    o.retries = p.retries;
    o.residual = p.residual;
    o.energy_removed = p.energy_removed;
    return o;
}

}  // namespace

Frame decode_frame_v1(std::span<const std::byte> bytes, std::shared_ptr<const Scene> structure) {
    if (bytes.size() < sizeof(Header)) throw FileError("a frame has a wrong size");
    Header h;
    const std::byte* from = bytes.data();
    take(from, &h, 1);
    OutcomeCount count;
    if ((h.flags & kHasOutcomes) != 0) {
        if (bytes.size() < sizeof(Header) + sizeof(OutcomeCount)) throw FileError("a frame has a wrong size");
        take(from, &count, 1);
    }
    check_header(h, count, bytes.size(), *structure);

    Frame frame;
    frame.step = h.step, frame.time = h.time, frame.structure = std::move(structure);
    frame.energy.kinetic = h.energy.kinetic;
    frame.energy.potential = h.energy.potential;
    frame.energy.total = h.energy.total;
    frame.linear_momentum = h.linear_momentum, frame.angular_momentum = h.angular_momentum;
    frame.max_penetration = h.max_penetration, frame.max_joint_error = h.max_joint_error;
    // Stages are named by the program: times of a program with other stages are passed over.
    if (h.stages == kStages) {
        take(from, frame.stage_seconds.data(), kStages);
    } else {
        from += h.stages * sizeof(double);
    }
    const auto take_array = [&from](auto& array, std::size_t size) {
        array.resize(size);
        take(from, array.data(), size);
    };
    take_array(frame.bodies, h.bodies);
    take_array(frame.positions, h.bodies);
    take_array(frame.orientations, h.bodies);
    take_array(frame.velocities, h.bodies);
    take_array(frame.angular_velocities, h.bodies);
    take_array(frame.joints, h.joints);
    if (h.flags & kHasAxes) take_array(frame.axes, axes_of(*frame.structure));
    frame.contacts.reserve(h.contacts);
    for (std::uint32_t k = 0; k < h.contacts; ++k) {
        PackedContact c;
        take(from, &c, 1);
        frame.contacts.push_back({checked_body(c.a, h.bodies), checked_body(c.b, h.bodies), c.feature,
                                  c.point, c.normal, c.depth, c.force});
    }
    frame.events.reserve(h.events);
    for (std::uint32_t k = 0; k < h.events; ++k) {
        PackedEvent e;
        take(from, &e, 1);
        frame.events.push_back(checked_event(e, h, frame.structure->timers.size()));
    }
    frame.asleep.resize(h.bodies);
    if ((h.flags & kHasSleepers) != 0) take(from, frame.asleep.data(), h.bodies);
    for (auto& flag : frame.asleep)
        if (flag > 1) throw FileError("a frame has a body that neither sleeps nor wakes");
    frame.outcomes.reserve(count.outcomes);
    for (std::uint32_t k = 0; k < count.outcomes; ++k) {
        PackedOutcome o;
        take(from, &o, 1);
        frame.outcomes.push_back(checked_outcome(o, h));
    }
    return frame;
}

}  // namespace impuls
