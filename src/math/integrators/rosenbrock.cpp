// RODAS (Hairer, Wanner: Solving ODEs II, IV.7): linearly implicit, six stages, order 4 with an embedded
// method of order 3, both stiffly accurate and L-stable; in the form without products by J,
//     (1/(g h) - J) k_i = f(t + a_i h, y + sum A_ij k_j) + sum C_ij/h k_j + h d_i df/dt,   y += sum m_i k_i,
// so that one factorisation serves all stages. J is the System's own or taken by differences; it must be
// exact to a few digits for the order. Between steps a cubic of order 3.
#include <array>
#include <memory>

#include "math/dense_lu.h"
#include "math/integrators/adaptive.h"
#include "math/integrators/jacobian.h"
#include "math/integrators/methods.h"
#include "math/integrators/rosenbrock_coefficients.h"

namespace impuls::integrators {
namespace {

constexpr double kCurve[2][5]{
    {10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823, 1.025137723295662},
    {-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386, -6.594389125716872},
};

class Rosenbrock final : public AdaptiveIntegrator {
  public:
    Rosenbrock(System& system, const Options& options)
        : AdaptiveIntegrator(system, options, 4),
          jacobian_(system.size()),
          matrix_(system.size() * system.size()),
          order_(system.size()),
          right_(system.size()) {
        for (Vector& k : k_) k.resize(system.size());
    }

  private:
    void forget() override {
        AdaptiveIntegrator::forget();
        jacobian_time_ = std::numeric_limits<double>::quiet_NaN();
    }

    void corrected() override { jacobian_time_ = std::numeric_limits<double>::quiet_NaN(); }

    bool attempt(double h) override {
        const Vector& here = slope();
        const std::size_t n = y_.size();
        if (jacobian_time_ != t_) {  // else a second try from the same place
            jacobian_.find(system_, t_, y_, here, options_.scales, counters_);
            jacobian_time_ = t_;
            for (std::size_t i = 0; i < n; ++i) {
                const auto row = std::span(jacobian_.by_y()).subspan(i * n, n);
                if (first_not_finite(row) == n) continue;
                next_[i] = std::numeric_limits<double>::quiet_NaN();  // which says so
                jacobian_time_ = next_[i];
                return true;
            }
        }
        for (std::size_t i = 0; i < n * n; ++i) matrix_[i] = -jacobian_.by_y()[i];
        for (std::size_t i = 0; i < n; ++i) matrix_[i * n + i] += 1 / (rodas::kDiagonal * h);
        if (!factor_lu(matrix_, order_)) return false;
        for (std::size_t stage = 0; stage < 6; ++stage) {
            for (std::size_t i = 0; i < n; ++i) {
                double place = y_[i];
                for (std::size_t j = 0; j < stage; ++j) place += rodas::kPlace[stage][j] * k_[j][i];
                next_[i] = place;
            }
            if (stage == 0) {
                right_ = here;
            } else {
                evaluate(t_ + rodas::kAlpha[stage] * h, next_, right_);
            }
            for (std::size_t i = 0; i < n; ++i) {
                double mixed = 0;
                for (std::size_t j = 0; j < stage; ++j) mixed += rodas::kMix[stage][j] * k_[j][i];
                right_[i] += mixed / h + h * rodas::kDelta[stage] * jacobian_.by_t()[i];
            }
            if (first_not_finite(right_) < n) {
                next_ = right_;  // before the solution spreads it
                return true;
            }
            solve_lu(matrix_, order_, right_, k_[stage]);
        }
        error_ = k_[5];
        for (std::size_t i = 0; i < n; ++i) next_[i] += k_[5][i];
        return true;
    }

    void curve(double s, std::span<double> out) override {
        const double r = 1 - s;
        for (std::size_t i = 0; i < out.size(); ++i) {
            double c[2]{};
            for (std::size_t m = 0; m < 2; ++m)
                for (std::size_t j = 0; j < 5; ++j) c[m] += kCurve[m][j] * k_[j][i];
            out[i] = r * before_[i] + s * (y_[i] + r * (c[0] + s * c[1]));
        }
    }

    Jacobian jacobian_;
    Vector matrix_;
    std::vector<std::size_t> order_;
    Vector right_;
    std::array<Vector, 6> k_;
    double jacobian_time_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace

std::unique_ptr<Integrator> make_rosenbrock(System& system, const Options& options) {
    return std::make_unique<Rosenbrock>(system, options);
}

}  // namespace impuls::integrators
