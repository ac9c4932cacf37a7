// See query_index.h.
#include "collision/query/query_index.h"

#include <algorithm>
#include <cmath>

#include "collision/ray/interval.h"

namespace impuls {
namespace {

constexpr double kTouch = 1e-3;         // of the smaller size: the distance at which casts touch
constexpr double kTies = 1 + 1e-9;      // how far the search goes on behind the best, so that ties are seen
constexpr std::size_t kBoxGrain = 256;  // boxes a task

// The path of a group's origin, and how far its points are from it; unlimited for planes.
struct Path {
    Ray line{};
    double radius = 0;

    Path(ColliderGroup group, const Sweep& sweep, double duration)
        : line{sweep.start.position, sweep.velocity, duration} {
        for (const Collider& c : group)
            radius = c.kind == ColliderKind::Plane ? kNoLimit
                                                   : std::max(radius, length(c.X_BC.position) + reach(c));
    }
    Aabb box() const {
        Aabb b = box_around(line.origin, radius);
        include(b, box_around(line.at(line.t_max), radius));
        return b;
    }
    // When it can come as near as `margin` to a box at the earliest; infinite: not before the end.
    double enters(const Aabb& b, double margin) const {
        const RayInterval inside = inside_box(line, grown(b, radius + margin));
        return inside.empty() || inside.leave < 0 || inside.enter > line.t_max ? kNoLimit : inside.enter;
    }
};

}  // namespace

void QueryIndex::build(Executor& executor) {
    boxes_.resize(targets.size());
    executor.parallel_for(targets.size(), kBoxGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) boxes_[k] = bounds(targets[k].colliders, targets[k].X_WB);
    });
    largest_ = 0;
    for (const QueryTarget& t : targets) largest_ = std::max(largest_, size_of(t.colliders));
    tree_.build(boxes_, executor);
}

QueryIndex::Hit QueryIndex::ray(const Ray& ray, const QuerySelection& selection) const {
    Hit best;
    tree_.visit_segment(ray.origin, ray.direction, ray.t_max, [&](std::uint32_t k, double) {
        const double limit = best.hit ? best.t : ray.t_max;
        if (!selection.takes(targets[k])) return limit;
        const RayHit hit =
            ray_cast({ray.origin, ray.direction, limit}, targets[k].colliders, targets[k].X_WB);
        if (!hit.hit || (best.hit && hit.t >= best.t && k > best.target)) return limit;
        static_cast<RayHit&>(best) = hit;
        best.target = k;
        return best.t;
    });
    return best;
}

QueryIndex::Cast QueryIndex::cast(ColliderGroup moving, const Sweep& sweep, double duration,
                                  const QuerySelection& selection) const {
    Cast best;
    const Path path(moving, sweep, duration);
    const double size = size_of(moving);
    tree_.visit_overlaps(grown(path.box(), kTouch * (size > 0 ? size : largest_)), [&](std::uint32_t k) {
        const QueryTarget& t = targets[k];
        if (!selection.takes(t)) return;
        const double target = kTouch * smaller_of(size, size_of(t.colliders));
        const double end = best.target != kNoTarget ? std::min(duration, best.impact.t * kTies) : duration;
        if (!(target > 0) || path.enters(boxes_[k], target) > end) return;
        const ImpactTime impact = time_of_impact(moving, sweep, t.colliders, {t.X_WB, {}, {}}, end, target);
        if (!impact.hit && !impact.limit) return;
        if (best.target == kNoTarget || impact.t < best.impact.t ||
            (impact.t == best.impact.t && k < best.target))
            best = {k, impact};
    });
    return best;
}

QueryIndex::Near QueryIndex::closest(ColliderGroup group, const Pose& X_WG, double max_distance,
                                     const QuerySelection& selection) const {
    Near best;
    double limit = max_distance;
    tree_.visit_near(bounds(group, X_WG), limit, [&](std::uint32_t k) {
        const QueryTarget& t = targets[k];
        if (!selection.takes(t)) return limit;
        const Distance d = distance_within(group, X_WG, t.colliders, t.X_WB, limit);
        if (!(d.distance <= max_distance)) return limit;
        if (best.target != kNoTarget && (d.distance > best.distance.distance ||
                                         (d.distance == best.distance.distance && k > best.target)))
            return limit;
        best = {k, d};
        return limit = std::min(max_distance, std::max(d.distance, 0.0) * kTies);
    });
    return best;
}

}  // namespace impuls
