// Mass properties of every shape (see mass_properties.h). The primitives' moments are the textbook ones;
// the capsule is a cylinder and two half spheres, whose centres lie 3r/8 above their bases.
#include "geometry/mass_properties.h"

#include <cmath>
#include <numbers>

#include "geometry/hull.h"
#include "geometry/particle_net.h"
#include "geometry/polyhedron_mass.h"
#include "geometry/revolved.h"
#include "geometry/triangles.h"

namespace impuls {
namespace {

using std::numbers::pi;

MassProperties centered(double mass, const Vec3& moments) {
    return {mass, {}, diagonal(moments)};
}

MassProperties of(const Sphere& s, double density) {
    const double r2 = s.radius * s.radius;
    const double m = density * (4.0 / 3.0 * pi * (r2 * s.radius));
    const double i = 0.4 * m * r2;
    return centered(m, {i, i, i});
}

MassProperties of(const Box& b, double density) {
    const double m = density * (b.size.x * b.size.y * b.size.z);
    const Vec3 q = scale(b.size, b.size);
    return centered(m, {m * (q.y + q.z) / 12, m * (q.z + q.x) / 12, m * (q.x + q.y) / 12});
}

MassProperties of(const Capsule& c, double density) {
    const double r = c.radius, l = c.length;
    const double cylinder = density * (pi * (r * r) * l);
    const double caps = density * (4.0 / 3.0 * pi * (r * r * r));
    const double along = cylinder * (r * r) / 2 + caps * (0.4 * (r * r));
    const double across =
        cylinder * (3 * (r * r) + l * l) / 12 + caps * (0.4 * (r * r) + 0.375 * (r * l) + 0.25 * (l * l));
    return centered(cylinder + caps, {across, along, across});
}

MassProperties of(const Cylinder& c, double density) {
    const double r2 = c.radius * c.radius;
    const double m = density * (pi * r2 * c.height);
    const double across = m * (3 * r2 + c.height * c.height) / 12;
    return centered(m, {across, m * r2 / 2, across});
}

MassProperties of(const Cone& c, double density) {
    const double r2 = c.radius * c.radius;
    const double m = density * (pi * r2 * c.height / 3);
    const double across = m * (4 * r2 + c.height * c.height) * 3 / 80;
    return {m, {0, -c.height / 4, 0}, diagonal({across, m * r2 * 3 / 10, across})};
}

MassProperties of(const Ellipsoid& e, double density) {
    const double m = density * (4.0 / 3.0 * pi * (e.radii.x * e.radii.y * e.radii.z));
    const Vec3 q = scale(e.radii, e.radii);
    return centered(m, {m * (q.y + q.z) / 5, m * (q.z + q.x) / 5, m * (q.x + q.y) / 5});
}

MassProperties of(const SolidMoments& solid, double density) {
    return {density * solid.volume, solid.center, solid.inertia * density};
}

MassProperties of(const Mesh& mesh, double density) {
    return of(solid_moments(to_triangles(mesh)), density);
}

MassProperties of(const Convex& convex, double density) {
    return of(solid_moments(to_triangles(convex_hull(convex.points).hull)), density);
}

MassProperties of(const Plane&, double) {
    return {};
}
MassProperties of(const HeightField&, double) {
    return {};
}
MassProperties of(const Point&, double) {
    return {};
}

// R I R^T, made exactly symmetric; no turn leaves every bit as it is.
Mat3 turned(const Mat3& inertia, const Quat& q) {
    const Mat3 R = to_matrix(q);
    const Mat3 m = R * inertia * transpose(R);
    return (m + transpose(m)) * 0.5;
}

// Moment of a point mass about the origin: m (d.d 1 - d d^T).
Mat3 steiner(double mass, const Vec3& d) {
    const double dd = dot(d, d);
    return (diagonal({dd, dd, dd}) - Mat3{d * d.x, d * d.y, d * d.z}) * mass;
}

// Of mass points.
MassProperties of(const Particles& shape, double density) {
    const ParticleNet net = make_net(shape, density);
    MassProperties m;
    Vec3 first;
    for (std::size_t k = 0; k < net.points.size(); ++k) {
        m.mass += net.masses[k];
        first += net.masses[k] * (net.points[k] - net.points[0]);
    }
    if (!(m.mass > 0)) return m;
    m.center = net.points[0] + first / m.mass;
    Vec3 squares, products;
    for (std::size_t k = 0; k < net.points.size(); ++k) {
        const Vec3 r = net.points[k] - m.center;
        squares += scale(r, r) * net.masses[k];
        products += Vec3{r.y * r.z, r.z * r.x, r.x * r.y} * net.masses[k];
    }
    m.inertia = {{squares.y + squares.z, -products.z, -products.y},
                 {-products.z, squares.z + squares.x, -products.x},
                 {-products.y, -products.x, squares.x + squares.y}};
    return m;
}

template <RevolvedShape S>
MassProperties of(const S& s, double density) {
    const RevolvedProfile::Mass m = RevolvedProfile(s).mass();
    return {density * m.mass,
            {0, m.height, 0},
            diagonal({density * m.across, density * m.along, density * m.across})};
}

// Parts turned and placed, then the parallel-axis sum about the common centre.
MassProperties of(const Compound& compound, double density) {
    std::vector<MassProperties> parts;
    MassProperties total;
    Vec3 first;
    for (const CompoundPart& part : compound.parts) {
        MassProperties p = std::visit([&](const auto& s) { return of(s, density); }, part.shape);
        const Quat q = normalized(part.orientation);
        p.center = part.position + rotate(q, p.center);
        p.inertia = turned(p.inertia, q);
        // Relative to the first part: a far group of parts keeps its digits.
        if (!parts.empty()) first += p.mass * (p.center - parts[0].center);
        total.mass += p.mass;
        parts.push_back(p);
    }
    if (total.mass == 0) return total;
    const Vec3 shift = first / total.mass;
    total.center = parts[0].center + shift;
    for (const MassProperties& p : parts)
        total.inertia = total.inertia + p.inertia + steiner(p.mass, (p.center - parts[0].center) - shift);
    return total;
}

}  // namespace

MassProperties mass_properties(const Shape& shape, double density) {
    return std::visit([&](const auto& s) { return of(s, density); }, shape);
}

}  // namespace impuls
