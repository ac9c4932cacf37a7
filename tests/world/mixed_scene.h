// A scene in which everything happens: piles of boxes, spheres, capsules and compounds, a chain, a spinning
// free body, a kinematic pusher, a running surface, all laws of friction and restitution, and commands that
// add, remove and push.
#pragma once

#include <string>

#include "impuls/scene.h"

namespace impuls {

// All lengths, velocities and gravity times `scale`; masses are given, so that a power of two changes no
// bit.
inline Scene mixed_scene(double scale = 1, bool has_timeline = true) {
    Scene scene;
    scene.settings.gravity = Vec3{0, -9.81, 0} * scale;
    for (const auto& [name, friction, restitution] :
         {std::tuple{"rough", 0.7, 0.0}, std::tuple{"bouncy", 0.3, 0.6}}) {
        MaterialDesc m;
        m.name = name, m.friction = friction, m.restitution = restitution;
        m.static_friction = friction + 0.1;
        m.rolling_friction = 0.01 * scale, m.torsional_friction = 0.002 * scale;
        scene.materials.push_back(m);
    }
    ContactDesc contact;
    contact.a = contact.b = "bouncy", contact.restitution_law = RestitutionLaw::Poisson;
    scene.contacts = {contact};
    const auto body = [&](const std::string& name, const Shape& shape, const Vec3& at, double mass) {
        BodyDesc b;
        b.name = name, b.shape = shape, b.position = at * scale, b.mass = mass, b.material = "rough";
        return b;
    };
    BodyDesc ground = body("ground", Plane{}, {}, 1);
    ground.surface_velocity = Vec3{0.1, 0, -0.05} * scale;
    ground.kind = BodyKind::Static, ground.mass.reset();
    scene.bodies.push_back(ground);
    for (int k = 0; k < 12; ++k) {
        const Vec3 at{0.3 * (k % 3), 0.6 + 0.55 * k, 0.25 * (k % 2)};
        Shape shape = Box{Vec3{0.5, 0.4, 0.6} * scale};
        if (k % 4 == 1) shape = Sphere{0.25 * scale};
        if (k % 4 == 2) shape = Capsule{0.2 * scale, 0.3 * scale};
        if (k % 4 == 3)
            shape = Compound{{{Vec3{0.2, 0, 0} * scale, {}, Sphere{0.2 * scale}},
                              {Vec3{-0.2, 0, 0} * scale, {}, Box{Vec3{0.3, 0.3, 0.3} * scale}}}};
        BodyDesc b = body("pile" + std::to_string(k), shape, at, 1 + 0.5 * k);
        b.orientation = normalized(Quat{10, 0.4 * k, 0.1 * k * k, -0.2 * k});
        b.material = k % 2 ? "bouncy" : "rough";
        scene.bodies.push_back(b);
    }
    for (int k = 0; k < 5; ++k) {
        BodyDesc link =
            body("link" + std::to_string(k), Capsule{0.1 * scale, 0.4 * scale}, {3.0 + 0.6 * k, 4, 0}, 1);
        link.orientation = normalized(Quat{1, 0, 0, 1});
        scene.bodies.push_back(link);
        JointDesc joint;
        joint.name = "joint" + std::to_string(k);
        joint.a = k == 0 ? "" : "link" + std::to_string(k - 1), joint.b = link.name;
        joint.joint = BallJoint{Vec3{2.7 + 0.6 * k, 4, 0} * scale};
        scene.joints.push_back(joint);
    }
    BodyDesc pusher = body("pusher", Box{Vec3{0.4, 1, 1} * scale}, {-2, 0.6, 0}, 1);
    pusher.kind = BodyKind::Kinematic, pusher.velocity = Vec3{1, 0, 0} * scale, pusher.mass.reset();
    scene.bodies.push_back(pusher);
    BodyDesc spinner = body("spinner", Box{Vec3{1, 0.3, 0.1} * scale}, {0, 30, 8}, 2);
    spinner.angular_velocity = {0.1, 5, 0.2}, spinner.collides = false;
    scene.bodies.push_back(spinner);
    if (!has_timeline) return scene;
    scene.timeline = {{0.3, ApplyImpulse{"pile3", Vec3{2, 1, 0} * scale, {}, {}}},
                      {0.5, Remove{.bodies = {"pile1"}}},
                      {0.6, Put{.bodies = {body("late", Sphere{0.3 * scale}, {0.1, 5, 0.1}, 3)}}},
                      {0.7, SetForce{"late", Vec3{1, 0, 2} * scale, {}}},
                      {0.8, Remove{.bodies = {"link4"}}},
                      {0.9, SetSettings{.gravity = Vec3{0.5, -8, 0} * scale}}};
    return scene;
}

}  // namespace impuls
