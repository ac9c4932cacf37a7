// Sutherland-Hodgman clipping with names: each polygon corner remembers the edge that leaves it (an edge of
// the incident face or a side of the reference face), so a new corner is "edge x edge" or "corner of the
// reference". The reference face is a rectangle along the axes u, v of its frame, so a corner's distance from
// a side is one coordinate less a constant, and a side that cuts nothing costs one comparison a corner.
// Called by box_box.
#include "collision/narrow/box_clip.h"

#include <cmath>

#include "base/index.h"
#include "collision/narrow/box_features.h"
#include "collision/narrow/pairs.h"

namespace impuls::narrow {

namespace {

constexpr int kRoom = 16;

// A polygon corner and the edge that leaves it: side >= 0 is a side of the reference, else `edge` of the
// incident. Side 2k + s lies across axis u (k = 0) or v (k = 1), negative (s = 0) or positive.
struct BoxCorner {
    double u, v, w;
    std::uint8_t on_reference, on_incident, edge;
    std::int8_t side;
};

struct BoxPolygon {
    int count;
    std::array<BoxCorner, kRoom> corners;
};

struct Names {
    ReferenceFace face;
    int u, v;
    std::uint8_t incident;

    std::uint8_t edge_at(int side) const {
        Signs s{};
        s[idx(face.axis)] = face.positive;
        s[idx(side < 2 ? u : v)] = (side & 1) != 0;
        return static_cast<std::uint8_t>(edge_number(side < 2 ? v : u, s));
    }
    std::uint8_t corner_at(int side0, int side1) const {
        Signs s{};
        s[idx(face.axis)] = face.positive;
        s[idx(side0 < 2 ? u : v)] = (side0 & 1) != 0;
        s[idx(side1 < 2 ? u : v)] = (side1 & 1) != 0;
        return static_cast<std::uint8_t>(corner_number(s));
    }
};

struct IncidentFace {
    int axis;
    bool positive;
};

// The face of the incident box that looks most directly against the reference normal.
IncidentFace incident_face(const std::array<double, 3>& row, bool is_positive) {
    int axis = std::abs(row[1]) > std::abs(row[0]) ? 1 : 0;
    if (std::abs(row[2]) > std::abs(row[idx(axis)])) axis = 2;
    return {axis, (row[idx(axis)] > 0) != is_positive};
}

// The incident face's corners, counter-clockwise about its axis: t + R (+-half), summed in the order of the
// axes, so that the result does not depend on which face it is.
void start(const IncidentFace& face, const Vec3& half, const BoxPlace& place, const Names& names,
           BoxPolygon& polygon) {
    const int i = face.axis, j = i == 2 ? 0 : i + 1, k = 3 - i - j;
    const std::array<double, 3> h{half.x, half.y, half.z};
    const std::array<int, 3> axes{names.u, names.v, names.face.axis};
    std::array<std::array<double, 3>, 4> x;
    for (std::size_t c = 0; c < 3; ++c) {
        const auto& row = place.R[idx(axes[c])];
        std::array<double, 3> along{row[0] * h[0], row[1] * h[1], row[2] * h[2]};
        if (!face.positive) along[idx(i)] = -along[idx(i)];
        const double origin = place.t[idx(axes[c])];
        const auto sum = [&] { return origin + (along[0] + along[1] + along[2]); };
        x[0][c] = sum();
        along[idx(j)] = -along[idx(j)], x[1][c] = sum();
        along[idx(k)] = -along[idx(k)], x[2][c] = sum();
        along[idx(j)] = -along[idx(j)], x[3][c] = sum();
    }
    const auto bit = [](int axis) { return 1u << axis; };
    const std::uint32_t on_face = face.positive ? bit(i) : 0;
    const std::array<std::uint32_t, 4> corner{on_face | bit(j) | bit(k), on_face | bit(k), on_face,
                                              on_face | bit(j)};
    const auto on_reference = static_cast<std::uint8_t>(face_number(names.face.axis, names.face.positive));
    polygon.count = 4;
    for (std::size_t c = 0; c < 4; ++c) {
        const std::uint32_t n = corner[c];
        const std::uint32_t edge =
            edge_number(c % 2 == 0 ? j : k, {(n & 1) != 0, (n & 2) != 0, (n & 4) != 0});
        polygon.corners[c] = {x[c][0],
                              x[c][1],
                              x[c][2],
                              on_reference,
                              static_cast<std::uint8_t>(n),
                              static_cast<std::uint8_t>(edge),
                              -1};
    }
}

// Cuts off what is outside of the side by more than `limit`; false when nothing is.
bool clip(const BoxPolygon& in, int side, double limit, double snap, const Names& names, BoxPolygon& out) {
    std::array<double, kRoom + 1> d;
    bool is_cut = false;
    for (int k = 0; k < in.count; ++k) {
        const BoxCorner& c = in.corners[idx(k)];
        const double x = side < 2 ? c.u : c.v;
        d[idx(k)] = ((side & 1) != 0 ? x : -x) - limit - snap;
        is_cut |= !(d[idx(k)] <= 0);
    }
    if (!is_cut) return false;
    d[idx(in.count)] = d[0];
    out.count = 0;
    for (int k = 0; k < in.count; ++k) {
        const BoxCorner& from = in.corners[idx(k)];
        const double d0 = d[idx(k)], d1 = d[idx(k) + 1];
        if (d0 <= 0 && out.count < kRoom) out.corners[idx(out.count++)] = from;
        if ((d0 <= 0) == (d1 <= 0) || out.count == kRoom) continue;
        const BoxCorner& to = in.corners[idx(k + 1 < in.count ? k + 1 : 0)];
        const double part = d0 / (d0 - d1);
        BoxCorner& made = out.corners[idx(out.count++)];
        made.u = from.u + (to.u - from.u) * part;
        made.v = from.v + (to.v - from.v) * part;
        made.w = from.w + (to.w - from.w) * part;
        made.on_reference = from.side < 0 ? names.edge_at(side) : names.corner_at(from.side, side);
        made.on_incident = from.side < 0 ? from.edge : names.incident;
        made.edge = from.edge;
        made.side = d0 <= 0 ? static_cast<std::int8_t>(side) : from.side;
    }
    return true;
}

}  // namespace

void clip_incident_face(const Vec3& half, const ReferenceFace& face, const Vec3& incident_half,
                        const BoxPlace& place, double snap, ClipPolygon& out) {
    const int u = face.axis == 2 ? 0 : face.axis + 1, v = 3 - face.axis - u;
    const double hu = half[u], hv = half[v], hw = half[face.axis];
    const IncidentFace incident = incident_face(place.R[idx(face.axis)], face.positive);
    const Names names{face, u, v, static_cast<std::uint8_t>(face_number(incident.axis, incident.positive))};
    BoxPolygon buffers[2];
    BoxPolygon *polygon = &buffers[0], *next = &buffers[1];
    start(incident, incident_half, place, names, *polygon);
    for (int side = 0; side < 4; ++side)
        if (clip(*polygon, side, side < 2 ? hu : hv, snap, names, *next)) std::swap(polygon, next);

    out.count = polygon->count;
    for (int k = 0; k < polygon->count; ++k) {
        const BoxCorner& c = polygon->corners[idx(k)];
        out.points[idx(k)] = {clamp(c.u, hu), clamp(c.v, hv), c.w, (face.positive ? c.w : -c.w) - hw,
                              c.on_reference, c.on_incident};
    }
}

}  // namespace impuls::narrow
