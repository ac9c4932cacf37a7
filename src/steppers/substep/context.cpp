// Loading an island into a substep's scratch space (context.h).
#include "steppers/substep/context.h"

namespace impuls::substep {
namespace {

void load_nodes(const Island& island, Problem& problem, std::vector<NodeMotion>& nodes) {
    Nodes& n = problem.nodes;
    const std::size_t count = island.nodes.size();
    n.inv_mass.resize(count);
    n.inv_inertia.assign(count, diagonal({0, 0, 0}));
    n.v.resize(count);
    n.w.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
        n.inv_mass[k] = island.nodes[k].inv_mass;
        n.v[k] = island.nodes[k].v;
        n.w[k] = island.nodes[k].w;
    }
    nodes.assign(count, {});
}

void load_points(const WorldView& view, const Island& island, ContactWork& contacts) {
    contacts.points.clear();
    contacts.point_pair.clear();
    for (std::size_t p = 0; p < island.pairs.size(); ++p) {
        const std::uint32_t pair = island.pairs[p].pair;
        for (const ContactPoint& point : view.pairs.old_range(pair)) {
            if (!view.pairs.is_kept(pair, point)) continue;
            contacts.points.emplace_back(point);
            contacts.points.back().sum = {};
            contacts.point_pair.push_back(static_cast<std::uint32_t>(p));
        }
    }
}

ProblemSolver& solver_for(const Method& method, Scratch& scratch) {
    if (!scratch.solver || scratch.solver_kind != method.rows().solver) {
        scratch.solver_kind = method.rows().solver;
        scratch.solver = make_solver(method.rows().solver);
    }
    FrictionSet& friction = scratch.problem.contacts.friction_set;
    const auto directions = static_cast<int>(method.rows().friction_directions);
    if (!friction.is(method.rows().friction, directions))
        friction = FrictionSet(method.rows().friction, directions);
    return *scratch.solver;
}

}  // namespace

Substep::Substep(const WorldView& the_view, Island& the_island, Scratch& scratch, Results& the_results,
                 Outcome& the_outcome)
    : view(the_view),
      island(the_island),
      problem(scratch.problem),
      solver(solver_for(the_view.method, scratch)),
      nodes(scratch.nodes),
      contacts(scratch.contacts),
      joints(scratch.joints),
      links(scratch.links),
      sweeps(scratch.sweeps),
      layers(scratch.layers),
      forces(scratch.forces),
      results(the_results),
      outcome(the_outcome) {
    load_nodes(island, problem, nodes);
    load_points(view, island, contacts);
    joints.approach.assign(island.memory.impulses.size(), 0);
    joints.first_block.assign(island.joints.size(), 0);
    sweeps.looks = 0;
    forces.soft.clear();
}

SolveResult Substep::solve(Problem& part, const SolveSettings& settings) {
    const SolveResult result = solver.solve(part, settings);
    note(result);
    return result;
}

void Substep::note(const SolveResult& result) {
    outcome.iterations += static_cast<std::uint32_t>(result.iterations);
    outcome.note_residual(result.residual);
    if (result.fell_back) ++outcome.retries;
}

}  // namespace impuls::substep
