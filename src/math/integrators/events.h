// Where functions of the state change sign: found on the curve between the ends of a step, to a given time.
// Each step is looked at in a few parts, by values and slopes of the functions at the ends of each part;
// where a function turns towards zero and away again inside a part, its extremum is sought too, so that two
// crossings in one part are found and a function that only touches zero (grazes) is reported as that. Called
// by force-level steppers (impacts, limits).
#pragma once

#include "math/integrators/integrator.h"

namespace impuls::integrators {

class Crossings {
  public:
    virtual ~Crossings() = default;
    virtual std::size_t count() const = 0;
    virtual void values(double t, std::span<const double> y, std::span<double> out) = 0;
};

struct Event {
    std::size_t function = 0;
    double time = 0;    // the function has its new sign there, or is zero
    int direction = 0;  // 1: rising, -1: falling, 0: touches zero
};

struct EventOptions {
    double tolerance = 1e-10;  // s
    int parts = 4;             // of a step
    double touch = 1e-10;      // in units of the functions: what turns back as near to zero touches it
};

class EventFinder {
  public:
    EventFinder(Crossings& functions, std::size_t state_size, const EventOptions& options);
    // Those of the integrator's last step, earliest first; events at the same time in order of functions. A
    // function that is zero where the step begins counts from where it leaves zero. Functions may come and go
    // between calls, and so may components of the state: memory is taken only where there are more than ever.
    std::span<const Event> find(Integrator& integrator);
    // The first of them and those that are simultaneous, within the tolerance.
    std::span<const Event> first() const;

  private:
    struct Sample {
        double time = 0;
        Vector values, slopes;
    };
    void fit(std::size_t state_size);
    void sample(Integrator& integrator, double t, Vector& values);
    double value(Integrator& integrator, std::size_t function, double t);
    void search(Integrator& integrator, std::size_t function, const Sample& a, const Sample& b);
    void cross(Integrator& integrator, std::size_t function, double from, double at_from, double to,
               double at_to);
    double extremum(Integrator& integrator, std::size_t function, double from, double to, double sign);

    Crossings& functions_;
    EventOptions options_;
    Vector state_, scratch_;
    std::vector<Sample> samples_;
    std::vector<Event> events_;
};

}  // namespace impuls::integrators
