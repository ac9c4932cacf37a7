// Scenes whose steps have enough of everything that their loops are divided among threads: for the thread
// sanitizer, under which a step takes ten times as long. So they are as small as the chunks allow.
#pragma once

#include <cmath>
#include <string>

#include "impuls/scene.h"
#include "support/solid_meshes.h"

namespace impuls::thread_scenes {

inline BodyDesc body(const std::string& name, const Shape& shape, const Vec3& at,
                     BodyKind kind = BodyKind::Dynamic) {
    BodyDesc b;
    b.name = name;
    b.shape = shape;
    b.position = at;
    b.kind = kind;
    return b;
}

inline Scene on_floor(const std::string& method) {
    Scene scene;
    scene.settings.method = parse_method(method);
    scene.settings.dt = 1.0 / 60;
    scene.bodies.push_back(body("floor", Plane{}, {}, BodyKind::Static));
    return scene;
}

// One island of `side`^3 bodies that touch: boxes, spheres and, on top, pairs that a hinge holds.
inline Scene pile(const std::string& method, int side) {
    Scene scene = on_floor(method);
    for (int k = 0; k < side * side * side; ++k) {
        const int x = k % side, y = k / side / side, z = k / side % side;
        const Vec3 at{0.5 * x + 0.01 * (y % 3), 0.25 + 0.499 * y, 0.5 * z};
        const bool is_ball = k % 3 == 0 && y + 1 < side;
        scene.bodies.push_back(body("b" + std::to_string(k),
                                    is_ball ? Shape{Sphere{0.25}} : Shape{Box{{0.499, 0.5, 0.499}}}, at));
        if (y + 1 < side || x % 2 == 0) continue;
        JointDesc joint;
        joint.name = "hinge" + std::to_string(k);
        joint.a = "b" + std::to_string(k - 1);
        joint.b = "b" + std::to_string(k);
        HingeJoint hinge;
        hinge.anchor = at - Vec3{0.25, 0, 0};
        joint.joint = hinge;
        scene.joints.push_back(joint);
    }
    return scene;
}

// Many islands: towers of two, pendulums of three links, a mesh in each row, and balls that fly by.
inline Scene yard(const std::string& method, int count) {
    Scene scene = on_floor(method);
    const Mesh knob = meshes::mesh_of(Capsule{0.2, 0.3}, 8);
    for (int k = 0; k < count; ++k) {
        const std::string name = std::to_string(k);
        const Vec3 at{1.5 * (k % 8), 0, 3.0 * (k / 8)};
        const Shape lower = k % 8 == 3 ? Shape{knob} : Shape{Box{{1, 1, 1}}};
        scene.bodies.push_back(body("lower" + name, lower, at + Vec3{0, 0.5, 0}));
        scene.bodies.push_back(body("upper" + name, Box{{0.5, 0.4, 0.5}}, at + Vec3{0, 1.2, 0}));
        scene.bodies.push_back(body("ball" + name, Sphere{0.2}, at + Vec3{0, 3, 1.5}));
        scene.bodies.back().velocity = {1, -2, 0};
        std::string above;
        for (int link = 0; link < 3; ++link) {
            const Vec3 top = at + Vec3{0.5 * link, 5, -1};
            JointDesc joint;
            joint.name = "pin" + name + "_" + std::to_string(link);
            joint.a = above;
            joint.b = above = "link" + name + "_" + std::to_string(link);
            joint.joint = BallJoint{top};
            scene.bodies.push_back(body(above, Box{{0.4, 0.1, 0.1}}, top + Vec3{0.25, 0, 0}));
            scene.joints.push_back(joint);
        }
    }
    return scene;
}

}  // namespace impuls::thread_scenes
