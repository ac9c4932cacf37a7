// Shapes as descriptions. Capsule, cylinder, cone and height field stand along local +y.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "impuls/fields.h"
#include "impuls/vec.h"

namespace impuls {

struct Sphere {
    static constexpr const char* kType = "sphere";
    double radius = 0.5;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("radius", &Sphere::radius, Field("radius", "m").positive());
    }
};

struct Box {
    static constexpr const char* kType = "box";
    Vec3 size{1, 1, 1};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("size", &Box::size, Field("full edge lengths", "m").positive());
    }
};

struct Capsule {
    static constexpr const char* kType = "capsule";
    double radius = 0.25;
    double length = 1;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("radius", &Capsule::radius, Field("radius of cylinder and caps", "m").positive());
        visit("length", &Capsule::length,
              Field("length of the cylindrical part, without caps", "m").positive());
    }
};

struct Cylinder {
    static constexpr const char* kType = "cylinder";
    double radius = 0.5;
    double height = 1;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("radius", &Cylinder::radius, Field("radius", "m").positive());
        visit("height", &Cylinder::height, Field("height, centred on the origin", "m").positive());
    }
};

struct Cone {
    static constexpr const char* kType = "cone";
    double radius = 0.5;
    double height = 1;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("radius", &Cone::radius, Field("radius of the base at y = -height/2", "m").positive());
        visit("height", &Cone::height, Field("height; the apex is at y = +height/2", "m").positive());
    }
};

/// The half-space y <= 0 of the body's frame: infinite, for static and kinematic bodies.
struct Plane {
    static constexpr const char* kType = "plane";
    template <class V>
    static void visit_fields(V&&) {}
};

struct Ellipsoid {
    static constexpr const char* kType = "ellipsoid";
    Vec3 radii{0.5, 0.25, 0.25};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("radii", &Ellipsoid::radii, Field("semi-axes", "m").positive());
    }
};

/// The convex hull of points (at least four, not in one plane).
struct Convex {
    static constexpr const char* kType = "convex";
    std::vector<Vec3> points{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("points", &Convex::points, Field("points whose convex hull is the body", "m").required());
    }
};

/// A closed triangle mesh (on moving bodies it collides as a solid, else as its surface), inline or from a
/// Wavefront OBJ file (path relative to the scene file).
struct Mesh {
    static constexpr const char* kType = "mesh";
    std::string file{};
    std::vector<Vec3> vertices{};
    std::vector<std::int64_t> triangles{};
    std::int64_t field_cells = 64;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("file", &Mesh::file, Field("Wavefront OBJ file, instead of vertices and triangles"));
        visit("vertices", &Mesh::vertices, Field("corner points", "m"));
        visit("triangles", &Mesh::triangles,
              Field("three vertex numbers a triangle, counter-clockwise seen from outside").at_least(0));
        visit("field_cells", &Mesh::field_cells,
              Field("cells of the distance field along the longest side, on moving bodies").between(8, 512));
    }
};

/// Heights over a regular grid in the xz-plane, centred on the origin; solid below: for static and kinematic
/// bodies.
struct HeightField {
    static constexpr const char* kType = "height_field";
    std::int64_t columns = 0;
    double spacing = 1;
    std::vector<double> heights{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("columns", &HeightField::columns, Field("samples along x").at_least(2).required());
        visit("spacing", &HeightField::spacing, Field("distance between samples", "m").positive());
        visit("heights", &HeightField::heights, Field("heights row by row; rows follow +z", "m").required());
    }
};

/// No extent: a mass point (dynamic, with a mass) or a fixed point, a "nail" (static). Never collides.
struct Point {
    static constexpr const char* kType = "point";
    template <class V>
    static void visit_fields(V&&) {}
};

/// A hollow cylinder about y, open at both ends.
struct Tube {
    static constexpr const char* kType = "tube";
    double radius = 0.5;
    double thickness = 0.05;
    double height = 1;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("radius", &Tube::radius, Field("radius inside", "m").positive());
        visit("thickness", &Tube::thickness, Field("of the wall", "m").positive());
        visit("height", &Tube::height, Field("height, centred on the origin", "m").positive());
    }
};

/// A part of a hollow sphere about the origin, open at the top.
struct Bowl {
    static constexpr const char* kType = "bowl";
    double radius = 0.5;
    double thickness = 0.05;
    double opening = 1.5707963267948966;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("radius", &Bowl::radius, Field("radius inside", "m").positive());
        visit("thickness", &Bowl::thickness, Field("of the wall", "m").positive());
        visit("opening", &Bowl::opening,
              Field("angle from the lowest point to the rim, seen from the origin; pi: closed", "rad")
                  .between(0.01, 3.1415926535897932));
    }
};

/// A hollow cone about y, open at both ends: a funnel, wide at the top.
struct Funnel {
    static constexpr const char* kType = "funnel";
    double radius = 0.5;
    double neck = 0.1;
    double height = 0.5;
    double thickness = 0.05;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("radius", &Funnel::radius, Field("radius inside at y = +height/2", "m").positive());
        visit("neck", &Funnel::neck, Field("radius inside at y = -height/2", "m").at_least(0));
        visit("height", &Funnel::height, Field("height, centred on the origin", "m").positive());
        visit("thickness", &Funnel::thickness, Field("of the wall", "m").positive());
    }
};

/// A solid ring about y.
struct Torus {
    static constexpr const char* kType = "torus";
    double radius = 0.5;
    double tube = 0.1;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("radius", &Torus::radius, Field("from the axis to the middle of the ring", "m").positive());
        visit("tube", &Torus::tube, Field("radius of the ring, below radius", "m").positive());
    }
};

using SimpleShape =
    std::variant<Sphere, Box, Capsule, Cylinder, Cone, Ellipsoid, Convex, Mesh, Tube, Bowl, Funnel, Torus>;

struct CompoundPart {
    Vec3 position{};
    Quat orientation{};
    SimpleShape shape{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("", &CompoundPart::shape, Field("shape of the part").required());
        visit("position", &CompoundPart::position, Field("origin of the part in the body", "m"));
        visit("orientation", &CompoundPart::orientation, Field("rotation of the part in the body"));
    }
};

/// Several shapes fixed to one body; their masses add up (overlaps count twice).
struct Compound {
    static constexpr const char* kType = "compound";
    std::vector<CompoundPart> parts{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("parts", &Compound::parts, Field("shapes with their place in the body").required());
    }
};

/// The family list of shapes.
using Shape = std::variant<Sphere, Box, Capsule, Cylinder, Cone, Plane, Ellipsoid, Convex, Mesh, HeightField,
                           Point, Compound, Tube, Bowl, Funnel, Torus>;

}  // namespace impuls
