// Explicit methods with a given step. Classical Runge-Kutta; velocity Verlet with one evaluation of f a step,
//     v_half = v + h/2 a,  q += h v_half,  a = a(q, v + h a) at the end,  v = v_half + h/2 a,
// which is of order 2 for forces that depend on velocity too, and symplectic where they do not; and
// semi-implicit Euler, v += h a, then q += h v.
#include <algorithm>
#include <memory>

#include "base/assert.h"
#include "math/integrators/fixed.h"
#include "math/integrators/methods.h"

namespace impuls::integrators {
namespace {

class RungeKutta final : public FixedIntegrator {
  public:
    RungeKutta(System& system, const Options& options)
        : FixedIntegrator(system, options), place_(system.size()), k_(system.size()) {}

  private:
    bool attempt(double h, std::size_t&) override {
        const Vector& first = slope();
        add(first, h / 6, y_, next_);
        add(first, h / 2, y_, place_);
        evaluate(t_ + h / 2, place_, k_);
        add(k_, h / 3, next_, next_);
        add(k_, h / 2, y_, place_);
        evaluate(t_ + h / 2, place_, k_);
        add(k_, h / 3, next_, next_);
        add(k_, h, y_, place_);
        evaluate(t_ + h, place_, k_);
        add(k_, h / 6, next_, next_);
        return true;
    }
    static void add(const Vector& k, double h, const Vector& from, Vector& out) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = from[i] + h * k[i];
    }

    Vector place_, k_;
};

class Verlet final : public FixedIntegrator {
  public:
    Verlet(System& system, const Options& options)
        : FixedIntegrator(system, options),
          positions_(system.positions()),
          rate_(system.size()),
          half_(system.size()) {
        IMPULS_ASSERT(positions_ > 0);
    }

  private:
    void forget() override { has_rate_ = false; }
    void exchange(Memory& memory) override {
        FixedIntegrator::exchange(memory);
        memory.exchange(has_rate_);
        memory.exchange(rate_);
    }
    bool attempt(double h, std::size_t&) override {
        if (!has_rate_) evaluate(t_, y_, rate_), has_rate_ = true;
        const std::size_t n = y_.size(), p = positions_;
        std::copy_n(y_.begin(), p, next_.begin());
        for (std::size_t i = p; i < n; ++i) half_[i] = y_[i] + 0.5 * h * rate_[i];
        for (std::size_t i = p; i < n; ++i) next_[i] = y_[i] + h * rate_[i];
        system_.drift(h, std::span(next_).first(p), std::span(half_).subspan(p));
        evaluate(t_ + h, next_, rate_);
        for (std::size_t i = p; i < n; ++i) next_[i] = half_[i] + 0.5 * h * rate_[i];
        return true;
    }

    std::size_t positions_;
    Vector rate_, half_;  // f at the end of the last step; v in the middle of this one
    bool has_rate_ = false;
};

class SemiImplicitEuler final : public FixedIntegrator {
  public:
    SemiImplicitEuler(System& system, const Options& options)
        : FixedIntegrator(system, options), positions_(system.positions()) {
        IMPULS_ASSERT(positions_ > 0);
    }

  private:
    bool attempt(double h, std::size_t&) override {
        const Vector& rate = slope();
        for (std::size_t i = positions_; i < y_.size(); ++i) next_[i] = y_[i] + h * rate[i];
        std::copy_n(y_.begin(), positions_, next_.begin());
        system_.drift(h, std::span(next_).first(positions_), std::span(next_).subspan(positions_));
        return true;
    }

    std::size_t positions_;
};

}  // namespace

std::unique_ptr<Integrator> make_runge_kutta(System& system, const Options& options) {
    return std::make_unique<RungeKutta>(system, options);
}
std::unique_ptr<Integrator> make_verlet(System& system, const Options& options) {
    return std::make_unique<Verlet>(system, options);
}
std::unique_ptr<Integrator> make_semi_implicit_euler(System& system, const Options& options) {
    return std::make_unique<SemiImplicitEuler>(system, options);
}

}  // namespace impuls::integrators
