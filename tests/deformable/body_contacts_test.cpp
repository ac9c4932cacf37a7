// Contacts of sheets with rigid bodies: laws of friction, momentum of two-way contacts, a sheet over a
// sphere, boxes and small balls that would pass between nodes, and light and heavy bodies on a sheet
// (study, 3.1).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "deformable/cloths.h"
#include "deformable/contact/body_contacts.h"

namespace impuls::deformable {
namespace {

ContactBody half_space(double friction, const Quat& tilt = {}) {
    ContactBody body;
    body.shape = ContactShape::HalfSpace;
    body.friction = friction;
    body.pose.orientation = tilt;
    return body;
}

ContactBody box_body(double mass, const Vec3& half, const Vec3& at, const Quat& q) {
    ContactBody body;
    body.shape = ContactShape::Box;
    body.half = half;
    body.pose = {at, q};
    body.friction = 0.3;
    body.node.inv_mass = 1 / mass;
    const Vec3 s = scale(half, half);
    body.inv_inertia =
        diagonal(Vec3{3 / (mass * (s.y + s.z)), 3 / (mass * (s.x + s.z)), 3 / (mass * (s.x + s.y))});
    return body;
}

void run(Sheet& sheet, BodyContacts& contacts, const SheetSettings& settings, int steps, const Vec3& g) {
    Contacts* all[] = {&contacts};
    for (int i = 0; i < steps; ++i) {
        contacts.begin_step();
        sheet.advance(1.0 / 60, settings, {g, {}, all});
    }
}

TEST(SpecDeformable, Sheet_slides_on_a_plane_as_far_as_friction_lets_it) {
    Cloth cloth = flat_cloth(6, 6, 0.1, 0.5);
    for (Vec3& p : cloth.places) p.y = 0.002;
    Sheet sheet(cloth.shape, {1e5}, cloth.k);
    sheet.load(cloth.places, std::vector<Vec3>(36, Vec3{2, 0, 0}));
    BodyContacts contacts(sheet.surface(), 0.002, 1, {half_space(0.4)});
    run(sheet, contacts, {}, 60, kDown);
    EXPECT_NEAR(sheet.state().x.at(0).x, 2 * 2 / (2 * 0.4 * 9.81), 0.005);
    EXPECT_NEAR(sheet.state().x.at(0).y, 0.002, 1e-12);
}

TEST(SpecDeformable, Sheet_stays_on_an_incline_below_the_angle_of_friction_and_slides_above) {
    const double angle = 0.3;
    for (const double friction : {1.05 * std::tan(angle), 0.5 * std::tan(angle)}) {
        const Quat tilt = from_axis_angle({0, 0, 1}, -angle);  // down along +x
        Cloth cloth = flat_cloth(4, 4, 0.1, 0.5);
        for (Vec3& p : cloth.places) p = rotate(tilt, Vec3{p.x, 0.002, p.z});
        Sheet sheet = make(cloth, {1e5});
        BodyContacts contacts(sheet.surface(), 0.002, 1, {half_space(friction, tilt)});
        const Vec3 before = sheet.state().x.at(0);
        run(sheet, contacts, {}, 60, kDown);
        const double way = length(sheet.state().x.at(0) - before);
        const double expected =
            friction > std::tan(angle) ? 0 : 0.5 * 9.81 * (std::sin(angle) - friction * std::cos(angle));
        EXPECT_NEAR(way, expected, 0.01 * expected + 1e-9);
    }
}

TEST(SpecDeformable, T37_momentum_of_sheet_and_body_is_kept) {
    Cloth cloth = flat_cloth(12, 12, 0.1, 0.5);
    Sheet sheet = make(cloth, {1e5, 10, 1e-4});
    ContactBody body = box_body(0.3, {0.15, 0.1, 0.2}, {0.53, 0.4, 0.57}, from_axis_angle({1, 2, 3}, 0.7));
    body.node.v = {0.1, -3, 0.2};
    body.node.w = {1, 2, -1};
    const Vec3 start = body.node.v * 0.3;
    BodyContacts contacts(sheet.surface(), 0.005, 1, {body});
    Vec3 pushed{};
    SheetSettings settings;
    settings.substeps = 80;
    for (int i = 0; i < 30; ++i) {
        run(sheet, contacts, settings, 1, {});
        pushed += contacts.bodies()[0].node.impulse;
    }
    Vec3 sum = contacts.bodies()[0].node.v * 0.3;
    EXPECT_LE(length(sum - start - pushed), 1e-12);  // what it is told to have got is what it got
    for (const std::uint32_t i : sheet.surface().nodes)
        sum += sheet.state().v.at(i) * (1 / sheet.state().k[i]);
    EXPECT_LE(length(sum - start), 1e-10 * length(start));
    EXPECT_GT(length(pushed), 0.1);  // they met
}

struct Landing {
    double lowest = 1e9, highest_after = -1e9, deepest = 0, stretch = 0, end = 0;
};
// The study's scene in small: a box above a sheet of 5 kg pinned at four corners.
Landing land(ContactBody body, int n, double seconds) {
    Cloth cloth = flat_cloth(n, n, 5.0 / (n - 1), 5);
    for (Vec3& p : cloth.places) p -= Vec3{2.5, 0, 2.5};
    const auto last = static_cast<std::size_t>(n - 1), side = static_cast<std::size_t>(n);
    for (const std::size_t i : {std::size_t{0}, last, last * side, last * side + last}) cloth.k[i] = 0;
    Sheet sheet = make(cloth, {1e7});
    body.acceleration = kDown;
    BodyContacts contacts(sheet.surface(), 0.005, 1, {body});
    Contacts* all[] = {&contacts};
    SheetSettings settings;
    settings.substeps = 80;
    Landing result;
    for (int i = 0; i * (1.0 / 60) < seconds; ++i) {
        contacts.begin_step();
        sheet.advance(1.0 / 60, settings, {kDown, {}, all});
        const double y = contacts.bodies()[0].pose.position.y;
        if (y < result.lowest) result.lowest = result.highest_after = y;
        result.highest_after = std::max(result.highest_after, y);
        result.deepest = std::min(result.deepest, contacts.deepest());
        result.stretch = std::max(result.stretch, sheet.largest_stretch());
        result.end = y;
    }
    return result;
}

TEST(SpecDeformable, T37_bodies_on_a_sheet_are_carried_and_not_thrown) {
    for (const double mass : {0.1, 10.0}) {
        const ContactBody body =
            box_body(mass, {0.25, 0.25, 0.25}, {0.03, 1, 0.05}, from_axis_angle({1, 0.3, 0.2}, 0.4));
        const Landing result = land(body, 20, 1.5);
        EXPECT_LE(-result.deepest, 1e-3) << mass;  // of the 5 mm that are kept
        EXPECT_LT(result.highest_after, 1) << mass;
        EXPECT_GT(result.lowest, -2.5) << mass;
        EXPECT_GT(result.end, -2.5) << mass;
    }
}

TEST(SpecDeformable, T37_a_ball_smaller_than_a_cell_does_not_pass_between_nodes) {
    ContactBody ball;
    ball.shape = ContactShape::Sphere;
    ball.radius = 0.03;
    ball.friction = 0.3;
    ball.node.inv_mass = 1 / 0.2;
    ball.inv_inertia = diagonal(Vec3{1, 1, 1} * (1 / (0.4 * 0.2 * 0.03 * 0.03)));
    ball.pose.position = {0.04, 0.5, 0.09};
    const Landing result = land(ball, 20, 2);
    EXPECT_GT(result.end, -2.2);
    EXPECT_LT(result.highest_after, 0.5);
}

TEST(SpecDeformable, T12_a_sheet_drapes_over_a_sphere_without_touching_it) {
    Cloth cloth = flat_cloth(24, 24, 0.084, 0.4);
    for (Vec3& p : cloth.places) p += Vec3{-0.97, 0.55, -0.99};
    Sheet sheet = make(cloth, {1e6, 0, 1e-5, 0, 0.3});
    ContactBody sphere;
    sphere.shape = ContactShape::Sphere;
    sphere.radius = 0.5;
    sphere.friction = 0.3;
    BodyContacts contacts(sheet.surface(), 0.005, 1, {sphere});
    double deepest = 0, stretch = 0;
    for (int i = 0; i < 60; ++i) {
        run(sheet, contacts, {}, 1, kDown);
        for (const std::uint32_t node : sheet.surface().nodes)
            deepest = std::min(deepest, length(sheet.state().x.at(node)) - 0.505);
        stretch = std::max(stretch, sheet.largest_stretch());
    }
    EXPECT_GE(deepest, -1e-4);
    EXPECT_LE(stretch, 0.022);
    EXPECT_GT(contacts.touching(), 50u);
}

}  // namespace
}  // namespace impuls::deformable
