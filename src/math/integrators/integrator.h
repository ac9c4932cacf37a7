// One interface of all integrators: a state that is advanced step by step, and the curve between. A step ends
// no later than asked and exactly there if it gets there; it says what it could not do: whoever calls
// decides. After start(), steps allocate nothing. Whoever changes the state tells: `restart` where it jumped,
// `replace` where it was corrected. Called by force-level steppers and tests.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "math/integrators/system.h"

namespace impuls::integrators {

using Vector = std::vector<double>;

enum class DenseOutput {
    Quartic,
    Quintic
};  // of Dormand-Prince; the second takes two more evaluations a step

struct Options {
    double tolerance = 1e-6;  // error of a step in component i: tolerance max(scale_i, |y_i|)
    double scale = 1;
    Vector scales{};  // of each component; empty: `scale` for all
    double step = 0;  // s; with error control the first one, and 0 chooses it
    double least_step = 0, most_step = std::numeric_limits<double>::infinity();
    DenseOutput dense = DenseOutput::Quartic;
    int gear_values = 6;            // 4 to 8 stored values
    bool gear_is_damped = false;    // c0 of 19/90 and 3/16 in place of 19/120 and 3/20
    bool gear_starts_cold = false;  // higher derivatives begin at zero
};

enum class Status {
    Ok,
    SmallestStep,  // taken, but the smallest step allowed misses the tolerance
    NotFinite,     // not taken: f is not finite, however short the step
    NotConverged,  // not taken: the equations of the step could not be solved
};

struct Report {
    Status status = Status::Ok;
    double step = 0;            // s, 0: not taken
    double wanted = 0;          // what the control of steps would take next
    std::size_t component = 0;  // that with the largest error, or the first not finite
};

struct Counters {
    long evaluations = 0, jacobians = 0, steps = 0, rejected = 0;
};

// What an integrator remembers between steps, to or from numbers in a fixed order: written where it is not
// reading.
class Memory {
  public:
    Memory() = default;
    explicit Memory(std::span<const double> numbers)
        : numbers_(numbers.begin(), numbers.end()), is_reading_(true) {}
    void exchange(double& value);
    void exchange(bool& value);
    void exchange(Vector& values);
    std::span<const double> numbers() const { return numbers_; }
    void clear() { numbers_.clear(), place_ = 0, is_reading_ = false; }
    void assign(std::span<const double> numbers) {  // to be read
        numbers_.assign(numbers.begin(), numbers.end());
        place_ = 0, is_reading_ = true;
    }

  private:
    Vector numbers_;
    std::size_t place_ = 0;
    bool is_reading_ = false;
};

class Integrator {
  public:
    Integrator(System& system, const Options& options);
    virtual ~Integrator() = default;
    Integrator(const Integrator&) = delete;
    Integrator& operator=(const Integrator&) = delete;

    // Sizes of the components, for tolerances, from now on.
    virtual void set_scales(std::span<const double> scales);
    void start(double t, std::span<const double> y);
    void restart(std::span<const double> y) { start(t_, y); }  // after a jump: nothing is remembered
    // A correction no larger than the errors of a step: what is remembered of f stays where that saves
    // evaluations.
    void replace(std::span<const double> y);
    Report step(double until);
    double time() const { return t_; }
    double time_before() const { return t_ - h_; }
    std::span<const double> state() const { return y_; }
    // All that later steps depend on (for checkpoints): read by another of the same method, system and
    // options, that one goes on with the same bits. The curve of the last step is not among it.
    void save(Memory& memory) { exchange(memory); }
    void load(Memory& memory);
    // The state at t within the last step. Evaluates f where that needs the slope at the end.
    void interpolate(double t, std::span<double> out);
    const Counters& counters() const { return counters_; }

  protected:
    // From (t_, y_) to next_, not beyond `until`; reports the step.
    virtual Report advance(double until) = 0;
    virtual void forget() {}     // a start: what is remembered of earlier steps
    virtual void corrected() {}  // y_ was changed a little after a step
    virtual void exchange(Memory& memory);
    // At the share s of the last step, from before_ to y_: cubic by Hermite unless a method has a better one.
    virtual void curve(double s, std::span<double> out);

    void evaluate(double t, std::span<const double> y, std::span<double> out);
    const Vector& slope();  // at (t_, y_)

    System& system_;
    Options options_;
    double t_ = 0, h_ = 0;
    Vector y_, before_, next_;  // now, before the last step, after the one being tried
    // f now, before the last step, and after the one being tried where the method finds it on its way.
    Vector slope_, slope_before_, next_slope_;
    bool has_slope_ = false, has_slope_before_ = false, has_next_slope_ = false;
    bool is_slope_memory_ = false;  // it comes from the step, not from (t_, y_) anew
    Counters counters_;
};

// The first that is not finite, or the number of values.
std::size_t first_not_finite(std::span<const double> values);

}  // namespace impuls::integrators
