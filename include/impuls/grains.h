// Granular matter as descriptions: many small bodies of a few shapes, advanced at force level with steps of
// their own (docs/manual/granular.md). A set says how many grains, of what shape, size and material, and
// where they begin; walls are the scene's bodies.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "impuls/fields.h"
#include "impuls/vec.h"

namespace impuls {

/// Convex grains with vertices on an ellipsoid; `kinds` of them, which differ by shifts of the vertices.
struct EllipsoidGrain {
    static constexpr const char* kType = "ellipsoid";
    Vec3 radii{0.01, 0.01, 0.01};
    std::int64_t vertices = 12;
    double variation = 0.1;
    std::int64_t kinds = 8;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("radii", &EllipsoidGrain::radii, Field("semi-axes", "m").positive());
        visit("vertices", &EllipsoidGrain::vertices,
              Field("4, 6, 12, 18, 22, 42, 52, 62, 72, 82, 102, 202, 302 or 462").between(4, 462));
        visit("variation", &EllipsoidGrain::variation,
              Field("largest shift of a vertex over the distance between vertices").between(0, 0.5));
        visit("kinds", &EllipsoidGrain::kinds, Field("how many different ones").between(1, 1024));
    }
};

/// Round grains: the fastest.
struct SphereGrain {
    static constexpr const char* kType = "sphere";
    double radius = 0.01;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("radius", &SphereGrain::radius, Field("radius", "m").positive());
    }
};

struct PlatonicGrain {
    static constexpr const char* kType = "platonic";
    std::int64_t faces = 6;
    double radius = 0.01;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("faces", &PlatonicGrain::faces, Field("4, 6, 8, 12 or 20").between(4, 20));
        visit("radius", &PlatonicGrain::radius, Field("of the sphere through the corners", "m").positive());
    }
};

/// Every point must be a corner of a convex body.
struct HullGrain {
    static constexpr const char* kType = "hull";
    std::vector<Vec3> points{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("points", &HullGrain::points, Field("corners", "m").required());
    }
};

using GrainShapeDesc = std::variant<EllipsoidGrain, SphereGrain, PlatonicGrain, HullGrain>;

/// All as large as the shape says.
struct EqualSizes {
    static constexpr const char* kType = "equal";
    template <class V>
    static void visit_fields(V&&) {}
};
struct UniformSizes {
    static constexpr const char* kType = "uniform";
    double low = 0.8, high = 1.2;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("low", &UniformSizes::low, Field("smallest, in sizes of the shape").positive());
        visit("high", &UniformSizes::high, Field("largest, likewise").positive());
    }
};
/// The logarithm of the size is normal about 0, cut at three deviations.
struct LognormalSizes {
    static constexpr const char* kType = "lognormal";
    double deviation = 0.2;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("deviation", &LognormalSizes::deviation, Field("of the logarithm").between(0, 1));
    }
};
/// As a sieve analysis says: the share of the mass that passes each opening.
struct SieveSizes {
    static constexpr const char* kType = "sieve";
    std::vector<double> openings{};
    std::vector<double> passing{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit(
            "openings", &SieveSizes::openings,
            Field("ascending, in sizes of the shape; the first is the smallest grain").positive().required());
        visit("passing", &SieveSizes::passing,
              Field("share of the mass that passes, from 0 to 1").between(0, 1).required());
    }
};
using GrainSizes = std::variant<EqualSizes, UniformSizes, LognormalSizes, SieveSizes>;

/// Side by side from below, in a box.
struct BlockPlace {
    static constexpr const char* kType = "block";
    Vec3 lower{}, upper{1, 1, 1};
    std::optional<double> spacing{};
    bool turned = true;
    template <class V>
    static void visit_fields(V&& visit) {
        visit("lower", &BlockPlace::lower, Field("corner of the box", "m").required());
        visit("upper", &BlockPlace::upper, Field("opposite corner", "m").required());
        visit("spacing", &BlockPlace::spacing,
              Field("from centre to centre; left out: as near as no two can touch", "m").positive());
        visit("turned", &BlockPlace::turned, Field("turn each at random"));
    }
};
/// At random in a box, without touching.
struct ScatterPlace {
    static constexpr const char* kType = "scatter";
    Vec3 lower{}, upper{1, 1, 1};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("lower", &ScatterPlace::lower, Field("corner of the box", "m").required());
        visit("upper", &ScatterPlace::upper, Field("opposite corner", "m").required());
    }
};
/// One after the other, at random places of a box where nothing is: at a rate, or each when all others rest.
struct FeedPlace {
    static constexpr const char* kType = "feed";
    Vec3 lower{}, upper{1, 1, 1};
    std::optional<double> rate{};
    std::optional<double> rest{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("lower", &FeedPlace::lower, Field("corner of the box", "m").required());
        visit("upper", &FeedPlace::upper, Field("opposite corner", "m").required());
        visit("rate", &FeedPlace::rate, Field("grains in a second", "1/s").positive());
        visit("rest", &FeedPlace::rest,
              Field("instead of a rate: the next one comes when none is faster than this", "m/s").positive());
    }
};
using GrainPlace = std::variant<BlockPlace, ScatterPlace, FeedPlace>;

