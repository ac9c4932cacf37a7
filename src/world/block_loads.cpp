// How an island is advanced by blocks: how many passes its speeds ask for, what its contacts have to bear,
// and how many substeps that takes (block_work.h).
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "world/block_work.h"
#include "world/state.h"

namespace impuls {
namespace {

constexpr double kSag = 1.6e-3;      // what a soft contact may give, of the size
constexpr double kFineSag = 0.4e-3;  // the same for methods that are not by blocks throughout
constexpr double kPassTurn = 0.25;   // rad: how far joined bodies may turn in a pass
constexpr std::size_t kFew = 32;     // bodies: what is fast among so few is left to the impulse stepper
constexpr std::array kLevels{4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24, 28, 32, 40, 48};

}  // namespace

// No pair moves far in a step. What does, and what strikes, is the impulse stepper's where that is the
// method's: it looks for contacts in each substep.
bool BlockWork::is_calm() const {
    constexpr double kCalm = 0.1;  // of the size
    return std::all_of(pairs_.begin(), pairs_.end(),
                       [](const PairPart& pair) { return pair.way <= kCalm * pair.size; });
}

// As many that pairs, and joints, whose rows are frozen within a pass, usually move by no more than they may.
int BlockWork::count_passes() {
    PassTally joints;
    for (const JointPart& joint : joints_)
        joints.add(std::min<double>(
            kMostPasses,
            world_->dt / kPassTurn * std::max(length(nodes_[joint.a].w), length(nodes_[joint.b].w))));
    pace_.add(joints);
    if (dynamic_count_ <= kFew && pace_.is_any_above(kMostPasses - 1)) return kMostPasses + 1;
    int passes = 1;
    while (passes < kMostPasses && !pace_.is_within(static_cast<std::size_t>(passes - 1))) ++passes;
    return passes;
}

// Groups from the highest to the lowest, equal heights in the order of numbers: by their bytes, the last one
// first. Depths below the highest are not negative, so that their floats are ordered as their bits are.
void BlockWork::order_groups() {
    double highest = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < dynamic_count_; ++k) highest = std::max(highest, height_[k]);
    order_.clear();
    for (std::uint32_t k = 0; k < dynamic_count_; ++k)
        if (group_[k] == k)
            order_.push_back({std::bit_cast<std::uint32_t>(static_cast<float>(highest - height_[k])), k});
    next_order_.resize(order_.size());
    for (int shift = 0; shift < 32; shift += 8) {
        const auto digit = [shift](const Depth& d) { return d.bits >> shift & 255; };
        std::array<std::uint32_t, 256> at{};
        for (const Depth& d : order_) ++at[digit(d)];
        std::exclusive_scan(at.begin(), at.end(), at.begin(), 0u);
        for (const Depth& d : order_) next_order_[at[digit(d)]++] = d;
        order_.swap(next_order_);
    }
}

// Nodes that joints hold together have the sum of their weights, at the mean of their heights.
void BlockWork::weigh_groups() {
    const auto& bodies = world_->bodies;
    weight_.resize(nodes_.size()), height_.resize(nodes_.size());
    for_nodes([&](std::size_t k) {
        const Node& node = nodes_[k];
        height_[k] = dot(node.pose.position, up_);
        weight_[k] =
            node.is_dynamic ? std::max(0.0, -dot(node.acceleration, up_)) * bodies.mass[node.body] : 0;
    });
    if (joints_.empty()) return;
    member_count_.assign(nodes_.size(), 0);
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
        const std::uint32_t group = group_[k];
        ++member_count_[group];
        if (group != k) height_[group] += height_[k], weight_[group] += weight_[k];
    }
    for (std::size_t k = 0; k < nodes_.size(); ++k)
        if (member_count_[k] > 1) height_[k] /= member_count_[k];
}

