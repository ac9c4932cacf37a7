// Claims T18 to T26 of the text on shape matching of surfaces: fast sums are sums, volume is kept in a press,
// the projection converges, contacts are not moved by it, and flattened or inverted bodies recover.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/rng.h"
#include "deformable/contact/body_contacts.h"
#include "deformable/shape/matching.h"
#include "impuls/errors.h"

namespace impuls::deformable {
namespace {

struct Mesh {
    std::vector<Vec3> vertices{};
    std::vector<Triangle> triangles{};
};

// An octahedron whose triangles are divided in four `levels` times, on a sphere: 4^(levels + 1) + 2 vertices.
Mesh ball(int levels, double radius) {
    Mesh mesh{{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
              {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
    for (int level = 0; level < levels; ++level) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middle;
        const auto half = [&](std::uint32_t a, std::uint32_t b) {
            const auto [at, is_new] =
                middle.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(mesh.vertices.size()));
            if (is_new) mesh.vertices.push_back(normalized(mesh.vertices[a] + mesh.vertices[b]));
            return at->second;
        };
        std::vector<Triangle> finer;
        for (const auto& [a, b, c] : mesh.triangles) {
            const std::uint32_t ab = half(a, b), bc = half(b, c), ca = half(c, a);
            for (const Triangle& t :
                 {Triangle{a, ab, ca}, Triangle{ab, b, bc}, Triangle{ca, bc, c}, Triangle{ab, bc, ca}})
                finer.push_back(t);
        }
        mesh.triangles = finer;
    }
    for (Vec3& p : mesh.vertices) p *= radius;
    return mesh;
}

ShapeMatching soft_ball(int levels, int rings) {
    const Mesh mesh = ball(levels, 0.5);
    return ShapeMatching(mesh.vertices, mesh.triangles, 1, rings);
}

TEST(SpecDeformable, T18_fast_sums_are_sums) {
    const Mesh mesh = ball(3, 1);
    Rng rng(4, 1);
    std::vector<std::array<double, 2>> value, prefix, sum;
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
        value.push_back({rng.uniform(-1, 1), rng.uniform(0, 1)});
    for (int rings = 1; rings <= 5; ++rings) {
        const Regions regions = make_regions(mesh.vertices, mesh.triangles, rings);
        sum_regions<2>(regions, value, prefix, sum);
        for (std::size_t i = 0; i < regions.size(); ++i) {
            double direct = 0;
            for (const std::uint32_t m : regions.of(i)) direct += value[m][0];
            EXPECT_NEAR(sum[i][0], direct, 1e-12);
        }
        // O(w n): intervals grow with the rings, members with their square.
        EXPECT_LE(regions.intervals.size(), regions.size() * static_cast<std::size_t>(4 * rings + 3));
    }
}

TEST(SpecDeformable, T19_goals_of_a_moved_body_are_where_it_is) {
    ShapeMatching body = soft_ball(3, 2);
    const Quat q = from_axis_angle({1, 2, 3}, 2.1);
    std::vector<Vec3> goals(body.state().size());
    Columns x(body.state().size());
    for (std::size_t i = 0; i < x.size(); ++i) x.set(i, rotate(q, body.state().x.at(i)) + Vec3{3, 2, 1});
    body.find_goals(x, goals);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_LE(length(goals[i] - x.at(i)), 1e-12);
}

TEST(SpecDeformable, T23_the_projection_of_the_volume_converges_quadratically) {
    ShapeMatching body = soft_ball(4, 1);
    Columns x = body.state().x;
    for (std::size_t i = 0; i < x.size(); ++i) x.y[i] *= 0.8;
    const std::vector<double> ones(x.size(), 1.0);
    double before = std::abs(body.project_volume(x, ones));
    EXPECT_NEAR(before, 0.2, 1e-12);
    for (int round = 0; round < 3; ++round) {
        const double now = std::abs(body.project_volume(x, ones));
        EXPECT_LE(now, 2 * before * before);
        before = now;
    }
    Columns v(x.size());
    Rng rng(1, 1);
    for (std::size_t i = 0; i < x.size(); ++i)
        v.set(i, {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)});
    body.project_rate(x, v, ones);
    double rate = 0;  // of 6V
    for (const auto& [a, b, c] : body.surface().triangles)
        rate += dot(v.at(a), cross(x.at(b), x.at(c))) + dot(v.at(b), cross(x.at(c), x.at(a))) +
                dot(v.at(c), cross(x.at(a), x.at(b)));
    EXPECT_NEAR(rate, 0, 1e-12);
}

// Volume lost, relative, when two plates press a ball to `height`.
double press(const MatchingSettings& settings, double height) {
    ShapeMatching body = soft_ball(3, 2);
    ContactBody low, high;
    low.shape = high.shape = ContactShape::HalfSpace;
    low.pose.position = {0, -0.51, 0};
    high.pose = {{0, 0.51, 0}, from_axis_angle({1, 0, 0}, 3.14159265358979)};
    BodyContacts contacts(body.surface(), 0.005, 1, {low, high});
    Contacts* all[] = {&contacts};
    double most = 0;
    const int steps = 200;
    for (int i = 0; i < steps + 50; ++i) {
        contacts.bodies()[1].node.v = {0, i < steps ? -(1.02 - height) / (steps * 0.005) : 0, 0};
        body.advance(0.005, settings, {}, all);
        most = std::max(most, std::abs(body.volume() / body.rest_volume() - 1));
    }
    for (const std::uint32_t i : body.surface().nodes)
        EXPECT_LE(body.state().x.at(i).y, 0.51 - (1.02 - height) + 1e-3);
    return most;
}

TEST(SpecDeformable, T22_a_pressed_ball_keeps_its_volume) {
    MatchingSettings settings;
    settings.stiffness = 0.3;
    for (const double global : {1.0, 0.5, 0.0}) {
        settings.global = global;
        EXPECT_LE(press(settings, 0.5), 0.007) << global;
    }
    settings.keeps_volume = false;
    EXPECT_GE(press(settings, 0.5), 0.2);
}

TEST(SpecDeformable, T25_what_is_touched_is_not_moved_by_the_volume) {
    ShapeMatching body = soft_ball(2, 1);
    std::vector<double> weights(body.state().size(), 1.0);
    for (std::size_t i = 0; i < weights.size(); i += 3) weights[i] = 0;
    Columns x = body.state().x;
    for (std::size_t i = 0; i < x.size(); ++i) x.y[i] *= 0.9;
    const Columns before = x;
    body.project_volume(x, weights);
    for (std::size_t i = 0; i < x.size(); i += 3) EXPECT_EQ(x.at(i), before.at(i));
    EXPECT_NE(x.at(1), before.at(1));
}

TEST(SpecDeformable, T26_shape_matching_recovers_from_anything) {
    for (int kind = 0; kind < 3; ++kind) {
        ShapeMatching body = soft_ball(2, kind == 2 ? 4 : 2);  // inside out, small patches fit as they are
        std::vector<Vec3> rest;
        for (std::size_t i = 0; i < body.state().size(); ++i) {
            const Vec3 p = body.state().x.at(i);
            rest.push_back(p);
            body.state().x.set(i, kind == 0 ? Vec3{} : kind == 1 ? Vec3{p.x, 0, p.z} : Vec3{p.x, -p.y, p.z});
        }
        MatchingSettings settings;
        settings.drag = 1;
        for (int i = 0; i < 100; ++i) {
            body.advance(0.04, settings, {});
            for (std::size_t k = 0; k < rest.size(); ++k) ASSERT_TRUE(is_finite(body.state().x.at(k)));
        }
        EXPECT_NEAR(body.volume() / body.rest_volume(), 1, 0.01) << kind;
    }
}

TEST(SpecDeformable, Shape_matching_refuses_open_surfaces) {
    Mesh mesh = ball(1, 1);
    EXPECT_THROW(ShapeMatching(mesh.vertices, mesh.triangles, 0, 1), InputError);
    std::vector<Triangle> inverted = mesh.triangles;
    for (Triangle& t : inverted) std::swap(t[0], t[1]);
    EXPECT_THROW(ShapeMatching(mesh.vertices, inverted, 1, 1), InputError);
    mesh.triangles.pop_back();
    EXPECT_THROW(ShapeMatching(mesh.vertices, mesh.triangles, 1, 1), InputError);
}

}  // namespace
}  // namespace impuls::deformable
