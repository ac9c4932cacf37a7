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
    // Of the force stepper, for the motion as a whole; docs/internals/integrators.md.
    DormandPrince,  // order 5 with error control
    Rosenbrock,     // order 4 with error control, for stiff springs
    RungeKutta,
    Verlet,
    SemiImplicitEuler,
    Midpoint,  // implicit
    Gear,      // predictor-corrector
};
template <>
struct EnumNames<Integrator> {
    static constexpr std::array<const char*, 10> names{
        "semi_implicit", "rk4",    "reference",           "dormand_prince", "rosenbrock",
        "runge_kutta",   "verlet", "semi_implicit_euler", "midpoint",       "gear"};
};

/// How a step is organised.
enum class Stepper {
    Impulse,   // two solves a substep, for displacements and for velocities; second order
    Velocity,  // one solve of velocities, positions after them, errors corrected afterwards; first order
    Blocks,  // contacts found once a step, solved in lanes together with joints, in islands that touch; what
             // lanes lack (docs/internals/blocks.md), and what is very fast, as Impulse
    ForceLevel,  // motion under forces as a differential equation with error control
                 // (docs/manual/force-level.md)
};
template <>
struct EnumNames<Stepper> {
    static constexpr std::array<const char*, 4> names{"impulse", "velocity", "blocks", "force"};
};

/// How the velocity stepper deals with overlap and open joints.
enum class Correction {
    Projection,     // bodies are displaced, velocities stay
    Stabilisation,  // velocities that remove the share `erp` of the error in a substep
    None,
};
template <>
struct EnumNames<Correction> {
    static constexpr std::array<const char*, 3> names{"projection", "stabilisation", "none"};
};

enum class Switch { Off, On };
template <>
struct EnumNames<Switch> {
    static constexpr std::array<const char*, 2> names{"off", "on"};
};

/// How contacts and joints of an island are solved; docs/internals/solvers.md says which one suits what.
enum class Solver {
    Sequential,        // joints and points one after the other, in sweeps
    Pgs,               // the same row by row: plain projected Gauss-Seidel
    BlockedPgs,        // sweeps with the normals of a manifold solved together
    Direct,            // pivoting, to rounding, for small islands; larger ones as BlockedPgs
    Sparse,            // joints at once, by a sparse factorisation; contacts in sweeps between
    Tree,              // the same in time linear in the number of joints, loops apart
    ImpulseIteration,  // as Sequential; with closure "preview" each joint looks ahead for itself
};
template <>
struct EnumNames<Solver> {
    static constexpr std::array<const char*, 7> names{"sequential", "pgs",  "blocked_pgs",      "direct",
                                                      "sparse",     "tree", "impulse_iteration"};
};

/// When joints are closed.
enum class Closure {
    Linear,   // by one solve with the joint's equations as they are at the start of a substep
    Preview,  // repeated until the joints are closed where the bodies will be at its end
};
template <>
struct EnumNames<Closure> {
    static constexpr std::array<const char*, 2> names{"linear", "preview"};
};

/// What a contact point's friction is kept in, relative to friction times load.
enum class FrictionModel {
    Cone,     // a disk (Coulomb)
    Pyramid,  // the regular polygon with `friction_directions` corners on that disk's edge
    Box,      // the square around the disk: each of two tangents by itself
};
template <>
struct EnumNames<FrictionModel> {
    static constexpr std::array<const char*, 3> names{"cone", "pyramid", "box"};
};

/// How impacts that come together are resolved.
enum class ImpactOrder {
    Simultaneous,  // all at once
    Propagating,   // from body to body, until nobody approaches
    Sequential,    // force stepper: point after point, as AERO does; a box that lands flat starts to rotate
};
template <>
struct EnumNames<ImpactOrder> {
    static constexpr std::array<const char*, 3> names{"simultaneous", "propagating", "sequential"};
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

/// What a contact does at force level (src/dynamics/laws). All but `penalty` bounce by their own force.
enum class ContactForce {
    Penalty,          // spring and damper below `impact_speed`; faster ones are impacts, resolved at once
    Linear,           // spring and damper for the pair's restitution
    Hertz,            // k d^(3/2), from the materials' moduli
    HuntCrossley,     // the same, damped in proportion
    Spring,           // AERO's, weaker while parting by the factor e: restitution sqrt(e)
    CorrectedSpring,  // by e^2: restitution e
};
template <>
struct EnumNames<ContactForce> {
    static constexpr std::array<const char*, 6> names{"penalty",       "linear", "hertz",
                                                      "hunt_crossley", "spring", "corrected_spring"};
};

/// How often the force stepper looks for contacts (Erleben 2005, 2.2.3).
enum class ContactSearch {
    Eager,     // wherever forces are asked for
    Moderate,  // once a time step: points move with their bodies
    Lazy,      // once a time step, and their forces stay as they were
};
template <>
struct EnumNames<ContactSearch> {
    static constexpr std::array<const char*, 3> names{"eager", "moderate", "lazy"};
};

/// Those of the force stepper alone; it has `integrator`, `tolerance`, `impacts` and `substeps` besides.
template <template <class> class Part>
struct ForceParts {
    Part<ContactForce> contact{};
    Part<ContactSearch> contact_search{};
    Part<double> sink{};
    Part<double> impact_speed{};
    Part<double> slip_speed{};
    Part<double> collision_grid{};
    Part<double> least_step{};
    Part<std::int64_t> gear_values{};
    Part<double> gravity_noise{};

