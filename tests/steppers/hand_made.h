// Islands made by hand, without a world: bodies, joints, pairs and groups as a world would hand them over,
// and the island gathered from them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "collision/graph/groups.h"
#include "impuls/scene.h"
#include "steppers/island.h"
#include "steppers/results.h"
#include "steppers/scatter.h"
#include "support/constants.h"

namespace impuls {

// All colliders of bodies that collide, one pair for every two of them whose bodies collide and of which one
// is dynamic, all joints.
struct HandMade {
    Scene structure{};
    Method method;
    double dt = 1.0 / 60;
    Vec3 gravity{0, -kG, 0};
    double reach = kUnbounded;  // m: pairs whose bounding spheres are farther apart are left out
    BodySet bodies{};
    JointSet joints{};
    ForceSet forces{};  // none
    ContactLaws laws{};
    Executor executor;
    std::vector<std::uint32_t> number{}, first{}, node_of{}, old_start{};
    std::vector<Outline> outlines{};
    std::vector<double> sizes{};
    std::vector<Pair> colliders{}, body_pairs{};
    std::vector<PairKey> keys{};
    ContactPoints points{};
    PairCache cache{};
    Groups groups{};
    Island island{};
    Results results{};
    Outcome outcome{};

    explicit HandMade(const std::string& name = "default", int threads = 1)
        : method(resolve(parse_method(name))), executor(threads) {
        structure.materials.emplace_back().name = "m";
    }
    MaterialDesc& material() { return structure.materials[0]; }
    std::uint32_t add(const BodyDesc& desc, std::uint32_t of = 0) {
        structure.bodies.push_back(desc);
        bodies.add(desc, structure.materials[of], of);
        return static_cast<std::uint32_t>(bodies.size() - 1);
    }
    std::uint32_t add_ground() {
        BodyDesc ground;
        ground.name = "ground";
        ground.kind = BodyKind::Static;
        ground.shape = Plane{};
        return add(ground);
    }
    void hold(std::uint32_t a, std::uint32_t b, const Joint& joint, std::uint32_t c = kNoBody) {
        JointDesc desc;
        desc.joint = joint;
        joints.add(desc, bodies, a, b, c);
    }

    WorldView view() {
        WorldView v{method, dt, gravity, bodies, joints, laws, structure, {}, {}, executor};
        v.colliders = {number, first, outlines, sizes};
        v.pairs = {colliders, body_pairs, keys, points, old_start, &cache};
        v.forces = &forces;
        return v;
    }
    // What the world knows before a step: laws, outlines, pairs, groups.
    void prepare() {
        laws.build(structure.materials, structure.contacts);
        list_colliders();
        list_pairs();
        list_groups();
        node_of.resize(bodies.size());
    }
    void gather_island(std::size_t i = 0) {
        gather(view(), groups, i, node_of, island);
        results.clear();
        outcome = {};
    }
    // Bodies, joints and contacts are then those after the step.
    void take_over() {
        std::vector<Motion> next(bodies.size());
        StepOutput out{next, joints, bodies};
        scatter(view(), island, out);
        for (const IslandNode& node : island.dynamic_nodes()) {
            bodies.pose[node.body] = next[node.body].pose;
            bodies.v[node.body] = next[node.body].v;
            bodies.w[node.body] = next[node.body].w;
        }
        for (const std::uint32_t k : bodies.of_particles) {
            std::swap(bodies.particles[k]->now, bodies.particles[k]->next);
            bodies.particles[k]->has_next = false;
        }
        points = results.contacts.point;
    }
    // A step by a stepper that must take the island; all bodies are in one.
    template <class Scratch>
    void step_by(Refusal (*fits)(const WorldView&, const Island&),
                 Refusal (*advance)(const WorldView&, Island&, Scratch&, Results&, Outcome&),
                 Scratch& scratch) {
        prepare();
        ASSERT_EQ(groups.size(), 1u);
        gather_island();
        ASSERT_EQ(fits(view(), island), Refusal::None);
        ASSERT_EQ(advance(view(), island, scratch, results, outcome), Refusal::None);
        ASSERT_EQ(results.failure, "");
        take_over();
    }
    // On the later bodies of all pairs, N s in the step.
    Vec3 impulse() const {
        Vec3 sum;
        for (const ContactPoint& p : points) sum += p.sum;
        return sum;
    }

