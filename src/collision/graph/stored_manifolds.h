// The manifolds of a pair, as they are kept from call to call: one of up to four points, as most pairs of
// solids have, lies in the slot itself and in as many bytes as it needs; more are beside it. Called by
// pair_cache.h.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/raw_array.h"
#include "collision/manifold.h"

namespace impuls {

class StoredManifolds {
  public:
    void store(std::span<const Manifold> manifolds) {
        count_ = static_cast<std::uint32_t>(manifolds.size());
        if (count_ == 0) return;
        const Manifold& first = manifolds[0];
        is_beside_ = count_ > 1 || first.count > kInside;
        if (is_beside_) {
            if (!beside_) beside_ = std::make_unique<std::vector<Manifold>>();
            beside_->assign(manifolds.begin(), manifolds.end());
            return;
        }
        normal_ = first.normal;
        points_in_ = static_cast<std::uint8_t>(first.count);
        for (std::size_t k = 0; k < points_in_; ++k) points_[k] = first.points[k];
    }
    void clear() { count_ = 0; }
    bool is_empty() const { return count_ == 0; }
    void read(std::vector<Manifold>& out) const {
        out.clear();
        if (count_ == 0) return;
        if (is_beside_) {
            out = *beside_;
            return;
        }
        Manifold& m = out.emplace_back();
        m.normal = normal_;
        m.count = points_in_;
        for (std::size_t k = 0; k < points_in_; ++k) m.points[k] = points_[k];
    }

  private:
    static constexpr int kInside = 4;

    std::uint32_t count_ = 0;
    std::uint8_t points_in_ = 0;
    bool is_beside_ = false;
    Vec3 normal_{};
    RawArray<ManifoldPoint, kInside> points_;
    std::unique_ptr<std::vector<Manifold>> beside_{};  // stays with the slot
};

}  // namespace impuls
