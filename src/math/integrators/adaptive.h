// Integrators that choose their steps: tries a step, compares the estimate of its error with the tolerance in
// the largest component, and takes it or tries a shorter one. Steps follow from this error and the one before
// (a PI controller; Hairer, Wanner: Solving ODEs II, IV.2), with e = error / tolerance and estimates of order
// p:
//     h <- h clamp(0.9 e^(-0.7/p) e_before^(0.4/p), 0.2, 5);  after a rejection h 0.9 e^(-1/p), and then no
//     growth.
// Not finite: a fifth. Base of Dormand-Prince and Rosenbrock.
#pragma once

#include "math/integrators/integrator.h"

namespace impuls::integrators {

class AdaptiveIntegrator : public Integrator {
  public:
    // `estimate_order`: the error of a step goes with this power of h.
    AdaptiveIntegrator(System& system, const Options& options, int estimate_order);

  protected:
    // A step of length h from (t_, y_): next_ and error_. False: its equations have no solution.
    virtual bool attempt(double h) = 0;
    void forget() override { wanted_ = 0, error_before_ = 1; }
    void exchange(Memory& memory) override;

    Vector error_;

  private:
    Report advance(double until) final;
    double first_step();
    double cut(double until) const;
    double measure(std::size_t& worst) const;
    void adapt(double h, double error, bool was_cut, bool was_rejected);

    double order_;
    double wanted_ = 0;  // length of the next step, 0: not known yet
    double error_before_ = 1;
};

}  // namespace impuls::integrators
