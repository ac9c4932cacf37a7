// Substeps of islands with joints that are given up and taken again.
#include <gtest/gtest.h>

#include <cstring>

#include "mixed_scene.h"
#include "running.h"

namespace impuls {
namespace {

// Nets of plates on balls, one swinging, one that falls on the floor, and a hinge with a limit and a motor.
Scene nets_and_a_hinge() {
    Scene scene = scene_with_floor();
    const auto add_joint = [&](const std::string& a, const std::string& b, const Joint& kind) {
        JointDesc joint;
        joint.name = a + "-" + b, joint.a = a, joint.b = b, joint.joint = kind;
        scene.joints.push_back(joint);
    };
    const auto name = [](int net, int x, int z) {
        return std::to_string(net) + "-" + std::to_string(x) + "-" + std::to_string(z);
    };
    constexpr int kWide = 5;
    for (int net = 0; net < 2; ++net) {
        const double y = net == 0 ? 6 : 0.3, left = 6.0 * net;
        for (int x = 0; x < kWide; ++x)
            for (int z = 0; z < kWide; ++z) {
                const Vec3 at{left + x, y, 1.0 * z};
                scene.bodies.push_back(some_body(name(net, x, z), Box{{0.9, 0.2, 0.9}}, at));
                if (x > 0) add_joint(name(net, x - 1, z), name(net, x, z), BallJoint{at - Vec3{0.5, 0, 0}});
                if (z > 0) add_joint(name(net, x, z - 1), name(net, x, z), BallJoint{at - Vec3{0, 0, 0.5}});
            }
        if (net == 0) add_joint("", name(net, 0, 0), BallJoint{{left, y, 0}});
    }
    HingeJoint hinge;
    hinge.anchor = {6.5, 0.3, -0.6};
    hinge.axis = {1, 0, 0};
    hinge.turn.speed = 1, hinge.turn.max_force = 5, hinge.turn.upper = 0.5;
    scene.bodies.push_back(some_body("flap", Box{{0.9, 0.2, 0.9}}, {6.5, 0.3, -1.1}));
    add_joint(name(1, 0, 0), "flap", hinge);
    return scene;
}

void take(IslandWork& island, double h, bool is_whole) {
    island.first_kick(h), island.sweep(h), island.propagate_impacts(h), island.solve_displacements(h);
    if (!is_whole) return;
    island.drift(h), island.find_contacts(h), island.second_kick(h), island.solve_velocities(h);
}

template <class T>
bool are_same(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

TEST(IslandPace, a_substep_taken_again_gives_the_same_bits) {
    const Scene scene = nets_and_a_hinge();
    Running once(scene), twice(scene);
    once.step(30), twice.step(30);
    ASSERT_EQ(once.s.islands.groups.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        IslandWork a, b;
        a.gather(once.s, i), b.gather(twice.s, i);
        const double usual = once.s.dt / static_cast<double>(once.s.method.substeps);
        a.find_contacts(usual), b.find_contacts(usual);
        for (int k = 0; k < 8; ++k) {
            const double h = a.next_substep(usual);
            take(a, h, true);
            EXPECT_FALSE(a.is_stalled());
            ASSERT_EQ(b.next_substep(usual), h);
            take(b, h, false);
            b.recall_joints();
            ASSERT_EQ(b.next_substep(usual), h);
            take(b, h, true);
        }
        a.scatter(once.s), b.scatter(twice.s);
        EXPECT_GT(a.results.point.size() + (i == 0), 0u);
    }
    for (std::size_t k = 0; k < once.s.islands.next.size(); ++k) {
        const Motion &m = once.s.islands.next[k], &n = twice.s.islands.next[k];
        EXPECT_EQ(m.pose.position, n.pose.position);
        EXPECT_EQ(m.pose.orientation, n.pose.orientation);
        EXPECT_EQ(m.v, n.v);
        EXPECT_EQ(m.w, n.w);
    }
    for (std::uint32_t j = 0; j < once.s.joints.size(); ++j) {
        const auto list = [&](auto&& values) { return std::vector<double>(values.begin(), values.end()); };
        EXPECT_TRUE(are_same(list(once.s.joints.impulse.of(j)), list(twice.s.joints.impulse.of(j)))) << j;
        EXPECT_TRUE(are_same(list(once.s.joints.angle.of(j)), list(twice.s.joints.angle.of(j)))) << j;
        EXPECT_TRUE(are_same(list(once.s.joints.axis_force.of(j)), list(twice.s.joints.axis_force.of(j))));
        EXPECT_EQ(once.s.joints.reaction[j].force, twice.s.joints.reaction[j].force) << j;
        EXPECT_EQ(once.s.joints.reaction[j].torque, twice.s.joints.reaction[j].torque) << j;
    }
}

}  // namespace
}  // namespace impuls
