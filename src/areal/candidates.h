// Which triangles of two surfaces may press each other: those of the base whose rays, so many metres long,
// come near triangles of the target; both trees are gone down together. The list is kept while the target has
// not moved by more than its slack relative to the base, which changes no result: triangles that do not meet
// add nothing. Called by ArealPair (contact.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "areal/surface.h"

namespace impuls::areal {

struct Candidate {
    std::uint32_t base = 0, target = 0;
    friend constexpr auto operator<=>(const Candidate&, const Candidate&) = default;
};

class Candidates {
  public:
    // Ascending. `reach`: length of the rays, m.
    std::span<const Candidate> find(const Surface& base, const Surface& target, const Pose& X_BT,
                                    double reach);
    long searches() const { return searches_; }
    std::size_t count() const { return list_.size(); }

  private:
    void search(const TriangleSurface& base, const TriangleSurface& target, const Pose& X_BT, double reach,
                double slack);
    void search_plane(const TriangleSurface& target, const Pose& X_BT, double slack);

    std::vector<Candidate> list_{};
    std::vector<std::uint64_t> stack_{};
    Pose found_at_{};
    double found_reach_ = -1, found_slack_ = 0;
    long searches_ = 0;
};

}  // namespace impuls::areal