// What each contact has to bear at rest: weights passed down from body to body (or from group to group of
// bodies that joints hold together), shared as the last impulses were. Stress that contacts only have from
// one another is not in it.
void BlockWork::estimate_loads() {
    constexpr double kUp = 0.2;  // a flatter push bears nothing
    if (up_ == Vec3{}) return;
    weigh_groups(), order_groups();
    support_start_.assign(nodes_.size() + 1, 0);
    const auto upper = [&](const Part& part) { return group_[part.rise > 0 ? part.b : part.a]; };
    const auto lower = [&](const Part& part) { return group_[part.rise > 0 ? part.a : part.b]; };
    const auto bears = [&](const Part& part) {
        return std::abs(part.rise) > kUp && upper(part) < dynamic_count_;
    };
    for (const Part& part : parts_)
        if (bears(part)) ++support_start_[upper(part) + 1];
    for (std::size_t k = 0; k < nodes_.size(); ++k) support_start_[k + 1] += support_start_[k];
    supports_.resize(support_start_.back());
    cursor_.assign(support_start_.begin(), support_start_.end() - 1);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const Part& part = parts_[i];
        const double rise = std::abs(part.rise);
        if (bears(part))
            supports_[cursor_[upper(part)]++] = {static_cast<std::uint32_t>(i), lower(part), rise,
                                                 part.pushes * rise};
    }
    for (const auto& [bits, k] : order_) {
        const std::span<Support> own(supports_.data() + support_start_[k],
                                     support_start_[k + 1] - support_start_[k]);
        double total = 0;
        for (const Support& s : own) total += s.share;
        for (Support& s : own) {
            s.share = weight_[k] * (total > 0 ? s.share / total : 1.0 / static_cast<double>(own.size()));
            weight_[s.lower] += s.share;
        }
    }
    executor().parallel_for(supports_.size(), 1024, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
            parts_[supports_[k].part].load = supports_[k].share / supports_[k].rise;
    });
}

// As many that contacts at rest give no more than kSag, and less under loads of many times a body's own
// weight: towers buckle. Edges, points and slopes make no towers, and may give more (but figures press on
// each other with levers, through joints). Fewer than before only when it was far too many: a change shakes
// what stands.
int BlockWork::count_substeps() {
    constexpr double kHeavy = 16;      // load, in weights of a body, from which on it matters
    constexpr double kUpright = 0.95;  // rise of a face that makes towers
    constexpr double kLoose = 8;       // how much more others may give
    constexpr double kJointed = 8;     // substeps that joints need
    const double g = length(world_->gravity),
                 sag = world_->method.stepper == Stepper::Blocks ? kSag : kFineSag;
    // Substeps n that something asks for, as n^2: the limits are those of the levels, and of what is left
    // alone.
    using Tally = UsualMost<kLevels.size() + 1>;
    const double tolerated = 0.7 * level_;
    std::array<double, kLevels.size() + 1> limits;
    std::copy(kLevels.begin(), kLevels.end(), limits.begin());
    limits.back() = tolerated;
    std::sort(limits.begin(), limits.end());
    for (double& n : limits) n *= n;
    const double scale = world_->dt * world_->dt / kQuarter;
    Tally wanted(limits);
    executor().parallel_for(parts_.size(), 1024, [&](std::size_t begin, std::size_t end) {
        Tally own(limits);
        for (std::size_t k = begin; k < end; ++k) {
            const Part& part = parts_[k];
            if (part.load == 0) continue;
            const double a = part.load * inv_mass_of(part.a, part.b);
            const bool is_tower =
                joints_.empty() ? part.count > 2 && std::abs(part.rise) > kUpright : part.count > 1;
            own.add(scale * a / (sag * part.size) * (is_tower ? 1 + a / (kHeavy * g) : 1 / kLoose));
        }
        wanted.add(own);
    });
    for (const JointPart& joint : joints_) {
        const double size = joint_size(joint);
        if (size > 0)
            wanted.add(scale * length(world_->joints.reaction[joint.joint].force) *
                       inv_mass_of(joint.a, joint.b) / (sag * size));
    }
    const double least =
        std::max<double>(static_cast<double>(world_->method.substeps), joints_.empty() ? 0 : kJointed);
    const auto suffices = [&](double n) {
        const auto at = std::find(limits.begin(), limits.end(), n * n) - limits.begin();
        return least <= n && wanted.is_within(static_cast<std::size_t>(at));
    };
    const auto enough = std::find_if(kLevels.begin(), kLevels.end() - 1, suffices);
    const int level = std::max(*enough, static_cast<int>(world_->method.substeps));
    return level >= level_ || suffices(tolerated) ? level : level_;
}

double BlockWork::inv_mass_of(std::uint32_t a, std::uint32_t b) const {
    return nodes_[a].inv_mass + nodes_[b].inv_mass;
}

}  // namespace impuls
