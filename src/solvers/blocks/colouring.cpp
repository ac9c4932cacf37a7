// Greedy colouring (colouring.h).
#include "solvers/blocks/colouring.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"

namespace impuls {
namespace {

constexpr std::uint64_t kLast = 1ull << (BlockColouring::kColours - 1);
constexpr std::uint64_t kFixed = ~0ull;                      // of a body that does not move
constexpr std::uint32_t kEmptyOctets = block::octets_of(4);  // what empty lanes read

}  // namespace

void BlockColouring::build(std::span<Ends> manifolds, std::span<const block::Body> bodies) {
    used_.resize(bodies.size());
    for (std::size_t k = 0; k < used_.size(); ++k) used_[k] = bodies[k].inv_mass > 0 ? 0 : kFixed;
    colour_of_.resize(manifolds.size());
    lane_.resize(manifolds.size());
    Counts lanes{};
    const auto end_segment = [&] {
        for (auto& of_size : lanes)
            for (std::uint32_t& count : of_size)
                count = (count + block::kLanes - 1) / block::kLanes * block::kLanes;
        segments_.push_back(lanes);
    };
    segments_.clear();
    std::uint32_t octets = 0, most = kEmptyOctets;
    for (std::size_t m = 0; m < manifolds.size(); ++m) {
        if (m % kSegment == 0) {
            end_segment();
            octets = kEmptyOctets;
        }
        Ends& c = manifolds[m];
        IMPULS_ASSERT_INDEX(c.a, bodies.size());
        IMPULS_ASSERT_INDEX(c.b, bodies.size());
        IMPULS_ASSERT(c.a != c.b);
        const std::uint64_t used_a = used_[c.a], used_b = used_[c.b];
        const bool moves_a = used_a != kFixed, moves_b = used_b != kFixed;
        const std::uint64_t taken = (moves_a ? used_a : 0) | (moves_b ? used_b : 0);
        const auto k = static_cast<std::size_t>(std::countr_zero(~taken | kLast));
        if (k < kColours - 1) {
            if (moves_a) used_[c.a] = used_a | 1ull << k;
            if (moves_b) used_[c.b] = used_b | 1ull << k;
        }
        c.octet = octets;
        octets += block::octets_of(c.size == kFour ? 4 : 1);
        most = std::max(most, octets);
        colour_of_[m] = static_cast<std::uint8_t>(k);
        auto& count = lanes[c.size][k];
        lane_[m] = count;
        count += k < kColours - 1 ? 1 : block::kLanes;
    }
    end_segment();
    octets_ = most;

    colours_.clear();
    std::array<std::size_t, kSizes> first{};
    used_colours_ = 0;
    for (std::size_t k = 0; k < kColours; ++k) {
        Colour c{first, {}};
        for (std::size_t size = 0; size < kSizes; ++size) {
            c.count[size] = lanes[size][k] / block::kLanes;
            first[size] += c.count[size];
            if (c.count[size] > 0) used_colours_ = static_cast<int>(k + 1);
        }
        colours_.push_back(c);
    }
}

}  // namespace impuls
