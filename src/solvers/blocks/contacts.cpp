// Filling lanes and the order of a pass (contacts.h).
#include "solvers/blocks/contacts.h"

#include <algorithm>
#include <atomic>
#include <numbers>

#include "base/assert.h"
#include "impuls/executor.h"
#include "solvers/tuning.h"

namespace impuls {
namespace {

using block::kLanes;
constexpr std::size_t kGrain = 4;  // batches of a chunk

float narrow(double x) {
    return static_cast<float>(x);
}

// Three numbers from x on.
void put(const Vec3& from, float* x) {
    x[0] = narrow(from.x);
    x[1] = narrow(from.y);
    x[2] = narrow(from.z);
}
Vec3 three(const float* x) {
    return {x[0], x[1], x[2]};
}

}  // namespace

void BlockContacts::clear(std::size_t bodies, std::size_t manifolds) {
    ends_.resize(manifolds);
    rows_.clear();
    resize_bodies(1 + bodies);
    set_body(0, 0, diagonal({0, 0, 0}), {}, {}, {}, {});
}

void BlockContacts::resize_bodies(std::size_t count) {
    bodies_.resize(count);
    motion_.resize(count);
    acceleration_.resize(count);
    acceleration_root_.resize(count);
}

void BlockContacts::set_body(std::uint32_t body, double inv_mass, const Mat3& r, const Vec3& v, const Vec3& w,
                             const Vec3& acceleration, const Vec3& acceleration_root) {
    bodies_[body] = {
        {narrow(r.c0.x), narrow(r.c0.y), narrow(r.c0.z), narrow(r.c1.y), narrow(r.c1.z), narrow(r.c2.z)},
        narrow(inv_mass),
        0};
    motion_[body] = {{narrow(v.x), narrow(v.y), narrow(v.z), 0}, {narrow(w.x), narrow(w.y), narrow(w.z), 0}};
    acceleration_[body] = acceleration;
    acceleration_root_[body] = acceleration_root;
}

std::uint32_t BlockContacts::add_body(double inv_mass, const Mat3& inverse_root, const Vec3& v, const Vec3& w,
                                      const Vec3& acceleration, const Vec3& acceleration_root) {
    const auto body = static_cast<std::uint32_t>(bodies_.size());
    resize_bodies(body + 1);
    set_body(body, inv_mass, inverse_root, v, w, acceleration, acceleration_root);
    return body;
}

void BlockContacts::colour() {
    colouring_.build({ends_.data(), ends_.size()}, bodies_);
    octets_.resize(colouring_.octets());
    std::fill_n(octets_.begin(), block::octets_of(kPoints), block::Octet{});
    std::get<Size::kRound>(batches_).resize(colouring_.batches(Size::kRound));
    std::get<Size::kOne>(batches_).resize(colouring_.batches(Size::kOne));
    std::get<Size::kFour>(batches_).resize(colouring_.batches(Size::kFour));
}

// Calls f(batches) with those of a size, of the three.
template <class F>
void BlockContacts::with_batches(Size size, F&& f) {
    if (size == Size::kRound) return f(std::get<Size::kRound>(batches_));
    if (size == Size::kOne) return f(std::get<Size::kOne>(batches_));
    f(std::get<Size::kFour>(batches_));
}

// Calls f(first batch, count) for all of a segment.
template <class F>
void BlockContacts::for_batches_of(std::size_t segment, Executor& executor, F&& f) {
    const auto colours = static_cast<std::size_t>(colouring_.used_colours());
    executor.parallel_for(BlockColouring::kSizes * colours, 1, [&](std::size_t at, std::size_t) {
        const std::size_t size = at / colours, k = at % colours;
        const std::size_t count = colouring_.batch_count(segment, size, k);
        if (count == 0) return;
        with_batches(static_cast<Size>(size), [&](auto& batches) {
            IMPULS_ASSERT(colouring_.first_batch(segment, size, k) + count <= batches.size());
            f(batches.data() + colouring_.first_batch(segment, size, k), count);
        });
    });
}

// Calls f(manifold) for all of a segment, in their order, which is that of their bodies and points in memory.
template <class F>
void BlockContacts::for_manifolds_of(std::size_t segment, Executor& executor, F&& f) {
    const std::size_t first = segment * BlockColouring::kSegment,
                      count = std::min(BlockColouring::kSegment, ends_.size() - first);
    executor.parallel_for(count, 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t m = first + begin; m < first + end; ++m) f(m);
    });
}

