// Clipping of one feature by the sides of another (contact_builder.h), with names: each polygon corner
// remembers the edge that leaves it, an edge of the incident feature or a side of the reference, so that a
// new corner is "edge x edge" or "corner of the reference". A line is a polygon that is not closed.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/assert.h"
#include "base/index.h"
#include "base/raw_array.h"
#include "collision/narrow/contact_builder.h"

namespace impuls::narrow {
namespace {

// Plain numbers: buffers of them cost nothing to make.
struct Corner {
    double x, y, z;
    std::uint32_t on_reference, on_incident, edge;
    int side;  // of the reference along which the leaving edge runs; -1: `edge` of the incident
    Vec3 p() const { return {x, y, z}; }
};

struct Polygon {
    int count = 0;
    bool is_closed = true;
    std::array<Corner, kClipRoom> corners;
    void add(const Corner& c) {
        if (count < kClipRoom) corners[idx(count++)] = c;
    }
};

struct Side {
    Vec3 outward;
    double offset;
    double outside(const Vec3& p) const { return dot(outward, p) - offset; }
};

// Sides of the reference seen along `outward`; those without length bound nothing.
struct Sides {
    int count = 0;
    RawArray<Side, kMaxCorners> side;
    std::array<int, kMaxCorners> edge;

    Sides(const Feature& reference, const Vec3& outward) {
        IMPULS_ASSERT(reference.count <= kMaxCorners);
        for (int k = 0; k < reference.count; ++k) {
            const Vec3& p = reference.points[idx(k)];
            const Vec3 s = cross(reference.points[idx(k + 1 < reference.count ? k + 1 : 0)] - p, outward);
            const double squared = length_squared(s);
            if (!(squared > 0)) continue;
            const Vec3 n = s / std::sqrt(squared);
            edge[idx(count)] = k;
            side[idx(count++)] = {n, dot(n, p)};
        }
    }
    bool is_outside(const Vec3& p, double by) const {
        for (int s = 0; s < count; ++s)
            if (side[idx(s)].outside(p) > by) return true;
        return false;
    }
};

// At a sharp corner of the reference, sides that are grown by the snap meet far outside, and pushing a point
// in by one side takes it out by the other: such a point belongs to the corner.
const Vec3& nearest_corner(const Feature& reference, const Vec3& p, const Vec3& outward) {
    int best = 0;
    double least = length_squared(cross(p - reference.points[0], outward));
    for (int k = 1; k < reference.count; ++k)
        if (const double d = length_squared(cross(p - reference.points[idx(k)], outward)); d < least)
            best = k, least = d;
    return reference.points[idx(best)];
}

// Height of an incident face over a corner; of a line, what is known already.
double height_at(const Vec3& corner, const Feature& incident, const Vec3& outward, double known) {
    if (incident.count < 3) return known;
    return dot(incident.normal, incident.points[0] - corner) / dot(incident.normal, outward);
}

bool is_among(const ManifoldPoint* points, int count, const Vec3& p) {
    for (int k = 0; k < count; ++k)
        if (points[k].position == p) return true;
    return false;
}

std::uint32_t reference_corner(const Feature& reference, int side0, int side1) {
    const int next = side0 + 1 < reference.count ? side0 + 1 : 0;
    return reference.corner_id[idx(next == side1 ? side1 : side0)];
}

// False: all corners are inside, and `out` is not written.
bool clip(const Polygon& in, const Feature& reference, std::uint32_t incident, const Side& plane, int edge,
          double snap, Polygon& out) {
    std::array<double, kClipRoom> outside;
    double most = 0;
    for (int k = 0; k < in.count; ++k) {
        outside[idx(k)] = plane.outside(in.corners[idx(k)].p()) - snap;
        most = std::max(most, outside[idx(k)]);
    }
    if (most <= 0) return false;
    out.count = 0, out.is_closed = in.is_closed;
    const int last = in.is_closed ? in.count : in.count - 1;
    for (int k = 0; k < in.count; ++k) {
        const Corner& from = in.corners[idx(k)];
        const double d0 = outside[idx(k)];
        if (d0 <= 0) out.add(from);
        if (k >= last) break;
        const int next = k + 1 < in.count ? k + 1 : 0;
        const Corner& to = in.corners[idx(next)];
        const double d1 = outside[idx(next)];
        if ((d0 <= 0) == (d1 <= 0)) continue;
        Corner made = from;
        const Vec3 p = from.p() + (to.p() - from.p()) * (d0 / (d0 - d1));
        made.x = p.x, made.y = p.y, made.z = p.z;
        made.on_reference =
            from.side < 0 ? reference.edge_id[idx(edge)] : reference_corner(reference, from.side, edge);
        made.on_incident = from.side < 0 ? from.edge : incident;
        if (d0 <= 0 && in.is_closed) made.side = edge;
        out.add(made);
    }
    return true;
}

}  // namespace

int clip_feature(const Feature& reference, const Feature& incident, const Vec3& outward, double margin,
                 double snap, bool reference_is_a, ManifoldPoint* points) {
    const Sides sides(reference, outward);
    if (incident.count == 1)
        for (int s = 0; s < sides.count; ++s)
            if (sides.side[idx(s)].outside(incident.points[0]) > snap) return 0;
    Polygon buffers[2];
    Polygon* polygon = &buffers[0];
    polygon->is_closed = incident.count > 2;
    for (int k = 0; k < incident.count; ++k)
        polygon->add({incident.points[idx(k)].x, incident.points[idx(k)].y, incident.points[idx(k)].z,
                      reference.id, incident.corner_id[idx(k)], incident.edge_id[idx(k)], -1});
    for (int s = 0; s < sides.count && incident.count > 1 && polygon->count > 0; ++s) {
        Polygon* next = polygon == &buffers[0] ? &buffers[1] : &buffers[0];
        if (clip(*polygon, reference, incident.id, sides.side[idx(s)], sides.edge[idx(s)], snap, *next))
            polygon = next;
    }
    const double cosine = dot(reference.normal, outward);
    int count = 0;
    for (int k = 0; k < polygon->count; ++k) {
        const Corner& c = polygon->corners[idx(k)];
        Vec3 p = c.p();
        double height = dot(reference.normal, p - reference.points[0]) / cosine;
        for (int s = 0; s < sides.count; ++s)
            if (const double d = sides.side[idx(s)].outside(p); d > 0) p -= sides.side[idx(s)].outward * d;
        if (sides.is_outside(p, 0.5 * snap)) {
            const Vec3& corner = nearest_corner(reference, p, outward);
            height = height_at(corner, incident, outward, height);
            p = corner + outward * height;
            if (is_among(points, count, p - outward * (0.5 * height))) continue;
        }
        if (height > margin) continue;
        IMPULS_ASSERT_INDEX(count, kClipRoom);
        points[count++] = {p - outward * (0.5 * height), height,
                           reference_is_a ? pair_name(c.on_reference, c.on_incident)
                                          : pair_name(c.on_incident, c.on_reference)};
    }
    return count;
}

}  // namespace impuls::narrow
