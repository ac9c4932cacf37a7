// The little scenes that laws share (law_scenes.h).
#include "validate/law_scenes.h"

#include <cmath>

namespace impuls {

Scene law_scene(double dt, const Vec3& gravity, double friction, double restitution) {
    Scene scene;
    scene.settings.dt = dt;
    scene.settings.gravity = gravity;
    MaterialDesc material;
    material.name = "m";
    material.friction = friction;
    material.restitution = restitution;
    scene.materials.push_back(material);
    return scene;
}

BodyDesc law_body(const std::string& name, const Shape& shape, const Vec3& position) {
    BodyDesc body;
    body.name = name;
    body.shape = shape;
    body.material = "m";
    body.position = position;
    return body;
}

BodyDesc law_part(const std::string& name, const Vec3& position, double inertia, double mass) {
    const double edge = std::sqrt(6 * inertia / mass);
    BodyDesc body = law_body(name, Box{{edge, edge, edge}}, position);
    body.mass = mass;
    body.ignores = {0};
    return body;
}

JointDesc law_joint(const std::string& a, const std::string& b, const Joint& joint) {
    JointDesc desc;
    desc.a = a;
    desc.b = b;
    desc.joint = joint;
    return desc;
}

BodyDesc law_ground() {
    BodyDesc ground = law_body("ground", Plane{}, {});
    ground.kind = BodyKind::Static;
    return ground;
}

const AxisState& law_axis(World& world, std::size_t k) {
    return world.frame().axes.at(k);
}

void run_until(World& world, double seconds) {
    while (world.time() < seconds - 0.5 * world.dt())
        if (!world.step().ok) return;
}

}  // namespace impuls
