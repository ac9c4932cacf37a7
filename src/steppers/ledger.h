// Where energy came from and where it went, step by step, in worlds that have forces. With the work W of what
// has no potential energy (constant forces and torques, those set by commands; their mean power times dt) and
// the change dE of kinetic and potential energy,
//     what is missing   W - dE > 0   was dissipated: by dampers, drag, friction, impacts, the method itself
//     what is left      W - dE < 0   was supplied: by motors, moved bodies, running surfaces, the method
// so that total + dissipated - supplied stays as it was to rounding. Of a step in which both happened the
// difference counts. Changes by commands are supplied. The force stepper keeps books of its own, power by
// power; with it the sum stays up to the error of its integrator. Called by worlds, at the
// begin of a step, after commands and at its end.
#pragma once

#include <cstdint>
#include <span>

#include "steppers/schedule.h"
#include "steppers/view.h"

namespace impuls {

struct EnergyLedger {
    double supplied = 0, dissipated = 0;  // J, since the start
};

// At the begin of a step, or after the last command.
struct EnergyBefore {
    bool is_known = false;
    double energy = 0, power = 0;  // J, W of what is supplied
};

// Those that have, or had, forces; and whatever is at force level.
bool keeps_ledger(const ForceSet& forces, const Method& method);

EnergyBefore begin_ledger(const WorldView& view);
void note_jump(const WorldView& view, EnergyLedger& ledger, EnergyBefore& before);  // after commands
// The view is of the end of the step. Of free bodies, which no stepper advanced, `old` has the motion before
// it.
void end_ledger(const WorldView& view, const IslandSchedule& islands,
                std::span<const std::uint32_t> free_bodies, std::span<const Motion> old,
                const EnergyBefore& before, EnergyLedger& ledger);

}  // namespace impuls
