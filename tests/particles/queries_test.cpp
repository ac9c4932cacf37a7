// Queries that meet ropes, sheets and loose particles, against brute force: the distance of a point from a
// body of particles is that from the nearest of its triangles, links and particles, less their radius.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rng.h"
#include "particle_worlds.h"

namespace impuls {
namespace {

// The nearest point of a triangle by minimising over its weights: one inside, else along its edges.
double from_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
    const Vec3 d = b - a;
    const double t = length_squared(d) > 0 ? std::clamp(dot(p - a, d) / length_squared(d), 0.0, 1.0) : 0;
    return length(p - a - d * t);
}
double from_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 n = cross(b - a, c - a), q = p - n * (dot(p - a, n) / length_squared(n));
    const bool is_over = dot(cross(b - a, q - a), n) >= 0 && dot(cross(c - b, q - b), n) >= 0 &&
                         dot(cross(a - c, q - c), n) >= 0;
    if (is_over) return std::abs(dot(p - a, n)) / length(n);
    return std::min({from_segment(p, a, b), from_segment(p, b, c), from_segment(p, c, a)});
}

struct Net {
    BodyId body{};
    Particles shape{};
    std::vector<Vec3> x{};

    double distance(const Vec3& p) const {
        double least = std::numeric_limits<double>::infinity();
        const auto at = [&](std::int64_t k) { return x[static_cast<std::size_t>(k)]; };
        const auto &t = shape.triangles, &l = shape.links;
        for (std::size_t k = 0; k < t.size(); k += 3)
            least = std::min(least, from_triangle(p, at(t[k]), at(t[k + 1]), at(t[k + 2])));
        for (std::size_t k = 0; k < l.size(); k += 2)
            least = std::min(least, from_segment(p, at(l[k]), at(l[k + 1])));
        for (const Vec3& q : x) least = std::min(least, length(p - q));
        return least - shape.radius;
    }
    // Of a particle, link or triangle of it.
    double distance(const Vec3& p, const BodyHit& hit) const {
        const Vec3 &a = x[hit.particles[0]], &b = x[hit.particles[1]], &c = x[hit.particles[2]];
        const double d = hit.particle_count == 3   ? from_triangle(p, a, b, c)
                         : hit.particle_count == 2 ? from_segment(p, a, b)
                                                   : length(p - a);
        return d - shape.radius;
    }
};

// A sheet and a rope that are falling onto a ball, and three loose particles, two of them linked.
struct Matter {
    World world;
    std::vector<Net> nets{};

    static Scene scene() {
        const Sheet sheet{.width = 1.2, .depth = 1, .columns = 5, .rows = 4, .radius = 0.02, .pins = {0}};
        Rope rope{.from = {-0.6, 0.5, 0.2}, .to = {0.7, 0.6, -0.3}, .pieces = 7, .radius = 0.03, .pins = {0}};
        Particles loose;
        loose.radius = 0.05;
        loose.points = {{0.4, -0.5, 0.3}, {-0.3, -0.6, 0.1}, {-0.1, -0.5, -0.4}};
        loose.masses = {1, 1, 1};
        loose.links = {1, 2};
        BodyDesc ball = soft_body("ball", Sphere{0.25}, 5, {0.1, -0.4, 0});
        ball.kind = BodyKind::Static;
        return scene_with(
            {soft_body("sheet", sheet, 1), soft_body("rope", rope, 1), ball, soft_body("loose", loose, 3)});
    }
    Matter() : world(scene()) {
        for (int k = 0; k < 30; ++k) EXPECT_TRUE(world.step().ok);
        const Scene all = scene();
        for (const std::uint32_t body : {0u, 1u, 3u}) {
            Net net{world.find_body(all.bodies[body].name), {}, {}};
            const Shape& shape = all.bodies[body].shape;
            if (const auto* s = std::get_if<Sheet>(&shape)) net.shape = *s;
            if (const auto* s = std::get_if<Rope>(&shape)) net.shape = *s;
            if (const auto* s = std::get_if<Particles>(&shape)) net.shape = *s;
            for (const ParticleState& p : particles_of(world, body)) net.x.push_back(p.position);
            nets.push_back(net);
        }
    }
    const Net& nearest(const Vec3& p) const {
        return *std::min_element(nets.begin(), nets.end(),
                                 [&](const Net& a, const Net& b) { return a.distance(p) < b.distance(p); });
    }
    const Net* net_of(BodyId body) const {
        const auto at = std::find_if(nets.begin(), nets.end(), [&](const Net& n) { return n.body == body; });
        return at == nets.end() ? nullptr : &*at;
    }
};

Vec3 somewhere(Rng& rng) {
    return {rng.uniform(-0.9, 0.9), rng.uniform(-1.1, 0.7), rng.uniform(-0.7, 0.7)};
}