void BlockContacts::give_octets(std::size_t number, const Exchange& exchange) {
    const Ends& ends = ends_[number];
    Manifold m;
    exchange.give(number, m);
    IMPULS_ASSERT(ends.octet + block::octets_of(ends.size == Size::kFour ? 4 : 1) <= octets_.size());
    block::Octet* const o = octets_.data() + ends.octet;
    put(m.normal, o[0].x);
    o[0].x[3] = narrow(m.friction);
    o[0].x[4] = narrow(m.slop);
    o[0].x[5] = narrow(m.cap);
    o[0].x[6] = narrow(m.bounce);
    o[0].x[7] = narrow(m.threshold);
    put(m.impulse_t, o[1].x);
    put(m.surface, o[1].x + 4);
    o[1].x[3] = ends.size == Size::kRound ? (m.are_balls ? 1 : 0) : narrow(m.twist);
    o[1].x[7] = static_cast<float>(ends.count) + (m.is_passing ? block::kPassing : 0) +
                (m.is_of_disk ? block::kOfDisk : 0);
    for (std::uint32_t k = 0; k < ends.count; ++k) {
        float* const x = o[2 + k].x;
        const Point& p = m.points[k];
        put(p.ra, x);
        put(p.rb, x + 3);
        x[6] = narrow(p.separation);
        x[7] = narrow(p.impulse);
    }
    for (std::uint32_t k = ends.count; k < kPoints && ends.size == Size::kFour; ++k) o[2 + k] = {};
}

// Segment by segment: what manifolds give is still in the caches when it is turned into lanes.
void BlockContacts::fill(const Exchange& exchange, Executor& executor) {
    for (std::size_t segment = 0; segment < colouring_.segments(); ++segment) {
        for_batches_of(segment, executor, [](auto* batches, std::size_t count) {
            for (auto* c = batches; c < batches + count; ++c)
                for (auto* of : {c->a, c->b, c->given}) std::fill_n(of, kLanes, 0u);
        });
        for_manifolds_of(segment, executor, [&](std::size_t number) {
            const Ends& ends = ends_[number];
            const auto [batch, lane] = colouring_.place_of(number, ends.size);
            with_batches(ends.size, [&, batch = batch, lane = lane](auto& batches) {
                auto& c = batches[batch];
                IMPULS_ASSERT(c.given[lane] == 0);  // a lane is given away once
                c.a[lane] = ends.a;
                c.b[lane] = ends.b;
                c.given[lane] = ends.octet;
            });
            give_octets(number, exchange);
        });
        for_batches_of(segment, executor, [&](auto* batches, std::size_t count) {
            block::kernel().of(batches).prepare(batches, count, bodies_.data(), octets_.data());
        });
    }
}

void BlockContacts::take(Exchange& exchange, Executor& executor) {
    for (std::size_t segment = 0; segment < colouring_.segments(); ++segment) {
        for_batches_of(segment, executor, [&](const auto* batches, std::size_t count) {
            block::kernel().of(batches).hand_out(batches, count, octets_.data());
        });
        for_manifolds_of(segment, executor, [&](std::size_t number) {
            const block::Octet* const o = octets_.data() + ends_[number].octet;
            Result r;
            for (std::uint32_t k = 0; k < ends_[number].count; ++k)
                r.points[k] = {o[0].x[k], o[0].x[4 + k], o[1].x[k]};
            r.impulse_t = three(o[1].x + 4);
            r.twist = o[1].x[7];
            r.sum_t = three(o[2].x);
            r.sum_twist = o[2].x[3];
            exchange.take(number, r);
        });
    }
}

// Calls f(first batch, count) for all, colour by colour.
template <class F>
void BlockContacts::for_batches(Executor& executor, F&& f) {
    const auto colours = colouring_.colours();
    for (const BlockColouring::Colour& c : colours) {
        const std::size_t count = c.count[Size::kRound] + c.count[Size::kOne] + c.count[Size::kFour];
        if (count == 0) continue;
        const bool is_shared = &c != &colours.back();  // the last one's manifolds may share bodies
        executor.parallel_for(count, is_shared ? kGrain : count, [&](std::size_t begin, std::size_t end) {
            const auto part = [&](auto& batches, Size size) {
                const std::size_t last = std::min(end, c.count[size]);
                IMPULS_ASSERT(c.first[size] + c.count[size] <= batches.size());
                if (begin < last) f(batches.data() + c.first[size] + begin, last - begin);
                begin -= std::min(begin, c.count[size]);
                end -= std::min(end, c.count[size]);
            };
            part(std::get<Size::kRound>(batches_), Size::kRound);
            part(std::get<Size::kOne>(batches_), Size::kOne);
            part(std::get<Size::kFour>(batches_), Size::kFour);
        });
    }
}

bool BlockContacts::has_excess() {
    const auto is_any = [](const auto& batches) {
        return block::kernel().of(batches.data()).has_excess(batches.data(), batches.size());
    };
    return std::apply([&](const auto&... batches) { return (is_any(batches) || ...); }, batches_);
}

