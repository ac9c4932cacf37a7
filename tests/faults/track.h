// One run of a scene: columns of quantities by step, and what every run is judged by (energy from nothing,
// time of the longest step). Steps are watched from outside, through the public interface alone.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "impuls/scene.h"
#include "impuls/world.h"

namespace impuls::faults {

struct Track {
    std::vector<double> times{};                           // s, from 0 on
    std::map<std::string, std::vector<double>> columns{};  // by quantity
    double gain = 0;          // of energy, relative to the energy at work (base/energy_gain.h)
    double longest_step = 0;  // s of this process's CPU time
    std::size_t still = 0;    // steps after which no body moves at all
    std::string failure{};    // of a step; the track ends there
    std::string refusal{};    // of the scene, when it was not accepted

    const std::vector<double>& column(const std::string& quantity) const { return columns.at(quantity); }
    double first(const std::string& quantity) const { return column(quantity).front(); }
    double last(const std::string& quantity) const { return column(quantity).back(); }
    double at(const std::string& quantity, double time) const;  // of the sample nearest in time
    double largest(const std::string& quantity) const;          // of its absolute values
    std::size_t size() const { return times.size(); }
    bool is_whole() const { return failure.empty() && refusal.empty(); }
};

// These are always there; more may be asked for.
inline constexpr const char* kAlways[] = {"energy.total", "energy.kinetic", "max_penetration",
                                          "max_joint_error"};

Track follow(const Scene& scene, double seconds, const std::vector<std::string>& quantities);

}  // namespace impuls::faults
