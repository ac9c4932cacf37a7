// Points that stand for a surface in tests against distance fields (Erleben 2004, 6.2.1): vertices with an
// edge that is not flat, points along such edges every `threshold`, and one point for every large flat
// region, so that aligned boxes deep in each other still find a normal along the penetration.
//
// The text takes the mean of a region's vertices. For a ring or an L that mean is off the surface; then the
// centroid of the region's nearest triangle is taken. Areas are 1/2 |(b - a) x (c - a)|.
// Called when bodies with distance fields are built, and for polyhedra that meet them.
#pragma once

#include <cstddef>
#include <vector>

#include "geometry/triangle_surface.h"

namespace impuls {

struct SamplingRule {
    double threshold = 0;    // distance along edges
    double region_area = 0;  // flat regions larger than this get a point
    bool regions = true;
};

struct SurfaceSamples {
    std::vector<Vec3> points{};   // vertices, then edges, then regions
    std::vector<Vec3> normals{};  // pseudo-normal of the surface at each
    std::size_t vertices = 0, edges = 0, regions = 0;
};
SurfaceSamples sample_surface(const TriangleSurface& surface, const SamplingRule& rule);

// How many points of spacing `threshold` fit strictly inside an edge.
int interior_samples(double edge_length, double threshold);

}  // namespace impuls
