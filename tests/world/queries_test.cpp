// Queries of a running world against bodies asked one by one, closed forms, batches and threads; after
// commands and after a restore; without allocation.
#include "impuls/query.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "base/rng.h"
#include "impuls/errors.h"
#include "impuls/world.h"
#include "mixed_scene.h"
#include "support/counting_new.h"
#include "support/solid_meshes.h"

namespace impuls {
namespace {

Vec3 unit(Rng& rng) {
    return rotate(rng.rotation(), {0, 0, 1});
}

// One body of every shape and kind, many times over, without gravity so that nothing leaves.
Scene crowd(int n) {
    Scene scene;
    scene.settings.gravity = {};
    Convex tetrahedron;
    tetrahedron.points = {{0.3, 0.3, 0.3}, {0.3, -0.3, -0.3}, {-0.3, 0.3, -0.3}, {-0.3, -0.3, 0.3}};
    HeightField field;
    field.columns = 3, field.spacing = 0.4, field.heights = {0, 0.1, 0, 0.2, 0.1, 0, 0, 0, 0.1};
    const Mesh mesh = meshes::mesh_of(Capsule{0.2, 0.4}, 8);
    const Compound pair{{{{0.2, 0, 0}, {}, Sphere{0.2}}, {{-0.2, 0, 0}, {}, Box{{0.3, 0.3, 0.3}}}}};
    const Shape shapes[] = {Sphere{0.3},
                            Box{{0.4, 0.5, 0.6}},
                            Capsule{0.2, 0.5},
                            Cone{0.3, 0.5},
                            Cylinder{0.3, 0.5},
                            Ellipsoid{{0.4, 0.2, 0.3}},
                            tetrahedron,
                            mesh /* a distance field */,
                            pair,
                            field,
                            mesh /* a surface */};
    Rng rng(21, 4);
    for (int k = 0; k < n; ++k) {
        BodyDesc b;
        b.name = "b" + std::to_string(k), b.shape = shapes[k % 11];
        b.position = unit(rng) * rng.uniform(1, 5), b.orientation = rng.rotation();
        b.kind = k % 11 >= 9 ? BodyKind::Static : k % 5 == 4 ? BodyKind::Kinematic : BodyKind::Dynamic;
        b.layer = k % 3, b.sensor = k % 7 == 3, b.active = k % 13 != 5;
        b.ignores = {0, 1, 2};
        scene.bodies.push_back(b);
    }
    return scene;
}

// The world with one body only, asked instead of the tree: the same body by name.
struct Alone {
    std::vector<std::unique_ptr<World>> worlds{};
    std::vector<std::string> names{};

    explicit Alone(const Scene& scene) {
        for (const BodyDesc& b : scene.bodies) {
            Scene one;
            one.settings = scene.settings;
            one.bodies = {b};
            worlds.push_back(std::make_unique<World>(one));
            names.push_back(b.name);
        }
    }
};

struct Questions {
    std::vector<RayQuery> rays{};
    std::vector<CastQuery> casts{};
    std::vector<Placed> shapes{};
    std::vector<NearQuery> near{};

