// Overlaps with proven bounds (exact_overlap.h). A corner of a clipped triangle carries its heights over the
// planes still to come: between two corners they are interpolated with positive weights, so that a corner
// between two that are on one side of a plane is on that side for certain, however flat the cut before.
#include "exact/exact_overlap.h"

#include <CGAL/Gmpq.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_3.h>

#include <algorithm>

#include "exact/ball.h"

namespace impuls::exact {
namespace {

using Kernel = CGAL::Simple_cartesian<CGAL::Gmpq>;

constexpr double kBound = 1e-13;  // of size^3, size^4 and size^2

template <class Real>
Vec3 to_vec(const Ball3<Real>& p) {
    return {p.x.value(), p.y.value(), p.z.value()};
}

double size_of(const Body& b) {
    double size = 0;
    for (const Vec3& p : b.points) size = std::max(size, length(p));
    return size;
}

// A body where it is, and the same in doubles with the normals of the triangles.
template <class Real>
struct Placed {
    const Body& body;
    std::vector<Ball3<Real>> points{};
    std::vector<Vec3> near_points{}, near_normals{};

    explicit Placed(const Body& b) : body(b) {
        for (const Vec3& p : b.points) points.push_back({p.x, p.y, p.z});
        complete();
    }
    // Turned by a quaternion that need not have length one, moved, and shifted at random.
    Placed(const Body& b, const Pose& X, Rng& rng);

    void complete() {
        near_points.clear(), near_normals.clear();
        for (const Ball3<Real>& p : points) near_points.push_back(to_vec(p));
        for (const auto& t : body.triangles) {
            const Vec3 o = near_points[t[0]];
            near_normals.push_back(normalized(cross(near_points[t[1]] - o, near_points[t[2]] - o)));
        }
    }
};

template <class Real>
Ball<Real> shifted(double x, double by) {
    return {static_cast<Real>(x) + static_cast<Real>(by), 0};
}

template <class Real>
Placed<Real>::Placed(const Body& b, const Pose& X, Rng& rng) : Placed(b) {
    double s[7];
    for (double& x : s) x = rng.uniform(-kShift, kShift);
    const double size = size_of(b);
    const Quat& q = X.orientation;
    const auto w = shifted<Real>(q.w, s[0]);
    const Ball3<Real> u{shifted<Real>(q.x, s[1]), shifted<Real>(q.y, s[2]), shifted<Real>(q.z, s[3])};
    const Ball3<Real> t{shifted<Real>(X.position.x, s[4] * size), shifted<Real>(X.position.y, s[5] * size),
                        shifted<Real>(X.position.z, s[6] * size)};
    const auto factor = Ball<Real>(2) / (w * w + dot(u, u));
    for (Ball3<Real>& v : points) {
        const auto uv = cross(u, v);
        v = v + (uv * w + cross(u, uv)) * factor + t;
    }
    complete();
}

template <class Real>
struct Corner {
    Ball3<Real> at{};
    std::vector<Ball<Real>> heights{};
};

// Heights of a's corners over the planes of b, found when first asked for.
template <class Real>
class Heights {
  public:
    Heights(const Placed<Real>& a, const Placed<Real>& b)
        : a_(a),
          b_(b),
          normals_(b.body.triangles.size()),
          known_(a.points.size() * b.body.triangles.size()) {}

    const Ball<Real>& operator()(std::size_t v, std::size_t plane) {
        std::optional<Ball<Real>>& h = known_[v * b_.body.triangles.size() + plane];
        if (!h) {
            const auto& t = b_.body.triangles[plane];
            const Ball3<Real>& o = b_.points[t[0]];
            std::optional<Ball3<Real>>& n = normals_[plane];
            if (!n) n = cross(b_.points[t[1]] - o, b_.points[t[2]] - o);
            h = dot(*n, a_.points[v] - o);
        }
        return *h;
    }

