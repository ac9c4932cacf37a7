// Bender's impulse method (chapter 3 of his text) with its solvers, to compare them as the text does.
// A step: position phase, impulses at t until every joint is closed where free flight brings the bodies at
// t + h; the flight; velocity phase, impulses at t + h until the joints' velocities fit.
//  S1  joint after joint, each with a look ahead of its own (algorithm 3.2);
//  S2  all joints at once, A x = dv with A = J M^-1 J^T, dense Cholesky (3.3.2);
//  S3  all at once in linear time, by the engine's own kernel solvers/articulated_tree (3.3.3);
//  S4  parts without loops in turn, each in linear time (3.3.4; acyclic_parts.h).
// One factorisation a step: that of t + h serves the next position phase.
#pragma once

#include <memory>
#include <vector>

#include "reference/rods.h"

namespace impuls::reference {

struct BenderOptions {
    double h = 0.01;
    double position_tolerance = 1e-6;  // m
    double velocity_tolerance = 1e-3;  // m/s; S2 and S3 are exact after one solve
    int max_rounds = 100000;           // of each phase
    double most_impulse = 0;           // N s: cap of a joint's impulses in a step (3.5.1, S1); 0: none
    bool has_warm_start = false;       // begin with the impulses (S1) or errors (S2, S3) of the last step
    bool has_velocity_phase = true;
};

// Rounds are sweeps of S1 (S4: over the parts), solves of S2 and S3, each after a look ahead; those that
// found nothing to correct are not counted.
struct BenderCounts {
    int position = 0, velocity = 0;
    int foreseen = 0;  // solves of S2 and S3 for the errors of the last step
    bool is_closed = true;
};

class Bender {
  public:
    enum class Solver { S1, S2, S3, S4 };
    Bender(Solver solver, const System& system, const BenderOptions& options);
    ~Bender();
    Bender(Bender&&) noexcept;
    Bender(const Bender&) = delete;
    Bender& operator=(const Bender&) = delete;

    BenderCounts step(States& states);
    BenderOptions& options() { return options_; }
    System& system() { return system_; }
    // Of S2 and S3: the matrix where the bodies are; and impulses for these velocities, as asked for by gaps.
    void factor(const States& states);
    const std::vector<Vec3>& solve(const std::vector<Vec3>& velocities);
    void apply(States& states, const std::vector<Vec3>& impulses);

  private:
    struct Linear;
    void refresh(const States& states);
    void look_ahead(const States& states);
    Vec3 error(const Joint& joint, bool is_position, const States& states);
    void push(States& states, const Joint& joint, const Vec3& impulse);
    bool round(States& states, bool is_position);
    bool sweep(States& states, bool is_position);
    bool solve_all(States& states, bool is_position);
    void change(States& states, const std::vector<Vec3>& velocities);
    int begin_warm(States& states);
    bool solve_parts(States& states, bool is_position);
    int repeat(States& states, bool is_position, bool& is_closed);

    Solver solver_;
    System system_;
    BenderOptions options_;
    States ahead_{};
    std::vector<char> is_stale_{};
    struct Response {
        Mat3 inverse_a{}, inverse_b{};  // inertias
        Vec3 r_a{}, r_b{};
        Mat3 inverse_k{};  // P (K_aa + K_bb) P^T, inverted, as a matrix on the world's vectors
    };
    std::vector<Response> response_{};
    std::vector<Vec3> total_{}, left_{}, wanted_{}, impulses_{};
    std::unique_ptr<Linear> linear_;
    bool is_fresh_ = false;
};

}  // namespace impuls::reference
