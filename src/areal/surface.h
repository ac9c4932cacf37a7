// Surfaces of bodies that touch by areas: triangles with neighbours and a tree, in the body's own axes; a
// plane has none. Round primitives become meshes with edges of a given length that are as far outside as
// inside of the true surface (equal volume or cross-section), so that forces have no bias of first order in
// the sagitta. Immutable; shared between equal shapes. Called by whoever binds pairs, and by tests.
#pragma once

#include <limits>
#include <memory>

#include "collision/collider.h"
#include "geometry/triangle_surface.h"

namespace impuls::areal {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Edges where a surface turns by more than 60 degrees are sharp.
inline constexpr double kSharpCosine = 0.5;
// Where it turns by at most 30 degrees facets may stand for something round; beyond it is an edge.
inline constexpr double kRoundCosine = 0.8660254037844386;

struct Surface {
    std::shared_ptr<const TriangleSurface> triangles{};  // none: the half-space y <= 0
    double edge = 0;       // m, mean of each triangle's shortest; infinite for a plane
    double thickness = 0;  // m: half of the smallest side of its box; infinite for a plane
    double radius = 0;     // m, of a sphere about the origin that holds it
    bool is_closed = false;
    bool is_sharp = false;  // it turns by more than 60 degrees at an edge

    bool is_plane() const { return !triangles; }
};

Surface plane_surface();
Surface mesh_surface(const TriangleMesh& mesh);
// A sphere of about this edge length, from an icosahedron, with the volume of the true one.
TriangleMesh sphere_mesh(double radius, double edge);
// Of a collider, in its own axes; round ones with edges of about `resolution`, 0: a 32nd of their size.
Surface surface_of(const Collider& collider, double resolution);

}  // namespace impuls::areal
