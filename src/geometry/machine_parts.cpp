// Gears and cams as meshes (machine_parts.h).
#include "geometry/machine_parts.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace impuls {
namespace {

using std::numbers::pi;

struct Polar {
    double radius, angle;
};

double involute(double t) {  // of the tangent
    return t - std::atan(t);
}

double tangent_at(const GearRadii& r, double radius) {
    return std::sqrt(std::max(0.0, radius * radius / (r.base * r.base) - 1));
}

double relief(const SpurGear& gear, const GearRadii& r, double radius) {
    const double from = 0.5 * (r.pitch + r.tip);
    if (radius <= from) return 0;
    const double share = (radius - from) / (r.tip - from);
    return gear.tip_relief * share * share;
}

// From the root to the tip, at the side of falling angles.
std::vector<Polar> flank_of(const SpurGear& gear) {
    const GearRadii r = radii_of(gear);
    const double t0 = tangent_at(r, std::max(r.base, r.root)), ta = tangent_at(r, r.tip);
    std::vector<Polar> out;
    for (std::int64_t i = 0; i <= gear.rows; ++i) {
        const double t = std::sqrt(t0 * t0 + (ta * ta - t0 * t0) * static_cast<double>(i) /
                                                 static_cast<double>(gear.rows));
        const double radius = r.base * std::sqrt(1 + t * t);
        out.push_back({radius, half_tooth(gear, radius)});
    }
    // Down to the root, a little wider: no edge of a side face is radial.
    const double widest = out.front().angle;
    const double gap = pi / static_cast<double>(gear.teeth) - widest;
    out.insert(out.begin(), {std::min(r.root, 0.999 * r.base), widest + 0.2 * gap});
    if (r.root > r.base) out.front().radius = r.root * (1 - 1e-3);
    return out;
}

// A disc with this outline about y, from the hole (or the axis) out; angles grow.
Mesh disc(const std::vector<Polar>& outline, double width, double hole, std::size_t columns) {
    Mesh mesh;
    const std::size_t n = outline.size();
    const auto add = [&](const Polar& p, double y) {
        mesh.vertices.push_back({p.radius * std::cos(p.angle), y, -p.radius * std::sin(p.angle)});
    };
    const auto triangle = [&](std::size_t a, std::size_t b, std::size_t c) {
        for (const std::size_t k : {a, b, c}) mesh.triangles.push_back(static_cast<std::int64_t>(k));
    };
    for (std::size_t c = 0; c <= columns; ++c)
        for (const Polar& p : outline)
            add(p, width * (static_cast<double>(c) / static_cast<double>(columns) - 0.5));
    const auto at = [&](std::size_t ring, std::size_t i) { return ring * n + i % n; };
    for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t i = 0; i < n; ++i) {
            triangle(at(c, i), at(c, i + 1), at(c + 1, i));
            triangle(at(c, i + 1), at(c + 1, i + 1), at(c + 1, i));
        }
    const std::size_t inner = mesh.vertices.size();
    if (hole > 0) {
        for (const double y : {-0.5 * width, 0.5 * width})
            for (const Polar& p : outline) add({hole, p.angle}, y);
        const auto in = [&](std::size_t side, std::size_t i) { return inner + side * n + i % n; };
        for (std::size_t i = 0; i < n; ++i) {
            triangle(in(0, i), at(0, i + 1), at(0, i));
            triangle(in(0, i), in(0, i + 1), at(0, i + 1));
            triangle(in(1, i), at(columns, i), at(columns, i + 1));
            triangle(in(1, i), at(columns, i + 1), in(1, i + 1));
            triangle(in(0, i), in(1, i), in(0, i + 1));
            triangle(in(0, i + 1), in(1, i), in(1, i + 1));
        }
        return mesh;
    }
    mesh.vertices.push_back({0, -0.5 * width, 0});
    mesh.vertices.push_back({0, 0.5 * width, 0});
    for (std::size_t i = 0; i < n; ++i) {
        triangle(inner, at(0, i + 1), at(0, i));
        triangle(inner + 1, at(columns, i), at(columns, i + 1));
    }
    return mesh;
}

