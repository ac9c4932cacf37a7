// Scenes at force level, made by hand: bodies, steps, and what is looked at. Used by the tests beside this.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "impuls/impuls.h"
#include "support/constants.h"
#include "support/full_size.h"

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

// A world with what its tests ask for.
struct Watched {
    World world;
    explicit Watched(const Scene& scene) : world(scene) {}

    void step() {
        const StepStatus status = world.step();
        ASSERT_TRUE(status.ok) << status.message;
        for (const Outcome& outcome : world.outcomes())
            ASSERT_EQ(outcome.stepper, IslandStepper::ForceLevel)
                << EnumNames<Refusal>::names[static_cast<std::size_t>(
                       outcome.refused[static_cast<std::size_t>(IslandStepper::ForceLevel)])];
    }
    void run(double until) {
        while (world.time() < until - 1e-9) ASSERT_NO_FATAL_FAILURE(step());
    }
    BodyId id(const std::string& name) const { return world.find_body(name); }
    Vec3 at(const std::string& name) const { return world.pose(id(name)).position; }
    Vec3 v(const std::string& name) const { return world.velocity(id(name)); }
    Vec3 w(const std::string& name) const { return world.angular_velocity(id(name)); }
    // What the books are off by since the start, J.
    double unbooked() {
        const auto& e = world.frame().energy;
        const double sum = e.total + e.dissipated - e.supplied;
        if (!is_begun) start = sum, is_begun = true;
        return sum - start;
    }
    double start = 0;
    bool is_begun = false;
};

}  // namespace impuls::at_force_level
