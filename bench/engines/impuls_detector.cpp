// Our broad and narrow phase without a world: what touches, or as a step uses them what is near, boxes with a
// margin of 5 % of the size and points within 2 % of it. The only file of the harness that knows the
// collision layer.
#include <algorithm>

#include "bench/detector.h"
#include "bench/engine.h"
#include "collision/broad/broad.h"
#include "collision/make_colliders.h"
#include "collision/narrow/narrow.h"
#include "collision/shape_cache.h"
#include "impuls/errors.h"
#include "impuls/executor.h"

namespace impuls::bench {
namespace {

constexpr double kBoxMargin = 0.05, kPointMargin = 0.02;  // of the size
constexpr std::size_t kBoxesAtATime = 128, kPairsAtATime = 32;

class ImpulsDetector : public Detector {
  public:
    ImpulsDetector(const Model& model, int threads, bool is_near)
        : executor_(threads), is_near_(is_near), poses_(model.bodies.size()) {
        const Scene flat = expand(model.scene);
        for (std::size_t k = 0; k < model.bodies.size(); ++k) {
            if (!model.bodies[k].collides) continue;
            const Shape& shape = flat.bodies[model.bodies[k].number].shape;
            if (std::holds_alternative<Compound>(shape)) throw InputError("compounds are not replayed");
            make_colliders(shape, inverse(model.bodies[k].X_BP), !model.bodies[k].is_static, shapes_,
                           colliders_);
            while (body_of_.size() < colliders_.size()) body_of_.push_back(k);
        }
        for (const ModelBody& body : model.bodies) is_static_.push_back(body.is_static);
        boxes_.resize(colliders_.size()), places_.resize(colliders_.size());
        for (std::uint64_t c = 0; c < colliders_.size(); ++c) ids_.push_back(c);
    }

    // As a step leaves them: every thread has moved the bodies of its share.
    void place(std::span<const Pose> X_WP) override {
        executor_.parallel_for(X_WP.size(), kBoxesAtATime, [&](std::size_t begin, std::size_t end) {
            std::copy(X_WP.begin() + begin, X_WP.begin() + end, poses_.begin() + begin);
        });
    }

    void detect() override {
        executor_.parallel_for(colliders_.size(), kBoxesAtATime, [&](std::size_t begin, std::size_t end) {
            for (std::size_t c = begin; c < end; ++c) prepare(c);
        });
        broad_->find_pairs(boxes_, ids_, executor_, pairs_);
        found_.resize((pairs_.size() + kPairsAtATime - 1) / kPairsAtATime);
        executor_.parallel_for(pairs_.size(), kPairsAtATime, [&](std::size_t begin, std::size_t end) {
            Found& found = found_[begin / kPairsAtATime];
            found.manifolds.clear();
            for (std::size_t p = begin; p < end; ++p) narrow(p, found);
        });
    }

    Detection result() override {
        Detection out;
        for (const Found& found : found_)
            for (const Manifold& manifold : found.manifolds)
                for (int k = 0; k < manifold.count; ++k) out.add(-manifold.points[k].separation);
        return out;
    }

  private:
    struct Found {  // contacts of one chunk of pairs
        std::vector<Manifold> manifolds{};
    };

    void prepare(std::size_t c) {
        places_[c] = poses_[body_of_[c]] * colliders_[c].X_BC;
        Aabb box = bounds_at(colliders_[c], places_[c]);
        const double margin = is_near_ ? kBoxMargin * colliders_[c].size : 0;
        box.min -= Vec3{margin, margin, margin}, box.max += Vec3{margin, margin, margin};
        boxes_[c] = box;
    }

    bool may_collide(const Pair& p) const {
        const std::size_t a = body_of_[p.first], b = body_of_[p.second];
        return a != b && !(is_static_[a] && is_static_[b]);
    }

    void narrow(std::size_t p, Found& found) {
        const auto [a, b] = pairs_[p];
        if (!may_collide(pairs_[p])) return;
        const double margin = is_near_ ? kPointMargin * std::min(colliders_[a].size, colliders_[b].size) : 0;
        collide(colliders_[a], places_[a], colliders_[b], places_[b], margin, found.manifolds);
    }

    Executor executor_;
    bool is_near_;
    std::vector<Pose> poses_;
    std::vector<Collider> colliders_{};
    std::vector<std::size_t> body_of_{};
    std::vector<char> is_static_{};
    std::vector<Aabb> boxes_{};
    std::vector<Pose> places_{};
    std::unique_ptr<BroadPhase> broad_ = make_broad_phase(BroadPhaseKind::Tree);
    std::vector<std::uint64_t> ids_{};
    ShapeCache shapes_{};
    std::vector<Pair> pairs_{};
    std::vector<Found> found_{};
};

}  // namespace

std::unique_ptr<Detector> impuls_detector(const Model& model, int threads, bool is_near) {
    return std::make_unique<ImpulsDetector>(model, threads, is_near);
}

}  // namespace impuls::bench
