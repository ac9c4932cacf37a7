// When a quantity first changes its sign, within the step in which it does: by the polynomial through its
// values at the last steps, of as high a degree as its terms grow smaller (a kink, as an impact leaves, ends
// it), so that what is smooth is located far better than the step, and anything else no worse than by a
// straight line. Called by expressions (crossing_time).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace impuls {

class Crossing {
  public:
    // A value at a later time; the moment of the first crossing, NaN before.
    double add(double time, double value) {
        if (!std::isnan(found_)) return found_;
        for (std::size_t k = kPoints - 1; k > 0; --k) points_[k] = points_[k - 1];
        points_[0] = {time, value};
        if (count_ < kPoints) ++count_;
        if (value == 0) found_ = time;
        if (count_ > 1 && value * points_[1].value < 0) found_ = locate();
        return found_;
    }

  private:
    static constexpr std::size_t kPoints = 8;
    struct Point {
        double time = 0, value = 0;
    };

    // Newton's form through the newest points; its terms are compared in the middle of the last step.
    double locate() const {
        std::array<double, kPoints> c{};
        for (std::size_t k = 0; k < count_; ++k) c[k] = points_[k].value;
        for (std::size_t round = 1; round < count_; ++round)
            for (std::size_t k = count_ - 1; k >= round; --k)
                c[k] = (c[k] - c[k - 1]) / (points_[k].time - points_[k - round].time);
        const double middle = 0.5 * (points_[0].time + points_[1].time);
        std::size_t used = 2;
        double product = middle - points_[0].time, before = std::abs(c[1] * product), earlier = 0;
        for (; used < count_; ++used) {
            product *= middle - points_[used - 1].time;
            const double term = std::abs(c[used] * product);
            if (!(term < 0.5 * std::fmax(before, earlier))) break;  // every other one may vanish
            earlier = before, before = term;
        }
        const auto at = [&](double time) {
            double sum = 0;
            for (std::size_t k = used; k-- > 0;) sum = sum * (time - points_[k].time) + c[k];
            return sum;
        };
        double low = points_[1].time, high = points_[0].time;
        for (int round = 0; round < 60; ++round) {
            const double time = 0.5 * (low + high);
            (at(time) * points_[0].value > 0 ? high : low) = time;
        }
        return high;
    }

    std::array<Point, kPoints> points_{};  // the newest first
    std::size_t count_ = 0;
    double found_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace impuls
