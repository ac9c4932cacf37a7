// The collision component against each-with-each answers, closed forms, and one thread against several.
#include "impuls/collision.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"
#include "impuls/errors.h"

namespace impuls {
namespace {

Vec3 unit(Rng& rng) {
    return rotate(rng.rotation(), {0, 0, 1});
}

struct Crowd {
    CollisionScene scene{};
    std::vector<Placed> placed{};
    std::vector<ProxyId> ids{};
    Executor executor{1};
};

void fill(Crowd& c, int n) {
    Convex tetrahedron;
    tetrahedron.points = {{0.3, 0.3, 0.3}, {0.3, -0.3, -0.3}, {-0.3, 0.3, -0.3}, {-0.3, -0.3, 0.3}};
    const Solid kinds[] = {
        Solid(Sphere{0.3}),        Solid(Box{{0.4, 0.5, 0.6}}),       Solid(Capsule{0.2, 0.5}),
        Solid(Cylinder{0.3, 0.5}), Solid(Ellipsoid{{0.4, 0.2, 0.3}}), Solid(tetrahedron)};
    Rng rng(6, 6);
    for (int k = 0; k < n; ++k) {
        c.placed.push_back({kinds[k % 6], {unit(rng) * rng.uniform(0, 4), rng.rotation()}});
        c.ids.push_back(c.scene.add(c.placed.back().solid, c.placed.back().pose));
    }
    c.scene.update(c.executor);
}

TEST(CollisionScene, QueriesAgreeWithEachWithEach) {
    Crowd c;
    fill(c, 150);
    Rng rng(7, 7);
    int rays = 0, near = 0, inside = 0, casts = 0;
    std::vector<ProxyId> overlapping;
    std::vector<RayResult> hits;
    for (int k = 0; k < 60; ++k) {
        const Placed ball{Solid(Sphere{0.2}), {unit(rng) * rng.uniform(0, 6), {}}};
        double best = 1;
        std::size_t nearest = c.ids.size();
        std::vector<ProxyId> touching;
        for (std::size_t i = 0; i < c.ids.size(); ++i) {
            const double d = distance(ball, c.placed[i]).distance;
            if (d <= best) best = d, nearest = i;
            if (d <= 0) touching.push_back(c.ids[i]);
        }
        const auto found = c.scene.closest({ball, 1});
        ASSERT_EQ(found.has_value(), nearest < c.ids.size());
        if (found) {
            ++near;
            EXPECT_NEAR(found->distance.distance, best, 1e-12);
        }
        c.scene.overlaps(ball, overlapping);
        EXPECT_EQ(overlapping, touching);
        inside += static_cast<int>(touching.size());

        const RayQuery q{ball.pose.position, unit(rng) * 0.5 - ball.pose.position, 3};
        double first = 3;
        std::size_t count = 0;
        for (const Placed& p : c.placed) {
            CollisionScene alone;
            alone.add(p.solid, p.pose);
            alone.update(c.executor);
            const RayResult r = alone.ray(q);
            if (r.hit) first = std::min(first, r.t), ++count;
        }
        const RayResult hit = c.scene.ray(q);
        EXPECT_EQ(hit.hit, count > 0);
        c.scene.ray_all(q, hits);
        EXPECT_EQ(hits.size(), count);
        if (hit.hit) {
            ++rays;
            EXPECT_EQ(hit.t, first);
        }

        const Sweep sweep{ball.pose, q.direction, {}};
        double earliest = 1;
        for (const Placed& p : c.placed)
            earliest = std::min(earliest, time_of_impact(ball.solid, sweep, p.solid, {p.pose, {}, {}}, 1).t);
        const auto cast = c.scene.cast({ball.solid, sweep, 1});
        if (cast) {
            ++casts;
            EXPECT_NEAR(cast->impact.t, earliest, 1e-12);
        } else {
            EXPECT_EQ(earliest, 1);
        }
    }
    EXPECT_GT(rays, 20);
    EXPECT_GT(near, 20);
    EXPECT_GT(inside, 5);
    EXPECT_GT(casts, 20);
}

TEST(CollisionScene, ContactsAgreeWithEachWithEachOnAnyNumberOfThreads) {
    Crowd c;
    fill(c, 150);
    const double margin = 0.02;
    const auto pairs = c.scene.contacts({.distance = margin}, c.executor);
    std::size_t expected = 0;
    for (std::size_t i = 0; i < c.ids.size(); ++i)
        for (std::size_t j = i + 1; j < c.ids.size(); ++j)
            expected += !contacts(c.placed[i], c.placed[j], margin).empty();
    EXPECT_GT(expected, 50u);
    ASSERT_EQ(pairs.size(), expected);
    Executor many(4);
    const auto again = c.scene.contacts({.distance = margin}, many);
    ASSERT_EQ(again.size(), pairs.size());
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        EXPECT_EQ(again[k].a, pairs[k].a);
        ASSERT_EQ(again[k].points.size(), pairs[k].points.size());
        EXPECT_EQ(again[k].points[0].position, pairs[k].points[0].position);
    }
}

TEST(CollisionScene, BatchesAreTheSingleQueriesOnAnyNumberOfThreads) {
    Crowd c;
    fill(c, 150);
    Rng rng(17, 7);
    std::vector<RayQuery> rays;
    std::vector<CastQuery> casts;
    std::vector<Placed> shapes;
    std::vector<NearQuery> near;
    std::vector<Vec3> points;
    const Solid box(Box{{0.3, 0.2, 0.4}});
    for (int k = 0; k < 100; ++k) {
        const Pose pose{unit(rng) * rng.uniform(0, 5), rng.rotation()};
        rays.push_back({pose.position, unit(rng), 4});
        casts.push_back({box, {pose, unit(rng) * 3, unit(rng)}, 1});
        shapes.push_back({box, pose});
        near.push_back({shapes.back(), 0.5});
        points.push_back(pose.position);
    }
    const std::size_t n = rays.size();
    for (const int threads : {1, 4}) {
        Executor executor(threads);
        std::vector<RayResult> hits(n);
        std::vector<std::optional<CastResult>> first(n);
        std::vector<std::optional<NearResult>> nearest(n);
        std::vector<std::vector<ProxyId>> overlaps(n);
        c.scene.rays(rays, hits, executor), c.scene.casts(casts, first, executor);
        c.scene.overlaps(shapes, overlaps, executor), c.scene.closest(near, nearest, executor);
        std::vector<std::vector<RayResult>> all(n);
        std::vector<std::vector<ProxyId>> holding(n);
        c.scene.ray_all(rays, all, executor), c.scene.at_point(points, holding, executor);
        int found = 0;
        std::size_t held = 0, passed = 0;
        for (std::size_t k = 0; k < n; ++k) {
            const RayResult hit = c.scene.ray(rays[k]);
            EXPECT_TRUE(hit.proxy == hits[k].proxy && hit.t == hits[k].t && hit.normal == hits[k].normal);
            const auto cast = c.scene.cast(casts[k]);
            ASSERT_EQ(cast.has_value(), first[k].has_value());
            EXPECT_TRUE(!cast || (cast->proxy == first[k]->proxy && cast->impact.t == first[k]->impact.t));
            const auto closest = c.scene.closest(near[k]);
            ASSERT_EQ(closest.has_value(), nearest[k].has_value());
            EXPECT_TRUE(!closest || (closest->proxy == nearest[k]->proxy &&
                                     closest->distance.point_b == nearest[k]->distance.point_b));
            std::vector<ProxyId> touching;
            c.scene.overlaps(shapes[k], touching);
            EXPECT_EQ(touching, overlaps[k]);
            std::vector<ProxyId> around;
            c.scene.at_point(points[k], around);
            EXPECT_EQ(around, holding[k]);
            std::vector<RayResult> through;
            c.scene.ray_all(rays[k], through);
            ASSERT_EQ(through.size(), all[k].size());
            for (std::size_t i = 0; i < through.size(); ++i)
                EXPECT_TRUE(through[i].proxy == all[k][i].proxy && through[i].t == all[k][i].t);
            held += around.size(), passed += through.size();
            found += hit.hit && cast && closest && !touching.empty();
        }
        EXPECT_GT(found, 5);
        EXPECT_GT(held, 2u);
        EXPECT_GT(passed, n / 2);
    }
}

TEST(CollisionScene, FiltersSensorsAndIds) {
    CollisionScene scene;
    Executor executor(1);
    const Solid ball(Sphere{0.5});
    const ProxyId a = scene.add(ball, {{0, 0, 0}, {}}, {1, 2});
    const ProxyId b = scene.add(ball, {{0.6, 0, 0}, {}}, {2, 1});
    const ProxyId c = scene.add(ball, {{0, 0.6, 0}, {}}, {4, 0xffffffffu});
    const ProxyId s = scene.add(ball, {{-0.6, 0, 0}, {}}, {2, 1}, true);
    scene.update(executor);
    const auto pairs = scene.contacts({}, executor);
    ASSERT_EQ(pairs.size(), 2u);  // a-b and a-s; nobody's mask holds c's layer
    EXPECT_EQ(pairs[0].b, b);
    EXPECT_FALSE(pairs[0].sensor);
    EXPECT_EQ(pairs[1].b, s);
    EXPECT_TRUE(pairs[1].sensor);
    const RayQuery ahead{{-5, 0, 0}, {1, 0, 0}};
    EXPECT_EQ(scene.ray(ahead).proxy, a);  // past the sensor
    EXPECT_EQ(scene.ray(ahead, {.sensors = true}).proxy, s);
    EXPECT_EQ(scene.ray(ahead, {.ignore = a}).proxy, b);
    EXPECT_EQ(scene.ray(ahead, {.mask = 2}).proxy, b);
    std::vector<ProxyId> found;
    scene.at_point({0, 0.9, 0}, found);
    EXPECT_EQ(found, std::vector<ProxyId>{c});
    scene.at_point({-0.7, 0, 0}, found);
    EXPECT_TRUE(found.empty());
    scene.at_point({-0.7, 0, 0}, found, {.sensors = true});
    EXPECT_EQ(found, std::vector<ProxyId>{s});

    scene.remove(a);
    EXPECT_THROW(scene.set_pose(a, {}), InputError);
    EXPECT_EQ(scene.size(), 3u);
    EXPECT_TRUE(scene.ray(ahead, {.mask = 1}).hit);  // not before the update
    scene.update(executor);
    EXPECT_FALSE(scene.ray(ahead, {.mask = 1}).hit);
    const ProxyId d = scene.add(ball, {});
    EXPECT_EQ(d.index, a.index);
    EXPECT_NE(d.generation, a.generation);
}

TEST(CollisionComponent, ClosedForms) {
    const Solid ground{Plane{}}, ball{Sphere{0.5}}, cube{Box{{1, 1, 1}}};
    const Distance d = distance({ground, {}}, {ball, {{3, 2, 1}, {}}});
    EXPECT_NEAR(d.distance, 1.5, 1e-15);
    EXPECT_LT(length(d.normal - Vec3{0, 1, 0}) + length(d.point_a - Vec3{3, 0, 1}), 1e-14);
    EXPECT_NEAR(distance({cube, {}}, {ball, {{2, 0, 0}, {}}}).distance, 1, 1e-12);
    EXPECT_NEAR(shared_volume({cube, {{9, 9, 9}, {}}}, {cube, {{9.5, 9.25, 9}, {}}}).volume, 0.5 * 0.75,
                1e-13);
    EXPECT_THROW(shared_volume({cube, {}}, {ball, {}}), InputError);
    EXPECT_THROW(Solid{Convex{}}, InputError);
    EXPECT_TRUE(contains({cube, {{1, 0, 0}, {}}}, {1.4, 0.2, 0}));
    EXPECT_FALSE(contains({cube, {{1, 0, 0}, {}}}, {1.6, 0.2, 0}));
    const ImpactTime i = time_of_impact(ball, {{{0, 5, 0}, {}}, {0, -9, 0}, {}}, ground, {}, 1);
    EXPECT_TRUE(i.hit);
    EXPECT_LE(i.t, 0.5);
    EXPECT_GE(i.t, 0.5 - 1e-3 * 0.5 / 9);
}

// A ball over a mesh and over a height field: the nearest of all triangles' points, found by fine sampling.
TEST(CollisionComponent, DistanceToSurfaces) {
    HeightField field;
    field.columns = 6, field.spacing = 0.5;
    Rng rng(2, 3);
    for (int k = 0; k < 36; ++k) field.heights.push_back(rng.uniform(-0.2, 0.2));
    const auto height = [&](int i, int j) { return field.heights[static_cast<std::size_t>(6 * j + i)]; };
    for (int k = 0; k < 20; ++k) {
        const Vec3 p{rng.uniform(-1, 1), rng.uniform(0.6, 2), rng.uniform(-1, 1)};
        double best = 10;
        for (int j = 0; j < 5; ++j)
            for (int i = 0; i < 5; ++i)
                for (int u = 0; u <= 40; ++u)
                    for (int v = 0; v <= 40; ++v) {  // the diagonal runs from (0, 0) to (1, 1)
                        const double x = u / 40.0, z = v / 40.0, h0 = height(i, j), h1 = height(i + 1, j + 1);
                        const double y = z >= x
                                             ? h0 + z * (height(i, j + 1) - h0) + x * (h1 - height(i, j + 1))
                                             : h0 + x * (height(i + 1, j) - h0) + z * (h1 - height(i + 1, j));
                        best =
                            std::min(best, length(p - Vec3{-1.25 + 0.5 * (i + x), y, -1.25 + 0.5 * (j + z)}));
                    }
        const double d = distance({Solid(field), {}}, {Solid(Sphere{0.1}), {p, {}}}).distance;
        EXPECT_LE(d, best - 0.1 + 1e-12);
        EXPECT_GE(d, best - 0.1 - 1e-3);
    }
}

}  // namespace
}  // namespace impuls
