// Patches (contact.h).
#include "granular/contact.h"

#include <cmath>

namespace impuls::granular {
namespace {

constexpr int kMostReflections = 40;
constexpr double kLeastArea = 1e-10;  // in squares of the size: less is dropped (study, 5)

void keep(PairAxis& axis, const Vec3& n_A) {
    axis.x = static_cast<float>(n_A.x), axis.y = static_cast<float>(n_A.y),
    axis.z = static_cast<float>(n_A.z);
}

// From sums about the origin of the pair.
bool to_patch(const OverlapSums<double>& sums, const Vec3& origin, double size, Patch& out) {
    const double area = length(sums.area);
    if (!(area > kLeastArea * size * size) || !(sums.volume > 0)) return false;
    out.normal = sums.area / area;
    out.area = area;
    out.center = origin + sums.moment / sums.volume;
    out.volume = std::fmin(sums.volume, area * std::sqrt(area));
    out.depth = out.volume / area;
    out.couple = sums.turn - cross(out.center - origin, sums.area);
    out.radius = 0;
    return true;
}

// The point of a convex polyhedron nearest to a point outside it, by its faces; or the nearest face from
// inside.
struct Nearest {
    Vec3 point{}, normal{};
    double distance = 0;
};

Vec3 nearest_on_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
    const Vec3 d = b - a;
    const double t = dot(p - a, d) / dot(d, d);
    return a + d * std::fmin(1.0, std::fmax(0.0, t));
}

Nearest nearest_point(const PolyhedronView& solid, const Vec3& p) {
    std::size_t best = 0;
    double height = -1e300;
    for (std::size_t f = 0; f < solid.planes.size(); ++f) {
        const double h = dot(solid.planes[f].normal, p) - solid.planes[f].offset;
        if (h > height) height = h, best = f;
    }
    if (height <= 0) return {p - solid.planes[best].normal * height, solid.planes[best].normal, height};
    Nearest out;
    double least = 1e300;
    for (std::size_t f = 0; f < solid.planes.size(); ++f) {
        const double h = dot(solid.planes[f].normal, p) - solid.planes[f].offset;
        if (h < 0) continue;
        const Vec3 foot = p - solid.planes[f].normal * h;
        const auto face = solid.face(f);
        bool is_inside = true;
        Vec3 nearest = foot;
        double square = 1e300;
        for (std::size_t k = 0; k < face.size(); ++k) {
            const Vec3 &a = solid.vertices[face[k]], &b = solid.vertices[face[(k + 1) % face.size()]];
            if (dot(cross(b - a, foot - a), solid.planes[f].normal) >= 0) continue;
            is_inside = false;
            const Vec3 q = nearest_on_segment(p, a, b);
            if (length_squared(q - p) < square) square = length_squared(q - p), nearest = q;
        }
        const double d = is_inside ? h : std::sqrt(square);
        if (d < least) least = d, out = {nearest, {}, d};
    }
    out.normal = (p - out.point) / out.distance;
    return out;
}

// Of a round surface of radius `r` and one of `other` (0: flat): normal, centre and depth are set.
void round_patch(double r, double other, Patch& out) {
    out.radius = other > 0 ? r * other / (r + other) : r;
    out.area = 3.141592653589793 * out.radius * out.depth;
    out.volume = out.area * out.depth / 2;
}

}  // namespace

bool PatchFinder::between(const Placed& a, const Placed& b, PairAxis& axis, Patch& out) {
    if (!a.shape->is_sphere() && !b.shape->is_sphere()) return polyhedra(a, b, axis, out);
    if (!b.shape->is_sphere()) return sphere_and_polyhedron(a, b, true, out);
    if (!a.shape->is_sphere()) return sphere_and_polyhedron(b, a, false, out);
    const Vec3 d = b.position - a.position;
    const double r_a = a.shape->radius * a.size, r_b = b.shape->radius * b.size, reach = r_a + r_b;
    const double square = length_squared(d);
    if (square >= reach * reach) return false;
    const double distance = std::sqrt(square);
    out.normal = distance > 0 ? d / distance : Vec3{0, 1, 0};
    out.depth = reach - distance;
    out.center = out.normal * (r_a - out.depth * r_b / reach);
    round_patch(r_a, r_b, out);
    return true;
}

bool PatchFinder::sphere_and_polyhedron(const Placed& sphere, const Placed& solid, bool is_sphere_a,
                                        Patch& out) {
    const double r = sphere.shape->radius * sphere.size;
    const Vec3 d = sphere.position - solid.position;
    const Nearest near = nearest_point(solid.shape->view, transpose(solid.rotation) * d / solid.size);
    const double distance = near.distance * solid.size;
    if (distance >= r) return false;
    const Vec3 n = solid.rotation * near.normal;  // from the solid to the sphere
    out.normal = is_sphere_a ? -n : n;
    out.depth = r - distance;
    const Vec3 center = n * (out.depth / 2 - r);  // relative to the sphere
    out.center = is_sphere_a ? center : d + center;
    round_patch(r, 0, out);
    return true;
}

