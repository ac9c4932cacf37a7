// Rows of stiff links (links.h).
#include "steppers/substep/links.h"

namespace impuls::substep {

namespace {

Row& add_row(Substep& s, const IslandLink& link) {
    Rows& rows = s.problem.rows;
    const Vec3 way = s.island.nodes[link.b].pose.position - s.island.nodes[link.a].pose.position;
    const double distance = length(way);
    const Vec3 d = distance > 0 ? way / distance : Vec3{1, 0, 0};
    rows.begin_block();
    rows.add().error = distance - link.length;
    rows.add_part(link.a, -d, {});
    rows.add_part(link.b, d, {});
    return rows.rows.back();
}

}  // namespace

void add_link_rows(Substep& s, double h, Phase phase) {
    LinkWork& work = s.links;
    const auto& links = s.island.particles.links;
    work.first_row = s.problem.rows.rows.size();
    if (phase == Phase::Displacement || work.carried.size() != links.size())
        work.carried.assign(links.size(), 0);
    const double warm = 0.5 * s.stretch * s.view.method.rows().warm_start;
    for (std::size_t k = 0; k < links.size(); ++k) {
        Row& row = add_row(s, links[k]);
        row.bias = phase == Phase::Displacement ? row.error / h : 0;
        row.impulse = work.carried[k];
        row.guess = warm * links[k].impulse;
        s.nodes[links[k].a].is_held = s.nodes[links[k].b].is_held = true;
    }
}

void add_closed_links(Substep& s) {
    for (const IslandLink& link : s.island.particles.links) {
        Row& row = add_row(s, link);
        row.bias = row.error;
    }
}

void carry_links(Substep& s) {
    for (std::size_t k = 0; k < s.links.carried.size(); ++k)
        s.links.carried[k] = s.problem.rows.rows[s.links.first_row + k].impulse;
}

void keep_links(Substep& s) {
    auto& links = s.island.particles.links;
    for (std::size_t k = 0; k < links.size(); ++k)
        links[k].impulse = s.problem.rows.rows[s.links.first_row + k].impulse / s.stretch;
}

}  // namespace impuls::substep