TEST(ParticleQueries, nearest_point_is_that_of_the_nearest_element) {
    const Matter m;
    const BodyFilter movable{.statics = false};
    Rng rng(7, 1);
    int inside = 0;
    std::array<int, 4> kinds{};
    for (int k = 0; k < 400; ++k) {
        const Vec3 p =
            k % 3 ? somewhere(rng) : m.nets[static_cast<std::size_t>(k / 3 % 3)].x[0] + somewhere(rng) * 0.04;
        const Net& net = m.nearest(p);
        const auto hit = m.world.closest(p, 10, movable);
        ASSERT_TRUE(hit);
        EXPECT_EQ(hit->body, net.body);
        EXPECT_NEAR(hit->distance, net.distance(p), 1e-12);
        ASSERT_TRUE(hit->particle_count >= 1 && hit->particle_count <= 3);
        EXPECT_NEAR(net.distance(p, *hit), hit->distance, 1e-12) << "of the element that it names";
        EXPECT_NEAR(net.distance(hit->point, *hit), 0, 1e-9) << "on its surface";
        if (!hit->inside) {
            EXPECT_NEAR(net.distance(hit->point), 0, 1e-9) << "and inside no other";
        }
        EXPECT_EQ(hit->inside, net.distance(p) < 0);
        inside += hit->inside;
        ++kinds[hit->particle_count];
    }
    EXPECT_GT(inside, 10);
    for (int count = 1; count <= 3; ++count) EXPECT_GT(kinds[static_cast<std::size_t>(count)], 20) << count;
}

TEST(ParticleQueries, rays_and_points_and_balls_agree_with_the_distance) {
    const Matter m;
    const BodyFilter movable{.statics = false};
    Rng rng(8, 2);
    int hits = 0, begun_inside = 0, held = 0, overlapping = 0;
    std::vector<BodyId> found;
    std::vector<BodyHit> all;
    for (int k = 0; k < 300; ++k) {
        const Vec3 from = k % 5 ? somewhere(rng) * 1.5 : m.nets[static_cast<std::size_t>(k) % 3].x[1];
        const Vec3 way = somewhere(rng) - from;
        // Steps of the distance never go through the surface.
        double t = 0, gap = 1;
        for (int i = 0; i < 5000 && t <= 1 && gap > 1e-10; ++i) {
            gap = m.nearest(from + way * t).distance(from + way * t);
            t += std::max(gap, 0.0) / length(way);
        }
        const auto hit = m.world.ray({from, way, 1}, movable);
        if (gap > 1e-6 || t < 0.999) {
            ASSERT_EQ(hit.has_value(), gap <= 1e-10) << k;
        }
        m.world.ray_all({from, way, 1}, all, movable);
        if (hit) {
            EXPECT_NEAR(hit->distance, t * length(way), 1e-6);
            EXPECT_EQ(all.at(0).body, hit->body);
            EXPECT_EQ(all[0].particles, hit->particles);
            EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [](const BodyHit& a, const BodyHit& b) {
                return a.distance < b.distance;
            }));
            for (const BodyHit& one : all)
                EXPECT_EQ(std::count_if(all.begin(), all.end(),
                                        [&](const BodyHit& other) { return other.body == one.body; }),
                          1)
                    << "one a body";
            EXPECT_NEAR(length(hit->normal), 1, 1e-12);
            ++hits;
            begun_inside += hit->inside;
        } else {
            EXPECT_TRUE(all.empty());
        }
        std::vector<BodyId> holding, near;
        for (const Net& net : m.nets) {
            if (net.distance(from) <= 0) holding.push_back(net.body);
            if (net.distance(from) <= 0.1) near.push_back(net.body);
        }
        m.world.at_point(from, found, movable);
        EXPECT_EQ(found, holding);
        held += static_cast<int>(found.size());
        m.world.overlaps({Solid(Sphere{0.1}), {from, {}}}, found, movable);
        EXPECT_EQ(found, near);
        overlapping += static_cast<int>(found.size());
    }
    EXPECT_GT(hits, 60);
    EXPECT_GT(begun_inside, 20);
    EXPECT_GT(held, 20);
    EXPECT_GT(overlapping, 60);
}

