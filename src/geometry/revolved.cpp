// Regions of revolution (revolved.h). Masses by Pappus: with m = density and dA = drho dy,
//     M = 2 pi m I rho dA,  c_y M = 2 pi m I rho y dA,  I_y = 2 pi m I rho^3 dA,  I_x = I_y/2 + 2 pi m I rho
//     y^2
// by Gauss's rule, exact for polygons (the integrands are cubic) and to rounding for rings.
#include "geometry/revolved.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/functions.h"

namespace impuls {
namespace {

constexpr double kCircle = 3.141592653589793;
// Gauss-Legendre, eight points on (-1, 1).
constexpr std::array<double, 4> kGaussNode{0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                           0.9602898564975363};
constexpr std::array<double, 4> kGaussShare{0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                            0.1012285362903763};

template <class F>
void for_gauss(double from, double to, F&& f) {
    const double half = 0.5 * (to - from), middle = from + half;
    for (std::size_t k = 0; k < kGaussNode.size(); ++k)
        for (const double side : {-1.0, 1.0}) f(middle + side * half * kGaussNode[k], half * kGaussShare[k]);
}

struct Sums {
    double volume = 0, height = 0, around = 0, square = 0;
    void add(const ProfileVec& p, double area) {
        volume += p.rho * area;
        height += p.rho * p.y * area;
        around += p.rho * p.rho * p.rho * area;
        square += p.rho * p.y * p.y * area;
    }
};

double cross_of(const ProfileVec& a, const ProfileVec& b) {
    return a.rho * b.y - a.y * b.rho;
}
ProfileVec operator-(const ProfileVec& a, const ProfileVec& b) {
    return {a.rho - b.rho, a.y - b.y};
}
double dot_of(const ProfileVec& a, const ProfileVec& b) {
    return a.rho * b.rho + a.y * b.y;
}

}  // namespace

RevolvedProfile::RevolvedProfile(const Tube& s) {
    const double h = 0.5 * s.height, r = s.radius, o = s.radius + s.thickness;
    corners_ = {{r, -h}, {o, -h}, {o, h}, {r, h}};
}

RevolvedProfile::RevolvedProfile(const Funnel& s) {
    const double h = 0.5 * s.height, slope = (s.radius - s.neck) / s.height;
    const double width = s.thickness * std::sqrt(1 + slope * slope);  // along rho
    corners_ = {{s.neck, -h}, {s.neck + width, -h}, {s.radius + width, h}, {s.radius, h}};
}

RevolvedProfile::RevolvedProfile(const Bowl& s)
    : inner_(s.radius), outer_(s.radius + s.thickness), to_(std::min(s.opening, kCircle)) {}

RevolvedProfile::RevolvedProfile(const Torus& s) : centre_{s.radius, 0}, outer_(s.tube), to_(2 * kCircle) {}

RevolvedProfile::Nearest RevolvedProfile::nearest(const ProfileVec& p) const {
    return is_straight() ? nearest_to_polygon(p) : nearest_to_sector(p);
}

RevolvedProfile::Nearest RevolvedProfile::nearest_to_polygon(const ProfileVec& p) const {
    Nearest best{-1e300, {}};
    double least = 1e300;  // squared distance outside
    ProfileVec away{};
    for (std::size_t k = 0; k < corners_.size(); ++k) {
        const ProfileVec& a = corners_[k];
        const ProfileVec edge = corners_[(k + 1) % corners_.size()] - a, to = p - a;
        const double length = std::sqrt(dot_of(edge, edge));
        const ProfileVec normal{edge.y / length, -edge.rho / length};
        const double height = dot_of(normal, to);
        if (height > best.distance) best = {height, normal};
        const double along = std::clamp(dot_of(to, edge) / (length * length), 0.0, 1.0);
        const ProfileVec off{to.rho - edge.rho * along, to.y - edge.y * along};
        const double square = dot_of(off, off);
        if (square < least) least = square, away = off;
    }
    if (best.distance <= 0) return best;
    const double distance = std::sqrt(least);
    return {distance, {away.rho / distance, away.y / distance}};
}

RevolvedProfile::Nearest RevolvedProfile::nearest_to_sector(const ProfileVec& p) const {
    const ProfileVec to = p - centre_;
    const double r = std::sqrt(dot_of(to, to));
    const ProfileVec out = r > 0 ? ProfileVec{to.rho / r, to.y / r} : ProfileVec{0, -1};
    const Nearest outside{r - outer_, out}, inside{inner_ - r, {-out.rho, -out.y}};
    const Nearest ring = inner_ > 0 && inside.distance > outside.distance ? inside : outside;
    if (to_ >= kCircle) return ring;
    // The rim: a straight edge from the inner to the outer circle, at the angle `to_` from straight down.
    const auto [s, c] = functions::sin_cos(to_);
    const ProfileVec edge{s, -c}, up{c, s};  // along the edge outwards; across it, away from the wall
    const double beyond = dot_of(up, to);
    const bool is_beyond = -to.y < c * r;  // its angle from straight down is larger
    if (!is_beyond) return beyond > ring.distance && ring.distance <= 0 ? Nearest{beyond, up} : ring;
    const double along = std::clamp(dot_of(edge, to), inner_, outer_);
    const ProfileVec off{to.rho - edge.rho * along, to.y - edge.y * along};
    const double distance = std::sqrt(dot_of(off, off));
    return distance > 0 ? Nearest{distance, {off.rho / distance, off.y / distance}} : Nearest{0, up};
}

double RevolvedProfile::reach() const {
    if (!is_straight()) return std::sqrt(dot_of(centre_, centre_)) + outer_;
    double most = 0;
    for (const ProfileVec& corner : corners_) most = std::max(most, std::sqrt(dot_of(corner, corner)));
    return most;
}

double RevolvedProfile::narrow() const {
    if (!is_straight()) return inner_ > 0 ? 0.5 * (outer_ - inner_) : outer_;
    const ProfileVec wall = corners_[3] - corners_[0], width = corners_[1] - corners_[0];
    return 0.5 * std::abs(cross_of(width, wall)) / std::sqrt(dot_of(wall, wall));
}

RevolvedProfile::Mass RevolvedProfile::mass() const {
    Sums sums;
    if (is_straight()) {  // a parallelogram
        const ProfileVec &a = corners_[0], u = corners_[1] - a, v = corners_[3] - a;
        const double area = cross_of(u, v);
        for_gauss(0, 1, [&](double x, double dx) {
            for_gauss(0, 1, [&](double z, double dz) {
                sums.add({a.rho + u.rho * x + v.rho * z, a.y + u.y * x + v.y * z}, area * dx * dz);
            });
        });
    } else {
        constexpr int kPieces = 8;
        for (int piece = 0; piece < kPieces; ++piece)
            for_gauss(to_ * piece / kPieces, to_ * (piece + 1) / kPieces, [&](double angle, double turn) {
                const functions::SinCos at = functions::sin_cos(angle);
                for_gauss(inner_, outer_, [&](double r, double dr) {
                    sums.add({centre_.rho + r * at.sin, centre_.y - r * at.cos}, r * turn * dr);
                });
            });
    }
    constexpr double kTurn = 2 * kCircle;
    const double mass = kTurn * sums.volume, height = sums.height / sums.volume, along = kTurn * sums.around;
    return {mass, height, along, 0.5 * along + kTurn * sums.square - mass * height * height};
}

std::vector<ProfileVec> RevolvedProfile::outline(std::uint32_t around) const {
    if (is_straight()) return corners_;
    const auto arc = [&](double radius, double from, double to, std::vector<ProfileVec>& out) {
        const int steps =
            std::max(4, static_cast<int>(std::ceil(std::abs(to - from) * around / (2 * kCircle))));
        const bool is_whole = std::abs(to - from) >= 2 * kCircle;
        for (int k = 0; k < steps + (is_whole ? 0 : 1); ++k) {
            const auto [s, c] = functions::sin_cos(from + (to - from) * k / steps);
            out.push_back({centre_.rho + radius * s, centre_.y - radius * c});
        }
    };
    std::vector<ProfileVec> points;
    arc(outer_, 0, to_, points);
    if (inner_ > 0) arc(inner_, to_, 0, points);
    return points;
}

// Rings of vertices, one for each point of the outline; a point on the axis is one vertex.
TriangleMesh RevolvedProfile::mesh(std::uint32_t around) const {
    const std::vector<ProfileVec> points = outline(around);
    const double tiny = 1e-12 * reach();
    TriangleMesh out;
    std::vector<std::uint32_t> first;
    for (const ProfileVec& p : points) {
        first.push_back(static_cast<std::uint32_t>(out.vertices.size()));
        const bool is_pole = p.rho <= tiny;
        for (std::uint32_t i = 0; i < (is_pole ? 1 : around); ++i) {
            const auto [s, c] = functions::sin_cos(2 * kCircle * i / around);
            out.vertices.push_back({is_pole ? 0 : p.rho * c, p.y, is_pole ? 0 : p.rho * s});
        }
    }
    for (std::size_t k = 0; k < points.size(); ++k) {
        const std::size_t n = (k + 1) % points.size();
        const bool is_pole = points[k].rho <= tiny, is_next_pole = points[n].rho <= tiny;
        if (is_pole && is_next_pole) continue;
        for (std::uint32_t i = 0; i < around; ++i) {
            const std::uint32_t j = (i + 1) % around;
            const auto at = [&](std::size_t p, bool pole, std::uint32_t x) {
                return first[p] + (pole ? 0 : x);
            };
            const std::uint32_t a = at(k, is_pole, i), b = at(k, is_pole, j), c = at(n, is_next_pole, i),
                                d = at(n, is_next_pole, j);
            if (!is_pole) out.triangles.push_back({a, c, b});
            if (!is_next_pole) out.triangles.push_back({b, c, d});
        }
    }
    return out;
}

}  // namespace impuls
