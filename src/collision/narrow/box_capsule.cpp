// Box against capsule, in the box's frame: the capsule's axis is P(t) = c + t u, t in [-h, h].
// Outside: f(t) = dist(P(t), box)^2 is convex with a piecewise linear derivative whose breaks are where P
// crosses the planes of the faces; its zero is found exactly between two breaks. The axes along which P(t*)
// leaves the box tell face (1), edge (2) and corner (3). Beside a face or an edge, both ends of the stretch
// that lies along it become points. Axis inside the box: separating axes of a segment and a box (3 faces, 3
// edge x segment).
#include <algorithm>
#include <array>
#include <cmath>

#include "collision/narrow/pairs.h"

namespace impuls::narrow {

namespace {

constexpr double kAlong = 0.05;  // normal components below this count as along the feature, not across it
constexpr double kLying = 0.2;   // sine of the angle to the feature below which the capsule lies along it

struct Axis {
    Vec3 c, u;
    double h;
    Vec3 at(double t) const { return c + u * t; }
};

struct Range {
    double low, high;
};

Vec3 excess(const Vec3& p, const Vec3& half) {
    return {p.x - clamp(p.x, half.x), p.y - clamp(p.y, half.y), p.z - clamp(p.z, half.z)};
}

// The zero of f'/2 = u . excess(P(t)), which never falls: the breaks are sorted by the sign they have there.
double nearest_parameter(const Axis& axis, const Vec3& half) {
    struct Sample {
        double t, slope;
    };
    const auto sample = [&](double t) { return Sample{t, dot(axis.u, excess(axis.at(t), half))}; };
    Sample low = sample(-axis.h), high = sample(axis.h);
    if (low.slope >= 0) return low.t;
    if (high.slope <= 0) return high.t;
    for (int i = 0; i < 3; ++i) {
        if (axis.u[i] == 0) continue;
        for (const double face : {-half[i], half[i]}) {
            const Sample at = sample((face - axis.c[i]) / axis.u[i]);
            if (at.t <= low.t || at.t >= high.t) continue;
            (at.slope < 0 ? low : high) = at;
        }
    }
    return low.t + (high.t - low.t) * (low.slope / (low.slope - high.slope));
}

// The stretch of the axis with |P_i| <= half_i for the chosen directions; low > high when there is none.
Range clip(const Axis& axis, const Vec3& half, const std::array<bool, 3>& along) {
    Range r{-axis.h, axis.h};
    for (int i = 0; i < 3; ++i) {
        if (!along[static_cast<std::size_t>(i)]) continue;
        if (axis.u[i] == 0) {
            if (std::abs(axis.c[i]) > half[i]) return {1, -1};
            continue;
        }
        double t0 = (-half[i] - axis.c[i]) / axis.u[i], t1 = (half[i] - axis.c[i]) / axis.u[i];
        if (t0 > t1) std::swap(t0, t1);
        r = {std::max(r.low, t0), std::min(r.high, t1)};
    }
    return r;
}

// Collects points in the box's frame. `height` is the signed distance along the normal from `foot`, on the
// box, to the axis at t.
struct CapsuleContacts {
    const Axis& axis;
    const Pose& X_WA;
    Vec3 normal_A;
    double radius, margin;
    Manifold& out;

