// Small scenes for the laws of contact: one material "m" for everything, ground below.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "impuls/scene.h"
#include "impuls/world.h"
#include "support/constants.h"
#include "support/full_size.h"

namespace impuls {

inline BodyDesc body_of(const std::string& name, const Shape& shape, const Vec3& at,
                        BodyKind kind = BodyKind::Dynamic) {
    BodyDesc body;
    body.name = name, body.shape = shape, body.position = at, body.kind = kind, body.material = "m";
    return body;
}

inline Scene scene_of(const MaterialDesc& material, bool has_ground, const Vec3& gravity = {0, -kG, 0}) {
    Scene scene;
    scene.settings.gravity = gravity;
    scene.materials = {material};
    scene.materials[0].name = "m";
    if (has_ground) scene.bodies.push_back(body_of("ground", Plane{}, {}, BodyKind::Static));
    return scene;
}

// Gravity as a slope of that angle has it, its steepest way down at `azimuth` from x towards z.
inline Vec3 sloping(double angle, double azimuth = 0) {
    return {kG * std::sin(angle) * std::cos(azimuth), -kG * std::cos(angle),
            kG * std::sin(angle) * std::sin(azimuth)};
}

inline Vec3 velocity_of(const World& world, const std::string& name) {
    return world.velocity(world.find_body(name));
}
inline Vec3 spin_of(const World& world, const std::string& name) {
    return world.angular_velocity(world.find_body(name));
}

inline void run(World& world, double until) {
    while (world.time() < until - 0.5 * world.dt()) {
        const StepStatus status = world.step();
        ASSERT_TRUE(status.ok) << status.message;
    }
}

// Sum of the contact forces on a body.
inline Vec3 force_on(World& world, const std::string& name) {
    const Frame& frame = world.frame();
    Vec3 sum;
    for (const Contact& c : frame.contacts) {
        if (frame.structure->bodies[c.b].name == name) sum += c.force;
        if (frame.structure->bodies[c.a].name == name) sum -= c.force;
    }
    return sum;
}

}  // namespace impuls
