// A round of impacts with restitution among contacts in lanes (contacts.h), before the sweeps of a substep.
// Points that meet are struck together, in one configuration (generalised reflections: Smith et al. 2012):
//     compression   v0 -> vc        sweeps with impulses p >= 0 towards J vc = 0
//     restitution   vc -> vc + l w  w = M^-1 J^T (e p)
// Compression takes the work W = - sum of p (J v0 + J vc)/2, of which each point gives e^2 back: l solves
//     l sum of e p J vc + l^2 sum of e p J w/2 = sum of e^2 W,
// and is 1 where the sweeps converged. So no energy comes of it, however few the sweeps, and with e = 1 none
// goes. l is that of a group of bodies that strike each other; those of joints are one, whose equations hold
// in the meantime. Then friction, within mu times what was given. Called by contacts.cpp.
//
// What an impact gives is its own: neither extrapolated to the next substep (`start` moves along) nor a guess
// for later ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/raw_vector.h"
#include "solvers/blocks/kernel.h"
#include "solvers/blocks/rows.h"

namespace impuls {

class Executor;

class BlockImpacts {
  public:
    // Starts a round: batches that find_impacts() has marked are to be added, in the order of colours.
    void begin(const block::Pass& pass, std::span<const block::Body> bodies, std::span<block::Motion> start);
    template <class B>
    void add(RawVector<B>& batches, std::size_t first, std::size_t count);
    // Phase: of the pass, for equations.
    void solve(BlockRows& rows, double phase, Executor& executor);

  private:
    struct Struck {
        enum Kind : std::uint8_t { kRound, kOne, kFour } kind;
        void* batch;
    };
    struct Group {
        double wanted = 0, linear = 0, square = 0;  // J: of the equation for l
        double part = 0;                            // l
    };
    template <class F>
    void for_struck(F&& f);
    void touch(std::uint32_t body);
    std::uint32_t group_of(std::uint32_t body);
    void join(std::uint32_t a, std::uint32_t b);
    void find_groups(bool are_joined);
    void add_up();

    const block::Pass* pass_ = nullptr;
    std::span<const block::Body> bodies_{};
    std::span<block::Motion> start_{};
    std::vector<Struck> struck_{};
    std::vector<std::uint32_t> touched_{};                // bodies that move
    std::vector<std::uint32_t> group_{};                  // by body, while it is touched
    std::vector<std::uint8_t> is_touched_{};              // by body
    std::vector<block::Motion> before_{}, compressed_{};  // by body; of those touched
    std::vector<Group> groups_{};                         // by body
    std::vector<block::NormalSpeeds> speeds_{};           // of struck batches before, and compressed
};

}  // namespace impuls
