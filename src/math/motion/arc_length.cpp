// Lengths along splines (arc_length.h).
#include "math/motion/arc_length.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace impuls {
namespace {

double speed_at(const Spline& spline, double u) {
    return length(spline.at(u).first);
}

// Gauss's rule with eight points; inside a piece, so that it does not meet the next one's curve.
double gauss(const Spline& spline, double from, double to) {
    static constexpr std::array<double, 4> kNode{0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                                 0.9602898564975363};
    static constexpr std::array<double, 4> kShare{0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                                  0.1012285362903763};
    const double half = 0.5 * (to - from), middle = from + half;
    double sum = 0;
    for (std::size_t k = 0; k < kNode.size(); ++k)
        sum += kShare[k] *
               (speed_at(spline, middle - half * kNode[k]) + speed_at(spline, middle + half * kNode[k]));
    return half * sum;
}

double adaptive(const Spline& spline, double from, double to, double whole, double tolerance, int depth) {
    const double middle = 0.5 * (from + to), left = gauss(spline, from, middle),
                 right = gauss(spline, middle, to);
    if (depth == 0 || std::abs(left + right - whole) <= tolerance) return left + right;
    return adaptive(spline, from, middle, left, 0.5 * tolerance, depth - 1) +
           adaptive(spline, middle, to, right, 0.5 * tolerance, depth - 1);
}

}  // namespace

ArcLength::ArcLength(Spline spline) : spline_(std::move(spline)), lengths_{0} {
    const auto knots = spline_.knots();
    for (std::size_t k = 0; k + 1 < knots.size(); ++k) rough_ += gauss(spline_, knots[k], knots[k + 1]);
    for (std::size_t k = 0; k + 1 < knots.size(); ++k)
        lengths_.push_back(lengths_.back() + integral(knots[k], knots[k + 1]));
}

double ArcLength::integral(double from, double to) const {
    constexpr double kAccuracy = 1e-14;  // of the whole length
    constexpr int kMostHalvings = 20;
    return adaptive(spline_, from, to, gauss(spline_, from, to), kAccuracy * rough_, kMostHalvings);
}

double ArcLength::length_at(double u) const {
    const auto knots = spline_.knots();
    const double span = knots.back() - knots.front();
    double laps = 0;
    if (spline_.is_closed()) {
        laps = std::floor((u - knots.front()) / span);
        u -= laps * span;
    } else if (u < knots.front() || u > knots.back()) {
        const double edge = u < knots.front() ? knots.front() : knots.back();
        return (u < knots.front() ? 0 : total()) + (u - edge) * speed_at(spline_, edge);
    }
    const auto it = std::upper_bound(knots.begin() + 1, knots.end() - 1, u);
    const auto k = static_cast<std::size_t>(it - knots.begin()) - 1;
    return laps * total() + lengths_[k] + (u > knots[k] ? integral(knots[k], u) : 0);
}

double ArcLength::parameter_at(double s) const {
    const auto knots = spline_.knots();
    double start = 0;
    if (spline_.is_closed()) {
        const double laps = std::floor(s / total());
        start = laps * (knots.back() - knots.front());
        s -= laps * total();
    } else if (s < 0 || s > total()) {
        const double edge = s < 0 ? knots.front() : knots.back(), speed = speed_at(spline_, edge);
        return speed > 0 ? edge + (s < 0 ? s : s - total()) / speed : edge;
    }
    const auto it = std::upper_bound(lengths_.begin() + 1, lengths_.end() - 1, s);
    const auto k = static_cast<std::size_t>(it - lengths_.begin()) - 1;
    double low = knots[k], high = knots[k + 1];
    const double width = lengths_[k + 1] - lengths_[k], rest = s - lengths_[k];
    double u = width > 0 ? low + (high - low) * std::clamp(rest / width, 0.0, 1.0) : low;
    for (int round = 0; round < 100; ++round) {
        const double off = (u > knots[k] ? integral(knots[k], u) : 0) - rest;
        if (std::abs(off) <= 1e-15 * total()) break;
        (off > 0 ? high : low) = u;
        const double speed = speed_at(spline_, u);
        double next = speed > 0 ? u - off / speed : low;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (next == u || !(next > low && next < high)) break;
        u = next;
    }
    return start + u;
}

std::vector<double> ArcLength::stops() const {
    const auto knots = spline_.knots();
    const double mean = total() / (knots.back() - knots.front()), tiny = 1e-7 * mean;
    constexpr int kSamples = 32;  // to a piece; |dc/du|^2 is of degree 4 there
    std::vector<double> found;
    for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
        const double width = (knots[k + 1] - knots[k]) / kSamples;
        for (int i = 0; i <= kSamples; ++i) {
            const double middle = knots[k] + i * width, here = speed_at(spline_, middle);
            double low = std::max(knots[k], middle - width), high = std::min(knots[k + 1], middle + width);
            if (speed_at(spline_, low) < here || speed_at(spline_, high) < here) continue;
            for (int round = 0; round < 100 && high - low > 1e-14 * (1 + std::abs(middle)); ++round) {
                const double a = low + (high - low) / 3, b = high - (high - low) / 3;
                (speed_at(spline_, a) < speed_at(spline_, b) ? high : low) =
                    speed_at(spline_, a) < speed_at(spline_, b) ? b : a;
            }
            const double u = 0.5 * (low + high);
            if (speed_at(spline_, u) < tiny && (found.empty() || u - found.back() > width))
                found.push_back(u);
        }
    }
    return found;
}

}  // namespace impuls
