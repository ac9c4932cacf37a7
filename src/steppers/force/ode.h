// An island as a differential equation y' = f(t, y) for math/integrators:
//     y = (x, q of each body | v, w of each body | energy supplied, energy dissipated, stretches of bristles)
// with places relative to where the bodies were when the step began, and, in world axes,
//     x' = v,   q' = (0, w) q / 2,   m v' = F,   J w' = T - w x J w      (spec: workbench 2.1, 2.3)
// For Gear's method orientations are of second order, too, with q' in the place of w (spec: granular 2.3):
//     q'' = (0, w') q / 2 - |w|^2 q / 4,   w = 2 vec(q' q*) / |q|^2
// F and T are weight, what commands set, forces of the scene, damping, contacts, and what acts along joints'
// axes; joints hold by accelerations. The two energies let the books be closed: kinetic and potential energy
// + dissipated - supplied stays, up to the error of the integrator.
#pragma once

#include "math/integrators/system.h"
#include "steppers/force/areal.h"
#include "steppers/force/contacts.h"
#include "steppers/force/joints.h"

namespace impuls::force_level {

// What an integrator asks of y.
enum class Layout { Plain, Positions, SecondOrder };

class IslandOde final : public integrators::System {
  public:
    IslandOde(std::size_t bodies, Layout layout)
        : count_(bodies), layout_(layout), rates_(layout == Layout::SecondOrder ? 7 : 6) {}

    // Must be called before each step; what it is given must outlive it.
    void bind(const WorldView& view, Island& island, Contacts& contacts, ArealContacts& areal, Joints& joints,
              Bodies& bodies);
    // Forces of the scene that act from now on, until the next moment at which one begins or ends.
    void choose_forces(double from, double until);

    std::size_t size() const override { return first_grip() + 3 * grips_; }
    // Room for stretches of bristles (grips.h) from now on.
    void set_grips(std::size_t count) { grips_ = count; }
    std::size_t grips() const { return grips_; }
    std::size_t bodies() const { return count_; }
    std::size_t positions() const override { return layout_ == Layout::Plain ? 0 : 7 * count_; }
    void rate(double t, std::span<const double> y, std::span<double> out) override;
    void drift(double h, std::span<double> q, std::span<const double> v) override;
    bool project(double t, std::span<double> y) override;
    void linearise(double t, std::span<const double> y, bool on) override;

    // Between y and the nodes of the island, at the time t.
    void place(double t, std::span<const double> y);
    double strength(std::size_t f) const;
    void write(std::span<double> y) const;
    void write_grips(std::span<double> y) const;
    void set_energies(std::span<double> y, const Power& energies) const;
    Power energies(std::span<const double> y) const { return {y[first_energy()], y[first_energy() + 1]}; }
    // Sizes of the components.
    void scales(std::span<double> out) const;
    // The body that a component belongs to, and the force of the scene that is strongest on it (kNone: none).
    std::uint32_t body_of(std::size_t component) const;
    std::uint32_t strongest_force(std::uint32_t node);
    // The first force of the scene that is not finite as the bodies are now.
    std::uint32_t broken_force();
    static constexpr std::uint32_t kNone = 0xffffffff;
    // Whether joint errors stayed within what the projection allows.
    double joint_error() const { return joint_error_; }

  private:
    void add_weight(std::uint32_t k);
    void add_forces();
    void accelerate();
    bool has_quaternion_rates() const { return rates_ == 7; }
    std::size_t first_velocity() const { return 7 * count_; }
    std::size_t first_energy() const { return (7 + rates_) * count_; }
    std::size_t first_grip() const { return first_energy() + 2; }

    std::size_t count_, grips_ = 0;
    Layout layout_;
    std::size_t rates_;  // components of the velocities of a body
    const WorldView* view_ = nullptr;
    Island* island_ = nullptr;
    Contacts* contacts_ = nullptr;
    ArealContacts* areal_ = nullptr;
    Joints* joints_ = nullptr;
    Bodies* bodies_ = nullptr;
    double time_ = 0;                   // s, of where the bodies are placed
    std::vector<std::uint8_t> acts_{};  // by force of the island
    std::vector<Vec3> weight_{};        // by node, m/s^2
    ForceTerms terms_{};
    double joint_error_ = 0;
};

}  // namespace impuls::force_level