    bool lying() const { return std::abs(dot(axis.u, normal_A)) <= kLying; }
    void add(double t, double height, const Vec3& foot, std::uint32_t feature) {
        if (height - radius > margin) return;
        const Vec3 on_capsule = axis.at(t) - normal_A * radius;
        add_point(out, X_WA * (0.5 * (on_capsule + foot)), height - radius, feature);
    }
    bool finish() {
        out.normal = rotate(X_WA.orientation, normal_A);
        return out.count > 0;
    }
};

std::uint32_t feature_at(const Axis& axis, double t) {
    return t <= -axis.h ? kLowEnd : t >= axis.h ? kHighEnd : kSide;
}

bool touch_outside(CapsuleContacts& build, const Vec3& half, double t, double distance) {
    const Axis& axis = build.axis;
    const Vec3& n = build.normal_A;
    const std::array<bool, 3> along{std::abs(n.x) <= kAlong, std::abs(n.y) <= kAlong,
                                    std::abs(n.z) <= kAlong};
    Range r = clip(axis, half, along);
    if (r.low <= r.high) r = {std::min(r.low, t), std::max(r.high, t)};

    // The feature's point beside the axis, the height over it along the normal and the drift sideways.
    struct Place {
        Vec3 foot;
        double height, drift;
    };
    const auto place = [&](double at) {
        const Vec3 p = axis.at(at);
        Place result{{clamp(p.x, half.x), clamp(p.y, half.y), clamp(p.z, half.z)}, 0, 0};
        double across = 0, norm = 0, squared = 0;
        for (int i = 0; i < 3; ++i) {
            if (along[static_cast<std::size_t>(i)]) continue;
            const double face = n[i] > 0 ? half[i] : -half[i], gap = p[i] - face;
            result.foot[i] = face;
            across += gap * n[i], norm += n[i] * n[i], squared += gap * gap;
        }
        result.height = across / norm;
        result.drift = std::sqrt(std::max(0.0, squared - across * across / norm));
        return result;
    };
    const bool corner = !along[0] && !along[1] && !along[2];
    if (!corner && build.lying() && r.high - r.low > kShort * axis.h) {
        const Place low = place(r.low), high = place(r.high);
        if (std::max(low.drift, high.drift) <= kDrift * build.radius) {
            build.add(r.low, low.height, low.foot, kLowEnd);
            build.add(r.high, high.height, high.foot, kHighEnd);
        }
    }
    if (build.out.count == 0) build.add(t, distance, axis.at(t) - n * distance, feature_at(axis, t));
    return build.finish();
}

struct CapsuleFace {
    double separation;
    int axis;
    double sign;
};

CapsuleFace best_face(const Axis& axis, const Vec3& half) {
    CapsuleFace best{0, -1, 1};
    for (int i = 0; i < 3; ++i) {
        const double separation = std::abs(axis.c[i]) - std::abs(axis.u[i]) * axis.h - half[i];
        if (best.axis < 0 || separation > best.separation) best = {separation, i, axis.c[i] < 0 ? -1.0 : 1.0};
    }
    return best;
}

struct CapsuleEdge {
    double separation = 0;
    int axis = -1;
    Vec3 normal;
};

CapsuleEdge best_edge(const Axis& axis, const Vec3& half) {
    CapsuleEdge best;
    for (int i = 0; i < 3; ++i) {
        Vec3 along;
        along[i] = 1;
        Vec3 m = cross(along, axis.u);
        const double norm = length(m);
        if (norm * norm <= kZero) continue;
        m = m / norm;
        if (dot(m, axis.c) < 0) m = -m;
        const double reach = std::abs(m.x) * half.x + std::abs(m.y) * half.y + std::abs(m.z) * half.z;
        const double separation = dot(m, axis.c) - reach;
        if (best.axis < 0 || separation > best.separation) best = {separation, i, m};
    }
    return best;
}

// Lying: both ends of the stretch over the face; else only the deeper one.
bool touch_face(CapsuleContacts& build, const Vec3& half, const CapsuleFace& face, double t) {
    build.normal_A = {};
    build.normal_A[face.axis] = face.sign;
    std::array<bool, 3> along{true, true, true};
    along[static_cast<std::size_t>(face.axis)] = false;
    Range r = clip(build.axis, half, along);
    if (r.low > r.high) r = {t, t};

    const auto height = [&](double at) { return face.sign * build.axis.at(at)[face.axis] - half[face.axis]; };
    const auto add = [&](double at, std::uint32_t feature) {
        build.add(at, height(at), build.axis.at(at) - build.normal_A * height(at), feature);
    };
    const bool both = build.lying() && r.high - r.low > kShort * build.axis.h;
    const bool low_is_deeper = height(r.low) < height(r.high);
    if (both || low_is_deeper) add(r.low, kLowEnd);
    if (both || !low_is_deeper) add(r.high, kHighEnd);
    return build.finish();
}

bool touch_edge(CapsuleContacts& build, const Vec3& half, const CapsuleEdge& edge) {
    const Axis& axis = build.axis;
    build.normal_A = edge.normal;
    // Nearest point of the axis to the line of the edge: both seen along the edge.
    double numerator = 0, denominator = 0;
    for (int i = 0; i < 3; ++i) {
        if (i == edge.axis) continue;
        const double at_edge = edge.normal[i] < 0 ? -half[i] : half[i];
        numerator += (at_edge - axis.c[i]) * axis.u[i];
        denominator += axis.u[i] * axis.u[i];
    }
    const double t = clamp(numerator / denominator, axis.h);
    build.add(t, edge.separation, axis.at(t) - edge.normal * edge.separation, kSide);
    return build.finish();
}

}  // namespace

bool box_capsule(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
                 Manifold& out) {
    const Quat q_AB = conjugate(X_WA.orientation) * X_WB.orientation;
    const Axis axis{rotate_inverse(X_WA.orientation, X_WB.position - X_WA.position), rotate(q_AB, {0, 1, 0}),
                    b.half.y};
    const double t = nearest_parameter(axis, a.half);
    const Vec3 gap = excess(axis.at(t), a.half);
    const double distance = length(gap);
    if (distance - b.radius > margin) return false;

    const double size = std::min(a.size, b.radius);
    CapsuleContacts build{axis, X_WA, {}, b.radius, margin, out};
    if (distance > kZero * size) {
        build.normal_A = gap / distance;
        return touch_outside(build, a.half, t, distance);
    }
    const CapsuleFace face = best_face(axis, a.half);
    const CapsuleEdge edge = best_edge(axis, a.half);
    if (edge.axis >= 0 && edge.separation > face.separation + kPrefer * size) {
        return touch_edge(build, a.half, edge);
    }
    return touch_face(build, a.half, face, t);
}

}  // namespace impuls::narrow
