// Contacts to the block solver and back (exchange.h). Impulses kept for the next step are those of a usual
// substep, dt / method.substeps.
#include "steppers/blocks/exchange.h"

#include <algorithm>
#include <cmath>

#include "steppers/blocks/context.h"
#include "steppers/blocks/tuning.h"

namespace impuls::blocks {

ContactExchange::ContactExchange(Context& c)
    : c_(c),
      manifolds_(c.contacts.manifolds.data()),
      count_(c.contacts.manifolds.size()),
      nodes_(c.island.nodes.data()),
      displaced_(c.bodies.displaced.data()),
      points_(c.results.point.data()),
      h_(c.pass.substep()),
      usual_(c.view.usual_substep()) {}

// Points and bodies of a manifold are scattered in memory. Inline: compilers drop calls of functions that
// have no effect but prefetching.
[[gnu::always_inline]] inline void ContactExchange::prefetch(std::size_t manifold) const {
    if (manifold >= count_) return;
    const BlockManifold& m = manifolds_[manifold];
    for (const std::uint32_t node : {m.a, m.b}) {
        __builtin_prefetch(&nodes_[node]);
        __builtin_prefetch(&displaced_[node]);
    }
    for (std::uint32_t k = m.first; k < m.first + m.count; ++k) {
        __builtin_prefetch(&points_[k]);
        __builtin_prefetch(&points_[k].position);
        __builtin_prefetch(&points_[k].previous_t);
    }
}

// Static until it slides: then dynamic, until that suffices to hold it.
double ContactExchange::friction_of(const BlockManifold& m) const {
    const ContactPoint* const points = points_ + m.first;
    const bool is_sliding =
        std::any_of(points, points + m.count, [](const ContactPoint& point) { return point.is_sliding; });
    return is_sliding ? m.law->friction : m.law->static_friction;
}

// Whether what touches here has no past and no motion: where a world begins with things that stand.
bool ContactExchange::begins_at_rest(const BlockManifold& m) const {
    const IslandNode &a = nodes_[m.a], &b = nodes_[m.b];
    const double slow = h_ * std::max(a.pull, b.pull), slop = kBlockSlop * m.size;
    return m.load > 0 &&
           std::all_of(points_ + m.first, points_ + m.first + m.count, [&](const ContactPoint& p) {
               const Vec3 u = b.v + cross(b.w, p.position - b.pose.position) - a.v -
                              cross(a.w, p.position - a.pose.position);
               return p.previous_n == 0 && p.separation <= slop && length_squared(u) <= slow * slow;
           });
}

// The impulses of such a manifold are those that bear the weights above it: from none, sweeps would need many
// substeps to find them, in which towers sink, and then rise again. Friction bears what is not along the
// normal, where it can.
void ContactExchange::give_weight(const BlockManifold& m, BlockContacts::Manifold& to) const {
    const double unit = h_ / c_.bodies.mass_unit, each = 1.0 / static_cast<double>(m.count);
    const double rise = std::abs(m.rise), normal = m.load * rise * rise;
    const Vec3 along = (c_.up - to.normal * dot(c_.up, to.normal)) * (m.load * m.rise);
    const bool is_held = length_squared(along) <= to.friction * to.friction * normal * normal;
    for (std::uint32_t k = 0; k < m.count; ++k)
        to.points[k].impulse = (is_held ? normal : m.load) * each * unit;
    if (is_held) to.impulse_t = along * unit;
}

// The spring's depth is limited to what the load explains: kCapFactor F (1/m_a + 1/m_b)/w^2, w = pi/(2 h).
void ContactExchange::give(std::size_t manifold, BlockContacts::Manifold& to) const {
    const double share = h_ / (usual_ * c_.bodies.mass_unit), warm = share * c_.view.method.rows().warm_start;
    prefetch(manifold + kPrefetchDistance);
    const BlockManifold& m = manifolds_[manifold];
    const IslandNode &a = nodes_[m.a], &b = nodes_[m.b];
    to.normal = points_[m.first].normal;
    for (std::uint32_t k = 0; k < m.count; ++k) {
        const ContactPoint& point = points_[m.first + k];
        BlockContacts::Point& p = to.points[k];
        p.ra = point.position - a.pose.position;
        p.rb = point.position - b.pose.position;
        p.separation = point.separation;
        p.impulse = warm * point.previous_n;
        to.impulse_t += point.previous_t * warm;
        to.twist += dot(point.previous_torque, point.normal) * warm;
    }
    to.friction = friction_of(m);
    if (begins_at_rest(m)) give_weight(m, to);
    to.slop = kBlockSlop * m.size;
    to.cap =
        kCapFactor * m.load * (a.inv_mass + b.inv_mass) * h_ * h_ / kQuarterPeriod2 + kFreshDepth * m.size;
    to.bounce = m.law->restitution;
    to.are_balls = c_.contacts.pairs[m.pair].are_spheres;
    to.is_of_disk = m.is_of_disk;
    to.threshold = kRebound * h_ * std::max(a.pull, b.pull);
    // Along the normal: what forces close the gap by in a substep, which rebounds need to know.
    if (to.bounce > 0) to.surface = to.normal * (h_ * dot(to.normal, a.acceleration - b.acceleration));
    if (m.rolls) give_rolling(m, to);
    if (!a.has_surface && !b.has_surface) return;
    const Vec3 surface_a = a.has_surface ? c_.bodies.surfaces[m.a] : Vec3{},
               surface_b = b.has_surface ? c_.bodies.surfaces[m.b] : Vec3{}, surface = surface_b - surface_a;
    to.surface = surface + to.normal * dot(to.normal, (to.is_passing ? Vec3{} : to.surface) - surface);
    to.is_passing = false;
}

// Substeps kick, then drift: velocities belong to a time half a substep h after the place where they were
// kicked, and the forces of a pass of length T act, on average, at its place at t = (T - h)/2, half a substep
// before its middle; what is_rolling, with both at one time, feels them in the middle. Levers and normal are
// those of that place: with others what rocks with the frequency w is damped, or driven, by w^2 h/4. From
// when the pass starts for velocities until then, that is in T/2, they change by dr and dn, and velocities u
// obey
//     J(t) u = J u + phase (sum of +- w x dr + n (dn . u)) = 0         phase from -1 to 1, after the last
//     kick.
// All that the impulses p along J do is p (J u_0 + J u_T)/2, which is 0: at the start and at the end J u is
// the same with opposite signs.
void ContactExchange::give_rolling(const BlockManifold& m, BlockContacts::Manifold& to) const {
    const IslandNode &a = nodes_[m.a], &b = nodes_[m.b];
    const bool is_rolling = c_.bodies.nodes[m.a].is_rolling || c_.bodies.nodes[m.b].is_rolling;
    const double until = is_rolling ? 1 : 1 - h_ / c_.pass.time;
    const Vec3 by = points_[m.first].normal_b;
    to.surface = {};
    const double each = 1.0 / static_cast<double>(m.count);
    for (std::uint32_t k = 0; k < m.count; ++k) {
        const ContactPoint& point = points_[m.first + k];
        BlockContacts::Point& p = to.points[k];
        const Vec3 by_a = point.anchor_a, by_b = point.anchor_b;
        const Vec3 u = b.v + cross(b.w, p.rb) - a.v - cross(a.w, p.ra);
        to.surface += (cross(b.w, by_b) - cross(a.w, by_a) + to.normal * dot(by, u)) * each;
        p.ra += by_a * until;
        p.rb += by_b * until;
    }
    to.normal = normalized(to.normal + by * until);
    to.is_passing = true;
}

void ContactExchange::begin_substep() const {
    check_stop(c_.view.stop);
}

// Friction of a manifold is shared by its points in proportion to their normal impulses, twist to their
// distance from the middle.
void ContactExchange::take(std::size_t manifold, const BlockContacts::Result& r) {
    const double unit = c_.bodies.mass_unit, share = unit * usual_ / h_;
    prefetch(manifold + kPrefetchDistance);
    BlockManifold& m = manifolds_[manifold];
    const IslandNode &a = nodes_[m.a], &b = nodes_[m.b];
    const Displacement &moved_a = displaced_[m.a], &moved_b = displaced_[m.b];
    const double each = 1.0 / static_cast<double>(m.count);
    double load = 0, last = 0, spread = 0, deepest = 0;
    Vec3 middle;
    for (std::uint32_t k = 0; k < m.count; ++k) {
        load += r.points[k].sum;
        last += r.points[k].impulse;
        middle += points_[m.first + k].position * each;
    }
    for (std::uint32_t k = 0; k < m.count && m.count > 1; ++k)
        spread += length_squared(points_[m.first + k].position - middle);
    const bool is_sliding = last > 0 && length(r.impulse_t) > kSliding * friction_of(m) * last;
    const Vec3 previous_t = r.impulse_t * (share * each),
               tangential = load > 0 ? r.sum_t * (1 / load) : Vec3{};  // per normal impulse
    const double twist = spread > 0 ? r.sum_twist / spread : 0;
    for (std::uint32_t k = 0; k < m.count; ++k) {
        ContactPoint& p = points_[m.first + k];
        const double pushed = r.points[k].sum;
        const Vec3 ra = p.position - a.pose.position, rb = p.position - b.pose.position;
        p.previous_n = share * r.points[k].impulse;
        p.previous_t = previous_t;
        p.previous_torque = p.normal * (share * each * r.twist);
        p.is_sliding = is_sliding;
        p.is_fresh = false;
        p.substeps = static_cast<std::uint8_t>(c_.substeps);
        p.separation = r.points[k].separation;
        deepest = std::min(deepest, p.separation);
        if (a.is_dynamic && b.is_dynamic)
            p.position += (moved_a.of(ra) + moved_b.of(rb)) * 0.5;
        else
            p.position += a.is_dynamic ? moved_a.of(ra) : moved_b.of(rb);
        p.sum +=
            (p.normal * pushed + tangential * pushed + cross(p.normal, p.position - middle) * twist) * unit;
    }
    if (deepest < -kOverlapped * m.size) has_overlap_.store(true, std::memory_order_relaxed);
    if (deepest < -kCrushed * m.size) has_deep_.store(true, std::memory_order_relaxed);
    m.is_pushed =
        std::any_of(r.points.begin(), r.points.begin() + m.count, [](const auto& p) { return p.sum > 0; });
}

}  // namespace impuls::blocks
