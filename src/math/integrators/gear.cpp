// Gear's predictor-corrector method with k stored values r_n = h^n/n! d^n y/dt^n of each unknown (Gear 1971;
// Schinner 1995, 3.7), order k - 1, one evaluation of f a step: predicted by Taylor's series (Pascal's
// matrix, additions alone), then with d = h^p/p! f - r_p corrected by r_n += c_n d. p = 2 for systems of
// positions and velocities with dq/dt = v, where the unknowns are q; else p = 1. The first higher derivatives
// are those of the polynomial through f at t, t + h, .. t + (k - 1 - p) h, found by Dormand and Prince's
// method; or zero, for starts at rest and after jumps that come often. Another step scales r_n.
#include <algorithm>
#include <array>
#include <memory>

#include "base/assert.h"
#include "math/integrators/fixed.h"
#include "math/integrators/gear_coefficients.h"
#include "math/integrators/methods.h"

namespace impuls::integrators {
namespace {

class Gear final : public FixedIntegrator {
  public:
    Gear(System& system, const Options& options)
        : FixedIntegrator(system, options),
          power_(system.positions() > 0 ? 2 : 1),
          unknowns_(power_ == 2 ? system.positions() : system.size()),
          values_(static_cast<std::size_t>(options.gear_values)),
          rate_(system.size()) {
        IMPULS_ASSERT(power_ * unknowns_ == system.size());
        const GearCoefficients* row = find_gear(static_cast<int>(power_), options.gear_values);
        IMPULS_ASSERT(row != nullptr && options.gear_values >= 4);
        for (std::size_t n = 0; n < values_; ++n) c_[n] = row->c[n].value();
        if (options.gear_is_damped && power_ == 2) c_[0] = damped_gear(options.gear_values);
        for (std::size_t n = 0; n < values_; ++n) r_[n].resize(unknowns_);
        if (!options.gear_starts_cold) {
            Options fine;
            fine.tolerance = 1e-14, fine.scales = options_.scales;
            starter_ = make_dormand_prince(system, fine);
        }
    }
    void set_scales(std::span<const double> scales) override {
        FixedIntegrator::set_scales(scales);
        if (starter_) starter_->set_scales(scales);
    }

  private:
    void forget() override { scale_ = 0; }
    void exchange(Memory& memory) override {
        FixedIntegrator::exchange(memory);
        memory.exchange(scale_);
        for (Vector& values : r_) memory.exchange(values);
    }
    void corrected() override {
        if (scale_ > 0) take_state();
    }

    void take_state() {
        std::copy_n(y_.begin(), unknowns_, r_[0].begin());
        if (power_ == 2)
            for (std::size_t i = 0; i < unknowns_; ++i) r_[1][i] = scale_ * y_[unknowns_ + i];
    }
    // f of the unknowns, where f of the system begins with v.
    double force(std::size_t i) const { return rate_[(power_ - 1) * unknowns_ + i]; }

    // Newton's divided differences of f over s = 0, 1, .., then the coefficients a_m of s^m:
    // r_m+p = h^p a_m m! / (m + p)!.
    void begin(double h) {
        scale_ = h;
        take_state();
        for (std::size_t n = power_; n < values_; ++n) std::fill(r_[n].begin(), r_[n].end(), 0);
        const std::size_t points = starter_ ? values_ - power_ : 1;
        if (starter_) starter_->start(t_, y_);
        for (std::size_t m = 0; m < points; ++m) {
            if (m > 0) reach(t_ + static_cast<double>(m) * h);
            evaluate(t_ + static_cast<double>(m) * h, m > 0 ? starter_->state() : std::span<const double>(y_),
                     rate_);
            for (std::size_t i = 0; i < unknowns_; ++i) r_[power_ + m][i] = force(i);
        }
        for (std::size_t i = 0; i < unknowns_; ++i) {
            const auto at = [&](std::size_t m) -> double& { return r_[power_ + m][i]; };
            for (std::size_t round = 1; round < points; ++round)
                for (std::size_t m = points; m-- > round;)
                    at(m) = (at(m) - at(m - 1)) / static_cast<double>(round);
            for (std::size_t k = points - 1; k-- > 0;)  // c_k + (s - k) (..)
                for (std::size_t m = k; m + 1 < points; ++m) at(m) -= static_cast<double>(k) * at(m + 1);
            for (std::size_t m = 0; m < points; ++m) {
                const auto n = static_cast<double>(m);
                at(m) *= power_ == 2 ? h * h / ((n + 1) * (n + 2)) : h / (n + 1);
            }
        }
    }
    // No worse than it can: the starter's own reports of short steps do not matter here.
    void reach(double t) {
        const long before = starter_->counters().evaluations;
        while (starter_->time() < t && starter_->step(t).step > 0) {
        }
        counters_.evaluations += starter_->counters().evaluations - before;
    }

    void rescale(double h) {
        double factor = 1;
        for (std::size_t n = 1; n < values_; ++n) {
            factor *= h / scale_;
            for (double& value : r_[n]) value *= factor;
        }
        scale_ = h;
    }

    bool attempt(double h, std::size_t&) override {
        if (scale_ == 0) begin(options_.step > 0 ? options_.step : h);
        if (h > 10 * scale_) begin(h);  // after a step cut very short: its high derivatives are noise
        if (h != scale_) rescale(h);
        for (std::size_t k = 0; k + 1 < values_; ++k)
            for (std::size_t n = values_ - 1; n-- > k;)
                for (std::size_t i = 0; i < unknowns_; ++i) r_[n][i] += r_[n + 1][i];
        write(h);
        evaluate(t_ + h, next_, rate_);
        const double scale = power_ == 2 ? h * h / 2 : h;
        for (std::size_t i = 0; i < unknowns_; ++i) {
            const double d = scale * force(i) - r_[power_][i];
            for (std::size_t n = 0; n < values_; ++n) r_[n][i] += c_[n] * d;
        }
        write(h);
        return true;
    }
    void write(double h) {
        std::copy(r_[0].begin(), r_[0].end(), next_.begin());
        if (power_ == 2)
            for (std::size_t i = 0; i < unknowns_; ++i) next_[unknowns_ + i] = r_[1][i] / h;
    }

    std::size_t power_, unknowns_, values_;
    std::array<double, 8> c_{};
    std::array<Vector, 8> r_;
    Vector rate_;
    double scale_ = 0;  // h of r_; 0: to be begun
    std::unique_ptr<Integrator> starter_;
};

}  // namespace

std::unique_ptr<Integrator> make_gear(System& system, const Options& options) {
    return std::make_unique<Gear>(system, options);
}

}  // namespace impuls::integrators