    template <class V>
    static void visit_fields(V&& visit) {
        visit("contact", &ForceParts::contact, Field("force stepper: law of contact"));
        visit("contact_search", &ForceParts::contact_search,
              Field("force stepper: how often contacts are looked for"));
        visit("sink", &ForceParts::sink,
              Field("force stepper: how deep a body rests by its own weight, relative to its size, where "
                    "neither compliance nor moduli are given")
                  .between(1e-9, 0.1));
        visit("impact_speed", &ForceParts::impact_speed,
              Field("force stepper: what is faster is an impact; 0: a fall from as high as `sink`", "m/s")
                  .at_least(0));
        visit("slip_speed", &ForceParts::slip_speed,
              Field("force stepper: slip at which friction is fully there; 0: 1/1000 of sqrt(g size)", "m/s")
                  .at_least(0));
        visit("collision_grid", &ForceParts::collision_grid,
              Field("force stepper: impacts are looked for at multiples of this time, as AERO does; 0: they "
                    "are located",
                    "s")
                  .at_least(0));
        visit("least_step", &ForceParts::least_step,
              Field("force stepper: shortest step of the integrator, which is warned of; 0: 1e-9 time steps",
                    "s")
                  .at_least(0));
        visit("gear_values", &ForceParts::gear_values,
              Field("force stepper: stored values of Gear's integrator").between(4, 8));
        visit("gravity_noise", &ForceParts::gravity_noise,
              Field("force stepper: random share of each body's weight, another in every time step")
                  .between(0, 1));
    }
};

/// The parts of a method, each a Part of its type: decided (Method) or perhaps (MethodDesc).
template <template <class> class Part>
struct MethodParts : ForceParts<Part> {
    std::string preset = "default";
    Part<Stepper> stepper{};
    Part<Solver> solver{};
    Part<Integrator> integrator{};
    Part<Closure> closure{};
    Part<ImpactOrder> impacts{};
    Part<FrictionModel> friction{};
    Part<std::int64_t> friction_directions{};
    Part<std::int64_t> substeps{};
    Part<std::int64_t> iterations{};
    Part<double> warm_start{};
    Part<Correction> correction{};
    Part<std::int64_t> correction_iterations{};
    Part<double> erp{};
    Part<Switch> shock{};
    Part<double> weight{};
    Part<Switch> sleep{};
    Part<Switch> articulated{};
    Part<Switch> composed{};
    Part<double> turn{};
    Part<double> tolerance{};
    Part<std::int64_t> budget{};
    Part<std::int64_t> blocks_from{};

