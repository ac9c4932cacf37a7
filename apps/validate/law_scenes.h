// The little scenes that laws share.
#pragma once

#include <cstddef>
#include <string>

#include "impuls/scene.h"
#include "impuls/world.h"

namespace impuls {

inline constexpr double kGravity = 9.81;

// A scene with one material "m" and this gravity and time step.
Scene law_scene(double dt, const Vec3& gravity = {0, -kGravity, 0}, double friction = 0,
                double restitution = 0);
// A static plane through the origin with normal +y.
BodyDesc law_ground();
BodyDesc law_body(const std::string& name, const Shape& shape, const Vec3& position);
// A cube of 1 kg with the given moment of inertia that touches nothing.
BodyDesc law_part(const std::string& name, const Vec3& position, double inertia, double mass = 1);
JointDesc law_joint(const std::string& a, const std::string& b, const Joint& joint);
// Axis k of all joints' axes, as the last frame has it.
const AxisState& law_axis(World& world, std::size_t k = 0);
// Steps until `seconds`; stops at a failure, which then shows in the law's value.
void run_until(World& world, double seconds);

}  // namespace impuls
