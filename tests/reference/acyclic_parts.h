// Splits joints into parts without loops, for any system, and solves each part in linear time (Bender 3.3.4
// and 6.2; by the engine's own kernel solvers/articulated_tree). Joints between the same two bodies stay
// together; the world is one body. Bodies at which parts meet belong to all of them, with all of their mass,
// so parts are solved in turn until every joint is closed. Of as few parts as a first pass needs the smallest
// that a joint closes no loop in gets it: they are of similar size.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/rods.h"
#include "solvers/articulated_tree.h"

namespace impuls::reference {

class AcyclicParts {
  public:
    explicit AcyclicParts(const System& system);

    std::size_t count() const { return parts_.size(); }
    std::span<const std::size_t> joints_of(std::size_t part) const { return parts_[part].joints; }
    void factor(const States& states);
    // Changes the motion of the part's bodies such that its joints lose these velocities (of b against a).
    void solve(std::size_t part, const std::vector<Vec3>& velocities, States& states);

  private:
    struct Compound {  // all joints between two bodies
        int a = kWorld, b = 0;
        std::vector<std::size_t> joints{};
    };
    struct Edge {  // of a part's tree
        std::size_t compound = 0;
        bool is_turned = false;  // the child is a
    };
    struct Part {
        std::vector<std::size_t> compounds{}, joints{};
        std::vector<int> bodies{};  // by link
        std::vector<Edge> edges{};  // by link, where it is not free
        ArticulatedTree tree{};
    };
    void split(std::size_t count);
    void plant(Part& part);
    void set_rows(Part& part, std::uint32_t link, const States& states);
    bool is_ball(const Compound& compound) const;

    const System system_;
    std::vector<Compound> compounds_{};
    std::vector<Part> parts_{};
};

}  // namespace impuls::reference
