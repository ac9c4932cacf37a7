// A set of grains with its walls: what a step advances. Plain data; step.cpp says what happens to it.
// Everything but the scratch space decides the future. Called by worlds, experiments and tests.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "granular/grains.h"
#include "granular/kernel/law.h"
#include "granular/obstacle.h"
#include "granular/pairs.h"
#include "impuls/executor.h"
#include "impuls/grains.h"

namespace impuls::granular {

// What the last step found.
struct StepNotes {
    double deepest = 0;   // overlap over the smaller grain's diameter
    double stiffest = 0;  // largest dt sqrt(k / m) of a contact
    double energy = 0;    // J, of normal springs
    std::size_t touching = 0;
};

// Gear's stored values r_n = dt^n / n! d^n of place and quaternion.
struct GearGrain {
    std::array<Vec3, 6> x{};
    std::array<Quat, 6> q{};
};
// A grain in a step of Runge and Kutta: where it began, and weighted sums of slopes.
struct RungeKuttaGrain {
    Vec3 x{}, v{}, spin{}, dx{}, dv{}, dspin{};
    Quat q{}, dq{};
};

// One for each chunk of grains.
struct ContactChunk {
    std::vector<std::uint32_t> begun{}, ended{};  // pairs
    std::vector<std::uint32_t> begun_grain{};
    StepNotes notes{};
};

// One for each thread that works: whoever has one has it alone. What is left in them changes nothing.
class FinderPool {
  public:
    std::unique_ptr<PatchFinder> take() {
        const std::lock_guard lock(*mutex_);
        if (free_.empty()) return std::make_unique<PatchFinder>();
        std::unique_ptr<PatchFinder> one = std::move(free_.back());
        free_.pop_back();
        return one;
    }
    void give(std::unique_ptr<PatchFinder> one) {
        const std::lock_guard lock(*mutex_);
        free_.push_back(std::move(one));
    }

  private:
    std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
    std::vector<std::unique_ptr<PatchFinder>> free_{};
};

// Copies begin with none.
struct Scratch {
    Scratch() = default;
    Scratch(const Scratch&) {}
    Scratch& operator=(const Scratch&) { return *this; }

    PairSearchSpace search{};
    std::vector<ContactChunk> chunks{};
    FinderPool finders{};
    std::vector<RungeKuttaGrain> stages{};
    Pairs before{};  // a step of Runge and Kutta
};

struct System {
    Grains grains{};
    std::vector<GrainKind> kinds{};
    std::vector<Obstacle> obstacles{};
    std::vector<ObstacleBody> bodies{};
    std::vector<PairLaw> laws{};  // of each two materials
    std::uint32_t materials = 0;
    Vec3 gravity{};
    GrainIntegrator integrator = GrainIntegrator::Verlet;
    Pairs pairs{};
    std::vector<GearGrain> gear{};  // empty with other integrators
    double gear_step = 0;           // s, that they are scaled by
    bool has_forces = false;        // those of the present positions are known
    StepNotes notes{};
    Scratch scratch{};

    const PairLaw& law(std::uint32_t a, std::uint32_t b) const { return laws[a * materials + b]; }
};

// Adds a grain at rest; its number.
std::uint32_t add_grain(System& s, std::uint32_t kind, double size, const Vec3& x, const Quat& q,
                        std::uint32_t group = 0);
void set_velocity(System& s, std::uint32_t grain, const Vec3& v, const Vec3& w);
// The longest substep: 0.2 sqrt(m / k) of the stiffest contact that is to be expected.
double longest_substep(const System& s);
// The same for the bodies that move freely, which many grains push at once; infinite without any.
double longest_substep_of_bodies(const System& s);
// Sets the skin by the sizes; before the first step.
void prepare(System& s);

// Other obstacles, in the same order as before where they stay: `moved` says where each old one is now, or
// kNoPatch. What grains remember of those that stay, stays.
void replace_obstacles(System& s, std::vector<Obstacle> obstacles, std::vector<ObstacleBody> bodies,
                       const std::vector<std::uint32_t>& moved);

// contacts.cpp
void find_forces(System& s, double dt, Executor& executor);
void update_neighbours(System& s, Executor& executor);
// integrators.cpp
void gear_step(System& s, double dt, Executor& executor);
void runge_kutta_step(System& s, double dt, Executor& executor);
// step.cpp
void drift_bodies(System& s, double dt);
void begin(System& s, Executor& executor);  // finds the forces where everything is now, unless they are known
void step(System& s, double dt, Executor& executor);

}  // namespace impuls::granular
