// Joints with limits, motors, springs and friction about their axes, and contacts that resist rolling, in one
// island: lengths, velocities and gravity times 2^±7 at equal dt give the same bits, rescaled, by every
// solver. Angles and lengths meet in these rows; what tells them apart is Row::length
// (constraints/problem.h).
#include <gtest/gtest.h>

#include <string>

#include "impuls/scene.h"
#include "impuls/world.h"
#include "support/slow_build.h"

namespace impuls {
namespace {

// A row of hinged boxes with a motor, limits and a spring, and a six-dof joint, above an incline. Masses stay
// as they are, so forces are times s, torques and angular stiffness times s^2.
Scene hinged(double s) {
    Scene scene;
    scene.settings.gravity = Vec3{0, -9.81, 0} * s;
    MaterialDesc rough;
    rough.name = "rough", rough.friction = 0.6, rough.rolling_friction = 0.01 * s;
    rough.torsional_friction = 0.004 * s;
    scene.materials.push_back(rough);
    const auto add = [&](const std::string& name, const Shape& shape, const Vec3& at, double mass) {
        BodyDesc body;
        body.name = name, body.shape = shape, body.position = at * s, body.material = "rough";
        if (mass > 0)
            body.mass = mass;
        else
            body.kind = BodyKind::Static;
        scene.bodies.push_back(body);
    };
    add("floor", Plane{}, {}, 0);
    scene.bodies.back().orientation = normalized(Quat{20, 0, 0, 1});
    const auto join = [&](const std::string& a, const std::string& b, const Joint& joint) {
        JointDesc desc;
        desc.name = a + "-" + b, desc.a = a, desc.b = b, desc.joint = joint;
        scene.joints.push_back(desc);
    };
    for (int k = 0; k < 5; ++k) {
        const std::string name = "link" + std::to_string(k);
        add(name, Box{Vec3{0.5, 0.12, 0.3} * s}, {0.6 * k, 0.4 + 0.06 * k, 0.02 * k}, 1 + 0.3 * k);
        if (k == 0) continue;
        AxisDesc turn;
        turn.lower = -0.4, turn.upper = 0.3, turn.restitution = 0.3;
        if (k == 2) turn.speed = 1.5, turn.max_force = 2 * s * s;
        if (k == 3) turn.stiffness = 5 * s * s, turn.damping = 0.1 * s * s;
        if (k == 4) turn.friction = 0.2 * s * s;
        join("link" + std::to_string(k - 1), name,
             HingeJoint{Vec3{0.6 * k - 0.3, 0.4 + 0.06 * k, 0} * s, {0, 0.2, 1}, turn});
    }
    add("wheel", Sphere{0.2 * s}, {3, 0.7, 0}, 2);
    SixDofJoint six;
    six.anchor = Vec3{2.7, 0.7, 0} * s;
    six.x = AxisDesc{.lower = -0.05 * s, .upper = 0.05 * s};
    six.rz = AxisDesc{.lower = -0.5, .upper = 0.5, .stiffness = 1 * s * s};
    six.rx = AxisDesc{.target = 0.4, .max_force = 3 * s * s};
    join("link4", "wheel", six);
    return scene;
}

class JointScale : public testing::TestWithParam<std::string> {};

TEST_P(JointScale, limits_motors_and_contacts_are_scale_free) {
    const auto world_of = [](double s) {
        Scene scene = hinged(s);
        scene.settings.method = parse_method(GetParam());
        return World(scene);
    };
    World unit = world_of(1), large = world_of(128), small = world_of(1.0 / 128);
    const bool is_slow = kSlowBuild || GetParam().ends_with("direct") || GetParam().ends_with("iteration") ||
                         GetParam() == "accurate";
    bool touches = false;
    for (int k = 0; k < (is_slow ? 25 : 45); ++k) {
        for (World* world : {&unit, &large, &small}) ASSERT_TRUE(world->step().ok) << k;
        const Frame& f = unit.frame();
        touches = touches || f.contacts.size() > 2;
        for (std::size_t i = 0; i < f.positions.size(); ++i) {
            ASSERT_EQ(large.frame().positions[i], f.positions[i] * 128) << k << " body " << i;
            ASSERT_EQ(small.frame().positions[i], f.positions[i] / 128) << k << " body " << i;
            ASSERT_EQ(large.frame().velocities[i], f.velocities[i] * 128) << k << " body " << i;
            ASSERT_EQ(large.frame().angular_velocities[i], f.angular_velocities[i]) << k << " body " << i;
        }
    }
    EXPECT_TRUE(touches);
}

INSTANTIATE_TEST_SUITE_P(, JointScale,
                         testing::Values("default", "accurate", "fast", "erleben",
                                         "default+solver=sequential", "default+solver=pgs",
                                         "default+solver=blocked_pgs", "default+solver=direct",
                                         "default+solver=tree", "default+solver=impulse_iteration"),
                         [](const auto& instance) {
                             std::string name = instance.param;
                             for (char& c : name)
                                 if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                             return name;
                         });

}  // namespace
}  // namespace impuls
