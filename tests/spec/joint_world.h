// Small worlds with joints, put together in a line or two.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "impuls/command.h"
#include "impuls/scene.h"
#include "impuls/world.h"
#include "support/constants.h"
#include "support/full_size.h"

namespace impuls {

// No gravity, one substep a step: dt is the step of the method. Joints are closed at its end.
inline Scene joint_scene(double dt, const Vec3& gravity = {}) {
    Scene scene;
    scene.settings.dt = dt;
    scene.settings.gravity = gravity;
    scene.settings.method = parse_method("default+substeps=1+closure=preview+blocks_from=0");
    return scene;
}

// A cube whose inertia is `inertia` about each axis through its centre.
inline BodyDesc block(const std::string& name, const Vec3& position, double mass = 1, double inertia = 1) {
    BodyDesc body;
    body.name = name;
    const double edge = std::sqrt(6 * inertia / mass);
    body.shape = Box{{edge, edge, edge}};
    body.mass = mass;
    body.position = position;
    body.ignores = {0};
    return body;
}

inline JointDesc joint_of(const std::string& name, const std::string& a, const std::string& b,
                          const Joint& joint, const std::string& frame = {}) {
    JointDesc desc;
    desc.name = name, desc.a = a, desc.b = b, desc.joint = joint, desc.frame = frame;
    return desc;
}

// One block at the origin on a hinge about z, or on a slider along x, of the world.
inline Scene on_hinge(const AxisDesc& turn, double dt, double inertia = 1) {
    Scene scene = joint_scene(dt);
    scene.bodies.push_back(block("b", {}, 1, inertia));
    scene.joints.push_back(joint_of("j", "", "b", HingeJoint{{}, {0, 0, 1}, turn}));
    return scene;
}
inline Scene on_slider(const AxisDesc& slide, double dt, double mass = 1) {
    Scene scene = joint_scene(dt);
    scene.bodies.push_back(block("b", {}, mass, 1));
    scene.joints.push_back(joint_of("j", "", "b", SliderJoint{{}, {1, 0, 0}, slide}));
    return scene;
}

inline Vec3 spin(const World& world, const char* name) {
    return world.angular_velocity(world.find_body(name));
}
inline Vec3 direction(const World& world, const char* name, const Vec3& d) {
    return rotate(world.pose(world.find_body(name)).orientation, d);
}

inline const AxisState& axis_of(World& world, std::size_t k = 0) {
    return world.frame().axes.at(k);
}

inline void step(World& world, int count = 1) {
    for (int k = 0; k < count; ++k) {
        const StepStatus status = world.step();
        ASSERT_TRUE(status.ok) << status.message;
    }
}

}  // namespace impuls
