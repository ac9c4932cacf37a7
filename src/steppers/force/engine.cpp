// Integrators of islands (run.h): one for each number of bodies and room for stretches of bristles, made once
// and kept; what they remember belongs to an island as long as its mark is that of the state.
#include <algorithm>
#include <bit>
#include <cmath>

#include "impuls/scene.h"
#include "math/integrators/methods.h"
#include "steppers/force/run.h"
#include "steppers/force/tuning.h"

namespace impuls::force_level {
namespace {

// Of other methods, which leave islands that touch over areas to this one: Dormand's and Prince's.
Integrator integrator_of(const Method& method) {
    return method.is<ForceMethod>() ? method.integrator : Integrator::DormandPrince;
}
const integrators::Method& method_of(const Method& method) {
    constexpr auto first = static_cast<std::size_t>(Integrator::DormandPrince);
    return integrators::methods()[static_cast<std::size_t>(integrator_of(method)) - first];
}

// Room for stretches comes in fours, so that it seldom changes.
std::size_t room_of(const Run& run) {
    return (run.s.contacts.grips().all().size() + 3) / 4;
}

// The integrator of the equation with as much room as the present grips need; made once.
void choose_integrator(Run& run) {
    const std::size_t room = room_of(run);
    auto& made = run.engine->integrators;
    run.engine->ode.set_grips(4 * room);
    if (made.size() <= room) made.resize(room + 1);
    const WorldView& view = run.view;
    const ForceMethod& m = view.method.force();
    const integrators::Method& method = method_of(view.method);
    integrators::Options options;
    options.tolerance = m.tolerance;
    options.step = method.has_error_control ? 0 : view.dt / static_cast<double>(m.substeps);
    options.least_step = m.least_step > 0 ? m.least_step : kLeastStep * view.dt;
    options.gear_values = static_cast<int>(m.gear_values);
    if (!made[room]) made[room] = method.make(run.engine->ode, options);
    if (run.now) {
        const integrators::Counters& now = run.now->counters();
        run.spent.evaluations += now.evaluations - run.before.evaluations;
        run.spent.rejected += now.rejected - run.before.rejected;
    }
    run.now = made[room].get();
    run.before = run.now->counters();
    Scratch& s = run.s;
    s.y.resize(run.engine->ode.size());
    s.scales.resize(run.engine->ode.size());
    run.engine->ode.scales(s.scales);
    run.now->set_scales(s.scales);
}

}  // namespace

Engine& engine_for(const WorldView& view, std::size_t bodies, Scratch& s) {
    const ForceMethod& m = view.method.force();
    const std::array<double, 6> numbers{static_cast<double>(integrator_of(view.method)),
                                        m.tolerance,
                                        view.dt,
                                        static_cast<double>(m.substeps),
                                        m.least_step,
                                        static_cast<double>(m.gear_values)};
    if (!std::equal(numbers.begin(), numbers.end(), s.made_for.begin(), s.made_for.end())) {
        s.engines.clear();
        s.made_for.assign(numbers.begin(), numbers.end());
    }
    for (const auto& engine : s.engines)
        if (engine->ode.bodies() == bodies) return *engine;
    const integrators::Method& method = method_of(view.method);
    const Layout layout = method.takes_second_order ? Layout::SecondOrder
                          : method.needs_positions  ? Layout::Positions
                                                    : Layout::Plain;
    return *s.engines.emplace_back(std::make_unique<Engine>(bodies, layout));
}

// A mark of all that the integrator's memory depends on.
std::uint64_t stamp_of(const Run& run, double time) {
    const WorldView& view = run.view;
    const Island& island = run.island;
    std::uint64_t mark = 0x9e3779b97f4a7c15u;
    const auto add = [&](std::uint64_t bits) {
        mark = (mark ^ bits) * 0xbf58476d1ce4e5b9u;
        mark ^= mark >> 29;
    };
    const auto add_vec = [&](const Vec3& v) {
        for (const double x : {v.x, v.y, v.z}) add(std::bit_cast<std::uint64_t>(x));
    };
    add_vec(view.gravity);
    add(static_cast<std::uint64_t>(integrator_of(view.method)));
    add(static_cast<std::uint64_t>(view.method.force().gear_values));
    for (const IslandNode& node : island.nodes) {
        add(node.body == kNoBody ? 0 : view.bodies.uid[node.body]);
        add_vec(node.pose.position);
        add_vec(node.v);
        add_vec(node.w);
        const Quat& q = node.pose.orientation;
        add_vec({q.x, q.y, q.z});
        add(std::bit_cast<std::uint64_t>(q.w));
        if (node.is_dynamic) {
            add_vec(view.bodies.force[node.body]);
            add_vec(view.bodies.torque[node.body]);
        }
    }
    for (const IslandForce& force : island.forces) {
        add(view.forces->uid[force.force]);
        add(view.forces->share(force.force, time, 0) > 0);
        if (const auto* grab = std::get_if<GrabForce>(&view.forces->force[force.force]))
            add_vec(grab->target);
    }
    for (const IslandJoint& joint : island.joints) add(view.joints.uid[joint.joint]);
    for (const Grip& grip : run.s.contacts.grips().all()) {
        const PairKey& key = view.pairs.keys[island.pairs[grip.pair].pair];
        add(key.uid_a);
        add(key.uid_b);
        add(grip.feature);
    }
    return mark;
}

std::uint64_t uid_of(const Run& run) {
    return run.view.bodies.uid[run.island.nodes.front().body];
}

void begin_integrator(Run& run) {
    Scratch& s = run.s;
    IslandOde& ode = run.engine->ode;
    ode.bind(run.view, run.island, s.contacts, s.areal, s.joints, s.bodies);
    choose_integrator(run);
    ode.write(s.y);
    ode.set_energies(s.y, {});
    const auto numbers = run.view.memories
                             ? run.view.memories->find(uid_of(run), stamp_of(run, run.view.time))
                             : std::span<const double>{};
    if (!numbers.empty()) {
        s.memory.assign(numbers);
        run.integrator().load(s.memory);
        if (run.integrator().time() == run.view.time) {
            run.integrator().replace(s.y);
            return;
        }
    }
    run.integrator().start(run.view.time, s.y);
}

void take_state(Run& run) {
    const auto state = run.integrator().state();
    std::copy(state.begin(), state.end(), run.s.y.begin());
    run.engine->ode.place(run.integrator().time(), run.s.y);
}

void settle_grips(Run& run) {
    Scratch& s = run.s;
    const ContactSearch search = run.view.method.force().contact_search;
    if (search == ContactSearch::Eager) s.contacts.find(run.view, run.island, Contacts::Which::On);
    if (search == ContactSearch::Moderate) s.contacts.carry(run.island);
    const double t = run.integrator().time();
    const bool jumps = s.contacts.settle_grips(run.view, run.island, s.bodies);
    const Power energies = run.engine->ode.energies(s.y);
    if (4 * room_of(run) != run.engine->ode.grips()) choose_integrator(run);
    run.engine->ode.write(s.y);
    run.engine->ode.set_energies(s.y, energies);
    if (jumps)
        run.integrator().start(t, s.y);
    else if (!std::equal(s.y.begin(), s.y.end(), run.integrator().state().begin()))
        run.integrator().replace(s.y);
}

}  // namespace impuls::force_level
