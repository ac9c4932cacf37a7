// A mesh bounds a solid when every edge is run through equally often in both directions and the enclosed
// volume is positive. Vertices at the same place count as one, so meshes with split vertices are fine.
// Triangles that cross each other are not looked for.
#include "geometry/mesh_check.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "geometry/solid_check.h"
#include "geometry/triangles.h"
#include "geometry/weld.h"

namespace impuls {
namespace {

using Problems = std::vector<ShapeProblem>;
using Triangle = std::array<std::uint32_t, 3>;

// Counts, number ranges and finite values: what the later checks rely on.
bool check_numbers(const Mesh& mesh, Problems& problems) {
    const std::size_t before = problems.size();
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        if (is_finite(mesh.vertices[i])) continue;
        problems.push_back({fmt::format("/vertices/{}", i), "not a finite point"});
        break;
    }
    if (mesh.triangles.size() % 3 != 0) {
        problems.push_back(
            {"/triangles", fmt::format("{} vertex numbers are not a multiple of 3", mesh.triangles.size())});
    }
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const std::int64_t number = mesh.triangles[i];
        if (number >= 0 && static_cast<std::uint64_t>(number) < mesh.vertices.size()) continue;
        problems.push_back(
            {fmt::format("/triangles/{}", i),
             fmt::format("{} is not the number of a vertex (there are {})", number, mesh.vertices.size())});
        break;
    }
    if (mesh.triangles.empty()) problems.push_back({"/triangles", "a mesh needs triangles"});
    return problems.size() == before;
}

// Area below the rounding error of its own corners: twice the area <= 1e-14 of the longest edge squared.
bool has_no_area(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double longest = std::max({length(b - a), length(c - b), length(a - c)});
    return !(length(cross((b - a) / longest, (c - a) / longest)) > 1e-14);
}

void check_triangles(const TriangleMesh& mesh, const std::vector<std::uint32_t>& weld, Problems& problems) {
    std::vector<std::pair<Triangle, std::size_t>> sorted;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const auto& [a, b, c] = mesh.triangles[i];
        Triangle corners{weld[a], weld[b], weld[c]};
        std::sort(corners.begin(), corners.end());
        sorted.emplace_back(corners, i);
    }
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const auto& [a, b, c] = mesh.triangles[i];
        if (!has_no_area(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c])) continue;
        problems.push_back(
            {"/triangles", fmt::format("triangle {} has no area (vertices {}, {}, {})", i, a, b, c)});
        break;
    }
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        if (sorted[i].first != sorted[i - 1].first) continue;
        problems.push_back({"/triangles", fmt::format("triangles {} and {} have the same corners",
                                                      sorted[i - 1].second, sorted[i].second)});
        break;
    }
}

// Sorted (low, high) pairs with +1 for a run upwards and -1 downwards must cancel.
bool check_closed(const TriangleMesh& mesh, const std::vector<std::uint32_t>& weld, Problems& problems) {
    std::vector<std::array<std::int64_t, 3>> runs;
    for (const Triangle& t : mesh.triangles) {
        for (int i = 0; i < 3; ++i) {
            const std::int64_t a = weld[t[i]], b = weld[t[(i + 1) % 3]];
            if (a != b) runs.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1});
        }
    }
    std::sort(runs.begin(), runs.end());
    for (std::size_t i = 0, end = 0; i < runs.size(); i = end) {
        std::int64_t balance = 0;
        for (end = i; end < runs.size() && runs[end][0] == runs[i][0] && runs[end][1] == runs[i][1]; ++end)
            balance += runs[end][2];
        if (balance == 0) continue;
        const char* what =
            (end - i) % 2 == 1 ? "the mesh is open at" : "triangles are oriented differently at";
        const char* mend =
            (end - i) % 2 == 1
                ? "close the hole (in Blender: Mesh, Clean Up, Fill Holes), or take a convex shape"
                : "turn them alike (in Blender: Mesh, Normals, Recalculate Outside)";
        problems.push_back({"/triangles", fmt::format("{} the edge of vertices {} and {}; {}", what,
                                                      runs[i][0], runs[i][1], mend)});
        return false;
    }
    return true;
}

}  // namespace

namespace {

bool is_readable(const Mesh& mesh, TriangleMesh& triangles, Problems& problems) {
    if (mesh.vertices.empty() && mesh.triangles.empty() && !mesh.file.empty()) {
        problems.push_back({"/file", "the file has not been read"});
        return false;
    }
    if (!check_numbers(mesh, problems)) return false;
    triangles = to_unit_size(to_triangles(mesh));
    if (triangles.triangles.empty()) {
        problems.push_back({"/vertices", "the corners are all the same, or too far apart"});
        return false;
    }
    return true;
}

}  // namespace

void check_sheet(const Mesh& mesh, Problems& problems) {
    TriangleMesh triangles;
    if (is_readable(mesh, triangles, problems)) check_triangles(triangles, welded(mesh.vertices), problems);
}

void check_mesh(const Mesh& mesh, Problems& problems) {
    TriangleMesh triangles;
    if (!is_readable(mesh, triangles, problems)) return;
    const std::size_t before = problems.size();
    const std::vector<std::uint32_t> weld = welded(mesh.vertices);
    check_triangles(triangles, weld, problems);
    if (!check_closed(triangles, weld, problems)) return;
    check_volume(triangles, "/triangles", problems);
    if (problems.size() == before) check_magnitude(mass_properties(mesh, 1), "/vertices", problems);
}

}  // namespace impuls
