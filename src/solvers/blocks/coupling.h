// Contacts of bodies that joints hold. What a contact feels of such a body is lighter alone than it is with
// all that hangs on it: sweeps over contacts and joints in turn would need as many rounds as the masses
// differ. So where few contacts load the joints, each has a copy of the body that yields to it by the share
// s M^-1 of what the body alone would, s = n J W J^T/(J M^-1 J^T): W is M^-1 with the joints holding, and n
// the number of such copies, since n contacts that push a body of the same mechanism yield at most n times
// (sum of n blocks of a positive semi-definite matrix). What the copies were pushed goes to the bodies before
// joints are solved. With v of a copy that of its body, its w~ is that of the body over the root of s.
// Called by contacts.cpp.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "solvers/blocks/kernel.h"

namespace impuls {

class CoupledBodies {
  public:
    void clear() { copies_.clear(); }
    bool empty() const { return copies_.empty(); }
    void add(std::uint32_t copy, std::uint32_t body, double share) {
        copies_.push_back({copy, body, static_cast<float>(share), static_cast<float>(std::sqrt(share))});
    }
    // Copies become what their bodies are.
    void spread(block::Motion* motion) const {
        for (const Copy& c : copies_)
            for (int k = 0; k < 3; ++k) {
                motion[c.copy].v[k] = motion[c.body].v[k];
                motion[c.copy].w[k] = motion[c.body].w[k] / c.root;
            }
    }
    // What they were pushed since goes to their bodies.
    void collect(block::Motion* motion) {
        before_.clear();
        for (const Copy& c : copies_) before_.push_back(motion[c.body]);
        for (std::size_t i = 0; i < copies_.size(); ++i) {
            const Copy& c = copies_[i];
            for (int k = 0; k < 3; ++k) {
                motion[c.body].v[k] += (motion[c.copy].v[k] - before_[i].v[k]) / c.share;
                motion[c.body].w[k] += (motion[c.copy].w[k] - before_[i].w[k] / c.root) / c.root;
            }
        }
    }

  private:
    struct Copy {
        std::uint32_t copy, body;
        float share, root;
    };
    std::vector<Copy> copies_{};
    std::vector<block::Motion> before_{};
};

}  // namespace impuls