  private:
    void list_colliders() {
        number.clear();
        first.clear();
        outlines.clear();
        sizes.clear();
        for (std::uint32_t k = 0; k < bodies.size(); ++k) {
            first.push_back(static_cast<std::uint32_t>(number.size()));
            for (std::uint32_t e = 0; e < bodies.colliders[k].size(); ++e) {
                const Collider& c = bodies.colliders[k][e];
                number.push_back(e);
                outlines.push_back({bodies.carrier_pose(k, e) * c.X_BC.position, bodies.v[k], 0,
                                    c.kind == ColliderKind::Sphere ? c.radius : 0});
                sizes.push_back(c.size);
            }
        }
        first.push_back(static_cast<std::uint32_t>(number.size()));
    }
    bool may_touch(std::uint32_t a, std::uint32_t b) const {
        if (!bodies.collides[a] || !bodies.collides[b]) return false;
        if (!bodies.is_dynamic(a) && !bodies.is_dynamic(b)) return false;
        if (bodies.radius[a] == 0 || bodies.radius[b] == 0) return true;
        const double distance = length(bodies.pose[a].position - bodies.pose[b].position);
        return distance <= bodies.radius[a] + bodies.radius[b] + reach;
    }
    void list_pairs() {
        const auto last_keys = keys;
        const auto count = static_cast<std::uint32_t>(bodies.size());
        colliders.clear();
        body_pairs.clear();
        keys.clear();
        old_start.clear();
        for (std::uint32_t a = 0; a < count; ++a)
            for (std::uint32_t b = a + 1; b < count; ++b) {
                if (!may_touch(a, b)) continue;
                for (std::uint32_t ca = first[a]; ca < first[a + 1]; ++ca)
                    for (std::uint32_t cb = first[b]; cb < first[b + 1]; ++cb) {
                        colliders.emplace_back(ca, cb);
                        body_pairs.emplace_back(a, b);
                        keys.push_back({bodies.uid[a], bodies.uid[b], number[ca], number[cb]});
                        const auto at = std::find_if(points.begin(), points.end(),
                                                     [&](const auto& p) { return p.key >= keys.back(); });
                        old_start.push_back(static_cast<std::uint32_t>(at - points.begin()));
                    }
            }
        old_start.push_back(static_cast<std::uint32_t>(points.size()));
        std::vector<LastPlace> places;
        for (std::size_t p = 0; p < keys.size(); ++p) places.emplace_back(p, keys == last_keys);
        cache.match(places);
    }
    void list_groups() {
        std::vector<NodeRole> roles;
        std::vector<std::uint32_t> members;
        for (std::uint32_t k = 0; k < bodies.size(); ++k) {
            roles.push_back(bodies.is_dynamic(k)                 ? NodeRole::Mover
                            : bodies.kind[k] == BodyKind::Static ? NodeRole::Fixed
                                                                 : NodeRole::Scripted);
            members.push_back(k);
        }
        std::vector<Pair> edges;
        for (std::uint32_t j = 0; j < joints.size(); ++j) edges.emplace_back(joints.a[j], joints.b[j]);
        for (std::uint32_t j = 0; j < joints.size(); ++j)
            if (joints.c[j] != kNoBody) edges.emplace_back(joints.a[j], joints.c[j]);
        for (const std::uint32_t k : bodies.of_particles) edges.emplace_back(k, kNoNode);
        groups.build(roles, members, body_pairs, edges, executor);
    }
};

inline BodyDesc some_body(const Shape& shape, const Vec3& at, const Vec3& v = {}, double mass = 2) {
    BodyDesc desc;
    desc.name = "body";
    desc.shape = shape;
    desc.position = at;
    desc.velocity = v;
    desc.mass = mass;
    return desc;
}

inline BodyDesc resting_box(const Vec3& v = {}) {
    return some_body(Box{{1, 1, 1}}, {0, 0.5, 0}, v);
}

// Bit for bit, but for signs of zeros: bodies, pairs, and all that joints remember.
inline void expect_same(const Island& is, const Island& was) {
    ASSERT_EQ(is.nodes.size(), was.nodes.size());
    for (std::size_t k = 0; k < was.nodes.size(); ++k) {
        EXPECT_EQ(is.nodes[k].body, was.nodes[k].body);
        EXPECT_EQ(is.nodes[k].pose, was.nodes[k].pose);
        EXPECT_EQ(is.nodes[k].v, was.nodes[k].v);
        EXPECT_EQ(is.nodes[k].w, was.nodes[k].w);
    }
    ASSERT_EQ(is.pairs.size(), was.pairs.size());
    for (std::size_t k = 0; k < was.pairs.size(); ++k) EXPECT_EQ(is.pairs[k].margin, was.pairs[k].margin);
    EXPECT_EQ(is.memory.impulses, was.memory.impulses);
    EXPECT_EQ(is.memory.angles, was.memory.angles);
    EXPECT_EQ(is.memory.axis_impulses, was.memory.axis_impulses);
    EXPECT_EQ(is.memory.pace, was.memory.pace);
    EXPECT_EQ(is.memory.is_paced, was.memory.is_paced);
    ASSERT_EQ(is.memory.reactions.size(), was.memory.reactions.size());
    for (std::size_t k = 0; k < was.memory.reactions.size(); ++k) {
        EXPECT_EQ(is.memory.reactions[k].force, was.memory.reactions[k].force);
        EXPECT_EQ(is.memory.reactions[k].torque, was.memory.reactions[k].torque);
    }
}

}  // namespace impuls
