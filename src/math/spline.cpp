// Cubic splines: curvature, lengths, feet (spline.h).
#include "math/spline.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/bspline.h"

namespace impuls {
namespace {

// Gauss's rule with eight points on [-1, 1].
constexpr std::array<double, 4> kPlace{0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                       0.9602898564975363};
constexpr std::array<double, 4> kWeight{0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                        0.1012285362903763};

// x of the tridiagonal system low x_k-1 + mid x_k + high x_k+1 = right, in place of right.
void solve_tridiagonal(const std::vector<double>& low, std::vector<double> mid,
                       const std::vector<double>& high, std::vector<Vec3>& right) {
    const std::size_t n = mid.size();
    for (std::size_t k = 1; k < n; ++k) {
        const double f = low[k] / mid[k - 1];
        mid[k] -= f * high[k - 1];
        right[k] -= right[k - 1] * f;
    }
    for (std::size_t k = n; k-- > 0;) {
        if (k + 1 < n) right[k] -= right[k + 1] * high[k];
        right[k] = right[k] / mid[k];
    }
}

}  // namespace

Spline::Spline(std::span<const Vec3> points, bool is_closed, const Vec3& from)
    : is_closed_(is_closed), points_(points.begin(), points.end()) {
    if (is_closed) points_.push_back(points_.front());
    knots_.push_back(0);
    for (std::size_t k = 1; k < points_.size(); ++k)
        knots_.push_back(knots_.back() + length(points_[k] - points_[k - 1]));
    second_.resize(points_.size());
    find_curvature();
    find_lengths();
    origin_ = length_at(nearest(from));
}

Spline Spline::of_controls(std::span<const Vec3> controls, std::span<const double> breaks) {
    Spline spline;
    spline.knots_.assign(breaks.begin(), breaks.end());
    for (const double t : breaks) {
        const CubicBasis basis = cubic_basis(breaks, t);
        Vec3 place, bend;
        for (std::size_t j = 0; j < 4; ++j) {
            place += controls[basis.first + j] * basis.value[j];
            bend += controls[basis.first + j] * basis.bend[j];
        }
        spline.points_.push_back(place);
        spline.second_.push_back(bend);
    }
    spline.find_lengths();
    return spline;
}

// Continuity of c' at knot k:  h_k-1 M_k-1 + 2 (h_k-1 + h_k) M_k + h_k M_k+1 = 6 (slope_k - slope_k-1).
// Closed curves couple the first and the last row; by Sherman and Morrison that is two open systems.
void Spline::find_curvature() {
    const std::size_t pieces = points_.size() - 1;
    const auto width = [&](std::size_t k) { return knots_[k + 1] - knots_[k]; };
    const auto slope = [&](std::size_t k) { return (points_[k + 1] - points_[k]) / width(k); };
    const std::size_t n = is_closed_ ? pieces : pieces - 1;  // unknowns: knots 0.. or 1..
    if (n == 0) return;
    std::vector<double> low(n), mid(n), high(n);
    std::vector<Vec3> right(n);
    for (std::size_t r = 0; r < n; ++r) {
        const std::size_t k = is_closed_ ? r : r + 1, before = k == 0 ? pieces - 1 : k - 1;
        low[r] = width(before), high[r] = width(k), mid[r] = 2 * (low[r] + high[r]);
        right[r] = (slope(k) - slope(before)) * 6;
    }
    if (!is_closed_) {
        solve_tridiagonal(low, mid, high, right);
        std::copy(right.begin(), right.end(), second_.begin() + 1);
        return;
    }
    // A + u v^T with u = (g, 0, .., high_n-1), v = (1, 0, .., low_0 / g), where A lost its corners.
    const double g = -mid[0], corner = low[0];
    std::vector<Vec3> along(n);
    along.front().x = g, along.back().x = high[n - 1];
    mid[0] -= g, mid[n - 1] -= high[n - 1] * corner / g;
    solve_tridiagonal(low, mid, high, right);
    solve_tridiagonal(low, mid, high, along);
    const double v_last = corner / g, below = 1 + along.front().x + v_last * along.back().x;
    const Vec3 share = (right.front() + right.back() * v_last) / below;
    for (std::size_t k = 0; k < n; ++k) second_[k] = right[k] - share * along[k].x;
    second_.back() = second_.front();
}

void Spline::find_lengths() {
    lengths_.assign(1, 0);
    const Vec3 start = normalized(at({0, 0, 0}, 0).first);
    Vec3 normal =
        normalized(std::abs(start.x) < 0.75 ? cross(start, Vec3{1, 0, 0}) : cross(start, Vec3{0, 1, 0}));
    for (std::size_t k = 0; k + 1 < points_.size(); ++k) {
        const Piece piece{k, knots_[k], 0};
        const Vec3 tangent = normalized(at(piece, knots_[k]).first);
        const Vec3 across = normalized(normal - tangent * dot(normal, tangent));
        if (across != Vec3{}) normal = across;
        normals_.push_back(normal);
        lengths_.push_back(lengths_.back() + piece_length(piece, knots_[k + 1]));
    }
}

Spline::Piece Spline::piece_of(double t) const {
    const double lap = is_closed_ ? std::floor(t / knots_.back()) : 0;
    const double rest = t - lap * knots_.back();
    const auto it = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, rest);
    const auto number = static_cast<std::size_t>(it - knots_.begin()) - 1;
    return {number, lap * knots_.back() + knots_[number], lap};
}

