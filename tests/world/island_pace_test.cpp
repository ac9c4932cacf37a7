// Substeps of islands with joints that are given up and taken again.
#include <gtest/gtest.h>

#include <cstring>

#include "running.h"
#include "steppers/impulse/memory.h"
#include "steppers/impulse/pace.h"
#include "steppers/impulse/phases.h"
#include "steppers/impulse/step.h"
#include "steppers/impulse/strikes.h"
#include "steppers/scatter.h"
#include "steppers/substep/contacts.h"
#include "steppers/substep/motion.h"
#include "steppers/substep/sweep.h"

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

// One island of a world in the hands of the impulse stepper, substep by substep.
struct Taken {
    WorldState& world;
    WorldView view;
    Island island{};
    impulse::Scratch scratch{};
    Results results{};
    Outcome outcome{};
    std::vector<std::uint32_t> node_of;
    impulse::Impulse s;

    Taken(Running& running, std::size_t i)
        : world(running.s),
          view(view_of(world)),
          node_of(world.bodies.size()),
          s(view, gathered(i), scratch, results, outcome) {
        impulse::begin_pace(s);
        substep::update_inertia(s);
        substep::find_contacts(s, view.usual_substep());
    }
    void take(double h, bool is_whole) {
        impulse::resolve_impacts(s, h);
        impulse::first_kick(s, h);
        substep::sweep(s, h);
        impulse::solve_displacements(s, h);
        if (!is_whole) return;
        substep::drift(s, h);
        substep::find_contacts(s, h);
        impulse::second_kick(s, h);
        impulse::solve_velocities(s, h);
    }
    void store() {
        substep::store_velocities(s);
        substep::store_contacts(s);
        StepOutput out{world.islands.next, world.joints, world.bodies};
        scatter(view, island, out);
    }

  private:
    Island& gathered(std::size_t i) {
        gather(view, world.islands.groups, i, node_of, island);
        return island;
    }
};

template <class T>
bool are_same(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

TEST(IslandPace, a_substep_taken_again_gives_the_same_bits) {
    const Scene scene = nets_and_a_hinge();
    Running once(scene), twice(scene);
    once.step(30);
    twice.step(30);
    ASSERT_EQ(once.s.islands.groups.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        Taken a(once, i), b(twice, i);
        const double usual = a.view.usual_substep();
        for (int k = 0; k < 8; ++k) {
            const double h = impulse::next_substep(a.s, usual);
            a.take(h, true);
            EXPECT_FALSE(a.s.pace.is_stalled);
            ASSERT_EQ(impulse::next_substep(b.s, usual), h);
            b.take(h, false);
            impulse::recall_joints(b.s);
            ASSERT_EQ(impulse::next_substep(b.s, usual), h);
            b.take(h, true);
        }
        EXPECT_EQ(a.outcome.retries, 0u);
        EXPECT_EQ(b.outcome.retries, 8u);
        a.store();
        b.store();
        EXPECT_GT(a.results.contacts.point.size() + (i == 0), 0u);
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
