// Regions and their paths (fast_sums.h). A path goes on to the free neighbour that has the most neighbours
// already on paths, so that paths lie side by side without gaps; of several the one nearest to where the path
// began along its first edge's plane, at last the lowest number. Building only.
#include "deformable/shape/fast_sums.h"

#include <algorithm>
#include <cmath>

namespace impuls::deformable {
namespace {

std::vector<std::vector<std::uint32_t>> neighbours_of(std::size_t n, std::span<const Triangle> triangles) {
    std::vector<std::vector<std::uint32_t>> beside(n);
    for (const Triangle& t : triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            beside[t[k]].push_back(t[(k + 1) % 3]);
            beside[t[k]].push_back(t[(k + 2) % 3]);
        }
    for (auto& list : beside) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return beside;
}

}  // namespace

Regions make_regions(std::span<const Vec3> vertices, std::span<const Triangle> triangles, int rings) {
    const std::size_t n = vertices.size();
    const auto beside = neighbours_of(n, triangles);
    Regions regions;
    std::vector<char> is_on_path(n, 0);
    for (std::uint32_t start = 0; start < n; ++start) {
        if (is_on_path[start]) continue;
        ++regions.paths;
        const double level = vertices[start].z;
        for (std::uint32_t at = start;;) {
            is_on_path[at] = 1;
            regions.order.push_back(at);
            std::uint32_t next = static_cast<std::uint32_t>(n);
            int touching = -1;
            double away = 0;
            for (const std::uint32_t to : beside[at]) {
                if (is_on_path[to]) continue;
                const int count =
                    static_cast<int>(std::count_if(beside[to].begin(), beside[to].end(),
                                                   [&](std::uint32_t k) { return is_on_path[k] != 0; }));
                const double distance = std::fabs(vertices[to].z - level);
                if (count > touching || (count == touching && distance < away))
                    touching = count, away = distance, next = to;
            }
            if (next == n) break;
            at = next;
        }
    }
    std::vector<std::uint32_t> place(n), seen(n, static_cast<std::uint32_t>(n)), front, ahead;
    for (std::uint32_t k = 0; k < n; ++k) place[regions.order[k]] = k;
    for (std::uint32_t i = 0; i < n; ++i) {
        std::vector<std::uint32_t> members{i};
        seen[i] = i;
        front = {i};
        for (int ring = 0; ring < rings; ++ring) {
            ahead.clear();
            for (const std::uint32_t at : front)
                for (const std::uint32_t to : beside[at])
                    if (seen[to] != i) seen[to] = i, ahead.push_back(to), members.push_back(to);
            front.swap(ahead);
        }
        std::vector<std::uint32_t> places;
        for (const std::uint32_t m : members) places.push_back(place[m]);
        std::sort(places.begin(), places.end());
        for (std::size_t k = 0; k < places.size();) {
            const std::uint32_t first = places[k];
            std::size_t end = k + 1;
            while (end < places.size() && places[end] == places[end - 1] + 1) ++end;
            regions.intervals.push_back({first, places[end - 1] + 1});
            k = end;
        }
        std::sort(members.begin(), members.end());
        regions.members.insert(regions.members.end(), members.begin(), members.end());
        regions.begin.push_back(static_cast<std::uint32_t>(regions.members.size()));
        regions.interval_begin.push_back(static_cast<std::uint32_t>(regions.intervals.size()));
    }
    return regions;
}

}  // namespace impuls::deformable
