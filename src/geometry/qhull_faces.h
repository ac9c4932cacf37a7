// The only door to Qhull: points in, oriented polygon faces out.
// Called by hull.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace impuls {

// Faces as cycles of point numbers, counter-clockwise seen from outside; or an error.
struct QhullFaces {
    std::vector<std::vector<std::uint32_t>> faces;
    std::string error;
};
// `coordinates` holds x, y, z of each point, of order one and around the origin.
QhullFaces qhull_faces(std::vector<double>& coordinates);

}  // namespace impuls
