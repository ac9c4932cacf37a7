// Lines parallel to the shortest side of the box around the body, so that the grid is over its largest face.
// Each triangle is rastered onto the grid. Edges are compared in one direction, whichever triangle asks, so
// that a line which meets an edge crosses exactly one of its two triangles (miscounted.h).
#include "geometry/miscounted.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "geometry/aabb.h"
#include "geometry/tessellate.h"

namespace impuls {
namespace {

constexpr int kLines = 128;                    // along each side of the grid
constexpr int kSegments = 24;                  // of round parts
constexpr double kShift = 0.4142135623730950;  // of the lines in their cells: corners are seldom just there

struct Flat {
    double u, v;
};

// Whether p is left of the way from a to b: the opposite of left of the way back, also on it.
bool is_left(const Flat& p, const Flat& a, const Flat& b) {
    if (std::pair(b.u, b.v) < std::pair(a.u, a.v)) return !is_left(p, b, a);
    return (b.u - a.u) * (p.v - a.v) - (b.v - a.v) * (p.u - a.u) >= 0;
}

struct Crossing {
    double at;
    int winding;  // change of the winding number
};

class Grid {
  public:
    explicit Grid(const TriangleMesh& mesh) : lines_(std::size_t{kLines} * kLines) {
        Vec3 high = low_ = mesh.vertices.front();
        for (const Vec3& p : mesh.vertices)
            for (int i = 0; i < 3; ++i) low_[i] = std::min(low_[i], p[i]), high[i] = std::max(high[i], p[i]);
        const Vec3 size = high - low_;
        along_ = size.x <= size.y && size.x <= size.z ? 0 : size.y <= size.z ? 1 : 2;
        cell_ = {size[u()] / kLines, size[v()] / kLines};
        if (!(cell_.u > 0) || !(cell_.v > 0)) return;
        for (const auto& t : mesh.triangles)
            add(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
    }

    double share() {
        double filled = 0, wrong = 0;
        for (std::vector<Crossing>& line : lines_) {
            std::sort(line.begin(), line.end(), [](const auto& x, const auto& y) { return x.at < y.at; });
            int w = 0;
            for (std::size_t k = 0; k + 1 < line.size(); ++k) {
                w += line[k].winding;
                const double way = line[k + 1].at - line[k].at;
                filled += w > 0 ? way : 0;
                wrong += std::abs(w - (w > 0 ? 1 : 0)) * way;
            }
        }
        return filled > 0 ? wrong / filled : 0;
    }

  private:
    int u() const { return (along_ + 1) % 3; }
    int v() const { return (along_ + 2) % 3; }
    Flat flat(const Vec3& p) const { return {p[u()], p[v()]}; }

    void add(const Vec3& p0, const Vec3& p1, const Vec3& p2) {
        const Flat a = flat(p0), b = flat(p1), c = flat(p2);
        const double area = (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
        if (!(area != 0)) return;
        const auto first = [](double low, double cell, double x) {
            return std::max(0, static_cast<int>(std::floor((x - low) / cell - kShift)));
        };
        const auto last = [](double low, double cell, double x) {
            return std::min(kLines - 1, static_cast<int>(std::ceil((x - low) / cell - kShift)));
        };
        const auto [u0, u1] = std::minmax({a.u, b.u, c.u});
        const auto [v0, v1] = std::minmax({a.v, b.v, c.v});
        for (int j = first(low_[v()], cell_.v, v0); j <= last(low_[v()], cell_.v, v1); ++j)
            for (int i = first(low_[u()], cell_.u, u0); i <= last(low_[u()], cell_.u, u1); ++i) {
                const Flat p{low_[u()] + (i + kShift) * cell_.u, low_[v()] + (j + kShift) * cell_.v};
                const bool left = is_left(p, a, b);
                if (left != is_left(p, b, c) || left != is_left(p, c, a) || left != (area > 0)) continue;
                // Seen from the end of the line, a triangle that runs counter-clockwise is left through.
                const double wb = ((p.u - a.u) * (c.v - a.v) - (p.v - a.v) * (c.u - a.u)) / area;
                const double wc = ((b.u - a.u) * (p.v - a.v) - (b.v - a.v) * (p.u - a.u)) / area;
                const double at =
                    p0[along_] + wb * (p1[along_] - p0[along_]) + wc * (p2[along_] - p0[along_]);
                lines_[static_cast<std::size_t>(j) * kLines + static_cast<std::size_t>(i)].push_back(
                    {at, area > 0 ? -1 : 1});
            }
    }

    Vec3 low_{};
    int along_ = 0;
    Flat cell_{};
    std::vector<std::vector<Crossing>> lines_;
};

// Parts whose boxes are apart share nothing; a mesh may overlap itself.
bool may_overlap(const Compound& compound) {
    std::vector<Aabb> boxes;
    for (const CompoundPart& part : compound.parts) {
        if (std::holds_alternative<Mesh>(part.shape)) return true;
        const Pose place{part.position, normalized(part.orientation)};
        const Aabb box = std::visit([&](const auto& s) { return bounds(Shape{s}, place); }, part.shape);
        for (const Aabb& other : boxes)
            if (overlaps(box, other)) return true;
        boxes.push_back(box);
    }
    return false;
}

}  // namespace

double miscounted_share(const Shape& shape) {
    const auto* compound = std::get_if<Compound>(&shape);
    if (compound ? !may_overlap(*compound) : !std::holds_alternative<Mesh>(shape)) return 0;
    const TriangleMesh mesh = tessellate(shape, kSegments);
    return mesh.triangles.empty() ? 0 : Grid(mesh).share();
}

}  // namespace impuls
