// A vertex, an edge or a face of a polyhedron, by its number: what the walk of closest_features.cpp is on.
#pragma once

#include <cstdint>

namespace impuls {

enum class FeatureKind : std::uint8_t { Vertex, Edge, Face };

struct Feature {
    FeatureKind kind = FeatureKind::Vertex;
    std::uint32_t index = 0;
    friend bool operator==(const Feature&, const Feature&) = default;
};

}  // namespace impuls