bool PatchFinder::with_plane(const Placed& a, const HalfSpaceNow& plane, PairAxis& axis, Patch& out) {
    const double reach = a.shape->radius * a.size;
    if (plane.height <= -reach) return false;
    if (a.shape->is_sphere()) {
        out.normal = -plane.normal;
        out.depth = plane.height + reach;
        out.center = out.normal * (reach - out.depth / 2);
        round_patch(reach, 0, out);
        return true;
    }
    const Vec3 n = -plane.normal;  // from a into the wall
    const Vec3 n_A = transpose(a.rotation) * n;
    const PolyhedronView& view = a.shape->view;
    axis.support_a = static_cast<std::uint16_t>(support_vertex(view, n_A, axis.support_a));
    const double top = a.size * dot(n_A, view.vertices[axis.support_a]);
    if (top <= -plane.height) return false;
    // The origin is the foot of the support on the plane.
    const Vec3 support = a.rotation * (view.vertices[axis.support_a] * a.size);
    const Vec3 origin = support - n * (top + plane.height);
    marks_.fit(view);
    auto& b = overlap_.b;
    b.vertices = b.edges = 0, b.faces = 1;
    b.normal[0] = plane.normal, b.offset[0] = 0;
    if (!find_near(view, {a.rotation, -origin, a.size}, n, 0, axis.support_a, marks_, overlap_.a))
        return false;
    const OverlapSums<double> sums = overlap_.sum(n, 0, top + plane.height, reach);
    if (!to_patch(sums, origin, reach, out)) return false;
    out.normal = n;
    return true;
}

bool PatchFinder::polyhedra(const Placed& a, const Placed& b, PairAxis& axis, Patch& out) {
    const PolyhedronView &va = a.shape->view, &vb = b.shape->view;
    const Vec3 d = b.position - a.position;
    Vec3 n_A{axis.x, axis.y, axis.z};
    if (n_A == Vec3{}) n_A = transpose(a.rotation) * d;
    if (n_A == Vec3{}) n_A = {0, 1, 0};
    Vec3 n = normalized(a.rotation * n_A);
    const double reach_a = a.shape->radius * a.size, reach_b = b.shape->radius * b.size;
    const double size = std::fmin(reach_a, reach_b);
    for (int round = 0;; ++round) {
        axis.support_a =
            static_cast<std::uint16_t>(support_vertex(va, transpose(a.rotation) * n, axis.support_a));
        axis.support_b =
            static_cast<std::uint16_t>(support_vertex(vb, transpose(b.rotation) * -n, axis.support_b));
        const Vec3 p = a.rotation * (va.vertices[axis.support_a] * a.size);
        const Vec3 q = b.rotation * (vb.vertices[axis.support_b] * b.size) + d;
        const double high = dot(n, p), low = dot(n, q);
        if (high <= low) {
            if (round > 0) keep(axis, transpose(a.rotation) * n);
            return false;
        }
        if (round == 0) {
            const Vec3 origin = p + n * ((low - high) / 2);
            const double half = (high - low) / 2;
            marks_.fit(va), marks_.fit(vb);
            const bool fits =
                find_near(va, {a.rotation, -origin, a.size}, n, -half, axis.support_a, marks_, overlap_.a) &&
                find_near(vb, {b.rotation, d - origin, b.size}, -n, -half, axis.support_b, marks_,
                          overlap_.b);
            if (fits ? to_patch(overlap_.sum(n, -half, half, size), origin, size, out)
                     : by_clipper(a, b, out)) {
                keep(axis, transpose(a.rotation) * out.normal);
                return true;
            }
        }
        if (round == kMostReflections) return false;
        const Vec3 u = q - p;
        const double square = length_squared(u);
        if (!(square > 0)) return false;
        n = normalized(n - u * (2 * dot(n, u) / square));
    }
}

// In a's frame at a's size: of b a copy that is as large as that.
bool PatchFinder::by_clipper(const Placed& a, const Placed& b, Patch& out) {
    const double ratio = b.size / a.size, s = a.size;
    PolyhedronView view = b.shape->view;
    vertices_.assign(view.vertices.begin(), view.vertices.end());
    planes_.assign(view.planes.begin(), view.planes.end());
    for (Vec3& v : vertices_) v *= ratio;
    for (HullPlane& plane : planes_) plane.offset *= ratio;
    view.vertices = vertices_, view.planes = planes_, view.center *= ratio;
    view.vertex_blocks = {}, view.plane_blocks = {};
    Overlap found;
    const Pose X_AB{transpose(a.rotation) * (b.position - a.position) / s,
                    conjugate(a.orientation) * b.orientation};
    if (!clipper_.find(a.shape->view, view, X_AB, found)) return false;
    OverlapSums<double> sums;
    sums.volume = found.volume * s * s * s;
    sums.area = a.rotation * found.area_a * (s * s);
    sums.moment = a.rotation * found.center * (s * sums.volume);
    const Vec3 center = a.rotation * found.center * s;
    sums.turn = a.rotation * found.moment_a * (s * s * s) + cross(center, sums.area);
    return to_patch(sums, {}, std::fmin(a.shape->radius * s, b.shape->radius * b.size), out);
}

}  // namespace impuls::granular
