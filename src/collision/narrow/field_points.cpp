// Points of simple colliders against a field (field_points.h). The lowest points of round shapes are fixed
// points of x -> support(-gradient(x)) (after Macklin et al., Local optimization for robust signed distance
// field collision, 2020), started in several directions, so that a ball in a groove finds both walls. Called
// by the pairs with distance fields.
#include "collision/narrow/field_points.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace impuls::narrow {

namespace {

// Part of the segment p + t (q - p), t in [0, 1], inside the box; empty when low > high.
struct Part {
    double low = 0, high = 1;
};
Part clipped(const Vec3& p, const Vec3& d, const Aabb& box, double grow) {
    Part part;
    for (int i = 0; i < 3; ++i) {
        const double a = box.min[i] - grow - p[i], b = box.max[i] + grow - p[i];
        if (d[i] == 0) {
            if (a > 0 || b < 0) part.high = -1;
            continue;
        }
        part.low = std::max(part.low, std::min(a / d[i], b / d[i]));
        part.high = std::min(part.high, std::max(a / d[i], b / d[i]));
    }
    return part;
}

constexpr int kSeeds = 14;
Vec3 seed_direction(int k) {
    if (k < 8) return Vec3{k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0};
    Vec3 d;
    d[(k - 8) / 2] = k % 2 ? 1 : -1;
    return d;
}

// Lowest points of a strictly convex shape; `support` in F.
template <class Support>
void lowest_points(const Vec3& center, double reach, Support&& support, double size, std::uint32_t feature,
                   FieldProbe& probe) {
    if (!probe.solid().field.may_reach(center, reach, probe.margin())) return;
    std::array<Vec3, kSeeds + 1> found;
    std::size_t count = 0;
    for (int k = -1; k < kSeeds; ++k) {
        Vec3 x =
            support(k < 0 ? -field_normal(probe.solid(), probe.sample(center), center) : seed_direction(k));
        FieldSample at = probe.sample(x);
        for (int round = 0; round < 12; ++round) {
            const Vec3 next = support(-field_normal(probe.solid(), at, x));
            const FieldSample there = probe.sample(next);
            if (!(there.value < at.value)) break;
            x = next, at = there;
        }
        if (at.value > probe.margin()) continue;
        const bool known = std::any_of(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count),
                                       [&](const Vec3& y) { return length(x - y) < 0.25 * size; });
        if (known) continue;
        found[count++] = x;
        probe.point(x, normalized(x - center), feature + static_cast<std::uint32_t>(k + 1));
    }
}

void ellipsoid_points(const Collider& b, const Pose& X_FB, FieldProbe& probe) {
    const Vec3& r = b.half;
    const auto support = [&](const Vec3& d_F) {
        const Vec3 d = rotate_inverse(X_FB.orientation, d_F), s = scale(d, r);
        return X_FB * (scale(s, r) / length(s));
    };
    lowest_points(X_FB.position, std::max({r.x, r.y, r.z}), support, b.size, 0, probe);
}

// The rings of a solid of revolution at height y: eight starts around, each led to a lowest point of the
// ring.
void ring_points(const Vec3& center, double radius, const Vec3& u, const Vec3& v, std::uint32_t feature,
                 FieldProbe& probe) {
    if (!probe.solid().field.may_reach(center, radius, probe.margin())) return;
    for (int k = 0; k < 8; ++k) {
        constexpr double s = 0.7071067811865476;
        constexpr double around[8][2] = {{1, 0},  {s, s},   {0, 1},  {-s, s},
                                         {-1, 0}, {-s, -s}, {0, -1}, {s, -s}};
        Vec3 x = center + u * (around[k][0] * radius) + v * (around[k][1] * radius);
        FieldSample at = probe.sample(x);
        for (int round = 0; round < 4; ++round) {
            const double gu = dot(at.gradient, u), gv = dot(at.gradient, v), n = std::sqrt(gu * gu + gv * gv);
            if (!(n > 1e-6)) break;
            const Vec3 next = center - u * (gu / n * radius) - v * (gv / n * radius);
            const FieldSample there = probe.sample(next);
            if (!(there.value < at.value)) break;
            x = next, at = there;
        }
        probe.point(x, normalized(x - center), feature + static_cast<std::uint32_t>(k));
    }
}

// Cylinder, cone and the straight part of a capsule.
void revolved_points(const Collider& b, const Pose& X_FB, FieldProbe& probe) {
    const Mat3 R = to_matrix(X_FB.orientation);
    const double h = b.half.y, step = probe.spacing();
    const auto ring = [&](double y, std::uint32_t feature) {
        const double radius = b.kind == ColliderKind::Cone ? b.radius * (h - y) / (2 * h) : b.radius;
        ring_points(X_FB.position + R.c1 * y, radius, R.c0, R.c2, feature, probe);
    };
    const Vec3 low = X_FB.position - R.c1 * h, span = R.c1 * (2 * h);
    if (b.kind == ColliderKind::Capsule) {
        for (const std::uint32_t end : {0u, 1u}) {
            const Vec3 c = end ? low + span : low;
            const auto support = [&](const Vec3& d) { return c + normalized(d) * b.radius; };
            lowest_points(c, b.radius, support, b.radius, 16 * end, probe);
        }
    } else {
        probe.point(low, -R.c1, 0);
        probe.point(low + span, R.c1, 1);
        ring(-h, 8);
        if (b.kind == ColliderKind::Cylinder) ring(h, 16);
    }
    // Rings whose plane is farther from the field's middle than its own points are do not touch it, however
    // wide they are: so a small field next to a huge cone looks at as many rings as it has cells.
    const Aabb& box = probe.solid().field.surface_box();
    const Part part = clipped(low, span, box, b.radius + probe.margin());
    const double middle = dot(0.5 * (box.min + box.max) - low, R.c1),
                 reach = 0.5 * length(box.max - box.min) + probe.margin();
    const double first = std::max(part.low * 2 * h, middle - reach);
    const double last = std::min(std::min(part.high, 1 - 1e-9) * 2 * h, middle + reach);
    for (double k = std::max(1.0, std::ceil(first / step)); k * step < last; ++k)
        ring(-h + k * step, 24 + 8 * static_cast<std::uint32_t>(k));
}

