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
#include "steppers/ode_memory.h"

namespace impuls {

struct ContactResults {
    std::vector<std::uint32_t> pair{};  // of the world, one a point
    ContactPoints point{};

    void add(std::uint32_t of, const ContactPoint& p) {
        pair.push_back(of);
        point.push_back(p);
    }
};

// Depth of a contact beyond which its bodies overlap, and beyond which they are crushed, of the pair's size.
inline constexpr double kOverlapped = 0.01, kCrushed = 0.05;

inline constexpr std::uint32_t kNoForce = 0xffffffff;

// What a world has to tell its user of an island (watch/watch.h), beside the outcome.
struct IslandNote {
    double kinetic = 0;     // J, before or after the step: the larger
    double released = 0;    // J, potential energy that the step has turned into others
    double gained = 0;      // J: change of all energy less the work of drives; NaN where that is not known
    double negligible = 0;  // J: energy that does not count
    double lift = 0;        // J: what lifts each body by its own size
    double unclosed = 0;    // relative error of joints that no substep was short enough for; 0: none
    bool is_cut = false;    // a stepper would have needed more work than a step may take
    // By steppers that keep books: energy given by what has no potential, and dissipated or held by contacts.
    bool is_booked = false;
    double supplied = 0, dissipated = 0;  // J
    // The shortest step that missed its tolerance, s (0: none): whose error it was, and by which force.
    double short_step = 0;
    std::uint32_t short_body = kNoBody, short_force = kNoForce;
};

// What is to be warned of a pair that touches over areas.
struct ArealNote {
    enum class Kind { Depth, Facets, Immersed };
    Kind kind = Kind::Depth;
    std::uint32_t a = kNoBody, b = kNoBody;
    double value = 0, allowed = 0;
};

struct Results {
    ContactResults contacts{};
    std::array<double, kStages> stage_seconds{};
    std::vector<Outcome> outcomes{};
    std::vector<IslandNote> notes{};             // of the same islands
    IslandNote note{};                           // of the one that is being advanced
    bool has_overlap = false, has_deep = false;  // a contact is deeper than kOverlapped, kCrushed
    std::vector<ArealNote> areal_notes{};
    OdeMemories memories{};  // what integrators remember, to be kept
    std::string failure{};   // of a body: what is wrong, and since which stage
    std::uint32_t failed_body = kNoBody;

    void note_depth(double depth, double size) {
        has_overlap |= depth > kOverlapped * size;
        has_deep |= depth > kCrushed * size;
    }
    void clear() {
        contacts.pair.clear();
        contacts.point.clear();
        stage_seconds = {};
        outcomes.clear();
        notes.clear();
        has_overlap = has_deep = false;
        memories.clear();
        areal_notes.clear();
        failure.clear();
        failed_body = kNoBody;
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
    // Time that another clock has counted.
    void skip() { start_ = std::chrono::steady_clock::now(); }

  private:
    std::array<double, kStages>& seconds_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace impuls
