// Colours of manifolds and their places in batches: those of a colour share no moving body, so that eight of
// them fill the lanes of a batch and batches of a colour are independent. Each manifold gets the first colour
// that neither of its bodies has yet; lanes of a colour follow the order of manifolds. The last colour is for
// what found no other: one manifold a batch, solved one after the other.
// Manifolds are divided into segments, each with batches of its own: what a segment's manifolds exchange with
// their batches (octets) stays in the caches. Called by contacts.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/blocks/kernel.h"

namespace impuls {

class BlockColouring {
  public:
    enum Size : std::uint32_t { kRound, kOne, kFour };
    static constexpr std::size_t kSizes = 3, kColours = 64;
    static constexpr std::size_t kSegment = 8192;  // manifolds

    struct Ends {
        std::uint32_t a, b, count;
        Size size;
        std::uint32_t octet;  // its first, of those of its segment; set by build()
    };
    struct Colour {
        std::array<std::size_t, kSizes> first, count;  // batches of each size
    };
    struct Place {
        std::size_t batch, lane;
    };

    void build(std::span<Ends> manifolds, std::span<const block::Body> bodies);

    std::span<const Colour> colours() const { return colours_; }  // kColours of them
    int used_colours() const { return used_colours_; }
    std::size_t batches(Size size) const { return colours_.back().first[size] + colours_.back().count[size]; }
    std::size_t octets() const { return octets_; }  // the first ones are of empty lanes
    std::size_t segments() const { return segments_.empty() ? 0 : segments_.size() - 1; }
    // The batches of a segment, of a size and colour.
    std::size_t first_batch(std::size_t segment, std::size_t size, std::size_t colour) const {
        return colours_[colour].first[size] + segments_[segment][size][colour] / block::kLanes;
    }
    std::size_t batch_count(std::size_t segment, std::size_t size, std::size_t colour) const {
        return (segments_[segment + 1][size][colour] - segments_[segment][size][colour]) / block::kLanes;
    }
    Place place_of(std::size_t manifold, Size size) const {
        return {colours_[colour_of_[manifold]].first[size] + lane_[manifold] / block::kLanes,
                lane_[manifold] % block::kLanes};
    }

  private:
    using Counts = std::array<std::array<std::uint32_t, kColours>, kSizes>;

    std::vector<Counts> segments_{};  // lanes before each, and before the end
    std::vector<Colour> colours_{};
    std::vector<std::uint64_t> used_{};  // colours at a body
    std::vector<std::uint8_t> colour_of_{};
    std::vector<std::uint32_t> lane_{};  // of a manifold, in its colour and size
    std::size_t octets_ = 0;
    int used_colours_ = 0;
};

}  // namespace impuls
