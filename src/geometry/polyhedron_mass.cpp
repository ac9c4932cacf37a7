// Signed tetrahedra (origin, p, q, r) over counter-clockwise triangles: with v = p.(q x r)/6 and s = p + q +
// r
//   V = sum v,   first moment = sum v s/4,   C = sum (v/20)(pp' + qq' + rr' + ss'),
//   I = tr(C) 1 - C                                        (C: integral of x x' over the solid).
// Two passes keep the digits of a body far from its frame's origin: the first, about the mean of the corners,
// finds the centre; the second works about the centre and so needs only a tiny parallel-axis term. Sums are
// compensated (Neumaier 1974), so their error does not grow with the number of triangles.
#include "geometry/polyhedron_mass.h"

#include <cmath>

namespace impuls {
namespace {

class CompensatedSum {
  public:
    void add(double x) {
        const double t = sum_ + x;
        lost_ += std::abs(sum_) >= std::abs(x) ? (sum_ - t) + x : (x - t) + sum_;
        sum_ = t;
    }
    double value() const { return sum_ + lost_; }

  private:
    double sum_ = 0, lost_ = 0;
};

struct Integrals {
    double volume = 0;
    Vec3 first;          // integral of x
    Vec3 square, mixed;  // integrals of (xx, yy, zz) and (yz, zx, xy)
};

Integrals integrate(const TriangleMesh& mesh, const Vec3& origin) {
    CompensatedSum volume, first[3], square[3], mixed[3];
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3 p = mesh.vertices[a] - origin, q = mesh.vertices[b] - origin,
                   r = mesh.vertices[c] - origin;
        const Vec3 s = p + q + r;
        const double six_v = dot(p, cross(q, r));
        volume.add(six_v);
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            first[i].add(six_v * s[i]);
            square[i].add(six_v * (p[i] * p[i] + q[i] * q[i] + r[i] * r[i] + s[i] * s[i]));
            mixed[i].add(six_v * (p[j] * p[k] + q[j] * q[k] + r[j] * r[k] + s[j] * s[k]));
        }
    }
    Integrals out;
    out.volume = volume.value() / 6;
    for (int i = 0; i < 3; ++i) {
        out.first[i] = first[i].value() / 24;
        out.square[i] = square[i].value() / 120;
        out.mixed[i] = mixed[i].value() / 120;
    }
    return out;
}

// Mean of the triangles' corners: inside a convex body, near any other, and deaf to unused vertices.
Vec3 mean_corner(const TriangleMesh& mesh) {
    const Vec3 origin = mesh.vertices[mesh.triangles[0][0]];
    Vec3 sum;
    for (const auto& triangle : mesh.triangles)
        for (const std::uint32_t i : triangle) sum += mesh.vertices[i] - origin;
    return origin + sum / (3.0 * static_cast<double>(mesh.triangles.size()));
}

double surface_area(const TriangleMesh& mesh) {
    double twice = 0;
    for (const auto& [a, b, c] : mesh.triangles)
        twice += length(cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]));
    return twice / 2;
}

}  // namespace

SolidMoments solid_moments(const TriangleMesh& mesh) {
    SolidMoments out;
    if (mesh.triangles.empty()) return out;
    out.area = surface_area(mesh);
    const Vec3 near = mean_corner(mesh);
    const Integrals rough = integrate(mesh, near);
    out.volume = rough.volume;
    out.center = near;
    if (rough.volume == 0) return out;
    const Vec3 origin = near + rough.first / rough.volume;
    const Integrals fine = integrate(mesh, origin);
    out.volume = fine.volume;
    if (fine.volume == 0) return out;

    const Vec3 d = fine.first / fine.volume;  // what rounding left between origin and centre
    out.center = origin + d;
    const Vec3 square = fine.square - fine.volume * scale(d, d);
    const Vec3 mixed = fine.mixed - fine.volume * Vec3{d.y * d.z, d.z * d.x, d.x * d.y};
    out.inertia = {{square.y + square.z, -mixed.z, -mixed.y},
                   {-mixed.z, square.z + square.x, -mixed.x},
                   {-mixed.y, -mixed.x, square.x + square.y}};
    return out;
}

}  // namespace impuls
