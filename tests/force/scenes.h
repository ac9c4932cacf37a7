// Scenes at force level, made by hand. Used by the tests beside this, and by bench/tolerance.cpp.
#pragma once

#include <optional>
#include <string>

#include "impuls/impuls.h"
#include "support/constants.h"

namespace impuls::at_force_level {

inline Scene scene_of(const std::string& extra = "", double dt = 0.01) {
    Scene scene;
    scene.settings.dt = dt;
    scene.settings.gravity = {0, -kG, 0};
    scene.settings.method = parse_method("default+stepper=force" + extra);
    MaterialDesc material;
    material.name = "m";
    material.friction = 0;
    scene.materials = {material};
    return scene;
}

inline BodyDesc& add(Scene& scene, const std::string& name, const Shape& shape, const Vec3& at,
                     const Vec3& velocity = {}) {
    BodyDesc body;
    body.name = name;
    body.shape = shape;
    body.material = "m";
    body.mass = 1;
    body.position = at;
    body.velocity = velocity;
    scene.bodies.push_back(body);
    return scene.bodies.back();
}

inline BodyDesc& add_floor(Scene& scene) {
    BodyDesc& floor = add(scene, "floor", Plane{}, {});
    floor.kind = BodyKind::Static;
    floor.mass.reset();
    return floor;
}

template <class T>
void add_force(Scene& scene, const std::string& a, const std::string& b, const T& force, double from = 0,
               std::optional<double> until = {}) {
    ForceDesc desc;
    desc.name = "force " + std::to_string(scene.forces.size());
    desc.a = a;
    desc.b = b;
    desc.force = force;
    desc.from = from;
    desc.until = until;
    scene.forces.push_back(desc);
}

template <class T>
void add_joint(Scene& scene, const std::string& a, const std::string& b, const T& joint) {
    JointDesc desc;
    desc.name = "joint " + std::to_string(scene.joints.size());
    desc.a = a;
    desc.b = b;
    desc.joint = joint;
    scene.joints.push_back(desc);
}

}  // namespace impuls::at_force_level
