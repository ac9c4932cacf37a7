// The energy of joints' springs is part of a frame's: k x^2 / 2 of each axis, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "impuls/quantity.h"
#include "impuls/world.h"

namespace impuls {
namespace {

constexpr double kStiffness = 250;  // N/m or N m/rad

BodyDesc spring_body(const Shape& shape, const Vec3& at) {
    BodyDesc desc;
    desc.name = "b", desc.shape = shape, desc.position = at, desc.mass = 2;
    return desc;
}

JointDesc spring_joint(const Joint& joint) {
    JointDesc desc;
    desc.name = "spring", desc.b = "b", desc.joint = joint;
    return desc;
}

double quantity(World& world, const char* name) {
    double value = 0;
    find_quantity(name, *world.structure()).read(world.frame(), &value);
    return value;
}

TEST(SpringEnergy, is_half_k_x_squared) {
    const double x = 0.3;
    SliderJoint slider{{}, {1, 0, 0}, {}};
    slider.slide.stiffness = kStiffness, slider.slide.rest = x;
    HingeJoint hinge{{}, {0, 0, 1}, {}};
    hinge.turn.stiffness = kStiffness, hinge.turn.rest = -x;
    DistanceJoint rope{{0, 0, 0}, {1, 0, 0}, AxisDesc{}};
    rope.length->stiffness = kStiffness, rope.length->rest = 1 - x;
    for (const Joint& joint : {Joint{slider}, Joint{hinge}, Joint{rope}}) {
        Scene scene;
        scene.settings.gravity = {};
        scene.bodies.push_back(spring_body(Box{{0.1, 0.2, 0.3}}, {1, 0, 0}));
        scene.joints.push_back(spring_joint(joint));
        World world(scene);
        const double energy = 0.5 * kStiffness * x * x;
        EXPECT_NEAR(quantity(world, "energy.potential"), energy, 1e-12 * energy);
        EXPECT_NEAR(quantity(world, "energy.total"), energy, 1e-12 * energy);
        scene.joints[0].enabled = false;
        World without(scene);
        EXPECT_EQ(quantity(without, "energy.potential"), 0);
    }
}

// A mass on a spring, hung in gravity and let go: k x^2/2 - m g x + T stays what it was, while T alone runs
// through k A^2/2 with the amplitude A = m g / k.
TEST(SpringEnergy, of_a_swinging_mass_is_kept) {
    for (const char* method : {"default", "accurate"}) {
        Scene scene;
        scene.settings.method = parse_method(method);
        scene.settings.dt = 0.002;
        scene.bodies.push_back(spring_body(Sphere{0.1}, {0, 0, 0}));
        SliderJoint slider{{}, {0, 1, 0}, {}};
        slider.slide.stiffness = kStiffness;
        scene.joints.push_back(spring_joint(slider));
        World world(scene);
        const double amplitude = 2 * 9.81 / kStiffness, swing = 0.5 * kStiffness * amplitude * amplitude;
        double fastest = 0, off = 0;
        while (world.time() < 2) {
            ASSERT_TRUE(world.step().ok);
            fastest = std::max(fastest, quantity(world, "energy.kinetic"));
            off = std::max(off, std::abs(quantity(world, "energy.total")));
        }
        EXPECT_NEAR(fastest, swing, 1e-3 * swing) << method;
        EXPECT_LT(off, 1e-3 * swing) << method;
    }
}

}  // namespace
}  // namespace impuls
