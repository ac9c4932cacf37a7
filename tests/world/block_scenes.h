// Small scenes of cubes on the ground, for the preset `fast`.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "impuls/scene.h"
#include "impuls/world.h"

namespace impuls {

inline Scene ground_scene(double friction, double restitution, const std::string& method = "fast") {
    Scene scene;
    scene.settings.method = parse_method(method);
    scene.settings.dt = 1.0 / 60;
    scene.materials.emplace_back().name = "m";
    scene.materials[0].friction = friction, scene.materials[0].restitution = restitution;
    BodyDesc b;
    b.name = "ground", b.kind = BodyKind::Static, b.shape = Plane{}, b.material = "m";
    scene.bodies.push_back(b);
    return scene;
}

inline BodyDesc cube(const std::string& name, const Vec3& at, double mass = 1) {
    BodyDesc b;
    b.name = name, b.shape = Box{{1, 1, 1}}, b.position = at, b.mass = mass, b.material = "m";
    return b;
}

inline void settle(World& world, int steps) {
    for (int k = 0; k < steps; ++k) {
        const StepStatus status = world.step();
        ASSERT_TRUE(status.ok) << status.message;
    }
}

}  // namespace impuls