    template <class V>
    static void visit_fields(V&& visit) {
        visit("preset", &MethodParts::preset, Field("default, accurate, fast, erleben or aero"));
        visit("stepper", &MethodParts::stepper, Field("how a step is organised"));
        visit("solver", &MethodParts::solver, Field("how contacts and joints are solved"));
        visit("integrator", &MethodParts::integrator,
              Field("how free motion is advanced; force stepper: all motion"));
        visit("closure", &MethodParts::closure, Field("when joints are closed"));
        visit("impacts", &MethodParts::impacts, Field("how impacts that come together are resolved"));
        visit("friction", &MethodParts::friction, Field("shape of the set that friction is kept in"));
        visit("friction_directions", &MethodParts::friction_directions,
              Field("corners of the pyramid's polygon").between(3, 64));
        visit("substeps", &MethodParts::substeps,
              Field("solver steps in one time step; force stepper: those of integrators with a given step")
                  .between(1, 10000));
        visit("iterations", &MethodParts::iterations,
              Field("solver sweeps in one substep").between(1, 100000));
        visit("warm_start", &MethodParts::warm_start,
              Field("share of the last impulses that a solve begins with").between(0, 1));
        visit("correction", &MethodParts::correction,
              Field("velocity stepper: how overlap and open joints are corrected"));
        visit("correction_iterations", &MethodParts::correction_iterations,
              Field("velocity stepper: sweeps of a projection").between(1, 10000));
        visit("erp", &MethodParts::erp,
              Field("velocity stepper: share of the error that a substep of stabilisation removes")
                  .between(0, 1));
        visit(
            "shock", &MethodParts::shock,
            Field("layer by layer from the ground up, lower bodies held fast: all of a solve of the velocity "
                  "stepper; after the sweeps of the impulse stepper (stack freezing)"));
        visit("weight", &MethodParts::weight,
              Field("velocity stepper: share of a substep that is solved for all layers together")
                  .between(0, 1));
        visit("sleep", &MethodParts::sleep,
              Field("islands at rest are not advanced until something wakes them"));
        visit("articulated", &MethodParts::articulated,
              Field("impulse stepper: islands held by joints alone get substeps of their own, joints exact"));
        visit(
            "composed", &MethodParts::composed,
            Field(
                "articulated: five substeps, one of them backwards, make one of fourth order, where nothing "
                "damps the motion"));
        visit("turn", &MethodParts::turn,
              Field("articulated: how far bodies turn in a substep", "rad").between(1e-6, 1));
        visit("tolerance", &MethodParts::tolerance,
              Field("impulse stepper: how far joints may be open after a substep, relative to the smallest "
                    "body's size; force stepper: error of a step, relative to sizes and speeds")
                  .between(1e-13, 1e-3));
        visit("budget", &MethodParts::budget,
              Field("impulse stepper: most substeps of a step for bodies with joints, motion too fast for "
                    "them is slowed; 0: as many as it needs, up to 8192")
                  .between(0, 100000));
        visit(
            "blocks_from", &MethodParts::blocks_from,
            Field(
                "impulse stepper: islands of at least so many bodies, without joints, are advanced by "
                "blocks while their motion is calm; 0: never. Other changes to the preset, but `sleep`, make "
                "it 0 where it is not given")
                .between(0, 1000000000));
        ForceParts<Part>::visit_fields(visit);
    }
};
template <class T>
using Decided = T;

/// A complete method, all parts decided.
using Method = MethodParts<Decided>;
/// A preset and what to change in it.
using MethodDesc = MethodParts<std::optional>;

/// All presets; the first is the default.
const std::vector<Method>& method_presets();
/// The preset with the overrides applied. Throws InputError for an unknown preset.
Method resolve(const MethodDesc& desc);
/// Reads "preset+key=value+key=value" as used by `compare` and `--set`. Throws InputError.
MethodDesc parse_method(const std::string& text);
/// The method with all parts spelt out, as parse_method reads it.
std::string method_text(const Method& method);
/// The preset, and only what differs from it: "default+substeps=20+blocks_from=0".
std::string method_name(const Method& method);

/// Most steps of a run: more than any can take, and numbers below are whole ones in a double.
inline constexpr double kMostSteps = 1e15;

struct SettingsDesc {
    Vec3 gravity{0, -9.81, 0};
    double dt = 0.01;
    double duration = 5;
    std::string stop_when{};
    std::int64_t seed = 0;
    MethodDesc method{};
    BroadPhaseKind broad_phase = BroadPhaseKind::Tree;
    std::vector<EventKind> events{EventKind::TouchBegin, EventKind::TouchEnd,  EventKind::TriggerIn,
                                  EventKind::TriggerOut, EventKind::TimerTick, EventKind::JointBreak};

    template <class V>
    static void visit_fields(V&& visit) {
        visit("gravity", &SettingsDesc::gravity, Field("acceleration of gravity", "m/s^2"));
        visit("dt", &SettingsDesc::dt, Field("time step", "s").positive());
        visit("duration", &SettingsDesc::duration, Field("simulated time of a run", "s").at_least(0));
        visit("stop_when", &SettingsDesc::stop_when,
              Field("condition on quantities that ends a run early, e.g. bodies.ball.position.y < 1"));
        visit("seed", &SettingsDesc::seed,
              Field("changes whatever generators draw at random; 0: by their own seeds alone").at_least(0));
        visit("method", &SettingsDesc::method, Field("preset, and changes to it"));
        visit("broad_phase", &SettingsDesc::broad_phase,
              Field("how pairs that may touch are found; results do not depend on it"));
        visit("events", &SettingsDesc::events, Field("kinds of events that frames tell"));
    }
};

}  // namespace impuls
