// Worlds with bodies of particles, for the tests beside this file.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "impuls/scene.h"
#include "impuls/world.h"

namespace impuls {

inline BodyDesc soft_body(std::string name, Shape shape, double mass, const Vec3& position = {}) {
    BodyDesc body;
    body.name = std::move(name);
    body.shape = std::move(shape);
    body.mass = mass;
    body.position = position;
    return body;
}

inline void advance(World& world, double until) {
    while (world.time() < until - 1e-9) {
        const StepStatus status = world.step();
        ASSERT_TRUE(status.ok) << status.message;
    }
}

// Particles of the body with that number.
inline std::vector<ParticleState> particles_of(World& world, std::uint32_t body) {
    std::vector<ParticleState> list;
    for (const ParticleState& p : world.frame().particles)
        if (p.body == body) list.push_back(p);
    return list;
}

inline Scene scene_with(std::vector<BodyDesc> bodies, const Vec3& gravity = {0, -9.81, 0}) {
    Scene scene;
    scene.settings.gravity = gravity;
    scene.settings.dt = 0.01;
    scene.bodies = std::move(bodies);
    return scene;
}

inline BodyDesc floor_at(double y) {
    BodyDesc body;
    body.name = "floor";
    body.kind = BodyKind::Static;
    body.shape = Plane{};
    body.position = {0, y, 0};
    return body;
}

// A net of two triangles, held by strings from four pinned particles.
inline Particles hammock() {
    Particles net;
    net.radius = 0.01;
    net.points = {{-0.5, 0, -0.5}, {0.5, 0, -0.5}, {0.5, 0, 0.5}, {-0.5, 0, 0.5},
                  {-1, 0.7, -1},   {1, 0.7, -1},   {1, 0.7, 1},   {-1, 0.7, 1}};
    net.masses = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
    net.links = {0, 1, 1, 2, 2, 3, 3, 0, 0, 2, 0, 4, 1, 5, 2, 6, 3, 7};
    net.triangles = {0, 2, 1, 0, 3, 2};
    net.pins = {4, 5, 6, 7};
    return net;
}

}  // namespace impuls
