// Random pairs of shapes for tests against the oracles: deep, grazing, apart, aligned.
#pragma once

#include <cmath>
#include <vector>

#include "collision/oracle.h"

namespace impuls::oracle {

// One call of the generator in each expression: the order of arguments is up to the compiler.
inline Collider random_shape(ColliderKind kind, Rng& rng) {
    const double first = rng.uniform(0, 1), second = rng.uniform(0, 1);
    const auto between = [](double x, double low, double high) { return low + x * (high - low); };
    switch (kind) {
        case ColliderKind::Sphere:
            return sphere(rng.uniform(0.2, 1));
        case ColliderKind::Box:
            return box({rng.uniform(0.2, 1), rng.uniform(0.2, 1), rng.uniform(0.2, 1)});
        case ColliderKind::Capsule:
            return capsule(between(first, 0.1, 0.6), between(second, 0.2, 1));
        case ColliderKind::Cylinder:
            return round(ColliderKind::Cylinder, between(first, 0.2, 1), between(second, 0.2, 1));
        case ColliderKind::Cone:
            return round(ColliderKind::Cone, between(first, 0.2, 1), between(second, 0.2, 1));
        case ColliderKind::Ellipsoid:
            return ellipsoid({rng.uniform(0.2, 1), rng.uniform(0.2, 1), rng.uniform(0.2, 1)});
        case ColliderKind::Convex: {
            std::vector<Vec3> points;
            const int n = 4 + rng.below(16);
            for (int k = 0; k < n; ++k) {
                const Vec3 direction = rng.direction();
                points.push_back(direction * rng.uniform(0.5, 1));
            }
            return convex(points);
        }
        default:
            return plane();
    }
}

// One in four pairs has parallel or right-angled axes, one in eight is moved until it only just touches.
struct Sample {
    Body a, b;
    double margin;
};
inline Sample random_sample(ColliderKind ka, ColliderKind kb, Rng& rng) {
    Sample s{{random_shape(ka, rng), {}}, {random_shape(kb, rng), {}}, 0};
    s.a.pose = {{rng.uniform(-5, 5), rng.uniform(-5, 5), rng.uniform(-5, 5)}, rng.orientation()};
    s.b.pose.orientation = rng.orientation();
    if (rng.below(4) == 0) {
        const double r = std::sqrt(0.5);
        const Quat turns[] = {{1, 0, 0, 0}, {r, r, 0, 0}, {r, 0, r, 0}, {r, 0, 0, r}, {0, 1, 0, 0}};
        s.b.pose.orientation = s.a.pose.orientation * turns[rng.below(5)];
    }
    const double far = reach(s.a.shape) + reach(s.b.shape);
    const Vec3 way = rng.direction();
    s.b.pose.position = s.a.pose.position + way * rng.uniform(0, 1.3 * far);
    if (rng.below(8) == 0) {
        const Best best = signed_distance(s.a, s.b);
        s.b.pose.position -= best.normal * (best.gap - rng.uniform(-1e-4, 1e-4));
    }
    s.margin = rng.below(3) == 0 ? 0 : rng.uniform(0, 0.3);
    return s;
}

}  // namespace impuls::oracle
