// What a step reports besides the state: touches, trigger volumes, nearness, timers and broken joints.
#pragma once

#include <array>
#include <cstdint>

#include "impuls/fields.h"

namespace impuls {

/// Touch: two solid bodies push or overlap. Trigger: a body and a sensor overlap. Proximity: the boxes swept
/// over a step overlap. Begin, persist and end are told once a step, by the state at its end. JointBreak: a
/// joint bore more than it can and is gone from the next step on.
enum class EventKind : std::uint8_t {
    TouchBegin,
    TouchPersist,
    TouchEnd,
    TriggerIn,
    TriggerOut,
    ProximityBegin,
    ProximityPersist,
    ProximityEnd,
    TimerTick,
    JointBreak
};
inline constexpr int kEventKinds = 10;
template <>
struct EnumNames<EventKind> {
    static constexpr std::array<const char*, kEventKinds> names{
        "touch_begin",     "touch_persist",     "touch_end",     "trigger_in", "trigger_out",
        "proximity_begin", "proximity_persist", "proximity_end", "timer_tick", "joint_break"};
};

inline constexpr std::uint32_t kNoTimer = 0xffffffffu;
inline constexpr std::uint32_t kNoJoint = 0xffffffffu;

/// One event of a step. Of a trigger event, `a` is the sensor. A body that was removed is kNoBody.
struct Event {
    EventKind kind = EventKind::TouchBegin;
    std::uint32_t a = 0xffffffffu;   // dense index
    std::uint32_t b = 0xffffffffu;   // dense index
    std::uint32_t timer = kNoTimer;  // place in the scene's list of timers
    std::uint32_t joint = kNoJoint;  // dense index of the joint that broke
    friend constexpr bool operator==(const Event&, const Event&) = default;
};

}  // namespace impuls
