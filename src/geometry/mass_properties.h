// Mass, centre of mass and inertia of shapes of constant density, exactly: closed forms for primitives,
// signed tetrahedra over the faces of polyhedra and closed meshes, parallel-axis sums for compounds.
// Called when bodies are built.
#pragma once

#include "impuls/shapes.h"
#include "impuls/vec.h"

namespace impuls {

struct MassProperties {
    double mass = 0;                                // kg
    Vec3 center;                                    // m, in the shape's frame
    Mat3 inertia{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};  // kg m^2, about the centre, along the shape's axes
};

// Plane, point and height field have no mass: all zero; so has a hull that does not exist.
MassProperties mass_properties(const Shape& shape, double density);

// With moments xx, yy, zz and elements xy, xz, yz.
inline Mat3 inertia_tensor(const Vec3& moments, const Vec3& products) {
    return {{moments.x, products.x, products.y},
            {products.x, moments.y, products.z},
            {products.y, products.z, moments.z}};
}

// Moments and axes of a symmetric matrix (its upper triangle is read): m = R diag(moments) R^T. A matrix
// that is already diagonal gives exactly its diagonal and the identity rotation.
struct PrincipalAxes {
    Vec3 moments;
    Quat rotation;
};
PrincipalAxes principal_axes(const Mat3& m);

}  // namespace impuls
