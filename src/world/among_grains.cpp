// A step of a world in which bodies move freely among grains (granular/coupling/free_bodies.cpp): it is cut
// into the grains' substeps, each of them a small step of the world from its pairs to its motions. Time is
// counted in these meanwhile (s.dt, s.step). Frames tell contacts and outcomes of the last. Called by
// step.cpp.
#include "world/state.h"

namespace impuls {
namespace {

// Half of what grains do in a substep. Those that slept wake.
void push_half(WorldState& s) {
    granular::push_bodies(s.grains, grains_view_of(s), 0.5 * s.dt, s.bodies);
    std::vector<std::uint32_t> pushed;
    granular::list_pushed(s.grains, s.bodies, pushed);
    std::erase_if(pushed, [&](std::uint32_t k) { return s.bodies.is_asleep[k] == 0; });
    if (!pushed.empty()) wake(s, pushed);
}

// What frames divide by the whole step; contacts of islands that sleep are as they were.
void spread_contacts(WorldState& s, double over) {
    const Groups& groups = s.islands.groups;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (s.islands.is_asleep[i]) continue;
        for (auto p = groups.pair_start[i]; p < groups.pair_start[i + 1]; ++p)
            for (auto c = s.pairs.contact_start[groups.pairs[p]];
                 c < s.pairs.contact_start[groups.pairs[p] + 1]; ++c)
                s.contacts[c].sum *= over;
    }
}

}  // namespace

void advance_among_grains(WorldState& s, const std::function<void()>& advance) {
    const std::int64_t step = s.step, pieces = granular::substeps_of(s.grains, s.dt);
    const double dt = s.dt;
    std::vector<Motion> start;
    for (std::size_t k = 0; k < s.bodies.size(); ++k)
        start.push_back({s.bodies.pose[k], s.bodies.v[k], s.bodies.w[k]});
    std::vector<std::uint32_t> broken;
    s.dt = dt / static_cast<double>(pieces);
    s.step = step * pieces;
    for (std::int64_t k = 0; k < pieces; ++k) {
        if (k > 0 && !begin_scripts(s)) break;
        push_half(s);
        advance();
        collect(s);
        if (!s.output.status.ok) break;
        broken.insert(broken.end(), s.output.broken_joints.begin(), s.output.broken_joints.end());
        if (k + 1 == pieces)
            spread_contacts(s, static_cast<double>(pieces));  // before any wakes
        else
            s.pairs.contact_start.clear();  // who bears whom is found with events, at the end of the step
        push_half(s);
    }
    s.dt = dt;
    s.step = s.output.status.ok ? step + 1 : step;
    if (!s.output.status.ok) return;
    s.output.broken_joints = broken;
    s.islands.next = start;
    std::vector<std::uint32_t> pushed;
    granular::list_pushed(s.grains, s.bodies, pushed);
    for (const std::uint32_t k : pushed) s.bodies.forget_rest(k);  // no sleep while grains push
}

}  // namespace impuls
