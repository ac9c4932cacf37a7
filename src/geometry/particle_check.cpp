// What is wrong with bodies of particles (particle_check.h).
#include "geometry/particle_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "geometry/particle_net.h"

namespace impuls {
namespace {

bool has_number(std::int64_t i, std::size_t count) {
    return i >= 0 && static_cast<std::size_t>(i) < count;
}

// Numbers that come in groups: of links and triangles.
bool check_groups(const std::vector<std::int64_t>& list, std::size_t size, std::size_t points,
                  const char* path, std::vector<ShapeProblem>& problems) {
    if (list.size() % size != 0) {
        problems.push_back({path, fmt::format("{} numbers are not groups of {}", list.size(), size)});
        return false;
    }
    for (std::size_t k = 0; k < list.size(); ++k) {
        if (!has_number(list[k], points)) {
            problems.push_back({fmt::format("{}/{}", path, k),
                                fmt::format("there is no particle {}: there are {}", list[k], points)});
            return false;
        }
        for (std::size_t other = k - k % size; other < k; ++other)
            if (list[other] == list[k]) {
                problems.push_back(
                    {fmt::format("{}/{}", path, k), fmt::format("names particle {} twice", list[k])});
                return false;
            }
    }
    return true;
}

bool check_places(const std::vector<Vec3>& points, std::vector<ShapeProblem>& problems) {
    if (points.empty()) problems.push_back({"/points", "there must be at least one particle"});
    for (std::size_t k = 0; k < points.size(); ++k)
        if (!is_finite(points[k])) {
            problems.push_back({fmt::format("/points/{}", k), "not a finite point"});
            return false;
        }
    std::vector<std::size_t> order(points.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    const auto key = [&](std::size_t k) { return std::array{points[k].x, points[k].y, points[k].z}; };
    std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return key(x) < key(y); });
    for (std::size_t k = 1; k < order.size(); ++k)
        if (points[order[k]] == points[order[k - 1]]) {
            const auto [first, second] = std::minmax(order[k - 1], order[k]);
            problems.push_back(
                {fmt::format("/points/{}", second), fmt::format("is where particle {} is", first)});
            return false;
        }
    return !points.empty();
}

}  // namespace

void check_particles(const Particles& shape, std::vector<ShapeProblem>& problems) {
    const std::size_t before = problems.size(), count = shape.points.size();
    if (count > 1'000'000) problems.push_back({"/points", "at most a million particles are one body"});
    if (problems.size() > before || !check_places(shape.points, problems)) return;
    if (!shape.masses.empty() && shape.masses.size() != count)
        problems.push_back({"/masses", fmt::format("{} masses of {} particles", shape.masses.size(), count)});
    const bool are_linked = check_groups(shape.links, 2, count, "/links", problems);
    check_groups(shape.triangles, 3, count, "/triangles", problems);
    if (!shape.lengths.empty() && are_linked && shape.lengths.size() != shape.links.size() / 2)
        problems.push_back({"/lengths", fmt::format("{} lengths of {} links", shape.lengths.size(),
                                                    shape.links.size() / 2)});
    for (std::size_t k = 0; k < shape.pins.size(); ++k) {
        const std::int64_t pin = shape.pins[k];
        if (!has_number(pin < 0 ? static_cast<std::int64_t>(count) + pin : pin, count))
            problems.push_back({fmt::format("/pins/{}", k),
                                fmt::format("there is no particle {}: there are {}", pin, count)});
    }
    if (problems.size() > before) return;
    const ParticleNet net = make_net(shape, 1);
    for (std::size_t t = 0; t < net.triangles.size(); ++t) {
        const auto& [a, b, c] = net.triangles[t];
        const Vec3 area = cross(net.points[b] - net.points[a], net.points[c] - net.points[a]);
        if (length_squared(area) > 0) continue;
        problems.push_back(
            {"/triangles", fmt::format("the triangle of particles {}, {} and {} has no area", a, b, c)});
        return;
    }
    if (std::all_of(net.is_pinned.begin(), net.is_pinned.end(), [](auto pin) { return pin != 0; }))
        problems.push_back({"/pins", "every particle is pinned: nothing can move"});
}

}  // namespace impuls
