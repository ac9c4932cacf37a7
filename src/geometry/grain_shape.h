// Shapes of grains, made once and shared: a grain is a shape and a size. Polyhedra lie about their centroid
// along their principal axes. Sources of shapes: vertices on an
// ellipsoid (geometry/grains.h; Schinner 1995, 3.1) moved at random over its surface, Platonic solids, and
// points of one's own, which must be corners of a convex body. Called when grains are made.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "geometry/polyhedron.h"
#include "impuls/vec.h"

namespace impuls::granular {

struct GrainShape {
    std::shared_ptr<const Polyhedron> polyhedron{};  // null: a sphere
    double radius = 1;                               // about the centroid, holds all
    double volume = 0;
    Vec3 inertia{};         // of density one, principal
    double patch = 0;       // m^2, the largest contact that is to be expected: sets the time step
    PolyhedronView view{};  // of the polyhedron
    Quat from_given{};      // rotates this frame into that of the points given

    bool is_sphere() const { return !polyhedron; }
};

GrainShape sphere_shape(double radius = 1);
// Throws std::invalid_argument where there is no hull. Points that are no corners are left out.
GrainShape hull_shape(std::span<const Vec3> points);
// Of so many vertices on an ellipsoid of the semi-axes; jitter: of each direction, relative to their
// distance.
GrainShape ellipsoid_shape(int vertices, const Vec3& semi_axes, double jitter, std::uint64_t seed);
// 4, 6, 8, 12 or 20 faces, corners on a sphere.
GrainShape platonic_shape(int faces, double radius = 1);
// "" or why the points are not the corners of a convex body: one lies inside the hull of the others.
std::string convexity_problem(std::span<const Vec3> points);

}  // namespace impuls::granular
