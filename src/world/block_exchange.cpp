// What an island's contacts give the solver by blocks, and what they take back (block_work.h).
#include <algorithm>
#include <cmath>

#include "world/block_work.h"
#include "world/state.h"

namespace impuls {

// Asks for what a manifold is about, some manifolds before: its points and bodies are all over the memory.
// Inline, since a function that only asks does nothing that can be seen, and compilers leave it out.
[[gnu::always_inline]] inline void BlockWork::fetch(std::size_t manifold) const {
    if (manifold >= parts_.size()) return;
    const Part& part = parts_[manifold];
    for (const std::uint32_t node : {part.a, part.b})
        __builtin_prefetch(&nodes_[node]), __builtin_prefetch(&ways_[node]);
    for (std::uint32_t k = part.first; k < part.first + part.count; ++k) {
        const ContactPoint& point = results_->point[k];
        __builtin_prefetch(&point), __builtin_prefetch(&point.position),
            __builtin_prefetch(&point.previous_t);
    }
}

void BlockWork::give(std::size_t manifold, BlockContacts::Manifold& m) const {
    constexpr double kMore = 1.3,
                     kFresh = 5e-5;  // spring depth: times what the load needs; and this, of the size
    const double h = substep_, usual = world_->dt / static_cast<double>(world_->method.substeps),
                 share = h / (usual * unit_);
    fetch(manifold + kAhead);
    const Part& part = parts_[manifold];
    const std::uint32_t first = part.first, count = part.count;
    const Node &a = nodes_[part.a], &b = nodes_[part.b];
    m.normal = results_->point[first].normal;
    bool is_sliding = false;
    const double warm = share * world_->method.warm_start;
    for (std::uint32_t k = 0; k < count; ++k) {
        const ContactPoint& point = results_->point[first + k];
        BlockContacts::Point& p = m.points[k];
        p.ra = point.position - a.pose.position, p.rb = point.position - b.pose.position;
        p.separation = point.separation;
        p.impulse = warm * point.previous_n;
        m.impulse_t += point.previous_t * warm;
        m.twist += dot(point.previous_torque, point.normal) * warm;
        is_sliding |= point.is_sliding;
    }
    m.friction = is_sliding ? part.law->friction : part.law->static_friction;
    m.slop = kSlop * part.size;
    m.cap = kMore * part.load * inv_mass_of(part.a, part.b) * h * h / kQuarter + kFresh * part.size;
    m.bounce = part.law->restitution;
    m.threshold = 4 * h * std::max(a.pull, b.pull);
    if (a.runs || b.runs) m.surface = surface_of(part.b) - surface_of(part.a);
}

Vec3 BlockWork::surface_of(std::uint32_t node) const {
    return nodes_[node].runs ? surfaces_[node] : Vec3{};
}

// How far bodies get in this pass, once for all contacts.
void BlockWork::measure_ways() {
    for_nodes([&](std::size_t k) {
        if (nodes_[k].is_dynamic)
            ways_[k] = {blocks_.shift(nodes_[k].number),
                        inertias_[k].inverse_root * blocks_.turn(nodes_[k].number)};
    });
}

// Impulses kept for the next step are those of a usual substep, dt / method.substeps.
void BlockWork::take(std::size_t manifold, const BlockContacts::Result& r) {
    const double usual = world_->dt / static_cast<double>(world_->method.substeps),
                 share = unit_ * usual / substep_;
    fetch(manifold + kAhead);
    const Part& part = parts_[manifold];
    const Node &a = nodes_[part.a], &b = nodes_[part.b];
    const Way &way_a = ways_[part.a], &way_b = ways_[part.b];
    const double each = 1.0 / static_cast<double>(part.count);
    double load = 0, last = 0, spread = 0;
    Vec3 middle;
    for (std::uint32_t k = 0; k < part.count; ++k) {
        load += r.points[k].sum, last += r.points[k].impulse;
        middle += point(part.first + k).position * each;
    }
    for (std::uint32_t k = 0; k < part.count && part.count > 1; ++k)
        spread += length_squared(point(part.first + k).position - middle);
    const bool is_sliding = last > 0 && length(r.impulse_t) > 0.999 * part.law->friction * last;
    const Vec3 previous_t = r.impulse_t * (share * each),
               tangential = load > 0 ? r.sum_t * (1 / load) : Vec3{};  // per normal impulse
    const double twist = spread > 0 ? r.sum_twist / spread : 0;
    for (std::uint32_t k = 0; k < part.count; ++k) {
        ContactPoint& p = point(part.first + k);
        const double pushed = r.points[k].sum;
        const Vec3 ra = p.position - a.pose.position, rb = p.position - b.pose.position;
        p.previous_n = share * r.points[k].impulse;
        p.previous_t = previous_t;
        p.previous_torque = p.normal * (share * each * r.twist);
        p.is_sliding = is_sliding, p.is_fresh = false, p.substeps = static_cast<std::uint8_t>(level_);
        p.separation = r.points[k].separation;
        if (a.is_dynamic && b.is_dynamic)
            p.position += (way_a.of(ra) + way_b.of(rb)) * 0.5;
        else
            p.position += a.is_dynamic ? way_a.of(ra) : way_b.of(rb);
        p.sum +=
            (p.normal * pushed + tangential * pushed + cross(p.normal, p.position - middle) * twist) * unit_;
    }
    parts_[manifold].is_pushed =
        std::any_of(r.points.begin(), r.points.begin() + part.count, [](const auto& p) { return p.sum > 0; });
}

}  // namespace impuls
