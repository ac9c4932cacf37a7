// The experiments (experiments.h). Lengths in diameters d of the grains, d = 1 cm.
//     repose      a column behind a wall that is taken away: the slope that is left, by a line through the
//     highest grain
//                 of each bin of a diameter; grains of a rough floor do not slip (granular study, 4)
//     beverloo    a hopper with a round neck: the flow of grains while it is steady
#include "cli/experiments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "impuls/frame.h"

namespace impuls::cli {
namespace {

constexpr double kDiameter = 0.01;

std::string grain_shape(const Parameters& p) {
    const double vertices = p.at("vertices");
    if (vertices == 0) return R"({"type": "sphere", "radius": 0.005})";
    return fmt::format(R"({{"type": "ellipsoid", "radii": [0.0055, 0.005, 0.0045], "vertices": {}}})",
                       vertices);
}

std::string box(const char* name, double x, double y, double z, double sx, double sy, double sz,
                const char* material, const std::string& more = "") {
    return fmt::format(R"({{"name": "{}", "kind": "{}", "shape": {{"type": "box", "size": [{}, {}, {}]}},
         "position": [{}, {}, {}], "material": "{}"{}}})",
                       name, more.empty() ? "static" : "kinematic", sx, sy, sz, x, y, z, material, more);
}

std::string materials(const Parameters& p) {
    return fmt::format(R"("materials": [
        {{"name": "grain", "density": 2500, "friction": {}, "restitution": {}, "color": [0.8, 0.65, 0.4]}},
        {{"name": "smooth", "friction": 0, "restitution": {}, "color": [0.7, 0.75, 0.8]}},
        {{"name": "rough", "friction": {}, "restitution": {}, "color": [0.5, 0.5, 0.5]}}],
    "contacts": [{{"a": "grain", "b": "rough", "friction": {}, "rolling_friction": {}}}])",
                       p.at("friction"), p.at("restitution"), p.at("restitution"), p.at("friction"),
                       p.at("restitution"), std::max(1.0, p.at("friction")), 0.1 * kDiameter);
}

const ColumnGroup* grains_of(const Frame& frame) {
    for (const ColumnGroup& group : frame.groups)
        if (group.desc().name == "grains") return &group;
    return nullptr;
}

struct Line {
    double slope = 0, squares = 1;  // R^2
};
Line fit_line(const std::vector<double>& x, const std::vector<double>& y) {
    const auto n = static_cast<double>(x.size());
    double sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
    for (std::size_t k = 0; k < x.size(); ++k)
        sx += x[k], sy += y[k], sxx += x[k] * x[k], sxy += x[k] * y[k], syy += y[k] * y[k];
    const double xx = sxx - sx * sx / n, xy = sxy - sx * sy / n, yy = syy - sy * sy / n;
    return {xx > 0 ? xy / xx : 0, xx > 0 && yy > 0 ? xy * xy / (xx * yy) : 0};
}

double degrees(double slope) {
    return std::abs(std::atan(slope)) * 180 / std::numbers::pi;
}

// The highest grain of each bin along x from low to high.
void surface_of(const ColumnGroup& grains, double low, double high, std::vector<double>& x,
                std::vector<double>& y) {
    const auto bins = static_cast<std::size_t>(std::max(1.0, std::round((high - low) / kDiameter)));
    std::vector<double> top(bins, -1e300), at(bins, 0);
    const auto position = grains.column(std::size_t{0});
    for (std::size_t k = 0; k < grains.count(); ++k) {
        const double share = (position[3 * k] - low) / (high - low);
        if (share < 0 || share >= 1) continue;
        const auto bin = static_cast<std::size_t>(share * static_cast<double>(bins));
        if (position[3 * k + 1] > top[bin]) top[bin] = position[3 * k + 1], at[bin] = position[3 * k];
    }
    for (std::size_t b = 0; b < bins; ++b)
        if (top[b] > -1e299) x.push_back(at[b]), y.push_back(top[b]);
}

bool advance(World& world, double until, const std::function<bool()>& go_on) {
    while (world.time() < until - 1e-9) {
        if (!go_on()) return false;
        if (const StepStatus status = world.step(); !status.ok) throw InputError(status.message);
    }
    return true;
}

// ---- repose

std::string repose_scene(const Parameters& p) {
    const double length = 12 * kDiameter, width = p.at("width") * kDiameter, wall = 0.02;
    const double height =
        std::ceil(p.at("count") / (10 * std::max(1.0, p.at("width") - 1))) * 1.25 * kDiameter + 0.05;
    return fmt::format(R"({{"impuls": 1, "title": "Angle of repose",
    "settings": {{"dt": 0.01, "duration": {}}},
    {},
    "bodies": [
        {{"name": "floor", "kind": "static", "shape": {{"type": "plane"}}, "material": "rough"}},
        {}, {}, {}, {}],
    "grains": [{{"name": "grains", "count": {}, "material": "grain", "seed": {}, "shape": {},
        "place": {{"type": "block", "lower": [0, 0.002, {}], "upper": [{}, {}, {}]}}}}],
    "timeline": [{{"time": {}, "type": "remove", "bodies": ["gate"]}}]}})",
                       p.at("settle") + p.at("time"), materials(p),
                       box("left", -wall / 2, 0.5, 0, wall, 1, 1, "rough"),
                       box("gate", length + wall / 2, 0.5, 0, wall, 1, width, "smooth"),
                       box("back", 0.5, 0.5, -width / 2 - wall / 2, 2, 1, wall, "smooth"),
                       box("front", 0.5, 0.5, width / 2 + wall / 2, 2, 1, wall, "smooth"), p.at("count"),
                       p.at("seed"), grain_shape(p), -width / 2, length, height, width / 2, p.at("settle"));
}

