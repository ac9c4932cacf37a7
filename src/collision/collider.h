// A shape prepared for collision: kind, sizes and place in its body's centre-of-mass frame.
// Bodies hold one collider, compounds one per part. Hulls, surfaces and the like are shared between equal
// shapes (shape_cache.h).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "collision/contact_surface.h"
#include "geometry/aabb.h"
#include "geometry/polyhedron.h"
#include "impuls/shapes.h"
#include "impuls/vec.h"

namespace impuls {

enum class ColliderKind : std::uint8_t {
    Sphere,
    Box,
    Capsule,
    Plane,
    Cylinder,
    Cone,
    Ellipsoid,
    Convex,
    Mesh,
    HeightField,
    DistanceField
};
inline constexpr int kColliderKinds = 11;

struct FieldSolid;
class RevolvedProfile;

struct Collider {
    ColliderKind kind = ColliderKind::Sphere;
    Vec3 half{};  // box: half edges; capsule, cylinder, cone: (radius, half length, radius); ellipsoid: radii
    double radius = 0;  // sphere, capsule, cylinder, cone; convex: of a ball swept over a flat triangle
    double size = 0;    // smallest half extent: the length that tolerances are relative to (0 for a plane)
    Pose X_BC{};        // in the body's centre-of-mass frame
    std::shared_ptr<const Polyhedron> polyhedron{};    // convex
    std::shared_ptr<const ContactSurface> surface{};   // mesh, height field; distance field: for queries
    std::shared_ptr<const FieldSolid> field{};         // distance field
    std::shared_ptr<const RevolvedProfile> profile{};  // tube, bowl, funnel, torus: what balls meet
    std::uint8_t covered =
        0;  // box in a compound: bit 2 axis + (positive side) of faces flush with another part
};

// Distance of the farthest point from the collider's own origin; 0 for a plane.
double reach(const Collider& collider);

// Tight box around a collider of a body at X_WB; infinite for a plane, and below a height field.
Aabb bounds(const Collider& collider, const Pose& X_WB);
// The same with the pose of the collider itself.
Aabb bounds_at(const Collider& collider, const Pose& X_WC);
// The box around a box that X places in another frame; of what is in it a few per cent too wide.
Aabb turned_box(const Aabb& box, const Pose& X);

}  // namespace impuls
