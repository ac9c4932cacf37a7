// Support points of convex colliders. Spheres, capsules and rounded triangles are a core swept by a sphere of
// `radius`: distances of cores are found, and the radii subtracted at the end, so that round pairs are exact.
// Support functions: van den Bergen, Collision Detection in Interactive 3D Environments (2004), section 4.3.
// Called by the distance algorithms of this folder and by shape casts.
#pragma once

#include <cstdint>

#include "collision/collider.h"

namespace impuls {

struct ConvexCore {
    ColliderKind kind = ColliderKind::Sphere;
    Vec3 half{};
    double radius = 0;       // of the sphere swept along the core
    double reach = 0;        // no point of the core is farther from `center`
    Vec3 center{};           // inside the core
    bool has_facets = true;  // finitely many support points: point, segment, polyhedron
    PolyhedronView view{};   // convex
};

// The collider must be bounded and convex: sphere, box, capsule, cylinder, cone, ellipsoid or convex. The
// core refers to the collider's polyhedron.
ConvexCore convex_core(const Collider& collider);
bool is_convex(ColliderKind kind);

// A point of the core farthest along d, both in the collider's frame. `hint` is any vertex number of a
// polyhedron, replaced by the one found.
Vec3 support_point(const ConvexCore& core, const Vec3& d, std::uint32_t& hint);

// How far a convex collider reaches along the unit vector d from its own origin, both in its frame.
double reach_along(const Collider& collider, const Vec3& d);

}  // namespace impuls
