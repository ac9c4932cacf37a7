// Checks of frames that come from a file (check_frame.h).
#include "io/recording/check_frame.h"

#include <algorithm>

#include "impuls/errors.h"
#include "impuls/scene.h"

namespace impuls {

namespace {

std::size_t axes_in(const Scene& structure) {
    std::size_t count = 0;
    for (const JointDesc& joint : structure.joints) count += axis_count(joint.joint);
    return count;
}

bool fits_structure(const Frame& frame) {
    const std::size_t n = frame.bodies.size();
    return frame.structure && frame.structure->bodies.size() == n &&
           frame.structure->joints.size() == frame.joints.size() && frame.positions.size() == n &&
           frame.orientations.size() == n && frame.velocities.size() == n &&
           frame.angular_velocities.size() == n &&
           (frame.axes.empty() || frame.axes.size() == axes_in(*frame.structure)) &&
           (frame.asleep.empty() || frame.asleep.size() == n);
}

bool is_body(const Frame& frame, std::uint32_t index) {
    return index < frame.bodies.size() || index == kNoBody;
}

bool is_possible(const Frame& frame, const Event& e) {
    if (static_cast<std::size_t>(e.kind) >= kEventKinds || !is_body(frame, e.a) || !is_body(frame, e.b))
        return false;
    if (e.kind == EventKind::JointBreak) return e.joint < frame.joints.size() && e.timer == kNoTimer;
    return e.joint == kNoJoint && (e.timer == kNoTimer || e.timer < frame.structure->timers.size());
}

bool is_possible(const Frame& frame, const Outcome& o) {
    const auto is_refusal = [](Refusal r) { return static_cast<std::size_t>(r) < kRefusals; };
    return o.first_body < frame.bodies.size() && o.bodies <= frame.bodies.size() &&
           static_cast<std::size_t>(o.stepper) < kIslandSteppers &&
           std::all_of(o.refused.begin(), o.refused.end(), is_refusal);
}

template <class List, class Test>
void require_all(const List& list, const char* what, Test&& test) {
    if (!std::all_of(list.begin(), list.end(), test)) throw FileError(std::string("a frame has ") + what);
}

}  // namespace

void check_sizes(const Frame& frame) {
    if (!fits_structure(frame))
        throw InputError("the arrays of a frame do not have the sizes of its structure");
}

void check_frame(const Frame& frame) {
    if (!fits_structure(frame)) throw FileError("a frame does not fit its structure");
    require_all(frame.contacts, "a contact that names a body that does not exist",
                [&](const Contact& c) { return is_body(frame, c.a) && is_body(frame, c.b); });
    require_all(frame.events, "an event that cannot be",
                [&](const Event& e) { return is_possible(frame, e); });
    require_all(frame.particles, "a particle of a body that does not exist",
                [&](const ParticleState& p) { return p.body < frame.bodies.size(); });
    require_all(frame.particle_bodies, "a body of particles that are not there", [&](const ParticleBody& b) {
        return b.body < frame.bodies.size() && std::uint64_t{b.first} + b.count <= frame.particles.size();
    });
    require_all(frame.asleep, "a body that neither sleeps nor wakes",
                [](std::uint8_t flag) { return flag <= 1; });
    require_all(frame.outcomes, "an outcome of an island that cannot be",
                [&](const Outcome& o) { return is_possible(frame, o); });
}

}  // namespace impuls
