// The gear stage of Hong's thesis (spec: areal-contact 3.1, T14): 40 teeth, ratio 1, driven at 1.5 rad/s
// against a damper of 5 N m s, pressed by 1.154e12 N/m^3 over the flanks, without damping or friction.
// Module 2 mm, width 30 mm and pressure angle 20 degrees are the reconstruction of the spec.
#include <algorithm>

#include "scene_of.h"

namespace impuls::at_force_level {
namespace {

TEST(SpecAreal, T14_the_thesis_gears_carry_their_torque) {
    Scene scene = scene_of("+integrator=rosenbrock+tolerance=1e-5", 0.001);
    scene.settings.gravity = {};
    scene.materials[0].restitution = 1;
    SpurGear gear{40, 0.002, 0.03};
    gear.bore = 0.008, gear.rows = 20;
    ArealContact layer;
    layer.stiffness = 2 * 1.154e12;  // two of them, one behind the other
    BodyDesc& driver = add(scene, "driver", gear, {});
    driver.kind = BodyKind::Kinematic;
    driver.mass.reset();
    driver.angular_velocity = {0, 1.5, 0};
    driver.contact = layer;
    BodyDesc& driven = add(scene, "driven", gear, {0.08, 0, 0});
    driven.orientation = from_axis_angle({0, 1, 0}, 3.141592653589793 / 40);
    driven.angular_velocity = {0, -1.5, 0};
    driven.inertia = Vec3{1e-3, 1e-3, 1e-3};
    driven.contact = layer;
    HingeJoint hinge;
    hinge.anchor = {0.08, 0, 0}, hinge.axis = {0, 1, 0}, hinge.turn.damping = 5;
    add_joint(scene, "", "driven", hinge);
    Watched w(scene);
    const double from = 0.005, until = is_long() ? 0.5 : 0.015;
    w.run(from);
    const auto angle = [&] {
        const Quat q = w.world.pose(w.id("driven")).orientation;
        return 2 * std::atan2(q.y, q.w);
    };
    const double begin = angle();
    w.run(until);
    // The mean speed is that of the way: 7.5 N m by the damper.
    EXPECT_NEAR(-5 * (angle() - begin) / (until - from) / 7.5, 1, 0.02);
    EXPECT_GE(w.world.frame().patches.size(), 1u);
}

}  // namespace
}  // namespace impuls::at_force_level