std::vector<double> measure_repose(World& world, const Parameters& p, const std::function<bool()>& go_on) {
    if (!advance(world, p.at("settle") + p.at("time"), go_on)) return {};
    std::vector<double> x, y, inner_x, inner_y;
    const ColumnGroup& grains = *grains_of(world.frame());
    surface_of(grains, 0, 60 * kDiameter, x, y);
    // From the wall to the first gap: what rolled away is no part of the heap; the outer fifth at both ends
    // is left out.
    std::size_t end = 1;
    while (end < x.size() && x[end] - x[end - 1] < 2 * kDiameter && y[end] > kDiameter) ++end;
    for (std::size_t k = end / 5; k < end - end / 5; ++k) inner_x.push_back(x[k]), inner_y.push_back(y[k]);
    const Line line = fit_line(inner_x, inner_y);
    return {degrees(line.slope), line.squares, world.frame().energy.kinetic};
}

// ---- beverloo

std::string beverloo_scene(const Parameters& p) {
    const double neck = p.at("neck") * kDiameter / 2, top = std::max(4 * kDiameter, 2.5 * neck), height = top;
    const double side = top / std::numbers::sqrt2;
    const double column =
        std::ceil(p.at("count") / std::pow(std::floor(2 * side / kDiameter / 1.2), 2)) * 1.3 * kDiameter;
    return fmt::format(R"({{"impuls": 1, "title": "Flow out of a hopper",
    "settings": {{"dt": 0.005, "duration": {}}},
    {},
    "bodies": [
        {{"name": "hopper", "kind": "static", "material": "rough", "position": [0, {}, 0],
          "shape": {{"type": "funnel", "radius": {}, "neck": {}, "height": {}, "thickness": 0.002}}}},
        {{"name": "tube", "kind": "static", "material": "smooth", "position": [0, {}, 0],
          "shape": {{"type": "tube", "radius": {}, "height": {}, "thickness": 0.002}}}},
        {}],
    "grains": [{{"name": "grains", "count": {}, "material": "grain", "seed": {}, "shape": {},
        "place": {{"type": "block", "lower": [{}, {}, {}], "upper": [{}, {}, {}]}}}}],
    "timeline": [{{"time": {}, "type": "remove", "bodies": ["slide"]}}]}})",
                       p.at("settle") + p.at("time"), materials(p), height / 2, top, neck, height,
                       height + column / 2 + 0.05, top, column + 0.1,
                       box("slide", 0, -0.01, 0, 3 * neck + 0.02, 0.02, 3 * neck + 0.02, "smooth"),
                       p.at("count"), p.at("seed"), grain_shape(p), -side, height, -side, side,
                       height + column + 0.05, side, p.at("settle"));
}

std::vector<double> measure_beverloo(World& world, const Parameters& p, const std::function<bool()>& go_on) {
    const double begin = p.at("settle"), end = begin + p.at("time");
    std::vector<double> times, passed;
    double out = 0;
    while (world.time() < end - 1e-9) {
        if (!advance(world, world.time() + 0.02, go_on)) return {};
        const ColumnGroup& grains = *grains_of(world.frame());
        const auto position = grains.column(std::size_t{0});
        out = 0;
        for (std::size_t k = 0; k < grains.count(); ++k) out += position[3 * k + 1] < -kDiameter;
        const double share = out / static_cast<double>(grains.count());
        if (world.time() > begin && share > 0.1 && share < 0.6)
            times.push_back(world.time()), passed.push_back(out);
    }
    const double count = p.at("count");
    return {times.size() > 2 ? fit_line(times, passed).slope : 0, out / count};
}

std::vector<Parameter> with_common(std::vector<Parameter> own, double count) {
    own.push_back({"count", count, "grains"});
    own.push_back({"vertices", 0, "of a grain, as in scenes; 0: spheres"});
    own.push_back({"friction", 0.5, "between grains"});
    own.push_back({"restitution", 0.3, ""});
    return own;
}

}  // namespace

std::span<const Experiment> experiments() {
    static const std::vector<Experiment> list{
        {"repose",
         "slope that is left of a column when the wall beside it is taken away",
         with_common({{"width", 3, "of the slot, in diameters"},
                      {"settle", 0.6, "s, before the wall goes"},
                      {"time", 1.5, "s, after that"}},
                     300),
         {"angle, degrees", "R^2 of the line", "kinetic energy, J"},
         repose_scene,
         measure_repose},
        {"beverloo",
         "flow out of a hopper with a round neck",
         with_common(
             {{"neck", 6, "its diameter, in diameters of a grain"}, {"settle", 0.5, "s"}, {"time", 2, "s"}},
             600),
         {"flow, grains/s", "share that is out at the end"},
         beverloo_scene,
         measure_beverloo}};
    return list;
}

}  // namespace impuls::cli
