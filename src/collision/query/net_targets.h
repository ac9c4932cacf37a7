// Bodies of particles as targets of queries, element by element: its triangles, rounded by the particles'
// radius; links that are no triangle's edge, as capsules; particles of neither, as balls. Together they are
// all that a body of particles is, and each point of it belongs to the first of these that has it. Made anew
// with the index, since particles move. Called by the index of a world's bodies.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "collision/query/query_index.h"
#include "geometry/particle_net.h"

namespace impuls {

class NetTargets {
  public:
    // The first `count` are particles of the element: 1, a link's 2 or a triangle's 3.
    struct Element {
        std::uint32_t count = 0;
        std::array<std::uint32_t, 3> particles{};
    };

    void clear();
    // Appends the elements of a net whose particles are at `x`; all else as `like` says.
    void append(const ParticleNet& net, std::span<const Vec3> x, const QueryTarget& like,
                std::vector<QueryTarget>& targets);
    const Element& operator[](std::uint32_t element) const { return elements_[element]; }

  private:
    void add(const Collider& collider, const Pose& X_W, const Element& element, const QueryTarget& like,
             std::vector<QueryTarget>& targets);
    void add_triangle(const std::array<Vec3, 3>& corners, double radius, const Element& element,
                      const QueryTarget& like, std::vector<QueryTarget>& targets);

    std::deque<Polyhedron> triangles_{};  // these two: targets refer to them
    std::deque<Collider> colliders_{};
    std::vector<Element> elements_{};
};

}  // namespace impuls
