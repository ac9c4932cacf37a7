// How a scene is simulated: time step, gravity, and the method (stepper x solver x integrator ...).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "impuls/events.h"
#include "impuls/fields.h"
#include "impuls/force_level.h"
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

/// What a method is made of. Each stepper has the options that mean something to it; each option is a Part of
/// its type: decided (Method) or perhaps (MethodDesc).
template <template <class> class Part>
struct RowOptions {  // of steppers that solve rows
    Part<Solver> solver{};
    Part<FrictionModel> friction{};
    Part<std::int64_t> friction_directions{};
    Part<std::int64_t> substeps{};
    Part<std::int64_t> iterations{};
    Part<double> warm_start{};

    template <class V>
    static void visit_fields(V&& visit) {
        visit("solver", &RowOptions::solver, Field("how contacts and joints are solved"));
        visit("friction", &RowOptions::friction, Field("shape of the set that friction is kept in"));
        visit("friction_directions", &RowOptions::friction_directions,
              Field("corners of the pyramid's polygon").between(3, 64));
        visit("substeps", &RowOptions::substeps, Field("solver steps in one time step").between(1, 10000));
        visit("iterations", &RowOptions::iterations,
              Field("solver sweeps in one substep").between(1, 100000));
        visit("warm_start", &RowOptions::warm_start,
              Field("share of the last impulses that a solve begins with").between(0, 1));
    }
};

/// Two solves a substep, for displacements and for velocities (RATTLE); islands of joints alone may get
/// substeps of their own.
template <template <class> class Part>
struct RattleOptions : RowOptions<Part> {
    Part<Closure> closure{};
    Part<ImpactOrder> impacts{};
    Part<Switch> shock{};
    Part<Switch> articulated{};
    Part<Switch> composed{};
    Part<double> turn{};
    Part<double> tolerance{};
    Part<std::int64_t> budget{};

    template <class V>
    static void visit_fields(V&& visit) {
        RowOptions<Part>::visit_fields(visit);
        visit("closure", &RattleOptions::closure, Field("when joints are closed"));
        visit("impacts", &RattleOptions::impacts, Field("how impacts that come together are resolved"));
        visit("shock", &RattleOptions::shock,
              Field("after the sweeps layer by layer from the ground up, lower bodies held fast (stack "
                    "freezing)"));
        visit("articulated", &RattleOptions::articulated,
              Field("islands held by joints alone get substeps of their own, joints exact"));
        visit("composed", &RattleOptions::composed,
              Field("articulated: five substeps, one of them backwards, make one of fourth order, where "
                    "nothing damps the motion"));
        visit("turn", &RattleOptions::turn,
              Field("articulated: how far bodies turn in a substep", "rad").between(1e-6, 1));
        visit("tolerance", &RattleOptions::tolerance,
              Field("how far joints may be open after a substep, relative to the smallest body's size")
                  .between(1e-13, 1e-3));
        visit("budget", &RattleOptions::budget,
              Field("most substeps of a step for bodies with joints, motion too fast for them is slowed; 0: "
                    "as many as it needs, up to 8192")
                  .between(0, 100000));
    }
};

template <template <class> class Part>
struct ImpulseOptions : RattleOptions<Part> {
    static constexpr const char* kType = "impulse";
    Part<std::int64_t> blocks_from{};

    template <class V>
    static void visit_fields(V&& visit) {
        RattleOptions<Part>::visit_fields(visit);
        visit("blocks_from", &ImpulseOptions::blocks_from,
              Field("islands of at least so many bodies, without joints, are advanced by blocks while their "
                    "motion is calm; 0: never")
                  .between(0, 1000000000));
    }
};

/// One solve of velocities, positions after them, errors corrected afterwards; first order.
template <template <class> class Part>
struct VelocityOptions : RowOptions<Part> {
    static constexpr const char* kType = "velocity";
    Part<Correction> correction{};
    Part<std::int64_t> correction_iterations{};
    Part<double> erp{};
    Part<Switch> shock{};
    Part<double> weight{};

    template <class V>
    static void visit_fields(V&& visit) {
        RowOptions<Part>::visit_fields(visit);
        visit("correction", &VelocityOptions::correction, Field("how overlap and open joints are corrected"));
        visit("correction_iterations", &VelocityOptions::correction_iterations,
              Field("sweeps of a projection").between(1, 10000));
        visit("erp", &VelocityOptions::erp,
              Field("share of the error that a substep of stabilisation removes").between(0, 1));
        visit("shock", &VelocityOptions::shock,
              Field("all of a solve layer by layer from the ground up, lower bodies held fast"));
        visit("weight", &VelocityOptions::weight,
              Field("shock: share of a substep that is solved for all layers together").between(0, 1));
    }
};

/// Contacts found once a step, solved in lanes together with joints, in islands that touch; what lanes lack
/// (docs/internals/blocks.md), and what is very fast, as the impulse stepper.
template <template <class> class Part>
struct BlocksOptions : RattleOptions<Part> {
    static constexpr const char* kType = "blocks";
};