  private:
    const Placed<Real>&a_, &b_;
    std::vector<std::optional<Ball3<Real>>> normals_;
    std::vector<std::optional<Ball<Real>>> known_;
};

// Where the edge from p, at hp, to q, at hq on the other side, meets the plane.
template <class Real>
Corner<Real> between(const Corner<Real>& p, const Corner<Real>& q, const Ball<Real>& hp, const Ball<Real>& hq,
                     std::size_t first) {
    const Ball<Real> weight = hp / (hp - hq), rest = hq / (hq - hp);
    Corner<Real> c{p.at + (q.at - p.at) * weight, p.heights};
    for (std::size_t k = first; k < c.heights.size(); ++k)
        c.heights[k] = p.heights[k] * rest + q.heights[k] * weight;
    return c;
}

// The part below plane k; false when a side is not certain.
template <class Real>
bool clip(std::vector<Corner<Real>>& polygon, std::size_t k) {
    std::vector<Corner<Real>> out;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Corner<Real>&p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
        const Ball<Real>&hp = p.heights[k], &hq = q.heights[k];
        if (hp.sign() == 0 || hq.sign() == 0) return false;
        if (hp.sign() < 0) out.push_back(p);
        if (hp.sign() != hq.sign()) out.push_back(between(p, q, hp, hq, k + 1));
    }
    polygon.swap(out);
    return true;
}

template <class Real>
struct Sums {
    Ball<Real> six_volumes{};
    Ball3<Real> moments{};   // 24 times
    Ball3<Real> areas[2]{};  // twice
};

template <class Real>
void add(const std::vector<Corner<Real>>& polygon, Ball3<Real>& area, Sums<Real>& sums) {
    for (std::size_t k = 2; k < polygon.size(); ++k) {
        const Ball3<Real>&p = polygon[0].at, &q = polygon[k - 1].at, &s = polygon[k].at;
        const Ball3<Real> n = cross(q - p, s - p);
        const Ball<Real> volume = dot(p, n);
        sums.six_volumes = sums.six_volumes + volume;
        sums.moments = sums.moments + (p + q + s) * volume;
        area = area + n;
    }
}

// The planes of b that triangle t of a is not clearly below; nothing when it is clearly above one.
template <class Real>
std::optional<std::vector<std::size_t>> planes_near(const Placed<Real>& a,
                                                    const std::array<std::size_t, 3>& t,
                                                    const Placed<Real>& b, double size) {
    std::vector<std::size_t> near;
    for (const auto j : b.body.distinct) {
        const Vec3 n = b.near_normals[j], o = b.near_points[b.body.triangles[j][0]];
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
template <class Real>
bool add_side(const Placed<Real>& a, const Placed<Real>& b, double size, Ball3<Real>& area,
              Sums<Real>& sums) {
    Heights<Real> heights(a, b);
    for (const auto& t : a.body.triangles) {
        const auto near = planes_near(a, t, b, size);
        if (!near) continue;
        std::vector<Corner<Real>> polygon;
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

template <class Real>
Vec3 scaled(const Ball3<Real>& v, double divisor, double& bound) {
    for (const Ball<Real>* x : {&v.x, &v.y, &v.z}) bound = std::max(bound, x->bound() / divisor);
    return to_vec(v) / divisor;
}

template <class Real>
std::optional<Result> overlap_once(const Body& a, const Body& b, const Pose& X_AB, Rng& rng) {
    const double size = std::min(size_of(a), size_of(b));
    const Placed<Real> fixed(a), moved(b, X_AB, rng);
    Sums<Real> sums;
    if (!add_side(fixed, moved, size, sums.areas[0], sums)) return {};
    if (!add_side(moved, fixed, size, sums.areas[1], sums)) return {};
    Result r{.volume = sums.six_volumes.value() / 6, .bound = sums.six_volumes.bound() / 6};
    r.first_moment = scaled(sums.moments, 24, r.bound);
    r.area_a = scaled(sums.areas[0], 2, r.bound);
    r.area_b = scaled(sums.areas[1], 2, r.bound);
    if (r.bound > kBound) return {};
    return r;
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
    return b;
}

std::optional<Result> overlap(const Body& a, const Body& b, const Pose& X_AB, Rng& rng) {
    for (int shifts = 1; shifts <= 8; ++shifts) {
        auto r = shifts <= 2 ? overlap_once<Quad>(a, b, X_AB, rng) : overlap_once<Wide>(a, b, X_AB, rng);
        if (!r) continue;
        r->shifts = shifts;
        return r;
    }
    return {};
}

}  // namespace impuls::exact
