// Overlaps with proven bounds (exact_overlap.h). A corner of a clipped triangle carries its heights over the
// planes still to come: between two corners they are interpolated with positive weights, so that a corner
// between two that are on one side of a plane is on that side for certain, however flat the cut before.
#include "exact/exact_overlap.h"

#include <CGAL/Gmpq.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_3.h>

#include <algorithm>

namespace impuls::exact {
namespace {

using Kernel = CGAL::Simple_cartesian<CGAL::Gmpq>;

constexpr double kBound = 2e-13;  // of size^3, size^4 and size^2: where faces almost touch along a sliver

Vec3 to_vec(const Ball3& p) {
    return {p.x.value(), p.y.value(), p.z.value()};
}

void complete(Body& b) {
    b.near_points.clear(), b.near_normals.clear();
    for (const Ball3& p : b.points) b.near_points.push_back(to_vec(p));
    for (const auto& t : b.triangles) {
        const Vec3 o = b.near_points[t[0]];
        b.near_normals.push_back(normalized(cross(b.near_points[t[1]] - o, b.near_points[t[2]] - o)));
    }
}

double size_of(const Body& b) {
    double size = 0;
    for (const Vec3& p : b.near_points) size = std::max(size, length(p));
    return size;
}

Ball shifted(double x, double by) {
    return {static_cast<Quad>(x) + static_cast<Quad>(by), 0};
}

// Turned by a quaternion that need not have length one, and moved.
Body placed(const Body& body, const Pose& X, double shift, Rng& rng) {
    double s[7];
    for (double& x : s) x = rng.uniform(-shift, shift);
    const double size = size_of(body);
    const Quat& q = X.orientation;
    const Ball w = shifted(q.w, s[0]);
    const Ball3 u{shifted(q.x, s[1]), shifted(q.y, s[2]), shifted(q.z, s[3])};
    const Ball3 t{shifted(X.position.x, s[4] * size), shifted(X.position.y, s[5] * size),
                  shifted(X.position.z, s[6] * size)};
    const Ball factor = Ball(2) / (w * w + dot(u, u));
    Body b = body;
    for (Ball3& v : b.points) {
        const Ball3 uv = cross(u, v);
        v = v + (uv * w + cross(u, uv)) * factor + t;
    }
    complete(b);
    return b;
}

struct Corner {
    Ball3 at{};
    std::vector<Ball> heights{};
};

// Heights of a's corners over the planes of b, found when first asked for.
class Heights {
  public:
    Heights(const Body& a, const Body& b)
        : a_(a), b_(b), normals_(b.triangles.size()), known_(a.points.size() * b.triangles.size()) {}

    const Ball& operator()(std::size_t v, std::size_t plane) {
        std::optional<Ball>& h = known_[v * b_.triangles.size() + plane];
        if (!h) {
            const auto& t = b_.triangles[plane];
            const Ball3& o = b_.points[t[0]];
            std::optional<Ball3>& n = normals_[plane];
            if (!n) n = cross(b_.points[t[1]] - o, b_.points[t[2]] - o);
            h = dot(*n, a_.points[v] - o);
        }
        return *h;
    }

