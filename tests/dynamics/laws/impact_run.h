// An impact in one dimension, by integration with events: what the closed forms of laws of contact are
// compared with.
#pragma once

#include <functional>

#include "math/integrators/events.h"
#include "math/integrators/methods.h"

namespace impuls::laws {

struct ImpactRun {
    double restitution = 0, depth = 0, force = 0, duration = 0;
};

// `force(depth, speed)` between a mass and a wall it meets at `speed`, until `is_over` falls through zero.
inline ImpactRun run_impact(const std::function<double(double, double)>& force, double mass, double speed,
                            const std::function<double(double, double)>& is_over) {
    using namespace integrators;
    class Fall final : public System {
      public:
        std::size_t size() const override { return 2; }
        void rate(double, std::span<const double> y, std::span<double> out) override {
            out[0] = y[1], out[1] = -(*force)(y[0], y[1]) / mass;
        }
        const std::function<double(double, double)>* force = nullptr;
        double mass = 1;
    } fall;
    fall.force = &force, fall.mass = mass;
    class Ends final : public Crossings {
      public:
        std::size_t count() const override { return 2; }
        void values(double, std::span<const double> y, std::span<double> out) override {
            out[0] = (*is_over)(y[0], y[1]), out[1] = y[1];
        }
        const std::function<double(double, double)>* is_over = nullptr;
    } ends;
    ends.is_over = &is_over;
    Options options;
    options.tolerance = 1e-11, options.scales = {1e-6, speed}, options.dense = DenseOutput::Quintic;
    const auto integrator = make_dormand_prince(fall, options);
    EventFinder finder(ends, 2, EventOptions{.tolerance = 1e-14, .parts = 4, .touch = 0});
    Vector y{0, speed};
    integrator->start(0, y);
    ImpactRun run;
    for (int k = 0; k < 100000; ++k) {
        if (integrator->step(1e9).step == 0) break;
        const auto first = finder.find(*integrator);
        if (first.empty()) continue;
        const Event event = first[0];
        if (event.direction >= 0) continue;
        integrator->interpolate(event.time, y);
        if (event.function == 1) {  // turns: the law may change, so from here anew
            run.depth = y[0], run.force = force(y[0], 0);
            y[1] = -1e-300;
            integrator->start(event.time, y);
            continue;
        }
        run.duration = event.time, run.restitution = -y[1] / speed;
        break;
    }
    return run;
}

}  // namespace impuls::laws
