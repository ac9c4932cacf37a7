// The contact polygon of two boxes: the incident face of one clipped by the sides of the reference face of
// the other (Sutherland-Hodgman), each corner with the features that make it.
#pragma once

#include <array>
#include <cstdint>

#include "impuls/vec.h"

namespace impuls::narrow {

struct ClipPoint {
    Vec3 p;         // reference box's frame; across the face, clamped to it
    double height;  // over the reference face
    std::uint32_t on_reference, on_incident;
};

struct ClipPolygon {
    int count = 0;
    std::array<ClipPoint, 16> points{};
};

struct ReferenceFace {
    int axis;
    bool positive;
};

// R and t place the incident box in the reference box's frame. Corners at most `snap` outside the face count
// as inside, so that boxes built flush keep their corners (and ids) under small motion.
ClipPolygon clip_incident_face(const Vec3& half, const ReferenceFace& face, const Vec3& incident_half,
                               const Mat3& R, const Vec3& t, double snap);

}  // namespace impuls::narrow