/// Motion under forces as a differential equation with error control (docs/manual/force-level.md); what it
/// cannot express is left to the impulse stepper with the options of the default preset.
template <template <class> class Part>
struct ForceOptions {
    static constexpr const char* kType = "force";
    Part<std::int64_t> substeps{};
    Part<double> tolerance{};
    Part<ImpactOrder> impacts{};
    Part<ContactForce> contact{};
    Part<FrictionLaw> friction_law{};
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
        visit("substeps", &ForceOptions::substeps,
              Field("steps in one time step, of integrators with a given step").between(1, 10000));
        visit("tolerance", &ForceOptions::tolerance,
              Field("error of a step, relative to sizes and speeds").between(1e-13, 1e-3));
        visit("impacts", &ForceOptions::impacts, Field("how impacts that come together are resolved"));
        visit("contact", &ForceOptions::contact, Field("law of contact"));
        visit("friction_law", &ForceOptions::friction_law, Field("friction of contacts"));
        visit("contact_search", &ForceOptions::contact_search, Field("how often contacts are looked for"));
        visit("sink", &ForceOptions::sink,
              Field("how deep a body rests by its own weight, of its size, without compliance and moduli")
                  .between(1e-9, 0.1));
        visit("impact_speed", &ForceOptions::impact_speed,
              Field("what is faster is an impact; 0: a fall from as high as `sink`", "m/s").at_least(0));
        visit("slip_speed", &ForceOptions::slip_speed,
              Field("slip at which friction is fully there; 0: 1/1000 of sqrt(g size)", "m/s").at_least(0));
        visit("collision_grid", &ForceOptions::collision_grid,
              Field("impacts are looked for at multiples of this time, as AERO does; 0: they "
                    "are located",
                    "s")
                  .at_least(0));
        visit("least_step", &ForceOptions::least_step,
              Field("shortest step of the integrator, which is warned of; 0: 1e-9 time steps", "s")
                  .at_least(0));
        visit("gear_values", &ForceOptions::gear_values,
              Field("stored values of Gear's integrator").between(4, 8));
        visit("gravity_noise", &ForceOptions::gravity_noise,
              Field("random share of each body's weight, another in every time step").between(0, 1));
    }
};

/// The family list of steppers: how a step is organised, with its options.
template <template <class> class Part>
using StepperFamily = std::variant<  //
    ImpulseOptions<Part>,            //
    VelocityOptions<Part>,           //
    BlocksOptions<Part>,             //
    ForceOptions<Part>               // end of list
    >;

template <template <class> class Part>
struct MethodParts {
    std::string preset = "default";
    Part<Integrator> integrator{};
    Part<Switch> sleep{};
    Part<StepperFamily<Part>> stepper{};

    template <class V>
    static void visit_fields(V&& visit) {
        visit("preset", &MethodParts::preset, Field("default, accurate, fast, erleben, bender or aero"));
        visit("integrator", &MethodParts::integrator,
              Field("how free motion is advanced; force stepper: all motion"));
        visit("sleep", &MethodParts::sleep,
              Field("islands at rest are not advanced until something wakes them"));
        visit("stepper", &MethodParts::stepper,
              Field("how a step is organised, and its options; of a type other than the preset's: what both "
                    "have is kept"));
    }
};

/// A preset and what to change in it.
using MethodDesc = MethodParts<std::optional>;

template <class T>
using Decided = T;
using RowMethod = RowOptions<Decided>;
using RattleMethod = RattleOptions<Decided>;
using ImpulseMethod = ImpulseOptions<Decided>;
using VelocityMethod = VelocityOptions<Decided>;
using BlocksMethod = BlocksOptions<Decided>;
using ForceMethod = ForceOptions<Decided>;

/// A complete method, all parts decided.
struct Method : MethodParts<Decided> {
    template <class Stepper>
    bool is() const {
        return std::holds_alternative<Stepper>(stepper);
    }
    /// The options that steppers share; null when this one does not have them.
    const RowMethod* rows_if() const { return options_if<RowMethod>(); }
    const RattleMethod* rattle_if() const { return options_if<RattleMethod>(); }
    /// Likewise; of the force stepper those of what it leaves to the impulse stepper.
    const RowMethod& rows() const {
        const RowMethod* own = rows_if();
        return own ? *own : of_impulses();
    }
    const RattleMethod& rattle() const {
        const RattleMethod* own = rattle_if();
        return own ? *own : of_impulses();
    }
    const VelocityMethod& velocity() const { return std::get<VelocityMethod>(stepper); }
    /// Of other steppers those of what is left to force level: islands that touch over areas.
    const ForceMethod& force() const {
        return is<ForceMethod>() ? std::get<ForceMethod>(stepper) : of_forces();
    }

  private:
    static const RattleMethod& of_impulses();
    static const ForceMethod& of_forces();
    template <class Shared>
    const Shared* options_if() const {
        return std::visit(
            []<class Options>(const Options& options) -> const Shared* {
                if constexpr (std::is_base_of_v<Shared, Options>) return &options;
                return nullptr;
            },
            stepper);
    }
};

/// All presets; the first is the default.
const std::vector<Method>& method_presets();
/// The preset with the overrides applied. Throws InputError for an unknown preset.
Method resolve(const MethodDesc& desc);
/// Reads "preset+key=value+key=value" as used by `compare` and `--set`; `stepper` names a type, all other
/// keys are options of it, or of the method. Throws InputError, also for an option that its stepper does not
/// have.
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
