// Sutherland-Hodgman clipping with names: each polygon corner remembers the edge that leaves it (an edge of
// the incident face or a side of the reference face), so a new corner is "edge x edge" or "corner of the
// reference". Called by box_box.
#include "collision/narrow/box_clip.h"

#include <cmath>

#include "collision/narrow/box_features.h"
#include "collision/narrow/pairs.h"

namespace impuls::narrow {

namespace {

constexpr std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

// Side 2k + s of the reference face: axis u (k = 0) or v (k = 1), negative (s = 0) or positive.
struct Side {
    int axis;
    bool positive;
    double limit;
    double outside(const Vec3& p) const { return (positive ? p[axis] : -p[axis]) - limit; }
};

// A polygon corner and the edge that leaves it: side >= 0 is a side of the reference, else `edge` of the
// incident.
struct Corner {
    Vec3 p;
    std::uint32_t on_reference, on_incident;
    int side;
    std::uint32_t edge;
};

struct Polygon {
    int count = 0;
    std::array<Corner, 16> corners{};
    void add(const Corner& c) {
        if (count < 16) corners[idx(count++)] = c;
    }
};

struct Reference {
    ReferenceFace face;
    std::array<Side, 4> sides;

    Signs signs(int side) const {
        Signs s{};
        s[idx(face.axis)] = face.positive;
        s[idx(sides[idx(side)].axis)] = sides[idx(side)].positive;
        return s;
    }
    std::uint32_t edge_at(int side) const {
        return edge_number(3 - face.axis - sides[idx(side)].axis, signs(side));
    }
    std::uint32_t corner_at(int side0, int side1) const {
        Signs s = signs(side0);
        s[idx(sides[idx(side1)].axis)] = sides[idx(side1)].positive;
        return corner_number(s);
    }
};

struct IncidentFace {
    int axis;
    bool positive;
};

// The face of the incident box that looks most directly against the reference normal.
IncidentFace incident_face(const Mat3& R, const ReferenceFace& face) {
    int axis = 0;
    for (int j = 1; j < 3; ++j) {
        if (std::abs(R[j][face.axis]) > std::abs(R[axis][face.axis])) axis = j;
    }
    return {axis, (R[axis][face.axis] > 0) != face.positive};
}

Polygon polygon_of(const IncidentFace& incident, const Vec3& half, const Mat3& R, const Vec3& t,
                   const ReferenceFace& face) {
    const int u = (incident.axis + 1) % 3, v = (incident.axis + 2) % 3;
    Signs s{};
    s[idx(incident.axis)] = incident.positive;

    constexpr std::array<std::array<bool, 2>, 4> around{
        {{true, true}, {false, true}, {false, false}, {true, false}}};
    Polygon polygon;
    for (int k = 0; k < 4; ++k) {
        s[idx(u)] = around[idx(k)][0], s[idx(v)] = around[idx(k)][1];
        const std::uint32_t edge = edge_number(k % 2 == 0 ? u : v, s);
        polygon.add(
            {t + R * corner(half, s), face_number(face.axis, face.positive), corner_number(s), -1, edge});
    }
    return polygon;
}

Polygon clip(const Polygon& in, const Reference& reference, int side, std::uint32_t incident_number,
             double snap) {
    const Side& plane = reference.sides[idx(side)];
    Polygon out;
    for (int k = 0; k < in.count; ++k) {
        const Corner& from = in.corners[idx(k)];
        const Corner& to = in.corners[idx(k + 1 < in.count ? k + 1 : 0)];
        const double d0 = plane.outside(from.p) - snap, d1 = plane.outside(to.p) - snap;
        if (d0 <= 0) out.add(from);
        if ((d0 <= 0) == (d1 <= 0)) continue;
        Corner made = from;
        made.p = from.p + (to.p - from.p) * (d0 / (d0 - d1));
        made.on_reference = from.side < 0 ? reference.edge_at(side) : reference.corner_at(from.side, side);
        made.on_incident = from.side < 0 ? from.edge : incident_number;
        if (d0 <= 0) made.side = side;
        out.add(made);
    }
    return out;
}

}  // namespace

ClipPolygon clip_incident_face(const Vec3& half, const ReferenceFace& face, const Vec3& incident_half,
                               const Mat3& R, const Vec3& t, double snap) {
    const int u = (face.axis + 1) % 3, v = (face.axis + 2) % 3;
    const Reference reference{
        face, {{{u, false, half[u]}, {u, true, half[u]}, {v, false, half[v]}, {v, true, half[v]}}}};
    const IncidentFace incident = incident_face(R, face);
    const std::uint32_t incident_number = face_number(incident.axis, incident.positive);
    Polygon polygon = polygon_of(incident, incident_half, R, t, face);
    for (int side = 0; side < 4; ++side) polygon = clip(polygon, reference, side, incident_number, snap);

    ClipPolygon result;
    for (int k = 0; k < polygon.count; ++k) {
        const Corner& c = polygon.corners[idx(k)];
        const double height = (face.positive ? c.p[face.axis] : -c.p[face.axis]) - half[face.axis];
        Vec3 p = c.p;
        p[u] = clamp(p[u], half[u]), p[v] = clamp(p[v], half[v]);
        result.points[idx(result.count++)] = {p, height, c.on_reference, c.on_incident};
    }
    return result;
}

}  // namespace impuls::narrow
