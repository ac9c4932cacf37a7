// What a step knows of its pairs, against the slow way: by looking at all contacts and at the bodies.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "running.h"

namespace impuls {
namespace {

// Spheres and boxes, also as parts of one body, thrown into a heap; a sensor among them.
Scene thrown_heap() {
    Scene scene = scene_with_floor();
    Rng rng(3, 9);
    for (int k = 0; k < 60; ++k) {
        const Vec3 at{rng.uniform(-1, 1), rng.uniform(0.3, 4), rng.uniform(-1, 1)};
        const double r = rng.uniform(0.1, 0.25);
        Shape shape = Sphere{r};
        if (k % 5 == 1) shape = Box{{2 * r, 2 * r, r}};
        if (k % 5 == 2) {
            Compound two;
            two.parts.push_back({{-r, 0, 0}, {}, Sphere{r}});
            two.parts.push_back({{r, 0, 0}, {}, Sphere{0.8 * r}});
            shape = two;
        }
        BodyDesc body = some_body("b" + std::to_string(k), shape, at);
        body.velocity = {rng.uniform(-6, 6), rng.uniform(-6, 6), rng.uniform(-6, 6)};
        body.angular_velocity = {0, rng.uniform(-9, 9), 0};
        scene.bodies.push_back(body);
    }
    BodyDesc sensor = some_body("sensor", Sphere{0.5}, {0, 0.5, 0}, BodyKind::Static);
    sensor.sensor = true;
    scene.bodies.push_back(sensor);
    scene.settings.method = parse_method("fast");
    return scene;
}

double reach_in_a_step(const WorldState& s, std::uint32_t k) {
    const double turn = length(s.bodies.w[k]) * s.bodies.radius[k];
    const Vec3 a = s.bodies.is_dynamic(k)
                       ? s.gravity * s.bodies.gravity_scale[k] + s.bodies.force[k] * s.bodies.inv_mass[k]
                       : Vec3{};
    return s.dt * (turn + s.dt * length(a));
}

bool are_spheres_close(const WorldState& s, std::size_t p) {
    const auto [a, b] = s.pairs.bodies[p];
    const Collider& ca = s.bodies.colliders[a][s.pairs.keys[p].element_a];
    const Collider& cb = s.bodies.colliders[b][s.pairs.keys[p].element_b];
    const double size = std::min(ca.size, cb.size);
    const double way =
        s.dt * length(s.bodies.v[b] - s.bodies.v[a]) + reach_in_a_step(s, a) + reach_in_a_step(s, b);
    const double margin = rounded_margin(size, 0.05 * (ca.size + cb.size) + 0.02 * size + way);
    const double gap = length(s.bodies.pose[b] * cb.X_BC.position - s.bodies.pose[a] * ca.X_BC.position) -
                       ca.radius - cb.radius;
    return gap <= margin;
}

// What is known from the last step, and what is looked up when something happened in between, is the same.
TEST(Pairs, are_known_from_the_last_step) {
    Scene scene = thrown_heap();
    JointDesc joint;
    joint.name = "j", joint.a = "b0", joint.b = "b1", joint.joint = BallJoint{{0, 1, 0}};
    scene.joints.push_back(joint);
    Running world(scene);
    WorldState& s = world.s;
    s.executor = std::make_shared<Executor>(2);
    const auto change = [&](const Command& command) { apply_now(s, {&command, 1}); };
    std::size_t known = 0, fresh = 0;
    for (int step = 0; step < 60; ++step) {
        if (step % 9 == 8) change(Remove{.bodies = {"b" + std::to_string(step)}});
        if (step == 20) change(SetJoint{"j", false});
        if (step == 30) change(SetActive{"b3", false});
        if (step == 40) change(SetActive{"b3", true});
        if (step % 4 == 3) s.pairs.contact_start.clear();
        if (step % 5 == 4) s.pairs.search.can_compare = false;
        const std::vector<PairKey> last = s.pairs.keys;
        find_pairs(s);
        ASSERT_TRUE(std::is_sorted(s.pairs.keys.begin(), s.pairs.keys.end()));
        for (std::size_t p = 0; p < s.pairs.keys.size(); ++p) {
            const auto at = std::lower_bound(last.begin(), last.end(), s.pairs.keys[p]);
            const bool was_there = at != last.end() && *at == s.pairs.keys[p];
            ASSERT_EQ(s.pairs.search.places[p].is_known(), was_there);
            ASSERT_EQ(s.pairs.search.places[p].place(), at - last.begin());
            const auto [a, b] = s.pairs.bodies[p];
            ASSERT_EQ(s.pairs.edge[p], s.graph.find_edge(s.bodies.uid[a], s.bodies.uid[b]));
            ASSERT_TRUE(s.graph.admits(a, b));
            ++(was_there ? known : fresh);
        }
        const auto starts = s.pairs.old_start;
        const auto present = s.pairs.has_contact;
        s.pairs.contact_start.clear(), s.pairs.search.can_compare = false;
        find_pairs(s);
        ASSERT_EQ(starts, s.pairs.old_start);
        ASSERT_EQ(present, s.pairs.has_contact);
        world.step();
        ASSERT_TRUE(s.output.status.ok);
    }
    EXPECT_GT(known, 1000u);
    EXPECT_GT(fresh, 200u);
}

TEST(Pairs, are_screened_as_the_bodies_say) {
    Running world(thrown_heap());
    std::size_t spheres = 0, close = 0, kept = 0, sensed = 0;
    for (int step = 0; step < 80; ++step) {
        WorldState& s = world.s;
        find_pairs(s), screen_pairs(s);
        for (std::size_t p = 0; p < s.pairs.bodies.size(); ++p) {
            const auto [a, b] = s.pairs.bodies[p];
            std::vector<std::size_t> old;
            bool is_present = false;
            for (std::size_t c = 0; c < s.contacts.size(); ++c)
                if (s.contacts[c].key == s.pairs.keys[p])
                    old.push_back(c), is_present |= s.contacts[c].is_present;
            if (!old.empty()) {
                ASSERT_EQ(s.pairs.old_start[p], old.front());
            }
            ASSERT_LE(old.size(), s.pairs.old_start[p + 1] - s.pairs.old_start[p]);
            ASSERT_EQ(s.pairs.has_contact[p] != 0, is_present);
            const bool can_touch = s.islands.contact_edges[p].first != kNoNode;
            const bool is_sensed = s.bodies.is_sensor[a] || s.bodies.is_sensor[b];
            ASSERT_EQ(is_sensed, s.graph.edges[s.pairs.edge[p]].kind == EdgeKind::Geometrical);
            const Collider& ca = s.bodies.colliders[a][s.pairs.keys[p].element_a];
            const Collider& cb = s.bodies.colliders[b][s.pairs.keys[p].element_b];
            sensed += is_sensed, kept += is_present;
            if (is_sensed || is_present) {
                ASSERT_EQ(can_touch, !is_sensed);
            } else if (ca.kind == ColliderKind::Sphere && cb.kind == ColliderKind::Sphere) {
                ASSERT_EQ(can_touch, are_spheres_close(s, p)) << step << ' ' << p;
                ++spheres, close += can_touch;
            }
        }
        world.step();
        ASSERT_TRUE(s.output.status.ok);
    }
    EXPECT_GT(spheres, close + 100);
    EXPECT_GT(close, 100u);
    EXPECT_GT(kept, 100u);
    EXPECT_GT(sensed, 10u);
}

}  // namespace
}  // namespace impuls
