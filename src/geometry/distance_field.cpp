// Lookups of a distance field. Values are stored in cells, so that scaling a body by a power of two scales
// every value exactly.
// Called by the narrow phase.
#include "geometry/distance_field.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

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

// Without a brick the surface is at least a band away.
double far_value(double interpolated) {
    return interpolated < 0 ? std::min(interpolated, -DistanceField::kBand)
                            : std::max(interpolated, DistanceField::kBand);
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
    IMPULS_ASSERT(bx < bricks_[0] && by < bricks_[1] && bz < bricks_[2]);
    const std::int32_t brick = brick_of_[static_cast<std::size_t>((bz * bricks_[1] + by) * bricks_[0] + bx)];
    out.is_fine = brick >= 0;
    const float* v;
    int dy, dz;
    if (out.is_fine) {
        out.t = {u.x - x, u.y - y, u.z - z};
        const int lx = x - bx * kBrick, ly = y - by * kBrick, lz = z - bz * kBrick;
        IMPULS_ASSERT_INDEX(static_cast<std::size_t>(brick), brick_count());
        v = values_.data() + static_cast<std::size_t>(brick) * kNodes + (lz * kSide + ly) * kSide + lx;
        dy = kSide, dz = kSide * kSide;
    } else {
        constexpr double s = 1.0 / kCoarse;
        const int cx = x / kCoarse, cy = y / kCoarse, cz = z / kCoarse;
        out.t = {u.x * s - cx, u.y * s - cy, u.z * s - cz};
        dy = bricks_[0] * (kBrick / kCoarse) + 1, dz = dy * (bricks_[1] * (kBrick / kCoarse) + 1);
        IMPULS_ASSERT_INDEX((cz + 1) * dz + (cy + 1) * dy + cx + 1, coarse_.size());
        v = coarse_.data() + cz * dz + cy * dy + cx;
    }
    for (int k = 0; k < 8; ++k)
        out.value[k] = static_cast<double>(v[(k & 1) + (k >> 1 & 1) * dy + (k >> 2) * dz]);
    return out;
}

double DistanceField::value(const Vec3& p) const {
    const Corner c = corner(p);
    if (!c.inside_grid) return box_distance(p);
    const double v = trilinear(c.value, c.t);
    return (c.is_fine ? v : far_value(v)) * cell_;
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
    return c.is_fine ? FieldSample{v * cell_, g} : FieldSample{far_value(v) * cell_, g * (1.0 / kCoarse)};
}

double DistanceField::lower_bound(const Vec3& p) const {
    const Corner c = corner(p);
    if (!c.inside_grid) return box_distance(p);
    const double v = trilinear(c.value, c.t);
    if (c.is_fine) return (v - kError) * cell_;
    const double least = v - kCoarse * kError;
    return (v > 0 ? std::max(least, kBand) : least) * cell_;
}

// All points of the ball have exact distances of at least lower_bound(c) - radius. With a margin inside the
// band only values of bricks can be below it, and those are at least the exact distance minus their error;
// values elsewhere are band or more. For wider margins only the box is left.
bool DistanceField::may_reach(const Vec3& c, double radius, double margin) const {
    if (!(margin < band())) return box_distance(c) - kCoarse * kError * cell_ <= radius + margin;
    return lower_bound(c) - kError * cell_ <= radius + margin;
}

std::size_t DistanceField::bytes() const {
    return sizeof(*this) + brick_of_.size() * sizeof(std::int32_t) +
           (coarse_.size() + values_.size()) * sizeof(float);
}

}  // namespace impuls