// Second derivatives of the periodic cubic spline through values at equal distances h = 1:
// m[i-1] + 4 m[i] + m[i+1] = 6 (v[i-1] - 2 v[i] + v[i+1]), by sweeps that shrink errors by a factor of 4.
std::vector<double> bends_of(const std::vector<double>& v) {
    const std::size_t n = v.size();
    std::vector<double> m(n, 0.0);
    for (int sweep = 0; sweep < 60; ++sweep)
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t before = (i + n - 1) % n, after = (i + 1) % n;
            m[i] = (6 * (v[before] - 2 * v[i] + v[after]) - m[before] - m[after]) / 4;
        }
    return m;
}

}  // namespace

GearRadii radii_of(const SpurGear& gear) {
    const double half = 0.5 * static_cast<double>(gear.teeth), r = gear.module * half;
    return {r, r * std::cos(gear.pressure_angle), gear.module * (half + 1 + gear.profile_shift),
            gear.module * (half - 1.25 + gear.profile_shift)};
}

double half_tooth(const SpurGear& gear, double radius) {
    const GearRadii r = radii_of(gear);
    const double z = static_cast<double>(gear.teeth), tangent = std::tan(gear.pressure_angle);
    return pi / (2 * z) + 2 * gear.profile_shift * tangent / z - gear.backlash / (2 * r.pitch) +
           involute(tangent) - involute(tangent_at(r, radius)) - relief(gear, r, radius) / radius;
}

std::string gear_problem(const SpurGear& gear) {
    const GearRadii r = radii_of(gear);
    if (!(r.root > 0)) return "its root circle has no radius: fewer teeth than this profile shift allows";
    if (r.tip <= r.base) return "its tip is inside the base circle";
    if (gear.bore >= 0.99 * std::min(r.root, r.base)) return "the bore is as large as the root circle";
    if (!(half_tooth(gear, r.tip) > 0))
        return "its teeth come to a point below the tip: less profile shift, backlash or tip relief";
    const double widest = half_tooth(gear, std::max(r.base, r.root));
    if (!(widest < pi / static_cast<double>(gear.teeth))) return "its teeth overlap at the root";
    return {};
}

double contact_ratio(const SpurGear& a, const SpurGear& b, double distance) {
    const GearRadii ra = radii_of(a), rb = radii_of(b);
    const double working = std::acos((ra.base + rb.base) / distance);
    const auto reach = [](const GearRadii& r) { return std::sqrt(r.tip * r.tip - r.base * r.base); };
    const double path = reach(ra) + reach(rb) - distance * std::sin(working);
    return path / (pi * a.module * std::cos(a.pressure_angle));
}

SpurGear::operator Mesh() const {
    if (!gear_problem(*this).empty()) return {};
    const std::vector<Polar> flank = flank_of(*this);
    std::vector<Polar> outline;
    for (std::int64_t k = 0; k < teeth; ++k) {
        const double middle = 2 * pi * static_cast<double>(k) / static_cast<double>(teeth);
        for (const Polar& p : flank) outline.push_back({p.radius, middle - p.angle});
        for (auto p = flank.rbegin(); p != flank.rend(); ++p)
            outline.push_back({p->radius, middle + p->angle});
    }
    return disc(outline, width, bore, static_cast<std::size_t>(columns));
}

Cam::operator Mesh() const {
    const std::size_t n = radii.size();
    if (n < 3) return {};
    const std::vector<double> bends = bends_of(radii);
    std::vector<Polar> outline;
    for (std::int64_t k = 0; k < segments; ++k) {
        const double turn = static_cast<double>(k) / static_cast<double>(segments),
                     at = turn * static_cast<double>(n);
        const std::size_t i = std::min(n - 1, static_cast<std::size_t>(at)), j = (i + 1) % n;
        const double t = at - static_cast<double>(i), s = 1 - t;
        const double radius =
            s * radii[i] + t * radii[j] + ((s * s * s - s) * bends[i] + (t * t * t - t) * bends[j]) / 6;
        outline.push_back({radius, 2 * pi * turn});
    }
    return disc(outline, width, 0, 1);
}

}  // namespace impuls