/// One of the parts of a mixture.
struct GrainPartDesc {
    double share = 1;
    GrainShapeDesc shape{};
    GrainSizes sizes{};
    template <class V>
    static void visit_fields(V&& visit) {
        visit("share", &GrainPartDesc::share,
              Field("of the number of grains, relative to the other parts").positive());
        visit("shape", &GrainPartDesc::shape, Field("shape"));
        visit("sizes", &GrainPartDesc::sizes, Field("sizes"));
    }
};

struct GrainsDesc {
    std::string name{};
    std::int64_t count = 100;
    GrainShapeDesc shape{};
    GrainSizes sizes{};
    std::vector<GrainPartDesc> mixture{};
    GrainPlace place{};
    std::string material{};
    Vec3 velocity{};
    std::optional<Vec3> color{};
    std::int64_t seed = 1;

    template <class V>
    static void visit_fields(V&& visit) {
        visit("name", &GrainsDesc::name, Field("unique name of the set; left out: grains[number]"));
        visit("count", &GrainsDesc::count, Field("how many").between(1, 10'000'000).required());
        visit("shape", &GrainsDesc::shape, Field("shape of the grains"));
        visit("sizes", &GrainsDesc::sizes, Field("how their sizes differ"));
        visit("mixture", &GrainsDesc::mixture, Field("several shapes, in place of `shape` and `sizes`"));
        visit("place", &GrainsDesc::place, Field("where they begin").required());
        visit("material", &GrainsDesc::material, Field("name of a material; left out: the default material"));
        visit("velocity", &GrainsDesc::velocity, Field("at the start", "m/s"));
        visit("color", &GrainsDesc::color, Field("red, green, blue instead of the material's").between(0, 1));
        visit("seed", &GrainsDesc::seed, Field("of shapes, sizes, places and rotations").at_least(0));
    }
};

/// Force along the normal of a contact of polyhedra, by volume V and area S of the overlap. Spheres take
/// Hertz's.
enum class GrainLaw {
    Hertz,      // 1.064 E* V / sqrt(S)
    Volume,     // E* V / l, as Yade's polyhedra and polygon codes
    Potential,  // the gradient of E* (V / r)^1.5: conserves energy in impacts; does not rest on faces
    Linear,     // spheres with a constant stiffness; polyhedra as by Hertz
};
template <>
struct EnumNames<GrainLaw> {
    static constexpr std::array<const char*, 4> names{"hertz", "volume", "potential", "linear"};
};
enum class GrainIntegrator { Verlet, Gear, Rk4 };
template <>
struct EnumNames<GrainIntegrator> {
    static constexpr std::array<const char*, 3> names{"verlet", "gear", "rk4"};
};

/// How grains are advanced.
struct GranularDesc {
    GrainLaw law = GrainLaw::Hertz;
    GrainIntegrator integrator = GrainIntegrator::Verlet;
    std::optional<double> modulus{};
    std::optional<double> substep{};
    double rolling = 0.02;
    double cohesion = 0;

    template <class V>
    static void visit_fields(V&& visit) {
        visit("law", &GranularDesc::law, Field("force along the normal of a contact"));
        visit("integrator", &GranularDesc::integrator, Field("of the grains' motion"));
        visit("modulus", &GranularDesc::modulus,
              Field("E* of all contacts; left out: soft, so that steps are long, but stiff enough that "
                    "overlaps stay "
                    "below 1 % at rest and 5 % in falls (5000 rho g h; the materials' youngs_modulus is not "
                    "used)",
                    "Pa")
                  .positive());
        visit("substep", &GranularDesc::substep,
              Field("left out: 0.2 sqrt(m / k) of the stiffest contact to be expected", "s").positive());
        visit("rolling", &GranularDesc::rolling,
              Field("resistance to rolling of grains: lever arm of the load over the effective radius")
                  .at_least(0));
        visit("cohesion", &GranularDesc::cohesion,
              Field("pull of a contact over its area", "Pa").at_least(0));
    }
};

}  // namespace impuls
