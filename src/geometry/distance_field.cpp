// Lookups of a distance field. Values are stored in cells, so that scaling a body by a power of two scales
// every value exactly.
// Called by the narrow phase.
#include "geometry/distance_field.h"

#include <algorithm>
#include <cmath>

namespace impuls {

namespace {

double mix(double a, double b, double t) {
    return a + (b - a) * t;
}

double trilinear(const double* v, const Vec3& t) {
    const double x00 = mix(v[0], v[1], t.x), x10 = mix(v[2], v[3], t.x);
    const double x01 = mix(v[4], v[5], t.x), x11 = mix(v[6], v[7], t.x);
    return mix(mix(x00, x10, t.y), mix(x01, x11, t.y), t.z);
}

Vec3 trilinear_gradient(const double* v, const Vec3& t) {
    const double x00 = mix(v[0], v[1], t.x), x10 = mix(v[2], v[3], t.x);
    const double x01 = mix(v[4], v[5], t.x), x11 = mix(v[6], v[7], t.x);
    return {mix(mix(v[1] - v[0], v[3] - v[2], t.y), mix(v[5] - v[4], v[7] - v[6], t.y), t.z),
            mix(x10 - x00, x11 - x01, t.z), mix(x01, x11, t.y) - mix(x00, x10, t.y)};
}

}  // namespace

double DistanceField::box_distance(const Vec3& p) const {
    const Vec3 d{std::max({box_.min.x - p.x, p.x - box_.max.x, 0.0}),
                 std::max({box_.min.y - p.y, p.y - box_.max.y, 0.0}),
                 std::max({box_.min.z - p.z, p.z - box_.max.z, 0.0})};
    return length(d);
}

DistanceField::Corner DistanceField::corner(const Vec3& p) const {
    Corner out;
    const Vec3 u = (p - origin_) * inverse_cell_;
    for (int i = 0; i < 3; ++i)
        if (!(u[i] >= 0 && u[i] < bricks_[static_cast<std::size_t>(i)] * kBrick)) return out;
    out.inside_grid = true;
    const int x = static_cast<int>(u.x), y = static_cast<int>(u.y), z = static_cast<int>(u.z);
    const int bx = x / kBrick, by = y / kBrick, bz = z / kBrick;
    const std::int32_t brick = brick_of_[static_cast<std::size_t>((bz * bricks_[1] + by) * bricks_[0] + bx)];
    out.is_fine = brick >= 0;
    const float* v;
    int dy, dz;
    if (out.is_fine) {
        out.t = {u.x - x, u.y - y, u.z - z};
        const int lx = x - bx * kBrick, ly = y - by * kBrick, lz = z - bz * kBrick;
        v = values_.data() + static_cast<std::size_t>(brick) * kNodes + (lz * kSide + ly) * kSide + lx;
        dy = kSide, dz = kSide * kSide;
    } else {
        constexpr double s = 1.0 / kBrick;
        out.t = {u.x * s - bx, u.y * s - by, u.z * s - bz};
        dy = bricks_[0] + 1, dz = dy * (bricks_[1] + 1);
        v = coarse_.data() + bz * dz + by * dy + bx;
    }
    for (int k = 0; k < 8; ++k)
        out.value[k] = static_cast<double>(v[(k & 1) + (k >> 1 & 1) * dy + (k >> 2) * dz]);
    return out;
}

// Nearer to zero than the exact distance, but not nearer than the band: there is no brick here.
double DistanceField::far_value(double interpolated, const Vec3& p) const {
    const double reduced = std::max(std::abs(interpolated) - kBrick * kError, kBand) * cell_;
    return interpolated < 0 ? -reduced : std::max(reduced, box_distance(p));
}

double DistanceField::value(const Vec3& p) const {
    const Corner c = corner(p);
    if (!c.inside_grid) return box_distance(p);
    const double v = trilinear(c.value, c.t);
    return c.is_fine ? v * cell_ : far_value(v, p);
}

FieldSample DistanceField::value_and_gradient(const Vec3& p) const {
    const Corner c = corner(p);
    if (!c.inside_grid) {
        const Vec3 nearest{std::clamp(p.x, box_.min.x, box_.max.x), std::clamp(p.y, box_.min.y, box_.max.y),
                           std::clamp(p.z, box_.min.z, box_.max.z)};
        return {box_distance(p), normalized(p - nearest)};
    }
    const double v = trilinear(c.value, c.t);
    const Vec3 g = trilinear_gradient(c.value, c.t);
    return c.is_fine ? FieldSample{v * cell_, g} : FieldSample{far_value(v, p), g * (1.0 / kBrick)};
}

// The exact distance d is 1-Lipschitz and at least value - error (in bricks) or value (elsewhere, if
// positive). All points of the ball have d >= d(c) - radius, and values above the margin: inside bricks
// value >= d - error; elsewhere value >= band > margin. For wider margins only the box is left.
bool DistanceField::may_reach(const Vec3& c, double radius, double margin) const {
    const double error = kError * cell_;
    if (!(margin < band())) return box_distance(c) - error <= radius + margin;
    const Corner k = corner(c);
    double d = 0;
    if (!k.inside_grid) {
        d = box_distance(c);
    } else {
        const double v = trilinear(k.value, k.t);
        d = k.is_fine ? v * cell_ - error : far_value(v, c);
    }
    return d - error <= radius + margin;
}

std::size_t DistanceField::bytes() const {
    return sizeof(*this) + brick_of_.size() * sizeof(std::int32_t) +
           (coarse_.size() + values_.size()) * sizeof(float);
}

}  // namespace impuls
