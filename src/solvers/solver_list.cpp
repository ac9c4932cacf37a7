// The list of solvers: which class stands behind each name (solver.h).
#include "solvers/alternating.h"
#include "solvers/blocked.h"
#include "solvers/direct.h"
#include "solvers/impulse_iteration.h"
#include "solvers/pgs.h"
#include "solvers/sequential.h"
#include "solvers/solver.h"
#include "solvers/sparse.h"
#include "solvers/tree.h"

namespace impuls {

std::unique_ptr<ProblemSolver> make_solver(Solver kind) {
    switch (kind) {
        case Solver::Sequential:
            return std::make_unique<SequentialSolver>();
        case Solver::Pgs:
            return std::make_unique<PgsSolver>();
        case Solver::ImpulseIteration:
            return std::make_unique<ImpulseIterationSolver>();
        case Solver::BlockedPgs:
            return std::make_unique<BlockedSolver>();
        case Solver::Direct:
            return std::make_unique<DirectSolver>();
        case Solver::Sparse:
            return std::make_unique<AlternatingSolver>(std::make_unique<SparseEquations>(),
                                                       std::make_unique<SparseEquations>());
        case Solver::Tree:
            return std::make_unique<AlternatingSolver>(std::make_unique<TreeEquations>(),
                                                       std::make_unique<SparseEquations>());
    }
    return nullptr;
}

}  // namespace impuls
