// What the islands of one workspace hand to the world after a step: contact points, times, outcomes.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "dynamics/contact.h"
#include "impuls/frame.h"
#include "impuls/outcome.h"

namespace impuls {

struct ContactResults {
    std::vector<std::uint32_t> pair{};  // of the world, one a point
    ContactPoints point{};

    void add(std::uint32_t of, const ContactPoint& p) {
        pair.push_back(of);
        point.push_back(p);
    }
};

struct Results {
    ContactResults contacts{};
    std::array<double, kStages> stage_seconds{};
    std::vector<Outcome> outcomes{};
    std::string failure{};  // body and stage of the first value that is not finite

    void clear() {
        contacts.pair.clear();
        contacts.point.clear();
        stage_seconds = {};
        outcomes.clear();
        failure.clear();
    }
};

// Adds the time since the last call, or since it was made, to a stage.
class StageClock {
  public:
    explicit StageClock(std::array<double, kStages>& seconds) : seconds_(seconds) {}
    void operator()(Stage stage) {
        const auto now = std::chrono::steady_clock::now();
        seconds_[static_cast<std::size_t>(stage)] += std::chrono::duration<double>(now - start_).count();
        start_ = now;
    }

  private:
    std::array<double, kStages>& seconds_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace impuls
