// Dormand and Prince's method of order 5 with an embedded one of order 4 (J. Comp. Appl. Math. 6, 1980),
// whose last stage is the first of the next step. Between: the quartic of order 4 (Hairer's contd5), or a
// quintic of order 5 from two more stages at h/5 and h/2 taken on the quartic; both have continuous slopes.
// All coefficients satisfy their order conditions exactly (spec: workbench 2.12).
#include <array>
#include <memory>

#include "math/integrators/adaptive.h"
#include "math/integrators/methods.h"

namespace impuls::integrators {
namespace {

constexpr double kTime[6]{1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
constexpr double kStage[6][6]{
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
constexpr double kError[7]{71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                           -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
constexpr double kQuartic[7]{-12715105075.0 / 11282082432,  0,
                             87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                             701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                             69997945.0 / 29380423};
// Of s, s^2, .. s^5, for each stage.
constexpr double kQuintic[9][5]{
    {1, -285.0 / 64, 97.0 / 12, -813.0 / 128, 29.0 / 16},
    {0, 0, 0, 0, 0},
    {0, 1000.0 / 371, -16000.0 / 1113, 8500.0 / 371, -4000.0 / 371},
    {0, 125.0 / 32, -125.0 / 6, 2125.0 / 64, -125.0 / 8},
    {0, -6561.0 / 3392, 2187.0 / 212, -111537.0 / 6784, 6561.0 / 848},
    {0, 11.0 / 14, -88.0 / 21, 187.0 / 28, -22.0 / 7},
    {0, -7.0 / 8, 19.0 / 4, -63.0 / 8, 4},
    {0, 125.0 / 24, -125.0 / 12, 125.0 / 24, 0},
    {0, -16.0 / 3, 80.0 / 3, -112.0 / 3, 16},
};

class DormandPrince final : public AdaptiveIntegrator {
  public:
    DormandPrince(System& system, const Options& options) : AdaptiveIntegrator(system, options, 5) {
        for (Vector& k : k_) k.resize(system.size());
        reached_.resize(system.size());
    }

  private:
    bool attempt(double h) override {
        has_extra_stages_ = false;
        k_[0] = slope();
        const std::size_t n = y_.size();
        for (std::size_t stage = 1; stage < 7; ++stage) {
            const double* a = kStage[stage - 1];
            for (std::size_t i = 0; i < n; ++i) {
                double sum = 0;
                for (std::size_t j = 0; j < stage; ++j) sum += a[j] * k_[j][i];
                next_[i] = y_[i] + h * sum;
            }
            evaluate(t_ + kTime[stage - 1] * h, next_, k_[stage]);
        }
        for (std::size_t i = 0; i < n; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < 7; ++j) sum += kError[j] * k_[j][i];
            error_[i] = h * sum;
        }
        reached_ = next_;
        next_slope_ = k_[6], has_next_slope_ = true;
        return true;
    }

    void quartic(double s, Vector& out) const {
        for (std::size_t i = 0; i < out.size(); ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < 7; ++j) sum += kQuartic[j] * k_[j][i];
            const double way = reached_[i] - before_[i], first = h_ * k_[0][i] - way,
                         second = way - h_ * k_[6][i] - first;
            out[i] = before_[i] + s * (way + (1 - s) * (first + s * (second + (1 - s) * h_ * sum)));
        }
    }

    void quintic(double s, Vector& out) {
        if (!has_extra_stages_) {
            quartic(0.2, scratch());
            evaluate(t_ - 0.8 * h_, scratch(), k_[7]);
            quartic(0.5, scratch());
            evaluate(t_ - 0.5 * h_, scratch(), k_[8]);
            has_extra_stages_ = true;
        }
        double weight[9];
        for (std::size_t j = 0; j < 9; ++j) {
            const double* b = kQuintic[j];
            weight[j] = h_ * s * (b[0] + s * (b[1] + s * (b[2] + s * (b[3] + s * b[4]))));
        }
        for (std::size_t i = 0; i < out.size(); ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < 9; ++j) sum += weight[j] * k_[j][i];
            out[i] = before_[i] + sum;
        }
    }

    // What a projection changed after the step comes in smoothly: no jump where steps meet.
    void curve(double s, std::span<double> out) override {
        Vector& found = next_;  // free between steps
        if (options_.dense == DenseOutput::Quintic) {
            quintic(s, found);
        } else {
            quartic(s, found);
        }
        const double share = s * s * s * (10 + s * (6 * s - 15));
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = found[i] + share * (y_[i] - reached_[i]);
    }
    Vector& scratch() { return error_; }  // free between steps

    std::array<Vector, 9> k_;
    Vector reached_;  // the end of the step, before a projection
    bool has_extra_stages_ = false;
};

}  // namespace

std::unique_ptr<Integrator> make_dormand_prince(System& system, const Options& options) {
    return std::make_unique<DormandPrince>(system, options);
}

}  // namespace impuls::integrators