    explicit Questions(int n) {
        const Solid solids[] = {Solid(Sphere{0.2}), Solid(Box{{0.3, 0.2, 0.4}}), Solid(Capsule{0.1, 0.4}),
                                Solid(meshes::mesh_of(Sphere{0.3}, 6))};
        Rng rng(5, 9);
        for (int k = 0; k < n; ++k) {
            const Pose pose{unit(rng) * rng.uniform(0, k % 2 ? 3 : 7), rng.rotation()};
            const Vec3 way = unit(rng) * 2 - pose.position;
            rays.push_back({pose.position, way, rng.uniform(0.5, 3)});
            casts.push_back({solids[k % 3], {pose, way, unit(rng) * rng.uniform(0, 2)}, 1});
            shapes.push_back({solids[k % 4], pose});
            near.push_back({shapes.back(), rng.uniform(0.2, 2)});
        }
    }
};

TEST(WorldQueries, agree_with_bodies_asked_one_by_one) {
    const Scene scene = crowd(110);
    World world(scene);
    const Alone alone(scene);
    const Questions q(100);
    const BodyFilter filters[] = {{},
                                  {.sensors = true},
                                  {.layers = 5, .ignore = world.find_body("b6")},
                                  {.statics = false, .kinematics = false}};
    int hits = 0, casts = 0, near = 0, inside = 0, points = 0;
    std::vector<BodyHit> all;
    std::vector<BodyId> found;
    for (std::size_t k = 0; k < q.rays.size(); ++k) {
        BodyFilter filter = filters[k % 4];
        const BodyId ignored = filter.ignore;
        const auto hit = world.ray(q.rays[k], filter);
        const auto cast = world.cast(q.casts[k], filter);
        const auto closest = world.closest(q.near[k], filter);
        const auto to_point = world.closest(q.rays[k].origin, 1, filter);
        world.ray_all(q.rays[k], all, filter);
        std::vector<BodyId> overlapping, holding;
        world.overlaps(q.shapes[k], overlapping, filter);
        world.at_point(q.rays[k].origin, holding, filter);

        filter.ignore = {};
        double first = 1e9, earliest = 1e9, least = 1e9, point = 1e9;
        std::size_t count = 0;
        std::vector<BodyId> overlapping_one, holding_one;
        for (std::size_t i = 0; i < alone.worlds.size(); ++i) {
            const World& one = *alone.worlds[i];
            const BodyId id = world.find_body(alone.names[i]);
            if (id == ignored) continue;
            if (const auto h = one.ray(q.rays[k], filter)) first = std::min(first, h->distance), ++count;
            if (const auto c = one.cast(q.casts[k], filter)) earliest = std::min(earliest, c->t);
            if (const auto c = one.closest(q.near[k], filter)) least = std::min(least, c->distance);
            if (const auto c = one.closest(q.rays[k].origin, 1, filter)) point = std::min(point, c->distance);
            one.overlaps(q.shapes[k], found, filter);
            if (!found.empty()) overlapping_one.push_back(id);
            one.at_point(q.rays[k].origin, found, filter);
            if (!found.empty()) holding_one.push_back(id);
        }
        EXPECT_EQ(hit ? hit->distance : 1e9, first) << k;
        EXPECT_EQ(all.size(), count) << k;
        EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [](const BodyHit& a, const BodyHit& b) {
            return a.distance < b.distance;
        }));
        EXPECT_NEAR(cast ? cast->t : 1e9, earliest, 1e-9) << k;
        EXPECT_NEAR(closest ? closest->distance : 1e9, least, 1e-12) << k;
        EXPECT_NEAR(to_point ? to_point->distance : 1e9, point, 1e-12) << k;
        EXPECT_EQ(overlapping, overlapping_one) << k;
        EXPECT_EQ(holding, holding_one) << k;
        hits += hit.has_value(), casts += cast.has_value(), near += closest.has_value();
        inside += static_cast<int>(overlapping.size()), points += static_cast<int>(holding.size());
    }
    EXPECT_GT(hits, 25);
    EXPECT_GT(casts, 25);
    EXPECT_GT(near, 20);
    EXPECT_GT(inside, 15);
    EXPECT_GT(points, 3);
}

TEST(WorldQueries, batches_are_the_single_queries_on_any_number_of_threads) {
    const Scene scene = crowd(110);
    const Questions q(90);
    const std::size_t n = q.rays.size();
    World one(scene), three(scene, std::make_shared<Executor>(3));
    std::size_t hits_in_all = 0, held = 0;
    for (const World* world : {&one, &three}) {
        std::vector<std::optional<BodyHit>> hits(n), near(n);
        std::vector<std::optional<BodyCast>> casts(n);
        std::vector<std::vector<BodyId>> overlaps(n);
        world->rays(q.rays, hits), world->casts(q.casts, casts);
        world->overlaps(q.shapes, overlaps), world->closest(q.near, near);
        std::vector<std::vector<BodyHit>> all(n);
        std::vector<std::vector<BodyId>> holding(n);
        std::vector<Vec3> points;
        for (const RayQuery& ray : q.rays) points.push_back(ray.origin);
        world->ray_all(q.rays, all), world->at_point(points, holding);
        for (std::size_t k = 0; k < n; ++k) {
            const auto hit = one.ray(q.rays[k]), closest = one.closest(q.near[k]);
            const auto cast = one.cast(q.casts[k]);
            std::vector<BodyId> found;
            one.overlaps(q.shapes[k], found);
            ASSERT_EQ(hit.has_value(), hits[k].has_value());
            if (hit) {
                EXPECT_EQ(hit->point, hits[k]->point);
            }
            ASSERT_EQ(closest.has_value(), near[k].has_value());
            if (closest) {
                EXPECT_EQ(closest->point, near[k]->point);
            }
            ASSERT_EQ(cast.has_value(), casts[k].has_value());
            if (cast) {
                EXPECT_EQ(cast->t, casts[k]->t);
            }
            EXPECT_EQ(found, overlaps[k]);
            one.at_point(points[k], found);
            EXPECT_EQ(found, holding[k]);
            std::vector<BodyHit> hit_all;
            one.ray_all(q.rays[k], hit_all);
            ASSERT_EQ(hit_all.size(), all[k].size());
            for (std::size_t i = 0; i < hit_all.size(); ++i) EXPECT_EQ(hit_all[i].point, all[k][i].point);
            hits_in_all += hit_all.size(), held += found.size();
        }
    }
    EXPECT_GT(hits_in_all, n);
    EXPECT_GT(held, 2u);
    std::vector<std::optional<BodyHit>> few(3);
    EXPECT_THROW(one.rays(q.rays, few), InputError);
}

// The first query after a step builds the index: several threads at once must all see the whole of it.
TEST(WorldQueries, several_threads_may_ask_first) {
    World world(crowd(110));
    const Questions q(60);
    for (int round = 0; round < 5; ++round) {
        world.step();
        std::array<double, 4> sums{};
        std::vector<std::thread> threads;
        for (double& sum : sums)
            threads.emplace_back([&] {
                for (const RayQuery& ray : q.rays)
                    if (const auto hit = world.ray(ray)) sum += hit->distance;
            });
        for (auto& thread : threads) thread.join();
        for (const double sum : sums) EXPECT_EQ(sum, sums[0]);
        EXPECT_GT(sums[0], 1);
    }
}

