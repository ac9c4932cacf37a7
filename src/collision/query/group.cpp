// See group.h.
#include "collision/query/group.h"

#include <algorithm>
#include <cmath>

#include "collision/sweep/time_of_impact.h"

namespace impuls {

double smaller_of(double a, double b) {
    return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
}

double size_of(ColliderGroup group) {
    double size = 0;
    for (const Collider& c : group) size = smaller_of(size, c.size);
    return size;
}

Aabb bounds(ColliderGroup group, const Pose& X_WB) {
    Aabb box;
    for (const Collider& c : group) {
        const Aabb part = bounds(c, X_WB);
        for (int i = 0; i < 3; ++i)
            box.min[i] = std::min(box.min[i], part.min[i]), box.max[i] = std::max(box.max[i], part.max[i]);
    }
    return box;
}

RayHit ray_cast(const Ray& ray, ColliderGroup group, const Pose& X_WB) {
    RayHit best;
    for (const Collider& c : group) {
        const RayHit hit = ray_cast(ray, c, X_WB * c.X_BC);
        if (hit.hit && (!best.hit || hit.t < best.t || (hit.inside && !best.inside))) best = hit;
    }
    return best;
}

bool contains(ColliderGroup group, const Pose& X_WB, const Vec3& point) {
    return std::any_of(group.begin(), group.end(),
                       [&](const Collider& c) { return contains_point(c, X_WB * c.X_BC, point); });
}

Distance distance_within(ColliderGroup a, const Pose& X_WA, ColliderGroup b, const Pose& X_WB, double limit) {
    Distance best;
    for (const Collider& ca : a) {
        for (const Collider& cb : b) {
            const Closest c = closest(ca, X_WA * ca.X_BC, cb, X_WB * cb.X_BC,
                                      std::min(limit, std::max(best.distance, 0.0)));
            if (!c.beyond && c.distance < best.distance) best = {c.distance, c.normal, c.p_a, c.p_b};
        }
    }
    return best.distance <= limit ? best : Distance{};
}

// The earliest event counts. A search that ran out of steps knows nothing beyond its time, so a later hit of
// other parts is no answer.
ImpactTime time_of_impact(ColliderGroup a, const Sweep& sweep_a, ColliderGroup b, const Sweep& sweep_b,
                          double duration, double target) {
    const SteadyMotion ma{sweep_a.start, sweep_a.velocity, sweep_a.angular_velocity};
    const SteadyMotion mb{sweep_b.start, sweep_b.velocity, sweep_b.angular_velocity};
    ImpactTime first;
    first.t = duration;
    for (const Collider& ca : a) {
        for (const Collider& cb : b) {
            const ImpactAt i = time_of_impact(ca, ma, cb, mb, first.t, target);
            if (i.kind == Impact::Kind::None || ((first.hit || first.limit) && i.t >= first.t)) continue;
            first.hit = i.hit(), first.limit = !i.hit();
            first.initial = i.kind == Impact::Kind::Initial, first.t = i.t;
            first.at = {i.points.distance, i.points.normal, i.points.p_a, i.points.p_b};
        }
    }
    return first;
}

}  // namespace impuls
