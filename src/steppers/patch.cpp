// Friction on a face (patch.h).
#include "steppers/patch.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "steppers/tuning.h"

namespace impuls {
namespace {

double across(const Flat& o, const Flat& a, const Flat& b) {
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

// Convex hull, counter-clockwise (monotone chain); returns its corners, at least one.
std::size_t hull_of(std::span<const Flat> points, std::span<Flat> hull) {
    std::array<Flat, Patch::kMostCorners> sorted{};
    const std::size_t n = std::min(points.size(), sorted.size());
    std::copy_n(points.begin(), n, sorted.begin());
    std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(n),
              [](const Flat& a, const Flat& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
    std::size_t count = 0;
    const auto add = [&](const Flat& p, std::size_t least) {
        while (count >= least + 2 && across(hull[count - 2], hull[count - 1], p) <= 0) --count;
        hull[count++] = p;
    };
    for (std::size_t k = 0; k < n; ++k) add(sorted[k], 0);
    const std::size_t lower = count - 1;
    for (std::size_t k = n - 1; k-- > 0;) add(sorted[k], lower);
    return std::max<std::size_t>(1, count - 1);  // the first is the last, too
}

// Ring i of `rings` of equal area in a disk of radius 1: the mean radius in it.
double ring_radius(std::size_t i, std::size_t rings) {
    const double of = 1 / static_cast<double>(rings), inner = std::sqrt(static_cast<double>(i) * of),
                 outer = std::sqrt(static_cast<double>(i + 1) * of);
    return 2.0 / 3 * (outer * outer * outer - inner * inner * inner) / of;
}

// What Patch::friction gives, of friction points that are drawn in by `scale`.
Patch::Friction friction_of(std::span<const PatchPoint> points, const Flat& along, double v, double w,
                            double scale) {
    Patch::Friction sum{};
    for (const PatchPoint& p : points) {
        const double x = p.at.x * scale, y = p.at.y * scale;
        const double u1 = v * along.x - w * y, u2 = v * along.y + w * x, u = std::sqrt(u1 * u1 + u2 * u2);
        if (!(u > 0)) continue;
        sum.force += p.share * (u1 * along.x + u2 * along.y) / u;
        sum.moment += p.share * (x * u2 - y * u1) / u;
    }
    return sum;
}

}  // namespace

Patch::Patch(std::span<const Flat> points) {
    using tuning::kThin;
    std::array<Flat, 2 * kMostCorners + 1> hull{};
    const std::size_t n = hull_of(points, hull);
    double area = 0, longest = 0;
    std::size_t far_a = 0, far_b = 0;
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t l = 0; l < k; ++l) {
            const double dx = hull[k].x - hull[l].x, dy = hull[k].y - hull[l].y, d = dx * dx + dy * dy;
            if (d > longest) {
                longest = d;
                far_a = l;
                far_b = k;
            }
        }
        if (k + 1 < n) area += 0.5 * across(hull[0], hull[k], hull[k + 1]);
    }
    if (!(area > kThin * longest)) {
        set_line(hull[far_a], hull[far_b]);
        return;
    }
    for (std::size_t k = 1; k + 1 < n; ++k) {
        const double part = across(hull[0], hull[k], hull[k + 1]) / (6 * area);
        centre_.x += part * (hull[0].x + hull[k].x + hull[k + 1].x);
        centre_.y += part * (hull[0].y + hull[k].y + hull[k + 1].y);
    }
    const std::size_t spokes = (kSpokes + n - 1) / n;
    for (std::size_t k = 0; k < n; ++k) {
        const Flat &a = hull[k], &b = hull[(k + 1) % n];
        const double part = 0.5 * across(centre_, a, b) / (area * static_cast<double>(spokes * kRings));
        for (std::size_t j = 0; j < spokes; ++j) {
            const double t = (static_cast<double>(j) + 0.5) / static_cast<double>(spokes);
            for (std::size_t i = 0; i < kRings; ++i) {
                const double r = ring_radius(i, kRings);
                add(r * (a.x + (b.x - a.x) * t - centre_.x), r * (a.y + (b.y - a.y) * t - centre_.y), part);
            }
        }
    }
    finish();
}

Patch::Patch(const Flat& centre, double radius) : centre_(centre) {
    // A turn by 15 degrees, without transcendentals.
    constexpr double kCos = 0.96592582628906829, kSin = 0.25881904510252076;
    static_assert(kSpokes == 24);
    Flat d{1, 0};
    for (std::size_t j = 0; j < kSpokes; ++j) {
        for (std::size_t i = 0; i < kRings; ++i) {
            const double r = radius * ring_radius(i, kRings);
            add(r * d.x, r * d.y, 1.0 / (kRings * kSpokes));
        }
        d = {d.x * kCos - d.y * kSin, d.x * kSin + d.y * kCos};
    }
    finish();
}

void Patch::set_line(const Flat& a, const Flat& b) {
    centre_ = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
    for (std::size_t j = 0; j < kSpokes; ++j) {
        const double t = (static_cast<double>(j) + 0.5) / kSpokes - 0.5;
        add((b.x - a.x) * t, (b.y - a.y) * t, 1.0 / kSpokes);
    }
    finish();
}

void Patch::finish() {
    for (std::size_t k = 0; k < count_; ++k)
        spread_ +=
            samples_[k].weight * std::sqrt(samples_[k].x * samples_[k].x + samples_[k].y * samples_[k].y);
}

Patch::Friction Patch::friction(const Flat& along, double v, double w, double size) const {
    Friction sum{};
    for (std::size_t k = 0; k < count_; ++k) {
        const double x = samples_[k].x * size, y = samples_[k].y * size;
        const double u1 = v * along.x - w * y, u2 = v * along.y + w * x, u = std::sqrt(u1 * u1 + u2 * u2);
        if (!(u > 0)) continue;
        sum.force += samples_[k].weight * (u1 * along.x + u2 * along.y) / u;
        sum.moment += samples_[k].weight * (x * u2 - y * u1) / u;
    }
    return sum;
}

PatchGrip fit(const Patch& patch, double size, std::span<const PatchPoint> points, double at_rest,
              const Flat& v, double w) {
    constexpr int kHalvings = 20;
    constexpr double kLeast = tuning::kLeastSlip;
    const double lever = patch.spread() * size, speed = std::sqrt(v.x * v.x + v.y * v.y);
    const double slip = std::max(speed, kLeast * std::abs(w) * lever),
                 spin = std::max(std::abs(w), kLeast * speed / lever) * (w < 0 ? -1 : 1);
    if (!(lever > 0) || !(slip > 0)) return {at_rest, 1};
    const Flat along = speed > 0 ? Flat{v.x / speed, v.y / speed} : Flat{1, 0};
    const Patch::Friction wanted = patch.friction(along, slip, spin, size);
    const double sign = spin < 0 ? -1 : 1;
    double low = 0, high = 2 * at_rest;
    for (int k = 0; k < kHalvings; ++k) {  // the farther out, the more moment for the force
        const double middle = 0.5 * (low + high);
        const Patch::Friction got = friction_of(points, along, slip, spin, middle);
        (sign * got.moment * wanted.force < sign * wanted.moment * got.force ? low : high) = middle;
    }
    const double scale = 0.5 * (low + high);
    const Patch::Friction got = friction_of(points, along, slip, spin, scale);
    const double mean = got.force * got.force + got.moment * got.moment / (lever * lever);
    if (!(mean > 0)) return {at_rest, 1};
    const double grip = (wanted.force * got.force + wanted.moment * got.moment / (lever * lever)) / mean;
    return {scale, std::clamp(grip, 0.5, 2.0)};
}

bool is_rim(const Collider& collider, const Pose& X_WC, const Vec3& normal, std::span<const Vec3> points,
            Vec3& centre) {
    constexpr double kUpright = tuning::kUprightRim, kOff = tuning::kOffRim, kBeside = tuning::kBesideRim;
    if (collider.kind != ColliderKind::Cylinder && collider.kind != ColliderKind::Cone) return false;
    if (points.size() < 4) return false;
    const Vec3 axis = rotate(X_WC.orientation, Vec3{0, 1, 0});
    if (std::abs(dot(axis, normal)) < kUpright) return false;
    Vec3 middle;
    for (const Vec3& p : points) {
        const Vec3 to = p - X_WC.position, off = to - axis * dot(to, axis);
        if (std::abs(length(off) - collider.radius) > kOff * collider.radius) return false;
        middle += off / static_cast<double>(points.size());
        centre = p - off;
    }
    return length_squared(middle) < kBeside * kBeside * collider.radius * collider.radius;
}

}  // namespace impuls
