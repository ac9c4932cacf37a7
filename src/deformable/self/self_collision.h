// Contacts of a sheet with itself within its substeps, without crossings. Invariant: x never contains a
// crossing, and every decision about sides is taken from x, never from previewed places.
//   detect       when some node leaves its budget about the mean motion: pairs that can meet within the new
//   budgets rows         closest points at x give n and weights, frozen: g = n . sum w p shall be at least
//   the thickness
//                (edges: half), or what recovery reaches; friction against the slip of the substep
//   certificate  of each pair: one direction that separates it at x and at p separates it in between (linear
//   motion) zones        pairs that fail: their nodes take one displacement, the mean by mass, until none
//   fails
// Sum w = 0 and zones' means keep linear momentum. Must come last of all contacts. Called by Sheet, by way of
// Contacts.
#pragma once

#include <vector>

#include "deformable/contacts.h"
#include "deformable/self/pairs.h"

namespace impuls::deformable {

struct SelfSettings {
    double thickness = 0;  // m, at most a fifth of an edge
    double friction = 0;
    double recovery = 0;  // m/s, at which less than the thickness is mended
    int sweeps = 1;       // 2 under pressure that drives
};

class SelfCollision final : public Contacts {
  public:
    // nodes: size of the columns. The surface must start free of crossings.
    SelfCollision(const Surface& surface, std::size_t nodes, const SelfSettings& settings);

    void solve(const Substep& substep) override;

    std::size_t pairs() const { return pairs_.list().size(); }
    std::size_t detections() const { return detections_; }
    // Substeps in which pairs failed their certificate, since it was made; nodes in zones of the last.
    std::size_t zone_substeps() const { return zone_substeps_; }

  private:
    Vec3 mean_motion(const Columns& from, const Columns& to) const;
    void detect_where_needed(const Substep& s);
    void solve_rows(const Substep& s);
    bool is_certified(const Substep& s, std::size_t k) const;
    std::uint32_t root_of(std::uint32_t node);
    bool close_zones(const Substep& s);
    void move_zones(const Substep& s);

    const Surface* surface_;
    SelfSettings settings_;
    SelfPairs pairs_;
    Columns reference_;
    std::vector<double> budget_;
    std::vector<Separation> at_start_;  // by pair
    std::vector<std::uint32_t> parent_, zone_nodes_;
    std::vector<Vec3> zone_move_;
    std::vector<double> zone_mass_;
    bool is_found_ = false;
    std::size_t detections_ = 0, zone_substeps_ = 0;
};

}  // namespace impuls::deformable
