// Rays against colliders in the world, and against triangle surfaces (ray.h). A surface is searched in pieces
// of the ray about as long as its triangles, nearest first, so that only triangles near the ray are looked
// at; over a height field this walks from cell to cell.
#include <algorithm>
#include <cmath>

#include "collision/ray/interval.h"
#include "geometry/field_solid.h"

namespace impuls {
namespace {

Aabb box_of_piece(const Ray& ray, double from, double to, double by) {
    const Vec3 p = ray.at(from), q = ray.at(to);
    return grown({{std::min(p.x, q.x), std::min(p.y, q.y), std::min(p.z, q.z)},
                  {std::max(p.x, q.x), std::max(p.y, q.y), std::max(p.z, q.z)}},
                 by);
}

// The first triangle hit; `back` when it is hit from behind.
RayHit first_triangle(const Ray& ray, const ContactSurface& s) {
    const double rounding = 1e-12 * s.radius();
    const RayInterval inside = inside_box(ray, grown(s.box(), rounding));
    const double begin = std::max(inside.enter, 0.0), end = std::min(inside.leave, ray.t_max);
    if (inside.empty() || !(begin <= end)) return {};
    const double speed = length(ray.direction);
    const double piece = 2 * s.radius() / std::sqrt(static_cast<double>(s.size()) + 1);
    const double pieces = std::ceil(std::max(1.0, (end - begin) * speed / piece));
    RayHit best;
    for (double k = 0; k < pieces && !best.hit; ++k) {
        const double from = begin + (end - begin) * (k / pieces),
                     to = begin + (end - begin) * ((k + 1) / pieces);
        s.for_each_in(box_of_piece(ray, from, to, rounding), [&](std::uint32_t t) {
            const auto& c = s.corners(t);
            const RayHit hit = ray_triangle(ray, s.vertex(c[0]), s.vertex(c[1]), s.vertex(c[2]));
            // A triangle may reach into later pieces: its hit counts when its turn comes.
            if (hit.hit && hit.t * speed <= to * speed + rounding && (!best.hit || hit.t < best.t))
                best = hit;
        });
    }
    return best;
}

RayHit begins_inside(const Ray& ray) {
    return {true, true, 0, -normalized(ray.direction)};
}

// Inside is what has land straight above. The land has no walls: a ray that comes in from the side hits it
// from behind.
RayHit ray_height_field(const Ray& ray, const ContactSurface& s) {
    if (ray.origin.y < s.box().max.y) {
        const RayHit up = first_triangle({ray.origin, {0, 1, 0}}, s);
        if (up.hit && up.t > 0) return begins_inside(ray);
    }
    RayHit hit = first_triangle(ray, s);
    if (dot(hit.normal, ray.direction) > 0) hit.normal = -hit.normal;
    return hit;
}

// A first hit from behind means that the ray began inside, where the surface has an inside.
RayHit ray_surface(const Ray& ray, const ContactSurface& s) {
    const RayHit hit = first_triangle(ray, s);
    if (!hit.hit || !s.is_solid() || dot(hit.normal, ray.direction) <= 0) return hit;
    return begins_inside(ray);
}

// The triangles give the place. Which side the ray begins on is the field's to say, which knows about caps
// over holes and surfaces that cross themselves, except nearer to the surface than the field can tell.
RayHit ray_field(const Ray& ray, const ContactSurface& s, const DistanceField& field) {
    const double value = field.value(ray.origin), least = field.lower_bound(ray.origin);
    if (2 * value - least < 0) return begins_inside(ray);
    if (!(least > 0)) return ray_surface(ray, s);
    RayHit hit = first_triangle(ray, s);
    if (dot(hit.normal, ray.direction) > 0) hit.normal = -hit.normal;
    return hit;
}

RayHit local_cast(const Ray& ray, const Collider& c) {
    switch (c.kind) {
        case ColliderKind::Sphere:
            return ray_sphere(ray, c.radius);
        case ColliderKind::Box:
            return ray_box(ray, c.half);
        case ColliderKind::Capsule:
            return ray_capsule(ray, c.radius, c.half.y);
        case ColliderKind::Plane:
            return ray_plane(ray);
        case ColliderKind::Cylinder:
            return ray_cylinder(ray, c.radius, c.half.y);
        case ColliderKind::Cone:
            return ray_cone(ray, c.radius, c.half.y);
        case ColliderKind::Ellipsoid:
            return ray_ellipsoid(ray, c.half);
        case ColliderKind::Convex:
            if (c.radius > 0) {
                const auto& v = c.polyhedron->hull.vertices;
                return ray_rounded_triangle(ray, {v[0], v[1], v[2]}, c.radius);
            }
            return ray_polyhedron(ray, c.polyhedron->view());
        case ColliderKind::Mesh:
            return ray_surface(ray, *c.surface);
        case ColliderKind::HeightField:
            return ray_height_field(ray, *c.surface);
        case ColliderKind::DistanceField:
            return ray_field(ray, *c.surface, c.field->field);
    }
    return {};
}

}  // namespace

RayHit ray_cast(const Ray& ray, const Collider& collider, const Pose& X_WC) {
    const Ray local{rotate_inverse(X_WC.orientation, ray.origin - X_WC.position),
                    rotate_inverse(X_WC.orientation, ray.direction), ray.t_max};
    RayHit hit = local_cast(local, collider);
    hit.normal = rotate(X_WC.orientation, hit.normal);
    return hit;
}

}  // namespace impuls
