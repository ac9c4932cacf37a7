// The implicit midpoint rule, y1 = y + h f(t + h/2, (y + y1)/2): order 2, stable at any step, symplectic, and
// exact in quadratic invariants (the energy of linear springs). Solved by Newton's method for the slope k =
// f(t + h/2, y + h/2 k) with one Jacobian a step, taken anew at the middle where that does not converge fast;
// to rounding.
#include <algorithm>
#include <cmath>
#include <memory>

#include "math/dense_lu.h"
#include "math/integrators/fixed.h"
#include "math/integrators/jacobian.h"
#include "math/integrators/methods.h"

namespace impuls::integrators {
namespace {

class Midpoint final : public FixedIntegrator {
  public:
    Midpoint(System& system, const Options& options)
        : FixedIntegrator(system, options),
          jacobian_(system.size()),
          matrix_(system.size() * system.size()),
          order_(system.size()),
          middle_(system.size()),
          found_(system.size()),
          residual_(system.size()),
          change_(system.size()) {}

  private:
    bool attempt(double h, std::size_t& component) override {
        constexpr int kMostRounds = 50, kRenewal = 8;
        middle_ = y_;
        double before = std::numeric_limits<double>::infinity();
        for (int round = 0; round < kMostRounds; ++round) {
            evaluate(t_ + 0.5 * h, middle_, found_);
            if (first_not_finite(found_) < found_.size()) {
                next_ = found_;  // which says so
                return true;
            }
            if (round % kRenewal == 0 && !renew(h)) return false;
            // r = y + h/2 f(m) - m,  (1 - h/2 J) dm = r.
            for (std::size_t i = 0; i < y_.size(); ++i)
                residual_[i] = (y_[i] - middle_[i]) + 0.5 * h * found_[i];
            solve_lu(matrix_, order_, residual_, change_);
            double size = 0;
            for (std::size_t i = 0; i < y_.size(); ++i) {
                const double share =
                    std::abs(change_[i]) / std::max(options_.scales[i], std::abs(middle_[i]));
                if (share > size) size = share, component = i;
                middle_[i] += change_[i];
            }
            // Converged, or no better for rounding.
            if (size <= 0x1p-52 || (size <= 0x1p-40 && size >= 0.5 * before)) {
                for (std::size_t i = 0; i < y_.size(); ++i) next_[i] = y_[i] + 2 * (middle_[i] - y_[i]);
                return true;
            }
            before = size;
        }
        return false;
    }

    bool renew(double h) {
        jacobian_.find(system_, t_ + 0.5 * h, middle_, found_, options_.scales, counters_);
        const std::size_t n = y_.size();
        for (std::size_t i = 0; i < n * n; ++i) matrix_[i] = -0.5 * h * jacobian_.by_y()[i];
        for (std::size_t i = 0; i < n; ++i) matrix_[i * n + i] += 1;
        return factor_lu(matrix_, order_);
    }

    Jacobian jacobian_;
    Vector matrix_;
    std::vector<std::size_t> order_;
    Vector middle_, found_, residual_, change_;
};

}  // namespace

std::unique_ptr<Integrator> make_midpoint(System& system, const Options& options) {
    return std::make_unique<Midpoint>(system, options);
}

}  // namespace impuls::integrators
