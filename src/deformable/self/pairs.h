// Pairs of a surface that may touch itself: a vertex and a triangle, or two edges, that share no vertex.
// Every vertex and edge is owned by one triangle, so that each pair comes up once. Closest points and weights
// (sum 0) as pure functions. Called by SelfCollision.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "deformable/columns.h"

namespace impuls::deformable {

struct SelfPair {
    std::array<std::uint32_t, 4> node{};  // vertex and triangle, or the ends of both edges
    bool is_edges = false;
    friend auto operator<=>(const SelfPair&, const SelfPair&) = default;
};

// The second side towards the first: distance d along n, and the weights of the nodes: sum w x = d n.
struct Separation {
    std::array<double, 4> weight{};
    Vec3 n{};
    double d = 0;
};
Separation separation_of(const Columns& x, const SelfPair& pair);
// Least of the first side less largest of the second along n: a plane between them has a gap like that.
double gap_along(const Columns& x, const SelfPair& pair, const Vec3& n);

class SelfPairs {
  public:
    explicit SelfPairs(const Surface& surface);

    // All pairs closer at x than their thickness (edges: half of it) and the largest budgets of both sides,
    // sorted, so that the order does not depend on how they were found.
    void find(const Columns& x, std::span<const double> budget, double thickness);
    std::span<const SelfPair> list() const { return list_; }

  private:
    struct Owner {
        std::vector<std::uint32_t> vertices{};
        std::vector<std::array<std::uint32_t, 2>> edges{};
    };
    struct Box {
        Vec3 min, max;
        std::uint32_t triangle;
    };
    void add(const Columns& x, std::span<const double> budget, double thickness, const SelfPair& pair);
    void test(const Columns& x, std::span<const double> budget, double thickness, std::uint32_t a,
              std::uint32_t b);

    const Surface* surface_;
    std::vector<Owner> owned_;  // by triangle
    std::vector<Box> boxes_;
    std::vector<SelfPair> list_;
};

}  // namespace impuls::deformable
