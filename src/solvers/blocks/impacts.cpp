// A round of impacts (impacts.h). Sums are made one batch after the other, in double.
#include "solvers/blocks/impacts.h"

#include <cmath>

#include "solvers/tuning.h"

namespace impuls {
namespace {

using block::kLanes;
constexpr int kSweeps = tuning::kImpactSweeps, kSweepsOfJoints = tuning::kImpactSweepsOfJoints;

template <class B>
constexpr int kPointsOf = static_cast<int>(sizeof(B::s) / sizeof(block::Lanes));

}  // namespace

void BlockImpacts::begin(const block::Pass& pass, std::span<const block::Body> bodies,
                         std::span<block::Motion> start) {
    pass_ = &pass;
    bodies_ = bodies;
    start_ = start;
    struck_.clear();
    touched_.clear();
    group_.resize(bodies.size());
    groups_.resize(bodies.size());
    before_.resize(bodies.size());
    compressed_.resize(bodies.size());
    is_touched_.assign(bodies.size(), 0);
}

template <class B>
void BlockImpacts::add(RawVector<B>& batches, std::size_t first, std::size_t count) {
    constexpr auto kKind = sizeof(B) == sizeof(block::RoundBatch) ? Struck::kRound
                           : sizeof(B) == sizeof(block::Batch<1>) ? Struck::kOne
                                                                  : Struck::kFour;
    for (std::size_t k = first; k < first + count; ++k)
        if (batches[k].rebounds) struck_.push_back({kKind, &batches[k]});
}
template void BlockImpacts::add(RawVector<block::RoundBatch>&, std::size_t, std::size_t);
template void BlockImpacts::add(RawVector<block::Batch<1>>&, std::size_t, std::size_t);
template void BlockImpacts::add(RawVector<block::Batch<4>>&, std::size_t, std::size_t);

// Calls f(batch, its number among those struck).
template <class F>
void BlockImpacts::for_struck(F&& f) {
    for (std::size_t k = 0; k < struck_.size(); ++k) {
        const Struck& s = struck_[k];
        if (s.kind == Struck::kRound)
            f(*static_cast<block::RoundBatch*>(s.batch), k);
        else if (s.kind == Struck::kOne)
            f(*static_cast<block::Batch<1>*>(s.batch), k);
        else
            f(*static_cast<block::Batch<4>*>(s.batch), k);
    }
}

void BlockImpacts::touch(std::uint32_t body) {
    if (is_touched_[body] || !(bodies_[body].inv_mass > 0)) return;
    is_touched_[body] = 1;
    group_[body] = body;
    groups_[body] = {};
    before_[body] = pass_->motion[body];
    touched_.push_back(body);
}

std::uint32_t BlockImpacts::group_of(std::uint32_t body) {
    while (group_[body] != body) body = group_[body] = group_[group_[body]];
    return body;
}

void BlockImpacts::join(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t x = group_of(a), y = group_of(b);
    group_[x > y ? x : y] = x > y ? y : x;
}

// Bodies that are struck, grouped by their impacts. Joints transmit impacts: then all are one group.
void BlockImpacts::find_groups(bool are_joined) {
    for_struck([&](auto& c, std::size_t) {
        for (int l = 0; l < kLanes; ++l) {
            bool is_struck = false;
            for (int k = 0; k < kPointsOf<std::decay_t<decltype(c)>>; ++k) is_struck |= c.back[k][l] > 0;
            if (!is_struck) continue;
            touch(c.a[l]);
            touch(c.b[l]);
            if (is_touched_[c.a[l]] && is_touched_[c.b[l]]) join(c.a[l], c.b[l]);
        }
    });
    if (!are_joined) return;
    for (std::uint32_t body = 0; body < bodies_.size(); ++body) touch(body);
    for (const std::uint32_t body : touched_) join(touched_[0], body);
}

// The sums of each group, from the speeds before (2 k), compressed (2 k + 1) and now.
void BlockImpacts::add_up() {
    const block::Kernel& kernel = block::kernel();
    for_struck([&](auto& c, std::size_t at) {
        block::NormalSpeeds now;
        kernel.of(&c).measure(c, pass_->motion, now);
        for (int k = 0; k < kPointsOf<std::decay_t<decltype(c)>>; ++k)
            for (int l = 0; l < kLanes; ++l) {
                const double p = c.hit[k][l], e = c.back[k][l];
                const std::uint32_t body = is_touched_[c.a[l]] ? c.a[l] : c.b[l];
                if (!(p > 0) || !is_touched_[body]) continue;
                const double v0 = speeds_[2 * at].of[k][l], vc = speeds_[2 * at + 1].of[k][l];
                Group& g = groups_[group_of(body)];
                g.wanted -= e * e * p * (v0 + vc) / 2;
                g.linear += e * p * vc;
                g.square += e * p * (now.of[k][l] - vc) / 2;
            }
    });
    for (const std::uint32_t body : touched_) {
        Group& g = groups_[body];
        const double wanted = g.wanted > 0 ? g.wanted : 0, root = g.linear * g.linear + 4 * g.square * wanted;
        g.part = g.square > 0 && root > 0 ? (std::sqrt(root) - g.linear) / (2 * g.square) : 0;
        if (g.part < 0) g.part = 0;
    }
}

void BlockImpacts::solve(BlockRows& rows, double phase, Executor& executor) {
    const block::Kernel& kernel = block::kernel();
    block::Motion* const motion = pass_->motion;
    find_groups(!rows.empty());
    speeds_.resize(2 * struck_.size());
    const int sweeps = rows.empty() ? kSweeps : kSweepsOfJoints;

    for_struck([&](auto& c, std::size_t at) { kernel.of(&c).measure(c, motion, speeds_[2 * at]); });
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        for_struck([&](auto& c, std::size_t) { kernel.of(&c).compress(c, *pass_); });
        if (!rows.empty()) rows.strike(motion, phase, executor);
    }
    for_struck([&](auto& c, std::size_t at) { kernel.of(&c).measure(c, motion, speeds_[2 * at + 1]); });

