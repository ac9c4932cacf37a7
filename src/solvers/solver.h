// What every solver of Problems looks like. A solver knows nodes, contact points and rows, nothing of the
// world; it may keep work space from call to call, and nothing else.
#pragma once

#include <memory>

#include "base/stop.h"
#include "constraints/problem.h"
#include "impuls/settings.h"
#include "solvers/complementarity.h"

namespace impuls {

struct SolveSettings {
    int iterations = 10;   // at most
    double tolerance = 0;  // m/s (times Row::length): done when a sweep changes no velocity by more
    double speed = 0;      // m/s, what forces and motion make in a substep; 0: not said
    const StopRequest* stop = nullptr;  // asked once a sweep
};

class ProblemSolver {
  public:
    virtual ~ProblemSolver() = default;
    // Applies the guesses, then changes velocities and impulses towards the solution.
    virtual SolveResult solve(Problem& problem, const SolveSettings& settings) = 0;
    // Closes joints where the nodes will be after a substep of length h: see solve_ahead below.
    virtual SolveResult close_ahead(Problem& problem, Preview& preview, double h, double tolerance,
                                    const SolveSettings& settings);
    // What friction is like at the solution.
    virtual FrictionSet friction_set() const { return {}; }
    // Equations hold after solve(), however long the chain; not only where sweeps reach.
    virtual bool closes_joints() const { return false; }
};

std::unique_ptr<ProblemSolver> make_solver(Solver kind);

// Joints closed at the end of the substep rather than at its start (Bender's preview; RATTLE's position
// phase), with any solver: solves, predicts where the nodes will be, corrects what is missing, and repeats,
// until no equation is off by more than `tolerance` or nothing is gained any more. J is that of the start
// throughout.
SolveResult solve_ahead(ProblemSolver& solver, Problem& problem, Preview& preview, double h, double tolerance,
                        const SolveSettings& settings);

}  // namespace impuls
