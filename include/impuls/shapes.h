// Shapes as descriptions. Capsule, cylinder, cone and height field stand along local +y.
#pragma once

#include <cstdint>
#include <optional>
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

/// A spur gear about y with involute teeth, one of them centred on +x. Tooth tips are at module (teeth/2 + 1
/// + profile_shift) from the axis.
struct SpurGear {
    static constexpr const char* kType = "spur_gear";
    std::int64_t teeth = 20;
    double module = 0.002;
    double width = 0.01;
    double pressure_angle = 0.3490658503988659;
    double profile_shift = 0;
    double tip_relief = 0;
    double backlash = 0;
    double bore = 0;
    std::int64_t rows = 10;
    std::int64_t columns = 1;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("teeth", &SpurGear::teeth, Field("number of teeth").between(5, 1000));
        visit("module", &SpurGear::module, Field("pitch diameter over teeth", "m").positive());
        visit("width", &SpurGear::width, Field("face width along the axis", "m").positive());
        visit("pressure_angle", &SpurGear::pressure_angle,
              Field("at the pitch circle", "rad").between(0.1, 0.8));
        visit("profile_shift", &SpurGear::profile_shift,
              Field("how far the rack is moved out that cuts it, in modules").between(-1, 1));
        visit("tip_relief", &SpurGear::tip_relief,
              Field("what is taken off the flank at the tip, growing from half of the addendum on", "m")
                  .at_least(0));
        visit("backlash", &SpurGear::backlash,
              Field("how much thinner teeth are at the pitch circle", "m").at_least(0));
        visit("bore", &SpurGear::bore, Field("radius of the hole", "m").at_least(0));
        visit("rows", &SpurGear::rows, Field("facets from root to tip of a flank").between(2, 1000));
        visit("columns", &SpurGear::columns, Field("facets along the width").between(1, 1000));
    }
    operator Mesh() const;
};

/// A disc cam about y by its radii: a periodic cubic spline through them, at equal angles from +x on (about
/// +y).
struct Cam {
    static constexpr const char* kType = "cam";
    std::vector<double> radii{};
    double width = 0.01;
    std::int64_t segments = 360;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("radii", &Cam::radii, Field("at equal angles", "m").positive().required());
        visit("width", &Cam::width, Field("along the axis", "m").positive());
        visit("segments", &Cam::segments, Field("facets around").between(16, 10000));
    }
    operator Mesh() const;
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

/// Mass points that keep their distances, and triangles between them: what ropes, nets and cloth are made of.
/// A dynamic body with a name of its own; its frame goes with its centre of mass and does not turn.
struct Particles {
    static constexpr const char* kType = "particles";
    std::vector<Vec3> points{};
    std::vector<double> masses{};
    double radius = 0.01;
    std::vector<std::int64_t> links{};
    std::vector<double> lengths{};
    double compliance = 0;
    std::vector<std::int64_t> triangles{};
    std::vector<std::int64_t> pins{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("points", &Particles::points, Field("where they are at the start", "m").required());
        visit(
            "masses", &Particles::masses,
            Field("of each; left out: density times their shares of triangles, of links, or of a ball", "kg")
                .positive());
        visit("radius", &Particles::radius,
              Field("of each particle, and half the thickness of what is between them", "m").positive());
        visit("links", &Particles::links,
              Field("two numbers of particles a link; left out: the edges of the triangles").at_least(0));
        visit("lengths", &Particles::lengths, Field("of each link; left out: as placed", "m").positive());
        visit("compliance", &Particles::compliance,
              Field("strain of a link per force; 0: it keeps its length", "1/N").at_least(0));
        visit("triangles", &Particles::triangles,
              Field("three numbers of particles a triangle: the surface that balls touch").at_least(0));
        visit("pins", &Particles::pins,
              Field("numbers of particles that stay where they are; negative: counted from the end"));
    }
};

/// A chain of particles from one point to another. Longer than their distance, it begins as a V that hangs
/// along -y.
struct Rope {
    static constexpr const char* kType = "rope";
    Vec3 from{-0.5, 0, 0};
    Vec3 to{0.5, 0, 0};
    std::optional<double> length{};
    std::int64_t pieces = 20;
    double radius = 0.01;
    double compliance = 0;
    std::vector<std::int64_t> pins{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("from", &Rope::from, Field("first particle", "m"));
        visit("to", &Rope::to, Field("last particle", "m"));
        visit("length", &Rope::length, Field("of the rope; left out: from end to end", "m").positive());
        visit("pieces", &Rope::pieces, Field("links; there is one particle more").between(1, 100000));
        visit("radius", &Rope::radius, Field("of the rope", "m").positive());
        visit("compliance", &Rope::compliance,
              Field("strain per force; 0: it does not stretch", "1/N").at_least(0));
        visit("pins", &Rope::pins,
              Field("numbers of particles that stay where they are, from 0 on; -1 is the last"));
    }
    operator Particles() const;
};

/// A rectangle of cloth across y: a grid of particles, linked along x and z. The particle at a corner of
/// pieces has the number `column + row * (columns + 1)`.
struct Sheet {
    static constexpr const char* kType = "sheet";
    double width = 1;
    double depth = 1;
    std::int64_t columns = 10;
    std::int64_t rows = 10;
    double radius = 0.01;
    double compliance = 0;
    std::vector<std::int64_t> pins{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("width", &Sheet::width, Field("along x", "m").positive());
        visit("depth", &Sheet::depth, Field("along z", "m").positive());
        visit("columns", &Sheet::columns, Field("pieces along x").between(1, 1000));
        visit("rows", &Sheet::rows, Field("pieces along z").between(1, 1000));
        visit("radius", &Sheet::radius, Field("half of its thickness", "m").positive());
        visit("compliance", &Sheet::compliance,
              Field("strain of a link per force; 0: it keeps its length", "1/N").at_least(0));
        visit("pins", &Sheet::pins,
              Field("numbers of particles that stay where they are, from 0 on; -1 is the last"));
    }
    operator Particles() const;
};

/// The family list of shapes.
using Shape = std::variant<Sphere, Box, Capsule, Cylinder, Cone, Plane, Ellipsoid, Convex, Mesh, HeightField,
                           Point, Compound, Tube, Bowl, Funnel, Torus, SpurGear, Cam, Particles, Rope, Sheet>;

}  // namespace impuls