// Joints hand on what contacts push, through many bodies: that takes more sweeps. They are closed in the same
// sweeps, else they would draw bodies back into each other, or be torn.
void BlockContacts::correct(Executor& executor) {
    const int sweeps = rows_.empty() ? tuning::kCorrections : tuning::kCorrectionsOfJoints;
    const block::Kernel& kernel = block::kernel();
    by_.assign(bodies_.size(), {});
    rows_.measure(moved_.data(), executor);
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        for_batches(executor, [&](auto* batches, std::size_t count) {
            kernel.of(batches).correct(batches, count, by_.data(), tuning::kCorrected);
        });
        rows_.close(by_.data(), executor);
    }
    kernel.advance(moved_.data(), by_.data(), by_.size(), 1);
}

// Rounds of impacts, until nothing meets any more; what is left then is stopped without rebound by the
// sweeps.
void BlockContacts::strike(const block::Pass& pass, double row_phase, Executor& executor) {
    constexpr int kMostRounds = 8;
    const block::Kernel& kernel = block::kernel();
    for (int round = 0; round < kMostRounds; ++round) {
        std::atomic<bool> is_any = false;
        for_batches(executor, [&](auto* batches, std::size_t count) {
            if (kernel.of(batches).find_impacts(batches, count, pass))
                is_any.store(true, std::memory_order_relaxed);
        });
        if (!is_any) return;
        impacts_.begin(pass, bodies_, start_);
        for (const BlockColouring::Colour& c : colouring_.colours()) {
            impacts_.add(std::get<Size::kRound>(batches_), c.first[Size::kRound], c.count[Size::kRound]);
            impacts_.add(std::get<Size::kOne>(batches_), c.first[Size::kOne], c.count[Size::kOne]);
            impacts_.add(std::get<Size::kFour>(batches_), c.first[Size::kFour], c.count[Size::kFour]);
        }
        impacts_.solve(rows_, row_phase, executor);
    }
}

void BlockContacts::solve(double dt, int substeps, const Exchange& exchange, Executor& executor) {
    const block::Kernel& kernel = block::kernel();
    rows_.prepare(bodies_, executor);
    colour();
    fill(exchange, executor);
    const double h = dt / substeps;
    // A quarter of a period a substep, heavily damped; stiffer springs ring.
    constexpr double kDamping = tuning::kDampingRatio;
    const double w = 0.5 * std::numbers::pi / h, a1 = 2 * kDamping + h * w, a2 = h * w * a1;
    const block::Softness soft{narrow(w / a1), narrow(a2 / (1 + a2)), narrow(1 / (1 + a2)), narrow(1 / h)};
    const std::size_t n = bodies_.size();
    IMPULS_ASSERT(substeps > 0 && motion_.size() == n && acceleration_.size() == n);
    moved_.assign(n, {});
    start_.assign(motion_.begin(), motion_.end());
    block::Pass pass{motion_.data(), moved_.data(), soft};
    for (int step = 0; step < substeps; ++step) {
        exchange.begin_substep();
        if (step > 0) {
            kernel.extrapolate(motion_.data(), start_.data(), n);
        } else {
            for (std::size_t k = 0; k < n; ++k)
                for (int j = 0; j < 3; ++j) {
                    motion_[k].v[j] += narrow(acceleration_[k][j] * h);
                    motion_[k].w[j] += narrow(acceleration_root_[k][j] * h);
                }
            for_batches(executor, [&](const auto* batches, std::size_t count) {
                kernel.of(batches).apply(batches, count, motion_.data());
            });
            rows_.apply(motion_.data(), executor);
        }
        const double middle = (2 * step + 1.0) / substeps - 1, end = (2 * step + 2.0) / substeps - 1;
        strike(pass, end, executor);
        pass.phase = narrow(end);
        for_batches(executor, [&](auto* batches, std::size_t count) {
            kernel.of(batches).solve(batches, count, pass);
        });
        rows_.solve(motion_.data(), moved_.data(), soft, middle, executor);
        kernel.advance(moved_.data(), motion_.data(), n, narrow(h));
        for_batches(executor, [&](auto* batches, std::size_t count) {
            kernel.of(batches).relax(batches, count, pass);
        });
        rows_.relax(motion_.data(), moved_.data(), soft, end, executor);
    }
    if (has_excess()) correct(executor);
    rows_.take();
}

void BlockContacts::close(Executor& executor) {
    constexpr int kSweeps = 50;  // over those that are not factored
    moved_.assign(bodies_.size(), {});
    rows_.set_errors();
    for (int k = 0; k < (rows_.are_factored() ? 1 : kSweeps); ++k) rows_.close(moved_.data(), executor);
}

}  // namespace impuls
