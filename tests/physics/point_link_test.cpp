// Point masses as links of chains: at any mass ratio joints stay closed and the motion is that of a pendulum.
#include <gtest/gtest.h>

#include <cmath>

#include "impuls/world.h"

namespace impuls {
namespace {

// A point mass is a link like others: a chain with 10^4 times the mass of its rods at its end stays closed
// and swings as a pendulum does, T = 2 pi sqrt(l/g) (1 + a^2/16) at the amplitude a.
TEST(PointLink, a_heavy_point_at_a_chain_swings_as_a_pendulum) {
    for (const char* method : {"default", "fast"}) {
        Scene scene;
        scene.settings.method = parse_method(method);
        scene.settings.dt = 1.0 / 60;
        const double amplitude = 0.1, piece = 0.2;
        const Vec3 along{std::sin(amplitude), -std::cos(amplitude), 0};
        const Quat turned{std::cos(amplitude / 2), 0, 0, std::sin(amplitude / 2)};
        for (int k = 0; k < 6; ++k) {
            BodyDesc part;
            part.name = k < 5 ? "rod" + std::to_string(k) : "weight";
            part.shape = k < 5 ? Shape{Capsule{0.02, 0.16}} : Shape{Point{}};
            part.mass = k < 5 ? 1 : 1e4;
            part.collides = false;
            part.position = along * (k < 5 ? piece * (k + 0.5) : 5 * piece);
            part.orientation = turned;
            scene.bodies.push_back(part);
            JointDesc joint;
            joint.name = "j" + std::to_string(k), joint.b = part.name;
            if (k > 0) joint.a = scene.bodies[static_cast<std::size_t>(k) - 1].name;
            joint.joint = BallJoint{along * (piece * k)};
            scene.joints.push_back(joint);
        }
        World world(scene);
        const double period =
            2 * 3.14159265358979 * std::sqrt(5 * piece / 9.81) * (1 + amplitude * amplitude / 16);
        double before = amplitude, crossed = 0, last = 0;
        int crossings = 0;
        while (world.time() < 10) {
            ASSERT_TRUE(world.step().ok);
            EXPECT_LT(world.frame().max_joint_error, 1e-5) << method;
            const double x = world.frame().positions.back().x;
            if (before > 0 && x <= 0) {
                last = world.time() - world.dt() * x / (x - before);
                if (crossings++ == 0) crossed = last;
            }
            before = x;
        }
        ASSERT_GE(crossings, 4) << method;
        EXPECT_NEAR((last - crossed) / (crossings - 1), period, 0.01 * period) << method;
    }
}

}  // namespace
}  // namespace impuls
