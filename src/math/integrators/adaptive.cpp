// Control of steps (adaptive.h).
#include "math/integrators/adaptive.h"

#include <algorithm>
#include <cmath>

#include "math/functions.h"

namespace impuls::integrators {
namespace {

constexpr double kMostGrowth = 5, kLeastGrowth = 0.2, kSafety = 0.9;

}  // namespace

AdaptiveIntegrator::AdaptiveIntegrator(System& system, const Options& options, int estimate_order)
    : Integrator(system, options), error_(system.size()), order_(estimate_order) {}

void AdaptiveIntegrator::exchange(Memory& memory) {
    Integrator::exchange(memory);
    memory.exchange(wanted_);
    memory.exchange(error_before_);
}

// Largest error beside its tolerance.
double AdaptiveIntegrator::measure(std::size_t& worst) const {
    double most = 0;
    for (std::size_t k = 0; k < error_.size(); ++k) {
        const double size = std::max({options_.scales[k], std::abs(y_[k]), std::abs(next_[k])});
        const double share = std::abs(error_[k]) / (options_.tolerance * size);
        if (share > most) most = share, worst = k;
    }
    return most;
}

// From the sizes of y, f and its change over a trial step of Euler's (Hairer, Norsett, Wanner: Solving ODEs
// I, II.4).
double AdaptiveIntegrator::first_step() {
    const Vector& f = slope();
    const auto size = [this](const Vector& v) {
        double most = 0;
        for (std::size_t k = 0; k < v.size(); ++k)
            most = std::max(most, std::abs(v[k]) / std::max(options_.scales[k], std::abs(y_[k])));
        return most;
    };
    const double place = size(y_), speed = size(f);
    double h = place < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * place / speed;
    h = std::min(h, options_.most_step);
    for (std::size_t k = 0; k < y_.size(); ++k) next_[k] = y_[k] + h * f[k];
    evaluate(t_ + h, next_, error_);
    for (std::size_t k = 0; k < y_.size(); ++k) error_[k] = (error_[k] - f[k]) / h;
    const double most = std::max(speed, size(error_));
    if (!std::isfinite(most)) return h;
    const double second = most <= 1e-15 ? std::max(1e-6, 1e-3 * h)
                                        : functions::pow(0.01 * options_.tolerance / most, 1 / order_);
    return std::min(100 * h, second);
}

// What is wanted, within the user's limits; the last steps before `until` are alike.
double AdaptiveIntegrator::cut(double until) const {
    const double rest = until - t_, h = std::clamp(wanted_, options_.least_step, options_.most_step);
    if (h >= rest * (1 - 1e-9)) return rest;
    return 2 * h > rest && rest > 2 * options_.least_step ? 0.5 * rest : h;
}

void AdaptiveIntegrator::adapt(double h, double error, bool was_cut, bool was_rejected) {
    const double e = std::max(error, 1e-10);
    const double growth =
        kSafety * functions::pow(e, -0.7 / order_) * functions::pow(error_before_, 0.4 / order_);
    const double next = h * std::clamp(growth, kLeastGrowth, was_rejected ? 1.0 : kMostGrowth);
    // A step that was cut says little about one that need not be.
    wanted_ = was_cut && !was_rejected ? std::max(wanted_, next) : next;
    error_before_ = std::max(e, 1e-4);
}

Report AdaptiveIntegrator::advance(double until) {
    if (wanted_ == 0) wanted_ = options_.step > 0 ? options_.step : first_step();
    const double shortest = std::max(options_.least_step, 0x1p-50 * std::abs(t_));
    double h = std::max(cut(until), std::min(shortest, until - t_));
    bool was_rejected = false;
    for (;;) {
        const bool is_solved = attempt(h);
        const std::size_t bad = std::min(first_not_finite(next_), first_not_finite(error_));
        Report report;
        double error = 0, shorter = kLeastGrowth;
        if (is_solved && bad == next_.size()) {
            error = measure(report.component);
            if (error <= 1) {
                adapt(h, error, h < wanted_ * (1 - 1e-9), was_rejected);
                report.step = h, report.wanted = wanted_;
                return report;
            }
            shorter = std::clamp(kSafety * functions::pow(error, -1 / order_), kLeastGrowth, 0.9);
            report.wanted = h * shorter;
        } else {
            report.component = is_solved ? bad : 0;
        }
        ++counters_.rejected;
        if (h <= shortest || h < 1e-300) {
            if (error > 1) {
                report.status = Status::SmallestStep, report.step = h;
                wanted_ = h, error_before_ = 1;
            } else {
                report.status = is_solved ? Status::NotFinite : Status::NotConverged;
            }
            return report;
        }
        was_rejected = true;
        h = wanted_ = std::max(h * shorter, std::min(shortest, h));
    }
}

}  // namespace impuls::integrators