    for (const std::uint32_t body : touched_) compressed_[body] = motion[body];
    for_struck([&](auto& c, std::size_t) { kernel.of(&c).give_back(c, *pass_); });
    for (int sweep = 0; sweep < sweeps && !rows.empty(); ++sweep) rows.strike(motion, phase, executor);
    add_up();

    // v = vc + l w
    for (const std::uint32_t body : touched_) {
        const auto part = static_cast<float>(groups_[group_of(body)].part);
        const block::Motion& from = compressed_[body];
        block::Motion& to = motion[body];
        for (int k = 0; k < 3; ++k) {
            to.v[k] = from.v[k] + part * (to.v[k] - from.v[k]);
            to.w[k] = from.w[k] + part * (to.w[k] - from.w[k]);
        }
    }
    for_struck([&](auto& c, std::size_t) {
        for (int l = 0; l < kLanes; ++l) {
            const std::uint32_t body = is_touched_[c.a[l]] ? c.a[l] : c.b[l];
            if (!is_touched_[body]) continue;
            const auto part = static_cast<float>(groups_[group_of(body)].part);
            for (int k = 0; k < kPointsOf<std::decay_t<decltype(c)>>; ++k)
                c.hit[k][l] *= 1 + part * c.back[k][l];
        }
        kernel.of(&c).rub(c, *pass_);
    });
    if (!rows.empty()) rows.strike(motion, phase, executor);

    for (const std::uint32_t body : touched_)
        for (int k = 0; k < 3; ++k) {
            start_[body].v[k] += motion[body].v[k] - before_[body].v[k];
            start_[body].w[k] += motion[body].w[k] - before_[body].w[k];
        }
}

}  // namespace impuls
