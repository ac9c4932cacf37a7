// Chooses the camera. A corner at p = x right + y up + z forward from the target is seen from a distance d
// behind it when |x| <= (d + z) tan(a/2), |y| <= (d + z) tan(a/2) / aspect: the largest d any corner asks for
// is taken.
#include "render/camera.h"

#include <algorithm>
#include <cmath>

#include "impuls/scene.h"
#include "render/deformed.h"
#include "render/grains.h"

namespace impuls {

namespace {

constexpr double kMargin = 1.15;

void grow(Aabb& box, const Aabb& other) {
    for (int k = 0; k < 3; ++k) {
        box.min[k] = std::min(box.min[k], other.min[k]);
        box.max[k] = std::max(box.max[k], other.max[k]);
    }
}

// Any unit vector square to `up`, along x if that is possible.
Vec3 sideways(const Vec3& up) {
    const Vec3 axis = std::abs(up.x) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 0, -1};
    return normalized(axis - dot(axis, up) * up);
}

Vec3 corner(const Aabb& box, int k) {
    return {(k & 1) ? box.max.x : box.min.x, (k & 2) ? box.max.y : box.min.y,
            (k & 4) ? box.max.z : box.min.z};
}

// Completes location and target to an orthonormal triad; looking straight up or down, "up" is chosen
// sideways.
void aim(Camera& camera, const Vec3& target, const Vec3& world_up) {
    const Vec3 towards = target - camera.location;
    camera.forward = length_squared(towards) > 0 ? normalized(towards) : -cross(sideways(world_up), world_up);
    Vec3 right = cross(camera.forward, world_up);
    if (length_squared(right) < 1e-12) right = sideways(world_up);
    camera.right = normalized(right);
    camera.up = cross(camera.right, camera.forward);
}

double fitting_distance(const Camera& camera, const Vec3& target, const Aabb& box, double aspect) {
    double distance = 0;
    for (int k = 0; k < 8; ++k) {
        const Vec3 p = kMargin * (corner(box, k) - target);
        const double x = std::abs(dot(p, camera.right)), y = std::abs(dot(p, camera.up));
        distance =
            std::max(distance, std::max(x, y * aspect) / camera.tan_half_width - dot(p, camera.forward));
    }
    return distance > 0 ? distance : size_of(box);
}

}  // namespace

double size_of(const Aabb& box) {
    const double size = length(box.max - box.min);
    return size > 0 ? size : 1;
}

void grow_extent(Aabb& extent, const Frame& frame) {
    for (std::size_t k = 0; k < frame.bodies.size(); ++k) {
        Shape scratch;
        const Shape& shape = shape_in(frame, k, scratch);
        const bool finite = is_finite(frame.positions[k]) && is_finite(frame.orientations[k]);
        if (std::holds_alternative<Plane>(shape) || !finite) continue;
        grow(extent, bounds(shape, {frame.positions[k], frame.orientations[k]}));
    }
    if (!frame.structure || frame.structure->grains.empty()) return;
    for_each_grain(frame, [&](const GrainPlaceNow& grain) {
        grow(extent, {grain.pose.position, grain.pose.position});
    });
}

Aabb finished_extent(const Aabb& extent) {
    return is_empty(extent) ? Aabb{{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}} : extent;
}

std::optional<Camera::Seen> Camera::see(const Vec3& p) const {
    const Vec3 d = p - location;
    const double depth = dot(d, forward);
    if (!(depth > 0)) return std::nullopt;
    const double scale = 1 / (depth * tan_half_width);
    return Seen{dot(d, right) * scale, dot(d, up) * scale, depth};
}

Vec3 up_of(const Scene& scene) {
    const Vec3 gravity = scene.settings.gravity;
    return length_squared(gravity) > 0 ? normalized(-gravity) : Vec3{0, 1, 0};
}

Camera choose_camera(const Scene& scene, const Aabb& extent, double aspect) {
    const Vec3 up = up_of(scene);
    const Vec3 target = scene.view.target.value_or(0.5 * (extent.min + extent.max));
    Camera camera;
    camera.tan_half_width = std::tan(0.5 * scene.view.field_of_view);
    if (scene.view.camera) {
        camera.location = *scene.view.camera;
        aim(camera, target, up);
    } else {
        const Vec3 side = sideways(up), viewer = cross(side, up);
        const Vec3 direction = normalized(0.35 * side + 0.35 * up + viewer);
        camera.location = target + size_of(extent) * direction;
        aim(camera, target, up);
        camera.location = target + fitting_distance(camera, target, extent, aspect) * direction;
    }
    const double distance = std::max(length(camera.location - target), size_of(extent));
    camera.light = scene.view.light.value_or(
        target + 4 * distance * normalized(0.4 * camera.right + up - 0.6 * camera.forward));
    return camera;
}

}  // namespace impuls
