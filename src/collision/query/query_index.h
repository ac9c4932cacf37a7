// Things that can be found (bodies of a world or elements of theirs, proxies of a collision scene), in a tree
// of boxes: rays, casts, overlaps, points and closest points. Candidates come from the tree, answers from
// exact geometry; of equal answers the lowest number wins, whatever order the tree has, so results are those
// of asking one target after the other. Const functions neither allocate nor write: any number of threads may
// ask at once. Called by CollisionScene and World.
#pragma once

#include <cstdint>
#include <vector>

#include "collision/broad/box_tree.h"
#include "collision/query/group.h"
#include "impuls/errors.h"
#include "impuls/executor.h"

namespace impuls {

inline constexpr std::uint32_t kNoTarget = UINT32_MAX;

struct QueryTarget {
    ColliderGroup colliders{};  // none: is not found; must live as long as the index is asked
    Pose X_WB{};
    std::uint32_t layers = 1;  // bits
    std::uint8_t kinds = 1;    // bits, as the owner likes
    bool is_sensor = false;
    std::uint32_t object = kNoTarget;   // whose it is: the body or proxy
    std::uint32_t element = kNoTarget;  // which of its elements (net_targets.h); kNoTarget: all of it
};

struct QuerySelection {
    std::uint32_t layers = UINT32_MAX;
    std::uint8_t kinds = UINT8_MAX;
    bool sensors = false;
    std::uint32_t ignore = kNoTarget;  // object

    bool takes(const QueryTarget& t) const {
        return (t.layers & layers) && (t.kinds & kinds) && (sensors || !t.is_sensor) && t.object != ignore;
    }
};

class QueryIndex {
  public:
    std::vector<QueryTarget> targets{};  // fill, then build

    void build(Executor& executor);
    const Aabb& box(std::uint32_t target) const { return boxes_[target]; }
    const BoxTree& tree() const { return tree_; }

    struct Hit : RayHit {
        std::uint32_t target = kNoTarget;
    };
    struct Cast {
        std::uint32_t target = kNoTarget;
        ImpactTime impact{};
    };
    struct Near {
        std::uint32_t target = kNoTarget;
        Distance distance{};  // a is the query
    };

    Hit ray(const Ray& ray, const QuerySelection& selection) const;
    // Calls found(target, hit) for every target that is hit, in no order.
    template <class Found>
    void ray_hits(const Ray& ray, const QuerySelection& selection, Found&& found) const;
    // The first target that moving colliders come closer to than a thousandth of the smaller size.
    Cast cast(ColliderGroup moving, const Sweep& sweep, double duration,
              const QuerySelection& selection) const;
    // Calls found(target) for every target that touches or overlaps, or that holds the point, in no order.
    template <class Found>
    void overlaps(ColliderGroup group, const Pose& X_WG, const QuerySelection& selection,
                  Found&& found) const;
    template <class Found>
    void at_point(const Vec3& point, const QuerySelection& selection, Found&& found) const;
    Near closest(ColliderGroup group, const Pose& X_WG, double max_distance,
                 const QuerySelection& selection) const;

  private:
    std::vector<Aabb> boxes_{};
    double largest_ = 0;  // size of all targets
    BoxTree tree_{};
};

template <class Found>
void QueryIndex::ray_hits(const Ray& ray, const QuerySelection& selection, Found&& found) const {
    tree_.visit_segment(ray.origin, ray.direction, ray.t_max, [&](std::uint32_t k, double) {
        if (!selection.takes(targets[k])) return ray.t_max;
        const RayHit hit = ray_cast(ray, targets[k].colliders, targets[k].X_WB);
        if (hit.hit) found(k, hit);
        return ray.t_max;
    });
}

template <class Found>
void QueryIndex::overlaps(ColliderGroup group, const Pose& X_WG, const QuerySelection& selection,
                          Found&& found) const {
    tree_.visit_overlaps(bounds(group, X_WG), [&](std::uint32_t k) {
        const QueryTarget& t = targets[k];
        if (selection.takes(t) && distance_within(group, X_WG, t.colliders, t.X_WB, 0).distance <= 0)
            found(k);
    });
}

template <class Found>
void QueryIndex::at_point(const Vec3& point, const QuerySelection& selection, Found&& found) const {
    tree_.visit_overlaps({point, point}, [&](std::uint32_t k) {
        if (selection.takes(targets[k]) && contains(targets[k].colliders, targets[k].X_WB, point)) found(k);
    });
}

// A batch: ask(k) for every query, side by side; each writes its own result only.
template <class Ask>
void for_each_query(std::size_t queries, std::size_t results, Executor& executor, Ask&& ask) {
    if (queries != results) throw InputError("a batch needs as many results as queries");
    executor.parallel_for(queries, 16, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) ask(k);
    });
}

}  // namespace impuls