TEST(WorldQueries, closed_forms) {
    Scene scene;
    BodyDesc ground, ball;
    ground.name = "ground", ground.shape = Plane{}, ground.kind = BodyKind::Static;
    ball.name = "ball", ball.shape = Sphere{0.5}, ball.position = {0, 3, 0};
    scene.bodies = {ground, ball};
    const World world(scene);
    const auto hit = world.ray({{0, 9, 0}, {0, -2, 0}});
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->body, world.find_body("ball"));
    EXPECT_NEAR(hit->distance, 5.5, 1e-14);  // in metres, whatever the length of the direction
    EXPECT_NEAR(length(hit->point - Vec3{0, 3.5, 0}) + length(hit->normal - Vec3{0, 1, 0}), 0, 1e-14);
    const auto near = world.closest(Vec3{0, 1, 0}, 10);
    ASSERT_TRUE(near);
    EXPECT_NEAR(near->distance, 1, 1e-14);
    EXPECT_NEAR(length(near->normal - Vec3{0, 1, 0}) + length(near->point), 0, 1e-14);
    const auto in = world.closest(Vec3{0, 3.1, 0}, 10);
    ASSERT_TRUE(in && in->inside);
    EXPECT_NEAR(in->distance, -0.4, 1e-12);
    const auto cast = world.cast({Solid(Sphere{0.25}), {{{0, 6, 0}, {}}, {0, -3, 0}, {}}, 1});
    ASSERT_TRUE(cast && !cast->limit);
    EXPECT_NEAR(cast->hit.distance, 2.25, 1e-3 * 0.25);
    EXPECT_NEAR(cast->hit.distance, 3 * cast->t, 1e-15);
    EXPECT_FALSE(world.ray({{0, 9, 0}, {0, -2, 0}}, {.statics = false, .ignore = hit->body}));
    EXPECT_THROW(world.ray({{0, 9, 0}, {0, -2, 0}}, {.ignore = {77, 0}}), InputError);
}

TEST(WorldQueries, follow_steps_commands_and_restores) {
    Scene scene;
    BodyDesc ball;
    ball.name = "ball", ball.shape = Sphere{0.5}, ball.velocity = {1, 0, 0}, scene.settings.gravity = {};
    scene.bodies = {ball};
    World world(scene);
    const RayQuery along{{-10, 0, 0}, {1, 0, 0}}, aside{{-10, 5, 0}, {1, 0, 0}};
    const auto ahead = [&] { return world.ray(along)->distance; };
    EXPECT_NEAR(ahead(), 9.5, 1e-13);
    const auto saved = world.checkpoint();
    world.step();
    EXPECT_NEAR(ahead(), 9.5 + world.dt(), 1e-13);

    BodyDesc second = ball;
    second.name = "second", second.position = {0, 5, 0}, second.velocity = {};
    world.apply(Put{.bodies = {second}});
    EXPECT_FALSE(world.ray(aside));  // not before the step
    world.step();
    const auto added = world.ray(aside);
    ASSERT_TRUE(added);
    EXPECT_EQ(added->body, world.find_body("second"));
    world.apply(SetActive{"ball", false});
    world.step();
    EXPECT_FALSE(world.ray(along));
    world.apply(Remove{.bodies = {"ball"}});
    world.step();
    EXPECT_EQ(world.ray(aside)->body, world.find_body("second"));
    world.restore(saved);
    EXPECT_NEAR(ahead(), 9.5, 1e-13);
    EXPECT_FALSE(world.ray(aside));
    world.drop_caches();
    EXPECT_NEAR(ahead(), 9.5, 1e-13);
}

// Asking does not change what happens.
TEST(WorldQueries, leave_the_future_alone) {
    World asked(mixed_scene()), left(mixed_scene());
    for (int k = 0; k < 60; ++k) {
        asked.ray({{0, 20, 0}, {0, -1, 0}});
        asked.step(), left.step();
    }
    EXPECT_EQ(asked.state_hash(), left.state_hash());
}

TEST(WorldQueries, take_no_memory_once_warm) {
    World world(crowd(110));
    const Questions q(60);
    std::vector<BodyHit> hits;
    std::vector<BodyId> bodies;
    std::size_t found = 0;
    long before = 0;
    for (int round = 0; round < 2; ++round) {
        before = allocations;
        for (std::size_t k = 0; k < q.rays.size(); ++k) {
            found += world.ray(q.rays[k]).has_value();
            world.ray_all(q.rays[k], hits);
            world.overlaps(q.shapes[k], bodies);
            found += hits.size() + bodies.size() + world.closest(q.near[k]).has_value() +
                     world.cast(q.casts[k]).has_value();
        }
    }
    EXPECT_EQ(allocations - before, 0);
    EXPECT_GT(found, 100u);
}

}  // namespace
}  // namespace impuls
