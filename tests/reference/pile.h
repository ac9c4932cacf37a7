// Boxes on a floor by one solve of contact velocities a step: the plainest way that lets a wall stand, with
// all contact points of a pair or, as impulse methods before Bender had it (Mirtich 1996), with the deepest
// one alone. Narrow phase and sweeps are the engine's, so that the number of points is all that differs. Used
// by the tests of the multibody text.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "collision/collider.h"
#include "collision/manifold.h"
#include "solvers/sequential.h"

namespace impuls::reference {

enum class PointsOfPair { All, Deepest };

class Pile {
  public:
    explicit Pile(PointsOfPair points);
    void add_box(const Vec3& size, double density, const Vec3& position);
    // All boxes are there. Only those that are near each other now will ever touch.
    void find_pairs(double reach);
    void step(double h);
    // Farthest that any box is from where it began.
    double shift() const;
    std::size_t contact_count() const { return problem_.contacts.size(); }

    double friction = 0.6;
    double gravity = 9.81;

  private:
    void find_contacts(double h);
    void add_contact(std::size_t pair, const Vec3& normal, const ManifoldPoint& point, double h);
    void keep_impulses();

    PointsOfPair points_;
    std::vector<Collider> colliders_{};  // the first is the floor
    std::vector<Vec3> inv_moments_{}, starts_{};
    std::vector<Pose> poses_{};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_{};
    Problem problem_{};
    SequentialSolver solver_{};
    std::vector<Manifold> manifolds_{};
    using Name = std::pair<std::size_t, std::uint32_t>;  // pair, feature
    std::vector<Name> names_{};                          // by contact
    std::map<Name, Vec3> impulses_{};                    // of the last step
};

}  // namespace impuls::reference
