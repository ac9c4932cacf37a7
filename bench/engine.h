// One engine of the comparison, as little as the harness needs: make it from a model, step, read back. Each
// engine is one file in engines/; those whose library is not installed are in the list without a `make`.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/model.h"

namespace impuls::bench {

// What an engine cannot do, in a few words for the table.
class Unsupported : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class Simulation {
  public:
    virtual ~Simulation() = default;
    virtual void step() = 0;
    // One entry for each body of the model, static ones too.
    virtual void read(std::span<BodyState> out) = 0;
    virtual std::int64_t contact_points() = 0;
};

struct Setup {
    std::string variant{};  // one of Engine::variants, or for our own engine any method
    int threads = 1;
};

struct Engine {
    std::string name{};
    std::string version{};
    std::string settings{};  // what is not the engine's default, for the report
    int max_threads = 1;
    std::vector<std::string> variants{};  // the first is run by default
    std::string package{};                // that brings it
    bool drives = false;                  // bodies that turn by themselves
    bool has_springs = false;             // those of the model
    std::function<std::unique_ptr<Simulation>(const Model&, const Setup&)> make{};

    bool is_installed() const { return static_cast<bool>(make); }
};

Engine impuls_engine();
Engine bullet_engine();
Engine ode_engine();
Engine mujoco_engine();
Engine dart_engine();
Engine simbody_engine();

// All, our own first.
std::vector<Engine> engines();

}  // namespace impuls::bench