void box_points(const Collider& b, const Pose& X_FB, FieldProbe& probe) {
    // Signs by bits; axes left out of `mask` are zero.
    const auto signs = [](unsigned k, unsigned mask) {
        Vec3 v;
        for (unsigned i = 0; i < 3; ++i)
            if (mask >> i & 1) v[static_cast<int>(i)] = k >> i & 1 ? 1 : -1;
        return v;
    };
    const auto point = [&](const Vec3& s, std::uint32_t feature) {
        probe.point(X_FB * scale(s, b.half), rotate(X_FB.orientation, normalized(s)), feature);
    };
    for (unsigned k = 0; k < 8; ++k) point(signs(k, 7), k);
    for (unsigned axis = 0; axis < 3; ++axis) {
        const unsigned bit = 1u << axis;
        point(signs(0, bit), 8 + 2 * axis);
        point(signs(bit, bit), 9 + 2 * axis);
        for (unsigned k = 0; k < 8; ++k) {
            if (k & bit) continue;
            const Vec3 normal = rotate(X_FB.orientation, normalized(signs(k, 7 - bit)));
            probe.edge(X_FB * scale(signs(k, 7), b.half), X_FB * scale(signs(k | bit, 7), b.half), normal,
                       (1 + axis * 8 + k) << 20);
        }
    }
}

void convex_points(const Collider& b, const Pose& X_FB, FieldProbe& probe) {
    const PolyhedronView v = b.polyhedron->view();
    const auto vertices = static_cast<std::uint32_t>(v.vertices.size());
    for (std::uint32_t k = 0; k < vertices; ++k)
        probe.point(X_FB * v.vertices[k], rotate(X_FB.orientation, normalized(v.vertices[k] - v.center)), k);
    for (std::uint32_t f = 0; f < v.face_count(); ++f) {
        Vec3 mean;
        for (const std::uint32_t k : v.face(f)) mean += v.vertices[k];
        probe.point(X_FB * (mean / static_cast<double>(v.face(f).size())),
                    rotate(X_FB.orientation, v.planes[f].normal), vertices + f);
    }
    for (std::uint32_t e = 0; e < v.edges.size(); ++e) {
        const Vec3 normal = normalized(v.planes[v.edges[e].left].normal + v.planes[v.edges[e].right].normal);
        probe.edge(X_FB * v.vertices[v.edges[e].a], X_FB * v.vertices[v.edges[e].b],
                   rotate(X_FB.orientation, normal), (1 + e % 2047) << 20);
    }
}

}  // namespace

FieldProbe::FieldProbe(const FieldSolid& solid, const Pose& X_WF, double margin, FieldContacts& out)
    : solid_(solid), X_WF_(X_WF), margin_(margin), out_(out) {}

void FieldProbe::point(const Vec3& p_F, const Vec3& normal_F, std::uint32_t feature) {
    const FieldSample s = sample(p_F);
    if (!(s.value <= margin_)) return;
    const Vec3 gradient = field_normal(solid_, s, p_F);
    if (!faces(normal_F, gradient)) return;
    const Vec3 n = rotate(X_WF_.orientation, gradient);
    out_.add(X_WF_ * p_F, n, -1, s.value, feature | kSampleOfB);
}

void FieldProbe::edge(const Vec3& p_F, const Vec3& q_F, const Vec3& normal_F, std::uint32_t first_feature) {
    const Vec3 d = q_F - p_F;
    const double n = length(d), step = spacing();
    const Part part = clipped(p_F, d, solid_.field.surface_box(), margin_);
    const double last = std::min(part.high * n, n * (1 - 1e-9));
    for (double k = std::max(1.0, std::ceil(part.low * n / step)); k * step < last; ++k)
        point(p_F + d * (k * step / n), normal_F, first_feature + (static_cast<std::uint32_t>(k) & 0xfffffu));
}

Vec3 field_normal(const FieldSolid& solid, const FieldSample& sample, const Vec3& p_F) {
    if (length_squared(sample.gradient) > 1e-12) return normalized(sample.gradient);
    const Vec3 out = normalized(p_F - solid.center);
    return length_squared(out) > 0 ? out : Vec3{0, 1, 0};
}

void probe_points(const Collider& b, const Pose& X_FB, FieldProbe& probe) {
    switch (b.kind) {
        case ColliderKind::Box:
            return box_points(b, X_FB, probe);
        case ColliderKind::Convex:
            return convex_points(b, X_FB, probe);
        case ColliderKind::Capsule:
        case ColliderKind::Cylinder:
        case ColliderKind::Cone:
            return revolved_points(b, X_FB, probe);
        default:
            return ellipsoid_points(b, X_FB, probe);  // spheres have three equal radii
    }
}

}  // namespace impuls::narrow
