// A scene as every engine of the comparison reads it: bodies in their principal frames, one shape each, ball
// joints, springs; compounds that nothing moves as their parts. Made once from the expanded scene, so that
// all engines get the same numbers. P is the principal frame of a body (centre of mass, principal axes); for
// static bodies, boxes and spheres it is the body frame B itself.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "geometry/hull.h"
#include "impuls/scene.h"
#include "impuls/vec.h"

namespace impuls::bench {

enum class SolidKind { Sphere, Box, Hull };

struct Solid {
    SolidKind kind = SolidKind::Box;
    double radius = 0;                   // sphere
    Vec3 half{};                         // box
    std::shared_ptr<const Hull> hull{};  // in P; bodies of one shape share it
};

// Position, orientation (of P) and velocities of one body; w in world coordinates.
struct BodyState {
    Pose X_WP{};
    Vec3 v{}, w{};
};

struct ModelBody {
    std::string name{};
    std::size_t number = 0;  // of the body in the expanded scene: parts of a compound have the same
    bool is_static = false;  // nothing moves it; its body may turn about its origin, by w
    bool collides = true;
    Solid solid{};
    double mass = 0;      // kg, 0 when static
    Vec3 moments{};       // kg m^2 along the axes of P
    double friction = 0;  // of its material; a pair uses the geometric mean
    Pose X_BP{};
    Pose X_WB{}, X_WP{};  // at the start
    Vec3 v{}, w{};

    bool is_driven() const { return is_static && w != Vec3{}; }
    BodyState driven_to(double time) const;
};

struct ModelJoint {
    int a = -1, b = -1;  // body numbers; -1 is the world
    Vec3 p_A{}, p_B{};   // the anchor in the principal frames (world: in W)
    Vec3 p_W{};          // at the start
};

// k (distance - length) + c d(distance)/dt between points of two bodies; -1 is the world.
struct ModelSpring {
    int a = -1, b = -1;
    Vec3 p_A{}, p_B{};  // in the principal frames (world: in W)
    double stiffness = 0, damping = 0, length = 0;
};

struct Model {
    Scene scene{};  // as loaded, for our own engine
    double dt = 0;
    Vec3 gravity{};
    std::vector<ModelBody> bodies{};
    std::vector<ModelJoint> joints{};
    std::vector<ModelSpring> springs{};

    // The largest number of bodies a scene can have in an engine is never the model's business; this is only
    // asked often.
    std::size_t dynamic_count() const;
    bool has_contacts() const;
    bool has_loops() const;  // of joints, also through the world
    bool has_driven() const;
};

// Throws InputError for shapes, joints, forces or mass overrides that the comparison does not know.
Model make_model(const Scene& scene);

// The friction all bodies share; engines that do not combine by the geometric mean need it. NaN when they
// differ.
double common_friction(const Model& model);

}  // namespace impuls::bench
