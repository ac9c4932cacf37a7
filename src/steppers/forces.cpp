// Summing the forces of an island (forces.h).
#include "steppers/forces.h"

#include "base/assert.h"
#include "dynamics/soft_row.h"
#include "steppers/joint_size.h"

namespace impuls {
namespace {

void set_end(const WorldView& view, const Island& island, std::uint32_t k, const Pose& X_F,
             const Nodes& nodes, ForceEnd& end) {
    const IslandNode& node = island.nodes[k];
    end = {};
    end.node = k;
    end.X_WF = node.pose * X_F;
    if (node.body == kNoBody) return;
    end.center = node.pose.position;
    end.v = nodes.v[k];
    end.w = nodes.w[k];
    end.mass = mass_of(view, node);
}

// The part of forces that need no description: gravity and what commands set.
void reset_sums(const WorldView& view, Island& island) {
    for (std::size_t k = 0; k < island.dynamic_count; ++k) {
        IslandNode& node = island.nodes[k];
        if (!node.has_force) continue;
        node.acceleration = view.acceleration_of(node.body);
        node.torque = view.bodies.torque[node.body];
    }
}

void add_wrench(Island& island, std::uint32_t k, const Vec3& force, const Vec3& torque) {
    IslandNode& node = island.nodes[k];
    if (!node.is_dynamic) return;
    node.acceleration += force * node.inv_mass;
    node.torque += torque;
}

void add_plain(Island& island, const IslandForce& force, const ForceTerms& terms) {
    for (const ForceTerm& term : terms.along) {
        if (term.is_soft()) continue;
        for (std::uint32_t p = 0; p < term.rate.count; ++p) {
            const RowPart& part = term.rate.parts[p];
            add_wrench(island, part.node, part.linear * term.applied(), part.angular * term.applied());
        }
    }
    add_wrench(island, force.b, terms.force, terms.torque);
}

double start_speed(const Rate& rate, const Nodes& nodes) {
    double sum = 0;
    for (std::uint32_t p = 0; p < rate.count; ++p)
        sum += dot(rate.parts[p].linear, nodes.v[rate.parts[p].node]) +
               dot(rate.parts[p].angular, nodes.w[rate.parts[p].node]);
    return sum;
}

// Of an angle the size of what turns, of a length 1.
double unit_length(const WorldView& view, const Island& island, const Rate& rate) {
    if (rate.count == 0 || rate.parts[0].linear != Vec3{}) return 1;
    return angle_size(view, island, {rate.parts[0].node, rate.parts[rate.count - 1].node});
}

// Visits each force with its terms in the substep.
template <class Visit>
void for_each_force(const WorldView& view, Island& island, const Nodes& nodes, double at, double h,
                    ForceWork& work, Visit&& visit) {
    reset_sums(view, island);
    for (std::size_t k = 0; k < island.forces.size(); ++k) {
        const double strength = view.forces->strength(island.forces[k].force, view.time + at, h);
        find_terms(view, island, k, nodes, strength, work.terms);
        add_plain(island, island.forces[k], work.terms);
        visit(k);
    }
}

Row& add_row(const SoftForce& soft, Rows& rows) {
    const ForceTerm& term = soft.term;
    rows.begin_block();
    rows.add();
    for (std::uint32_t p = 0; p < term.rate.count; ++p)
        rows.add_part(term.rate.parts[p].node, term.rate.parts[p].linear, term.rate.parts[p].angular);
    rows.rows.back().length = soft.length;
    return rows.rows.back();
}

}  // namespace

void find_terms(const WorldView& view, const Island& island, std::size_t k, const Nodes& nodes, double share,
                ForceTerms& out) {
    const IslandForce& force = island.forces[k];
    const ForceSet& all = *view.forces;
    ForceGeometry g;
    set_end(view, island, force.a, all.X_AF[force.force], nodes, g.a);
    set_end(view, island, force.b, all.X_BF[force.force], nodes, g.b);
    g.X_WB = island.nodes[force.b].pose.orientation;
    g.face_areas = all.face_areas[force.force];
    g.round_area = all.round_area[force.force];
    find_terms(all, force.force, g, share, out);
}

namespace {

// Of a link that yields: F = -k (distance - length).
ForceTerm term_of(const Island& island, const IslandSpring& spring) {
    const Vec3 way = island.nodes[spring.b].pose.position - island.nodes[spring.a].pose.position;
    const double distance = length(way);
    const Vec3 d = distance > 0 ? way / distance : Vec3{1, 0, 0};
    ForceTerm term;
    term.rate.add(spring.a, -d, {}).add(spring.b, d, {});
    term.force = -spring.stiffness * (distance - spring.length);
    term.stiffness = spring.stiffness;
    return term;
}

}  // namespace

void sum_forces(const WorldView& view, Island& island, const Nodes& nodes, double at, double h,
                ForceWork& work) {
    work.soft.clear();
    work.first.clear();
    for (const IslandSpring& spring : island.particles.springs) {
        const ForceTerm term = term_of(island, spring);
        work.soft.push_back({term, -term.force, 0, 1});
    }
    if (island.forces.empty()) return;
    for_each_force(view, island, nodes, at, h, work, [&](std::size_t) {
        work.first.push_back(static_cast<std::uint32_t>(work.soft.size()));
        for (const ForceTerm& term : work.terms.along)
            if (term.is_soft())
                work.soft.push_back({term, -(term.force + term.damping * start_speed(term.rate, nodes)), 0,
                                     unit_length(view, island, term.rate)});
    });
    work.first.push_back(static_cast<std::uint32_t>(work.soft.size()));
}

void sum_forces_again(const WorldView& view, Island& island, const Nodes& nodes, double at, double h,
                      ForceWork& work) {
    for (std::size_t k = 0; k < island.particles.springs.size(); ++k)
        work.soft[k].term.rate = term_of(island, island.particles.springs[k]).rate;
    if (island.forces.empty()) return;
    IMPULS_ASSERT(work.first.size() == island.forces.size() + 1);
    for_each_force(view, island, nodes, at, h, work, [&](std::size_t k) {
        std::uint32_t at_soft = work.first[k];
        for (const ForceTerm& term : work.terms.along) {
            if (!term.is_soft() || at_soft == work.first[k + 1]) continue;
            ForceTerm& kept = work.soft[at_soft++].term;
            if (!kept.keeps_rate) kept.rate = term.rate;
        }
    });
}

void add_soft_rows(ForceWork& work, double time, Rows& rows) {
    work.first_row = rows.rows.size();
    for (const SoftForce& soft : work.soft) {
        Row& row = add_row(soft, rows);
        set_soft(row, soft.pull, soft.term.stiffness, soft.term.damping, time);
        if (soft.term.only_pulls) row.upper = 0;
    }
}

void take_soft_impulses(ForceWork& work, const Rows& rows) {
    for (std::size_t k = 0; k < work.soft.size(); ++k)
        work.soft[k].impulse = rows.rows[work.first_row + k].impulse;
}

void repeat_soft_rows(ForceWork& work, Rows& rows) {
    work.first_row = rows.rows.size();
    for (const SoftForce& soft : work.soft) {
        Row& row = add_row(soft, rows);
        row.impulse = soft.impulse;
        row.guess = soft.impulse;
        row.lower = row.upper = 2 * soft.impulse;
    }
}

}  // namespace impuls
