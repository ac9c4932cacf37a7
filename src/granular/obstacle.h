// What grains meet that is no grain: half-spaces, convex solids and the inner sides of tubes and funnels,
// fixed to bodies, which go on as v and w say. What grains do to a body is told: whoever advances those that
// move freely pushes them by it, substep by substep. Called by contacts.cpp and by whoever places walls.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "geometry/grain_shape.h"
#include "granular/contact.h"
#include "impuls/shapes.h"
#include "impuls/vec.h"

namespace impuls::granular {

// Tube and cone: inner side about y of the own frame, between low and high; radius grows with y by slope.
enum class ObstacleKind : std::uint8_t { HalfSpace, Solid, InnerSide };

struct Obstacle {
    ObstacleKind kind = ObstacleKind::HalfSpace;
    std::uint32_t body = 0, material = 0;
    Pose X_BO{};  // half-space: y <= 0 of it
    GrainShape shape{};
    double radius = 0, slope = 0, low = 0, high = 0;  // inner side: radius at y = 0
};

// In world coordinates, of the centre of mass and the principal frame.
struct ObstacleBody {
    Pose X_WP{};
    Vec3 v{}, w{};
    Vec3 surface{};          // velocity of the surface beside that, as a belt's, in the principal frame
    Vec3 force{}, torque{};  // by grains, about the centre
    bool is_enabled = true;
    Pose listed{};        // where it was when neighbours were last looked for
    double inv_mass = 0;  // 0: it does not move freely
    Mat3 inv_inertia{};   // likewise; world axes
    // Contacts, when forces were last found. Those that push a light body together must not damp it more than
    // one would: each has its share of the body (contacts.cpp).
    std::uint32_t contacts = 0;

    bool is_free() const { return inv_mass > 0; }
};

// Appends the obstacles of a shape at rest in its body's principal frame. False: nothing of this kind yet.
bool make_obstacles(const Shape& shape, const Pose& X_BS, std::uint32_t body, std::uint32_t material,
                    std::vector<Obstacle>& out);

// The plane that stands for an obstacle at a grain; false: the grain is not beside it.
bool plane_at(const Obstacle& o, const Pose& X_WO, const Placed& grain, HalfSpaceNow& out);
// A bound of the gap between a ball and the obstacle, m.
double gap_of(const Obstacle& o, const Pose& X_WO, const Vec3& center, double radius);

}  // namespace impuls::granular
