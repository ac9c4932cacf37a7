// Surfaces for drawing: triangles with a normal at each corner, the same on both sides of a smooth edge.
// Called by picture.cpp and symbols.cpp.
#pragma once

#include <array>
#include <vector>

#include "geometry/triangles.h"
#include "impuls/vec.h"

namespace impuls {

struct Facet {
    std::array<Vec3, 3> p{}, n{};
};
using Facets = std::vector<Facet>;

// Faces that meet at less than 40 degrees share a normal there: the mean over those around the corner, by
// their areas.
Facets smooth_facets(const TriangleMesh& mesh);

// Things that are no bodies, in world coordinates. A tube has round ends; a single point is a ball.
void append_tube(Facets& out, const std::vector<Vec3>& points, double radius, int segments = 10);
void append_ball(Facets& out, const Vec3& center, double radius);
// A cylinder and a cone about a direction (any length but zero).
void append_cylinder(Facets& out, const Vec3& center, const Vec3& axis, double radius, double height);
void append_cone(Facets& out, const Vec3& base, const Vec3& tip, double radius);
void append_box(Facets& out, const Vec3& center, const Quat& orientation, const Vec3& size);
void append_arrow(Facets& out, const Vec3& from, const Vec3& to, double radius);

// Any unit vector square to another one.
Vec3 square_to(const Vec3& axis);

}  // namespace impuls
