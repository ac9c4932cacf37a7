// Friction of a spinning disk by quadrature, and an arch's line of thrust (patches.h).
#include "reference/patches.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace impuls::reference {

namespace {

constexpr double kPi = 3.14159265358979323846;

struct Motion {
    double v = 0, w = 0;
};

// Means over the disk of u/|u| along the motion, and of its moment: u = (v - w y, w x).
Motion deceleration(const SpinSlide& disk, const Motion& m) {
    constexpr int kRings = 24, kSpokes = 96;
    double force = 0, moment = 0;
    for (int i = 0; i < kRings; ++i) {
        const double r = disk.radius * std::sqrt((i + 0.5) / kRings);  // rings of equal area
        for (int j = 0; j < kSpokes; ++j) {
            const double angle = 2 * kPi * (j + 0.5) / kSpokes, x = r * std::cos(angle),
                         y = r * std::sin(angle), ux = m.v - m.w * y, uy = m.w * x,
                         u = std::sqrt(ux * ux + uy * uy);
            if (u == 0) continue;
            force += ux / u, moment += (x * uy - y * ux) / u;
        }
    }
    const double mean = disk.mu * disk.gravity / (kRings * kSpokes);
    return {-mean * force, -2 * mean * moment / (disk.radius * disk.radius)};
}

// Runge-Kutta until v has fallen to `least`; returns the time and leaves the motion.
double slide_until(const SpinSlide& disk, double least, Motion& m) {
    const double h = 4e-3 * disk.v / (disk.mu * disk.gravity);
    double time = 0;
    const auto plus = [](const Motion& a, const Motion& b, double s) {
        return Motion{a.v + s * b.v, a.w + s * b.w};
    };
    while (m.v > least) {
        const Motion a = deceleration(disk, m), b = deceleration(disk, plus(m, a, h / 2)),
                     c = deceleration(disk, plus(m, b, h / 2)), d = deceleration(disk, plus(m, c, h));
        const Motion next{m.v + h / 6 * (a.v + 2 * b.v + 2 * c.v + d.v),
                          m.w + h / 6 * (a.w + 2 * b.w + 2 * c.w + d.w)};
        if (next.v <= least) {
            const double share = (m.v - least) / (m.v - next.v);
            m = {least, m.w + share * (next.w - m.w)};
            return time + share * h;
        }
        m = next, time += h;
    }
    return time;
}

}  // namespace

double stop_time(const SpinSlide& start) {
    // From 2 % of the speed on, the ratio is constant, and so is the deceleration.
    Motion m{start.v, start.w};
    const double time = slide_until(start, 0.02 * start.v, m);
    return time - m.v / deceleration(start, m).v;
}

double ratio_at(const SpinSlide& start, double v) {
    Motion m{start.v, start.w};
    slide_until(start, v, m);
    return m.v / (m.w * start.radius);
}

bool arch_stands(int stones, double inner, double outer) {
    // Upper part between the crown and a joint at the angle a from the vertical: weight W at the distance g
    // from the middle, thrust H at the height y. Moments about the joint's inner and outer edge (x, z):
    // H (y - z) + W (g - x)  must not turn it in about the inner edge, nor out about the outer one.
    // Unknowns are H and M = H y; each joint gives two half planes in them.
    struct Half {
        double h, m, c;  // h H + m M + c >= 0
    };
    std::vector<Half> halves;
    const double step = kPi / stones, area = 0.5 * (outer * outer - inner * inner);
    const double arm =
        2.0 / 3 * (outer * outer * outer - inner * inner * inner) / (outer * outer - inner * inner);
    for (int k = stones % 2 ? 0 : 1; k <= stones / 2; ++k) {
        const double a = stones % 2 ? (k + 0.5) * step : k * step;
        const double weight = area * a, middle = arm * (1 - std::cos(a)) / a;
        const double xi = inner * std::sin(a), zi = inner * std::cos(a), xo = outer * std::sin(a),
                     zo = outer * std::cos(a);
        halves.push_back({-zi, 1, -weight * (xi - middle)});  // thrust line outside the inner edge
        halves.push_back({zo, -1, weight * (xo - middle)});   // and inside the outer one
    }
    halves.push_back({-inner, 1, 0}), halves.push_back({outer, -1, 0});  // at the crown itself
    // Feasible: a corner of two half planes that satisfies all.
    for (std::size_t i = 0; i < halves.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const Half &p = halves[i], &q = halves[j];
            const double det = p.h * q.m - q.h * p.m;
            if (std::abs(det) < 1e-12) continue;
            const double H = (-p.c * q.m + q.c * p.m) / det, M = (-p.h * q.c + q.h * p.c) / det;
            if (H > 0 && std::all_of(halves.begin(), halves.end(), [&](const Half& r) {
                    return r.h * H + r.m * M + r.c >= -1e-9 * outer * outer * outer;
                }))
                return true;
        }
    return false;
}

double thinnest_arch(int stones) {
    double falls = 0.01, stands = 0.3;
    while (stands - falls > 1e-6) {
        const double middle = 0.5 * (falls + stands);
        (arch_stands(stones, 1 - middle / 2, 1 + middle / 2) ? stands : falls) = middle;
    }
    return stands;
}

}  // namespace impuls::reference
