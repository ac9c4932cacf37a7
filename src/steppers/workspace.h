// What islands are advanced in, one after the other: the island itself, each stepper's scratch space, and the
// results. A workspace belongs to one chunk of islands (schedule.h).
#pragma once

#include "steppers/articulated/step.h"
#include "steppers/blocks/step.h"
#include "steppers/energy_note.h"
#include "steppers/force/step.h"
#include "steppers/impulse/step.h"
#include "steppers/strips/step.h"
#include "steppers/velocity/step.h"

namespace impuls {

struct Workspace {
    Island island{};
    articulated::Scratch articulated{};
    blocks::Scratch blocks{};
    velocity::Scratch velocity{};
    force_level::Scratch force{};
    strips::Scratch strips{};
    impulse::Scratch impulse{};
    EnergyScratch energy{};
    Results results{};
};

}  // namespace impuls
