// How a scene is simulated: time step, gravity, and the method (stepper x solver x integrator ...).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "impuls/events.h"
#include "impuls/fields.h"
#include "impuls/vec.h"

namespace impuls {

/// How free motion is advanced; translation under constant force is exact in all of them.
enum class Integrator {
    SemiImplicit,  // rotation: implicit midpoint; second order, keeps energy and angular momentum exactly
    Rk4,           // rotation: classical Runge-Kutta on (w, q), fourth order
    Reference,     // rotation: Rk4 with the step halved until nothing changes any more (slow)
};
template <>
struct EnumNames<Integrator> {
    static constexpr std::array<const char*, 3> names{"semi_implicit", "rk4", "reference"};
};

enum class Stepper { Impulse };
template <>
struct EnumNames<Stepper> {
    static constexpr std::array<const char*, 1> names{"impulse"};
};

enum class Solver { Sequential };
template <>
struct EnumNames<Solver> {
    static constexpr std::array<const char*, 1> names{"sequential"};
};

/// How pairs of bodies that may touch are found. All give the same pairs: only the time differs.
enum class BroadPhaseKind {
    Tree,           // tree of boxes with room to move, pairs kept from step to step
    SweepAndPrune,  // ends of boxes kept sorted along three axes
    Grid,           // hashed grid, made anew in every step
    BruteForce,     // each with each
};
template <>
struct EnumNames<BroadPhaseKind> {
    static constexpr std::array<const char*, 4> names{"tree", "sweep_and_prune", "grid", "brute_force"};
};

/// A complete method, all parts decided.
struct Method {
    std::string preset = "default";
    Stepper stepper = Stepper::Impulse;
    Solver solver = Solver::Sequential;
    Integrator integrator = Integrator::SemiImplicit;
    std::int64_t substeps = 8;
    std::int64_t iterations = 2;
};

/// A preset and what to change in it.
struct MethodDesc {
    std::string preset = "default";
    std::optional<Stepper> stepper{};
    std::optional<Solver> solver{};
    std::optional<Integrator> integrator{};
    std::optional<std::int64_t> substeps{};
    std::optional<std::int64_t> iterations{};

    template <class V>
    static void visit_fields(V&& visit) {
        visit("preset", &MethodDesc::preset, Field("default, accurate or fast"));
        visit("stepper", &MethodDesc::stepper, Field("how a step is organised"));
        visit("solver", &MethodDesc::solver, Field("how contacts and joints are solved"));
        visit("integrator", &MethodDesc::integrator, Field("how free motion is advanced"));
        visit("substeps", &MethodDesc::substeps, Field("solver steps in one time step").between(1, 10000));
        visit("iterations", &MethodDesc::iterations, Field("solver sweeps in one substep").between(1, 10000));
    }
};

/// All presets; the first is the default.
const std::vector<Method>& method_presets();
/// The preset with the overrides applied. Throws InputError for an unknown preset.
Method resolve(const MethodDesc& desc);
/// Reads "preset+key=value+key=value" as used by `compare` and `--set`. Throws InputError.
MethodDesc parse_method(const std::string& text);

struct SettingsDesc {
    Vec3 gravity{0, -9.81, 0};
    double dt = 0.01;
    double duration = 5;
    MethodDesc method{};
    BroadPhaseKind broad_phase = BroadPhaseKind::Tree;
    std::vector<EventKind> events{EventKind::TouchBegin, EventKind::TouchEnd, EventKind::TriggerIn,
                                  EventKind::TriggerOut, EventKind::TimerTick};

    template <class V>
    static void visit_fields(V&& visit) {
        visit("gravity", &SettingsDesc::gravity, Field("acceleration of gravity", "m/s^2"));
        visit("dt", &SettingsDesc::dt, Field("time step", "s").positive());
        visit("duration", &SettingsDesc::duration, Field("simulated time of a run", "s").at_least(0));
        visit("method", &SettingsDesc::method, Field("preset, and changes to it"));
        visit("broad_phase", &SettingsDesc::broad_phase,
              Field("how pairs that may touch are found; results do not depend on it"));
        visit("events", &SettingsDesc::events, Field("kinds of events that frames tell"));
    }
};

}  // namespace impuls