  private:
    const Body &a_, &b_;
    std::vector<std::optional<Ball3>> normals_;
    std::vector<std::optional<Ball>> known_;
};

// Where the edge from p, at hp, to q, at hq on the other side, meets the plane.
Corner between(const Corner& p, const Corner& q, const Ball& hp, const Ball& hq, std::size_t first) {
    const Ball weight = hp / (hp - hq), rest = hq / (hq - hp);
    Corner c{p.at + (q.at - p.at) * weight, p.heights};
    for (std::size_t k = first; k < c.heights.size(); ++k)
        c.heights[k] = p.heights[k] * rest + q.heights[k] * weight;
    return c;
}

// The part below plane k; false when a side is not certain.
bool clip(std::vector<Corner>& polygon, std::size_t k) {
    std::vector<Corner> out;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Corner &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
        const Ball &hp = p.heights[k], &hq = q.heights[k];
        if (hp.sign() == 0 || hq.sign() == 0) return false;
        if (hp.sign() < 0) out.push_back(p);
        if (hp.sign() != hq.sign()) out.push_back(between(p, q, hp, hq, k + 1));
    }
    polygon.swap(out);
    return true;
}

struct Sums {
    Ball six_volumes{};
    Ball3 moments{};   // 24 times
    Ball3 areas[2]{};  // twice
};

void add(const std::vector<Corner>& polygon, Ball3& area, Sums& sums) {
    for (std::size_t k = 2; k < polygon.size(); ++k) {
        const Ball3 &p = polygon[0].at, &q = polygon[k - 1].at, &s = polygon[k].at;
        const Ball3 n = cross(q - p, s - p);
        const Ball volume = dot(p, n);
        sums.six_volumes = sums.six_volumes + volume;
        sums.moments = sums.moments + (p + q + s) * volume;
        area = area + n;
    }
}

// The planes of b that triangle t of a is not clearly below; nothing when it is clearly above one.
std::optional<std::vector<std::size_t>> planes_near(const Body& a, const std::array<std::size_t, 3>& t,
                                                    const Body& b, double size) {
    std::vector<std::size_t> near;
    for (const auto j : b.distinct) {
        const Vec3 n = b.near_normals[j], o = b.near_points[b.triangles[j][0]];
        int in = 0, out = 0;
        for (const auto v : t) {
            const double h = dot(n, a.near_points[v] - o);
            in += h < -1e-6 * size;
            out += h > 1e-6 * size;
        }
        if (out == 3) return {};
        if (in < 3) near.push_back(j);
    }
    return near;
}

// Adds the part of a's triangles inside b; false when a side is not certain.
bool add_side(const Body& a, const Body& b, double size, Ball3& area, Sums& sums) {
    Heights heights(a, b);
    for (const auto& t : a.triangles) {
        const auto near = planes_near(a, t, b, size);
        if (!near) continue;
        std::vector<Corner> polygon;
        for (const auto v : t) {
            polygon.push_back({a.points[v], {}});
            for (const auto j : *near) polygon.back().heights.push_back(heights(v, j));
        }
        for (std::size_t k = 0; k < near->size() && !polygon.empty(); ++k)
            if (!clip(polygon, k)) return false;
        add(polygon, area, sums);
    }
    return true;
}

Vec3 scaled(const Ball3& v, double divisor, double& bound) {
    for (const Ball* x : {&v.x, &v.y, &v.z}) bound = std::max(bound, x->bound() / divisor);
    return to_vec(v) / divisor;
}

}  // namespace

Body hull(std::span<const Vec3> vertices) {
    using Point = Kernel::Point_3;
    std::vector<Point> points;
    for (const Vec3& v : vertices) points.emplace_back(v.x, v.y, v.z);
    CGAL::Surface_mesh<Point> mesh;
    CGAL::convex_hull_3(points.begin(), points.end(), mesh, Kernel());
    Body b;
    for (const auto v : mesh.vertices()) {
        const Point& p = mesh.point(v);
        b.points.push_back({CGAL::to_double(p.x()), CGAL::to_double(p.y()), CGAL::to_double(p.z())});
    }
    std::vector<Kernel::Plane_3> planes;  // distinct
    for (const auto f : mesh.faces()) {
        std::vector<std::size_t> c;
        for (const auto v : mesh.vertices_around_face(mesh.halfedge(f)))
            c.push_back(static_cast<std::size_t>(v));
        for (std::size_t k = 2; k < c.size(); ++k) {
            const auto corner = [&](std::size_t i) {
                return mesh.point(CGAL::SM_Vertex_index(static_cast<CGAL::SM_Vertex_index::size_type>(c[i])));
            };
            const Kernel::Plane_3 plane(corner(0), corner(k - 1), corner(k));
            if (std::find(planes.begin(), planes.end(), plane) == planes.end())
                planes.push_back(plane), b.distinct.push_back(b.triangles.size());
            b.triangles.push_back({c[0], c[k - 1], c[k]});
        }
    }
    complete(b);
    return b;
}

std::optional<Result> overlap(const Body& a, const Body& b, const Pose& X_AB, Rng& rng) {
    const double size = std::min(size_of(a), size_of(b));
    for (int shifts = 1; shifts <= 24; ++shifts) {
        const double shift = kShift * (shifts <= 4 ? 1 : shifts <= 8 ? 10 : shifts <= 12 ? 100 : 1000);
        const Body moved = placed(b, X_AB, shift, rng);
        Sums sums;
        if (!add_side(a, moved, size, sums.areas[0], sums)) continue;
        if (!add_side(moved, a, size, sums.areas[1], sums)) continue;
        Result r{.volume = sums.six_volumes.value() / 6,
                 .bound = sums.six_volumes.bound() / 6,
                 .shift = shift,
                 .shifts = shifts};
        r.first_moment = scaled(sums.moments, 24, r.bound);
        r.area_a = scaled(sums.areas[0], 2, r.bound);
        r.area_b = scaled(sums.areas[1], 2, r.bound);
        if (r.bound <= kBound) return r;
    }
    return {};
}

}  // namespace impuls::exact
