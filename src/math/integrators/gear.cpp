// Gear's predictor-corrector method with k stored values r_n = h^n/n! d^n y/dt^n of each unknown (Gear 1971;
// Schinner 1995, 3.7), order k - 1, one evaluation of f a step: predicted by Taylor's series (Pascal's
// matrix, additions alone), then with d = h^p/p! f - r_p corrected by r_n += c_n d. p = 2 for positions q of
// systems y = (q, v | z) with dq/dt = v, p = 1 for z, or for all of a system without positions. The first
// higher derivatives are those of the polynomial through f at t, t + h, .. t + (k - 1 - p) h, found by
// Dormand and Prince's method; or zero, for starts at rest and after jumps that come often. Another step
// scales r_n.
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
          positions_(system.positions()),
          unknowns_(system.size() - positions_),
          values_(static_cast<std::size_t>(options.gear_values)),
          rate_(system.size()) {
        IMPULS_ASSERT(2 * positions_ <= system.size() && options.gear_values >= 4);
        for (const int power : {1, 2}) {
            const GearCoefficients* row = find_gear(power, options.gear_values);
            IMPULS_ASSERT(row != nullptr);
            for (std::size_t n = 0; n < values_; ++n) c_of(power)[n] = row->c[n].value();
        }
        if (options.gear_is_damped) c_of(2)[0] = damped_gear(options.gear_values);
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

    using Coefficients = std::array<double, 8>;
    Coefficients& c_of(int power) { return c_[static_cast<std::size_t>(power - 1)]; }
    // Of unknown i: p, its place in y, and its f, where f of the system begins with v.
    std::size_t power(std::size_t i) const { return i < positions_ ? 2 : 1; }
    std::size_t place(std::size_t i) const { return i < positions_ ? i : positions_ + i; }
    double force(std::size_t i) const { return rate_[positions_ + i]; }

    void take_state() {
        for (std::size_t i = 0; i < unknowns_; ++i) r_[0][i] = y_[place(i)];
        for (std::size_t i = 0; i < positions_; ++i) r_[1][i] = scale_ * y_[positions_ + i];
    }

    // Newton's divided differences of f over s = 0, 1, .., then the coefficients a_m of s^m:
    // r_m+p = h^p a_m m! / (m + p)!.
    void begin(double h) {
        scale_ = h;
        take_state();
        const std::size_t first = positions_ < unknowns_ ? 1 : 2;  // the least p
        const std::size_t points = starter_ ? values_ - first : 1;
        for (std::size_t i = 0; i < unknowns_; ++i)
            for (std::size_t n = power(i); n < values_; ++n) r_[n][i] = 0;
        if (starter_) starter_->start(t_, y_);
        for (std::size_t m = 0; m < points; ++m) {
            if (m > 0) reach(t_ + static_cast<double>(m) * h);
            evaluate(t_ + static_cast<double>(m) * h, m > 0 ? starter_->state() : std::span<const double>(y_),
                     rate_);
            for (std::size_t i = 0; i < unknowns_; ++i)
                if (power(i) + m < values_) r_[power(i) + m][i] = force(i);
        }
        for (std::size_t i = 0; i < unknowns_; ++i) {
            const std::size_t p = power(i), known = std::min(points, values_ - p);
            const auto at = [&](std::size_t m) -> double& { return r_[p + m][i]; };
            for (std::size_t round = 1; round < known; ++round)
                for (std::size_t m = known; m-- > round;)
                    at(m) = (at(m) - at(m - 1)) / static_cast<double>(round);
            for (std::size_t k = known - 1; k-- > 0;)  // c_k + (s - k) (..)
                for (std::size_t m = k; m + 1 < known; ++m) at(m) -= static_cast<double>(k) * at(m + 1);
            for (std::size_t m = 0; m < known; ++m) {
                const auto n = static_cast<double>(m);
                at(m) *= p == 2 ? h * h / ((n + 1) * (n + 2)) : h / (n + 1);
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
        for (std::size_t i = 0; i < unknowns_; ++i) {
            const std::size_t p = power(i);
            const double d = (p == 2 ? h * h / 2 : h) * force(i) - r_[p][i];
            for (std::size_t n = 0; n < values_; ++n) r_[n][i] += c_[p - 1][n] * d;
        }
        write(h);
        return true;
    }
    void write(double h) {
        for (std::size_t i = 0; i < unknowns_; ++i) next_[place(i)] = r_[0][i];
        for (std::size_t i = 0; i < positions_; ++i) next_[positions_ + i] = r_[1][i] / h;
    }

    // Positions (of second order) come first among the unknowns.
    std::size_t positions_, unknowns_, values_;
    std::array<Coefficients, 2> c_{};  // by p
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
