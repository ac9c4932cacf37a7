// A body that leaves the range in which numbers can tell places apart stops the world with its name, before
// anything is asked of shapes there.
#include <gtest/gtest.h>

#include "impuls/impuls.h"

namespace impuls {
namespace {

TEST(LostBody, stops_the_world_and_is_named) {
    for (const double speed : {1e20, 1e100, 1e200}) {
        Scene scene;
        for (const char* name : {"stone", "runaway"}) {
            BodyDesc body;
            body.name = name;
            Convex shape;
            shape.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
            body.shape = shape;
            scene.bodies.push_back(body);
        }
        scene.bodies[1].position = {1.5, 0, 0};
        scene.bodies[1].velocity = {speed, 0, 0};
        scene.bodies[1].angular_velocity = {0, 1, 0};
        JointDesc joint;
        joint.a = "stone", joint.b = "runaway";
        joint.joint = BallJoint{{1, 0, 0}};
        joint.collide_connected = true;
        scene.joints.push_back(joint);
        World world(scene);
        StepStatus status;
        for (int step = 0; step < 100 && status.ok; ++step) status = world.step();
        EXPECT_FALSE(status.ok);
        EXPECT_TRUE(status.message.find("'runaway'") != std::string::npos ||
                    status.message.find("'stone'") != std::string::npos)
            << status.message;
        EXPECT_LT(length(world.pose(world.find_body("runaway")).position), 1e17);  // the last good state
    }
}

}  // namespace
}  // namespace impuls
