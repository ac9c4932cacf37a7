// Friction with memory at the points of contact (dynamics/laws/bristle.h). The stretch of each point's
// bristles is integrated with the motion, s' = slip, turning with the pair about the normal; between steps of
// the integrator it is cut to what the load bears. Where a point begins to slide, and where its slip turns
// back, are events (events.h), so that forces are smooth within a step. Stretches are state: they stay with
// the points of contact. Called by the contacts of the stepper.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/laws/bristle.h"
#include "impuls/vec.h"
#include "steppers/view.h"

namespace impuls::force_level {

struct Grip {
    std::uint32_t pair = 0, feature = 0;
    double size = 0;         // m, of the pair
    Vec3 stretch{}, rate{};  // m, world axes; m/s
    Vec3 slip{};             // m/s, now
    Vec3 ahead{};            // while it slides: against its force, when the step began
    double spare = 0;        // N, what it could bear beyond its force
    bool slides = false;
};

inline constexpr std::uint32_t kNoGrip = 0xffffffff;

class Grips {
  public:
    void clear() { grips_.clear(); }
    // Those of a pair as they were after the last step; pairs in their order.
    void add(std::uint32_t pair, double size, const PairView& pairs, std::size_t of);

    std::span<Grip> all() { return grips_; }
    std::span<const Grip> all() const { return grips_; }
    std::uint32_t find(std::uint32_t pair, std::uint32_t feature) const;

    // Made anew, point by point, in the order of the points.
    void begin_renewal();
    Grip& renew(std::uint32_t pair, std::uint32_t feature, double size);
    // Whether there are others than before, or some slide that did not, or the other way round.
    bool have_changed() const;

    // Force on the body that slips, under a load.
    static Vec3 force(const laws::Bristle<double>& law, Grip& grip, const Vec3& normal, const Vec3& slip,
                      double load, double spin);
    // Cuts the stretch to what the load bears.
    static void settle(const laws::Bristle<double>& law, Grip& grip, const Vec3& normal, const Vec3& slip,
                       double load);

  private:
    std::vector<Grip> grips_{}, before_{};
};

}  // namespace impuls::force_level
