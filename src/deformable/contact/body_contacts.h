// Contacts of deformable bodies with rigid ones: obstacles (of no inverse mass) and bodies that are pushed
// back. Analytic shapes are met by nodes, and by triangles where spheres, corners or edges of boxes go
// between nodes. A world with other shapes gives planes in the frames of bodies, found once a step (planes).
// Bodies move within the substeps: gravity and other accelerations of theirs are `acceleration`; what they
// got is in node.impulse and node.spin. Called by Sheet and Solid, by way of Contacts.
#pragma once

#include <span>
#include <vector>

#include "deformable/contact/row.h"

namespace impuls::deformable {

enum class ContactShape {
    None,
    HalfSpace,
    Sphere,
    Capsule,
    Box
};  // HalfSpace: y < 0 of the body; capsules along y

struct ContactBody {
    ContactShape shape = ContactShape::None;
    Vec3 half{};        // of a box; y of a capsule: half the length of its cylinder
    double radius = 0;  // of a sphere or capsule
    Pose pose{};
    Vec3 acceleration{}, torque{};
    Mat3 inv_inertia{{}, {}, {}};  // in the body's frame
    Mat3 inertia{{}, {}, {}};      // likewise; 0: its spin stays as it is while nothing touches it
    double friction = 0;
    RigidNode node{};  // inverse mass and velocities; the rest is kept by BodyContacts
};

// Point of a deformable body outside a plane of a rigid one, which touches within the step.
struct PlaneContact {
    std::array<std::uint32_t, 3> node{};
    std::array<double, 3> weight{1, 0, 0};
    int nodes = 1;
    std::uint32_t body = 0;
    Vec3 normal{};      // B, outwards
    double offset = 0;  // normal . p_B on the plane
    double friction = 0;
    Vec3 impulse{};  // on the body, in this step
};

class BodyContacts final : public Contacts {
  public:
    // thickness: distance kept from bodies; recovery: speed at which less is mended, m/s.
    BodyContacts(const Surface& surface, double thickness, double recovery, std::vector<ContactBody> bodies);

    void begin(double h) override;
    void solve(const Substep& substep) override;
    void end(double h) override;

    // Sums of impulses begin anew; bodies may have been changed, or be others.
    void begin_step();
    // Distance kept, and speed at which less is mended.
    void keep(double thickness, double recovery) {
        thickness_ = thickness;
        recovery_ = recovery;
    }
    std::vector<ContactBody>& bodies() { return bodies_; }
    const std::vector<ContactBody>& bodies() const { return bodies_; }
    std::vector<PlaneContact>& planes() { return planes_; }
    // Least gap of nodes to the analytic shapes at the last solve, before it, less the thickness; at most 0.
    double deepest() const { return deepest_; }
    std::size_t touching() const { return touching_; }

  private:
    void detect(const Substep& substep);
    void touch_node(const Substep& substep, std::uint32_t node, ContactBody& body);
    void touch_triangle(const Substep& substep, const Triangle& triangle, ContactBody& body);
    void touch(const Substep& substep, ContactPoint point, double gap_before, ContactBody& body);

    const Surface* surface_;
    double thickness_, recovery_;
    std::vector<ContactBody> bodies_;
    std::vector<Pose> preview_;
    std::vector<PlaneContact> planes_;
    // By body: numbers of nodes and triangles that may touch until anything has moved by more than margin_.
    std::vector<std::vector<std::uint32_t>> near_nodes_, near_triangles_;
    double margin_ = -1, moved_ = 0, deepest_ = 0;
    std::size_t touching_ = 0;
};

// Signed distance of p (in the body's frame) to a shape, and its gradient.
struct ShapeDistance {
    double gap = 0;
    Vec3 n{0, 1, 0};
};
ShapeDistance distance_to(const ContactBody& body, const Vec3& p);

}  // namespace impuls::deformable