Spline::Point Spline::at(const Piece& piece, double t) const {
    const std::size_t k = piece.number;
    const double h = knots_[k + 1] - knots_[k];
    double b = (t - piece.from) / h, beyond = 0;
    if (!is_closed_ && (b < 0 || b > 1)) {
        beyond = b < 0 ? b * h : (b - 1) * h;
        b = b < 0 ? 0 : 1;
    }
    const double a = 1 - b;
    const Vec3 &m = second_[k], &next = second_[k + 1];
    Point p;
    p.position = points_[k] * a + points_[k + 1] * b +
                 (m * ((a * a - 1) * a) + next * ((b * b - 1) * b)) * (h * h / 6);
    p.first = (points_[k + 1] - points_[k]) / h + (next * (3 * b * b - 1) - m * (3 * a * a - 1)) * (h / 6);
    p.second = m * a + next * b;
    if (beyond != 0) p.position += p.first * beyond, p.second = {};
    return p;
}

Spline::Point Spline::at(double t) const {
    return at(piece_of(t), t);
}

Vec3 Spline::third(double t) const {
    const std::size_t k = piece_of(t).number;
    if (!is_closed_ && (t < knots_.front() || t > knots_.back())) return {};
    return (second_[k + 1] - second_[k]) / (knots_[k + 1] - knots_[k]);
}

// From the piece's first knot to t. The same rule whether t is inside or at the next knot: no jumps.
double Spline::piece_length(const Piece& piece, double t) const {
    const double end = piece.from + knots_[piece.number + 1] - knots_[piece.number];
    if (!is_closed_ && (t < piece.from || t > end)) {
        const double edge = t < piece.from ? piece.from : end;
        const double inside = edge == piece.from ? 0 : piece_length(piece, edge);
        return inside + (t - edge) * length(at(piece, edge).first);
    }
    constexpr int kPanels = 2;
    const double half = 0.5 * (t - piece.from) / kPanels;
    double sum = 0;
    for (int panel = 0; panel < kPanels; ++panel) {
        const double middle = piece.from + (2 * panel + 1) * half;
        for (std::size_t k = 0; k < kPlace.size(); ++k)
            sum += kWeight[k] * (length(at(piece, middle - half * kPlace[k]).first) +
                                 length(at(piece, middle + half * kPlace[k]).first));
    }
    return half * sum;
}

double Spline::length_at(double t) const {
    const Piece piece = piece_of(t);
    return piece.lap * lengths_.back() + lengths_[piece.number] + piece_length(piece, t) - origin_;
}

// A straight guess inside the piece, and one step of Newton.
double Spline::parameter_at(double way) const {
    const double s = way + origin_;
    const double lap = is_closed_ ? std::floor(s / lengths_.back()) : 0, rest = s - lap * lengths_.back();
    const auto it = std::upper_bound(lengths_.begin() + 1, lengths_.end() - 1, rest);
    const auto k = static_cast<std::size_t>(it - lengths_.begin()) - 1;
    const double share = (rest - lengths_[k]) / (lengths_[k + 1] - lengths_[k]);
    const double t = lap * knots_.back() + knots_[k] + share * (knots_[k + 1] - knots_[k]);
    const double speed = length(at(t).first);
    return speed > 0 ? t - (length_at(t) - way) / speed : t;
}

// (c - p) . c' = 0 by Newton's method; where p is beyond the centre of curvature, by that of Gauss, which
// goes downhill everywhere. No step is longer than a piece.
double Spline::follow(const Vec3& p, double t) const {
    constexpr int kMostSteps = 20;
    const double longest = knots_.back() / static_cast<double>(points_.size() - 1);
    for (int k = 0; k < kMostSteps; ++k) {
        const Point c = at(t);
        const Vec3 away = c.position - p;
        const double n = length_squared(c.first), slope = n + dot(away, c.second);
        if (!(n > 0)) return t;
        const double step = dot(away, c.first) / (slope > 0.25 * n ? slope : n);
        t -= std::clamp(step, -longest, longest);
        if (std::abs(step) < 1e-15 * knots_.back()) break;
    }
    return t;
}

double Spline::nearest(const Vec3& p) const {
    constexpr int kSamples = 4;  // to a piece
    double best = 0, least = length_squared(points_.front() - p);
    for (std::size_t k = 0; k + 1 < points_.size(); ++k)
        for (int i = 1; i <= kSamples; ++i) {
            const double t = knots_[k] + (knots_[k + 1] - knots_[k]) * i / kSamples;
            const double d = length_squared(at({k, knots_[k], 0}, t).position - p);
            if (d < least) least = d, best = t;
        }
    return follow(p, best);
}

double Spline::foot(const Vec3& p, double t) const {
    const double found = follow(p, t), d = length(at(found).position - p);
    const double piece = knots_.back() / static_cast<double>(points_.size() - 1);
    if (d < 0.01 * piece) return found;  // on it, also where the curve crosses itself
    const double other = nearest(p);
    return length(at(other).position - p) < 0.5 * d ? other : found;
}

}  // namespace impuls
