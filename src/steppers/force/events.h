// Touches within a step of the integrator: functions of the state that change sign there (gaps of pairs that
// may come together, ways to limits of axes, what points that stick can still bear, the slip of those that
// slide), for math/integrators/events.h. Only those that can come to zero
// within the step are looked at.
#pragma once

#include <vector>

#include "math/integrators/events.h"
#include "steppers/force/contacts.h"
#include "steppers/force/joints.h"
#include "steppers/force/ode.h"

namespace impuls::force_level {

class Events final : public integrators::Crossings {
  public:
    Events();

    // Before a step from where the bodies are: notes gaps, and returns the longest step that misses nothing.
    double begin(const WorldView& view, Island& island, IslandOde& ode, Contacts& contacts, Joints& joints,
                 Bodies& bodies);
    // After a step of length h: the first moment at which something touches; beyond the end when nothing
    // does. Bodies are placed anywhere within the step.
    double first(integrators::Integrator& integrator, double h);

    std::size_t count() const override { return watched_.size(); }
    void values(double t, std::span<const double> y, std::span<double> out) override;

  private:
    struct Gap {
        std::uint32_t pair = 0;
        double gap = 0, speed = 0;  // when the step began
    };
    // A pair, an axis with its side, or a grip.
    struct Watched {
        std::uint32_t pair = 0;
        std::int32_t axis = -1;
        int side = 0;
        std::uint32_t grip = kNoGrip;
    };
    const WorldView* view_ = nullptr;
    Island* island_ = nullptr;
    IslandOde* ode_ = nullptr;
    Joints* joints_ = nullptr;
    Contacts* contacts_ = nullptr;
    Bodies* bodies_ = nullptr;
    std::vector<Gap> gaps_{};
    std::vector<Watched> watched_{};
    std::vector<Manifold> found_{};
    std::vector<double> rates_{};
    integrators::EventFinder finder_;
};

}  // namespace impuls::force_level
