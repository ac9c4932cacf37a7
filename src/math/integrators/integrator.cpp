// Integrators: what all do alike (integrator.h).
#include "math/integrators/integrator.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace impuls::integrators {

std::size_t first_not_finite(std::span<const double> values) {
    std::size_t k = 0;
    while (k < values.size() && std::isfinite(values[k])) ++k;
    return k;
}

void Memory::exchange(double& value) {
    if (!is_reading_) numbers_.push_back(value);
    IMPULS_ASSERT(place_ < numbers_.size());
    value = numbers_[place_++];
}
void Memory::exchange(bool& value) {
    double number = value ? 1 : 0;
    exchange(number);
    value = number != 0;
}
void Memory::exchange(Vector& values) {
    for (double& value : values) exchange(value);
}

Integrator::Integrator(System& system, const Options& options) : system_(system), options_(options) {
    for (Vector* v : {&y_, &before_, &next_, &slope_, &slope_before_, &next_slope_}) v->resize(system.size());
    if (options_.scales.empty()) options_.scales.assign(system.size(), options.scale);
    IMPULS_ASSERT(options_.scales.size() == system.size());
}

void Integrator::set_scales(std::span<const double> scales) {
    IMPULS_ASSERT(scales.size() == options_.scales.size());
    std::copy(scales.begin(), scales.end(), options_.scales.begin());
}

void Integrator::start(double t, std::span<const double> y) {
    t_ = t, h_ = 0;
    std::copy(y.begin(), y.end(), y_.begin());
    before_ = y_;
    has_slope_ = has_slope_before_ = is_slope_memory_ = false;
    forget();
}

void Integrator::replace(std::span<const double> y) {
    std::copy(y.begin(), y.end(), y_.begin());
    has_slope_ = is_slope_memory_ = false;
    corrected();
}

void Integrator::exchange(Memory& memory) {
    memory.exchange(t_);
    memory.exchange(y_);
    memory.exchange(is_slope_memory_);
    if (is_slope_memory_) memory.exchange(slope_);
}

void Integrator::load(Memory& memory) {
    forget();
    exchange(memory);
    h_ = 0;
    before_ = y_;
    has_slope_ = is_slope_memory_;
    has_slope_before_ = false;
}

Report Integrator::step(double until) {
    if (!(until > t_)) return {};
    has_next_slope_ = false;
    const Report report = advance(until);
    if (report.step == 0) return report;
    std::swap(slope_before_, slope_);
    has_slope_before_ = has_slope_;
    std::swap(slope_, next_slope_);
    has_slope_ = is_slope_memory_ = has_next_slope_;
    std::swap(before_, y_);
    std::swap(y_, next_);
    t_ = until - t_ <= report.step ? until : t_ + report.step;
    h_ = report.step;
    ++counters_.steps;
    if (system_.project(t_, y_)) {
        has_slope_ = is_slope_memory_ = false;
        corrected();
    }
    return report;
}

void Integrator::evaluate(double t, std::span<const double> y, std::span<double> out) {
    ++counters_.evaluations;
    system_.rate(t, y, out);
}

const Vector& Integrator::slope() {
    if (!has_slope_) evaluate(t_, y_, slope_), has_slope_ = true;
    return slope_;
}

void Integrator::interpolate(double t, std::span<double> out) {
    const double s = h_ > 0 ? (t - (t_ - h_)) / h_ : 1;
    if (s >= 1 || s <= 0) {
        std::copy_n((s >= 1 ? y_ : before_).begin(), out.size(), out.begin());
        return;
    }
    curve(s, out);
}

void Integrator::curve(double s, std::span<double> out) {
    if (!has_slope_before_) evaluate(t_ - h_, before_, slope_before_), has_slope_before_ = true;
    const Vector& after = slope();
    const double r = 1 - s, a = r * r * (1 + 2 * s), b = s * s * (1 + 2 * r), c = s * r * r * h_,
                 d = s * s * r * h_;
    for (std::size_t k = 0; k < out.size(); ++k)
        out[k] = a * before_[k] + b * y_[k] + c * slope_before_[k] - d * after[k];
}

}  // namespace impuls::integrators
