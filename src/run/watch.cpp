// Frame extremes and outcomes of a run (watch.h).
//
// Energy drift is relative to max(|E0|, largest kinetic energy, sum of m g size): the zero of the potential
// is arbitrary, so |E0| alone may be far too small; the last term is the energy of lifting each body by its
// own size, which keeps the number meaningful for things at rest. "Size" is the largest length among the
// fields of a shape, so new shapes need nothing here.
#include "run/watch.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <variant>

#include <fmt/core.h>

namespace impuls {
namespace {

constexpr std::size_t kBodiesPerLook = 1000;

double largest_number(double x) {
    return std::abs(x);
}
double largest_number(const Vec3& v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}
template <class T>
double largest_number(const std::vector<T>& list) {
    double most = 0;
    for (const T& item : list) most = std::max(most, largest_number(item));
    return most;
}

template <class T>
double shape_size(const T& shape);
template <class... Kinds>
double shape_size(const std::variant<Kinds...>& shape) {
    return std::visit([](const auto& kind) { return shape_size(kind); }, shape);
}
double shape_size(const std::vector<CompoundPart>& parts) {
    double most = 0;
    for (const CompoundPart& part : parts) most = std::max(most, shape_size(part));
    return most;
}

template <class T>
inline constexpr bool kIsLengths =
    std::is_same_v<T, double> || std::is_same_v<T, Vec3> || std::is_same_v<T, std::vector<double>> ||
    std::is_same_v<T, std::vector<Vec3>>;

template <class T>
double shape_size(const T& shape) {
    double most = 0;
    T::visit_fields([&](const char*, auto member, const Field& field) {
        using Value = std::remove_cvref_t<decltype(shape.*member)>;
        if constexpr (kIsLengths<Value>) {
            if (std::strcmp(field.unit, "m") == 0) most = std::max(most, largest_number(shape.*member));
        } else if constexpr (std::is_same_v<Value, SimpleShape> ||
                             std::is_same_v<Value, std::vector<CompoundPart>>) {
            most = std::max(most, shape_size(shape.*member));
        }
    });
    return most;
}

double weight_times_size(const World& world, const Frame& frame) {
    const Scene& scene = *frame.structure;
    const double g = length(scene.settings.gravity);
    double sum = 0;
    for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
        const BodyDesc& body = scene.bodies[k];
        if (body.kind != BodyKind::Dynamic) continue;
        sum += world.mass(frame.bodies[k]) * g * std::abs(body.gravity_scale) * shape_size(body.shape);
    }
    return sum;
}

// NaN: not measured.
double larger_measured(double a, double b) {
    return std::isnan(a) || b > a ? b : a;
}

}  // namespace

FrameWatch::FrameWatch(World& world)
    : every_(static_cast<std::int64_t>(world.body_count() / kBodiesPerLook + 1)) {
    const Frame& frame = world.frame();
    scale_ = weight_times_size(world, frame);
    first_ = frame.energy;
    look(frame);
    stage_seconds_ = {};
    frames_ = 0;
}

void FrameWatch::look(const Frame& frame) {
    last_ = frame.energy;
    linear_ = frame.linear_momentum;
    angular_ = frame.angular_momentum;
    max_kinetic_ = std::max(max_kinetic_, frame.energy.kinetic);
    max_deviation_ = std::max(max_deviation_, std::abs(frame.energy.total - first_.total));
    penetration_ = std::max(penetration_, frame.max_penetration);
    joint_error_ = std::max(joint_error_, frame.max_joint_error);
    for (std::size_t s = 0; s < stage_seconds_.size(); ++s) stage_seconds_[s] += frame.stage_seconds[s];
    ++frames_;
}

double FrameWatch::energy_scale() const {
    return std::max({std::abs(first_.total), max_kinetic_, scale_});
}

void FrameWatch::finish(RunSummary& summary) const {
    const double scale = energy_scale();
    summary.energy = {first_, last_, scale > 0 ? max_deviation_ / scale : 0};
    summary.linear_momentum = linear_;
    summary.angular_momentum = angular_;
    summary.max_penetration = penetration_;
    summary.max_joint_error = joint_error_;
    for (const double s : stage_seconds_) {
        summary.times.stage_ms.push_back(frames_ > 0 ? 1e3 * s / static_cast<double>(frames_) : 0);
    }
}

void RunOutcomes::add(const std::vector<Outcome>& outcomes) {
    for (const Outcome& outcome : outcomes) {
        StepperTotals& taker = steppers[static_cast<std::size_t>(outcome.stepper)];
        ++taker.island_steps;
        taker.bodies += outcome.bodies;
        taker.substeps += outcome.substeps;
        taker.iterations += outcome.iterations;
        taker.retries += outcome.retries;
        taker.substeps_max = std::max(taker.substeps_max, outcome.substeps);
        taker.residual_max = larger_measured(taker.residual_max, outcome.residual);
        taker.energy_removed += outcome.energy_removed;
        for (std::size_t k = 0; k < steppers.size(); ++k)
            if (outcome.refused[k] != Refusal::None)
                ++steppers[k].refused[static_cast<std::size_t>(outcome.refused[k])];
    }
}

StepperTotals RunOutcomes::total() const {
    StepperTotals all;
    for (const StepperTotals& one : steppers) {
        all.island_steps += one.island_steps;
        all.bodies += one.bodies;
        all.substeps += one.substeps;
        all.iterations += one.iterations;
        all.retries += one.retries;
        all.substeps_max = std::max(all.substeps_max, one.substeps_max);
        all.residual_max = larger_measured(all.residual_max, one.residual_max);
        all.energy_removed += one.energy_removed;
        for (std::size_t k = 0; k < all.refused.size(); ++k) all.refused[k] += one.refused[k];
    }
    return all;
}

}  // namespace impuls
