// The contact polygon of two boxes: the incident face of one clipped by the sides of the reference face of
// the other (Sutherland-Hodgman), each corner with the features that make it. Called by box_box.
#pragma once

#include <array>
#include <cstdint>

#include "impuls/vec.h"

namespace impuls::narrow {

// How one box lies in the frame of another: R by rows, so that row i gives the coordinates along axis i.
struct BoxPlace {
    std::array<std::array<double, 3>, 3> R;
    std::array<double, 3> t;
};

struct ReferenceFace {
    int axis;
    bool positive;
};

// Coordinates u, v along the axes after face.axis (cyclic), clamped to the face; w along face.axis.
struct ClipPoint {
    double u, v, w;
    double height;  // over the reference face
    std::uint32_t on_reference, on_incident;
};

struct ClipPolygon {
    int count;
    std::array<ClipPoint, 16> points;
};

// Corners at most `snap` outside the face count as inside, so that boxes built flush keep their corners (and
// ids) under small motion.
void clip_incident_face(const Vec3& half, const ReferenceFace& face, const Vec3& incident_half,
                        const BoxPlace& incident, double snap, ClipPolygon& out);

}  // namespace impuls::narrow
