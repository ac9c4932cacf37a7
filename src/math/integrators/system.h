// What integrators integrate: y' = f(t, y). Where y = (q, v) of positions and velocities, a system says how
// many positions there are, and methods for mechanics (Verlet, semi-implicit Euler, Gear) can use that. Gear
// asks for velocities that are the rates of positions, one each; what follows them is of first order.
// Nothing here knows bodies. Written by whoever has equations of motion; called by the integrators beside
// this.
#pragma once

#include <cstddef>
#include <span>

namespace impuls::integrators {

class System {
  public:
    virtual ~System() = default;

    virtual std::size_t size() const = 0;
    // Of y, the first so many are positions, the others velocities; 0: no such structure.
    virtual std::size_t positions() const { return 0; }
    virtual void rate(double t, std::span<const double> y, std::span<double> out) = 0;

    // Moves q with the constant velocities v for the time h: q += h v, unless q has another form (rotations).
    virtual void drift(double h, std::span<double> q, std::span<const double> v) {
        for (std::size_t k = 0; k < q.size(); ++k) q[k] += h * v[k];
    }
    // df/dy by rows (size x size) and df/dt. False: not known, take differences.
    virtual bool jacobian(double /*t*/, std::span<const double> /*y*/, std::span<double> /*by_y*/,
                          std::span<double> /*by_t*/) {
        return false;
    }
    // Before differences are taken at (t, y), and after them: what is costly may stand for its tangent there.
    virtual void linearise(double /*t*/, std::span<const double> /*y*/, bool /*on*/) {}
    // After an accepted step: puts y back where it must be (unit quaternions, joints). True where it changed.
    virtual bool project(double /*t*/, std::span<double> /*y*/) { return false; }
};

}  // namespace impuls::integrators