TEST(ParticleQueries, casts_stop_before_they_touch) {
    const Matter m;
    const BodyFilter movable{.statics = false};
    const double radius = 0.1;
    Rng rng(9, 3);
    int hits = 0;
    for (int k = 0; k < 150; ++k) {
        const Vec3 from = somewhere(rng) * 2, way = somewhere(rng) - from;
        const auto cast = m.world.cast({Solid(Sphere{radius}), {{from, {}}, way, {1, 2, 3}}, 1}, movable);
        const auto gap_at = [&](double t) {
            const Vec3 p = from + way * t;
            return m.nearest(p).distance(p) - radius;
        };
        const double last = cast ? cast->t : 1;
        double least = 1;
        for (double t = 0; t < last; t += 0.002) least = std::min(least, gap_at(t));
        if (!cast) {
            EXPECT_GT(least, 0) << k;
            continue;
        }
        EXPECT_FALSE(cast->limit);
        if (!cast->hit.inside) {
            EXPECT_GT(least, 0) << "free until then";
        }
        EXPECT_LE(gap_at(last), 1e-3 * 0.05 + 1e-12) << "a thousandth of the particles' radius";
        EXPECT_LE(m.net_of(cast->hit.body)->distance(from + way * last, cast->hit) - radius, 1e-3 * 0.05);
        ++hits;
    }
    EXPECT_GT(hits, 50);
}

// Boxes, planes and meshes have no such formula: points of the triangles at a fine spacing have.
TEST(ParticleQueries, other_shapes_are_as_far_as_the_nearest_sample) {
    const Matter m;
    const BodyFilter only_sheet{.statics = false, .ignore = m.nets[1].body};
    const Net& sheet = m.nets[0];
    const Vec3 half{0.1, 0.15, 0.2};
    Mesh mesh;  // the same box
    for (int k = 0; k < 8; ++k)
        mesh.vertices.push_back(
            {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
    mesh.triangles = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    Rng rng(10, 4);
    for (int k = 0; k < 20; ++k) {
        const Pose pose{Vec3{0, 1.0 + 0.05 * k, 0} + somewhere(rng) * 0.3, rng.rotation()};
        constexpr int kFine = 60;
        double least = 10;
        const auto& t = sheet.shape.triangles;
        for (std::size_t i = 0; i < t.size(); i += 3)
            for (int u = 0; u <= kFine; ++u)
                for (int v = 0; u + v <= kFine; ++v) {
                    const auto at = [&](std::size_t c) {
                        return sheet.x[static_cast<std::size_t>(t[i + c])];
                    };
                    const Vec3 p =
                        at(0) + (at(1) - at(0)) * (u / double(kFine)) + (at(2) - at(0)) * (v / double(kFine));
                    const Vec3 q = rotate_inverse(pose.orientation, p - pose.position);
                    Vec3 out;
                    for (int axis = 0; axis < 3; ++axis)
                        out[axis] = std::max(0.0, std::abs(q[axis]) - half[axis]);
                    least = std::min(least, length(out));
                }
        const double spacing = 0.35 / kFine;
        for (const Shape& shape : {Shape(Box{half * 2}), Shape(mesh)}) {
            const auto hit = m.world.closest({{Solid(shape), pose}, 10}, only_sheet);
            ASSERT_TRUE(hit);
            if (hit->body != sheet.body) continue;  // the loose ones
            EXPECT_LE(hit->distance, least - sheet.shape.radius + 1e-12);
            EXPECT_GE(hit->distance, least - sheet.shape.radius - spacing);
        }
    }
    double lowest = 10;
    for (const Vec3& p : sheet.x) lowest = std::min(lowest, p.y);
    const auto under = m.world.closest({{Solid(Plane{}), {{0, -5, 0}, {}}}, 10},
                                       {.statics = false, .ignore = m.nets[2].body});
    ASSERT_TRUE(under);
    double least = 10;
    for (const Net* net : {&m.nets[0], &m.nets[1]})
        for (const Vec3& p : net->x) least = std::min(least, p.y - net->shape.radius);
    EXPECT_NEAR(under->distance, least + 5, 1e-12);
}

TEST(ParticleQueries, filters_and_removal_hold_for_the_whole_body) {
    Matter m;
    const Vec3 p = m.nets[0].x[7];
    std::vector<BodyId> found;
    m.world.at_point(p, found);
    EXPECT_EQ(found, std::vector<BodyId>{m.nets[0].body})
        << "once, though several of its triangles are there";
    m.world.at_point(p, found, {.dynamics = false});
    EXPECT_TRUE(found.empty());
    m.world.at_point(p, found, {.ignore = m.nets[0].body});
    EXPECT_TRUE(found.empty());
    m.world.apply(SetActive{"sheet", false});
    EXPECT_TRUE(m.world.step().ok);
    m.world.at_point(p, found);
    EXPECT_TRUE(found.empty());
    const BodyId ball = m.world.find_body("ball");
    const auto hit = m.world.closest(m.world.pose(ball).position, 1, {.dynamics = false});
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->body, ball);
    EXPECT_EQ(hit->particle_count, 0u);
}

}  // namespace
}  // namespace impuls
