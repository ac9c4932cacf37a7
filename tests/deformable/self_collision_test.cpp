// Self-collision of sheets (study of self-collision): no edge crosses a triangle, counted by signed volumes
// of all pairs, at every step of a fold and of a twisted strip; a clap, which crosses without it, and
// momentum.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "deformable/cloths.h"
#include "deformable/contact/body_contacts.h"
#include "deformable/self/self_collision.h"
#include "support/full_size.h"

namespace impuls::deformable {
namespace {

double side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
    return dot(p - a, cross(b - a, c - a));
}

// Edges that pass through triangles with which they share no vertex.
int crossings(const Columns& x, const Surface& surface) {
    std::set<std::array<std::uint32_t, 2>> edges;
    for (const Triangle& t : surface.triangles)
        for (std::size_t k = 0; k < 3; ++k)
            edges.insert({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
    int count = 0;
    for (const auto& [i, j] : edges) {
        const Vec3 p = x.at(i), q = x.at(j);
        for (const Triangle& t : surface.triangles) {
            if (i == t[0] || i == t[1] || i == t[2] || j == t[0] || j == t[1] || j == t[2]) continue;
            const Vec3 a = x.at(t[0]), b = x.at(t[1]), c = x.at(t[2]);
            if (side(a, b, c, p) * side(a, b, c, q) >= 0) continue;
            const double u = dot(q - p, cross(a - p, b - p)), v = dot(q - p, cross(b - p, c - p)),
                         w = dot(q - p, cross(c - p, a - p));
            count += (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
        }
    }
    return count;
}

SheetMaterial cotton() {
    SheetMaterial m;
    m.stretch = 1e5, m.shear = 20, m.bending = 2e-5, m.drag = 0.3;
    return m;
}
constexpr double kEdge = 0.01, kThick = 0.002;

struct Fold {
    int crossed = 0;
    double stretch = 0;
    std::size_t pairs = 0;
};
// A square dropped edge-on on a floor: it buckles and folds upon itself.
Fold fold(int n, int steps) {
    Cloth cloth = flat_cloth(n, n, kEdge, 0.2 * (n - 1) * (n - 1) * kEdge * kEdge);
    for (Vec3& p : cloth.places) p = {p.x, p.z + 0.02, 0.004 * std::sin(40 * p.z) + 0.001 * p.x};
    Sheet sheet = make(cloth, cotton());
    ContactBody floor;
    floor.shape = ContactShape::HalfSpace;
    floor.friction = 0.3;
    BodyContacts ground(sheet.surface(), 0.5 * kThick, 1, {floor});
    SelfCollision self(sheet.surface(), sheet.state().size(), {kThick, 0.3, 1, 1});
    Contacts* contacts[] = {&ground, &self};
    SheetSettings settings;
    settings.substeps = 80;
    Fold result;
    for (int i = 0; i < steps; ++i) {
        ground.begin_step();
        sheet.advance(1.0 / 60, settings, {kDown, {}, contacts});
        if (i % 6 == 5) result.crossed += crossings(sheet.state().x, sheet.surface());
        result.stretch = std::max(result.stretch, sheet.largest_stretch());
        result.pairs = std::max(result.pairs, self.pairs());
    }
    return result;
}

TEST(SpecDeformable, Self_collision_leaves_no_crossing_in_a_fold) {
    const int n = is_long() ? 50 : 18, steps = amount(60, 180);
    const Fold with = fold(n, steps);
    EXPECT_EQ(with.crossed, 0);
    EXPECT_LE(with.stretch, 0.04);
    EXPECT_GT(with.pairs, 1000u);
}

// A strip with both ends held, one of which turns: pins that move by their velocities.
TEST(SpecDeformable, Self_collision_leaves_no_crossing_in_a_twisted_strip) {
    const int rows = is_long() ? 20 : 8, columns = is_long() ? 100 : 36, steps = amount(60, 600);
    const double turns = is_long() ? 5 : 1.5, dt = 1.0 / 60;
    Cloth cloth = flat_cloth(rows, columns, kEdge, 0.2 * (rows - 1) * (columns - 1) * kEdge * kEdge);
    const double width = (rows - 1) * kEdge;
    for (Vec3& p : cloth.places) p.z -= 0.5 * width;
    for (int r = 0; r < rows; ++r)
        for (const int c : {0, columns - 1}) cloth.k[static_cast<std::size_t>(r * columns + c)] = 0;
    Sheet sheet = make(cloth, cotton());
    SelfCollision self(sheet.surface(), sheet.state().size(), {kThick, 0.3, 1, 2});
    Contacts* contacts[] = {&self};
    SheetSettings settings;
    settings.substeps = 160;
    int crossed = 0;
    const double rate = 6.283185307179586 * turns / (steps * dt),
                 come = 0.3 * (columns - 1) * kEdge / (steps * dt);
    for (int i = 0; i < steps; ++i) {
        for (int part = 0; part < 16; ++part) {  // the held end goes on a circle by chords
            const double t = (i * 16 + part) * dt / 16, next = t + dt / 16;
            for (int r = 0; r < rows; ++r) {
                const std::uint32_t at = sheet.node(r, columns - 1);
                const double z = (r * kEdge) - 0.5 * width;
                const Vec3 from{0, z * std::sin(rate * t), z * std::cos(rate * t)},
                    to{0, z * std::sin(rate * next), z * std::cos(rate * next)};
                sheet.state().v.set(at, (to - from) * (16 / dt) - Vec3{come, 0, 0});
            }
            settings.substeps = 10;
            sheet.advance(dt / 16, settings, {{}, {}, contacts});
        }
        if (i % 3 == 2) crossed += crossings(sheet.state().x, sheet.surface());
    }
    EXPECT_EQ(crossed, 0);
    EXPECT_GT(self.pairs(), 100u);
    EXPECT_LE(sheet.largest_stretch(), 0.15);
}

// A fold whose halves clap together; without self-collision they pass through each other.
TEST(SpecDeformable, Self_collision_stops_a_clap_and_keeps_momentum) {
    Cloth cloth = flat_cloth(10, 10, kEdge, 0.002);
    for (Vec3& p : cloth.places)
        if (p.x > 0.045) p = {0.0855 - p.x, 0.005, p.z + 0.0007};
    std::vector<Vec3> v;
    Vec3 before{};
    for (const Vec3& p : cloth.places)
        v.push_back(p.y > 0 ? Vec3{0.1, -1, 0} : Vec3{0, 0.2, 0.05}), before += v.back();
    for (const bool collides : {true, false}) {
        Sheet sheet(cloth.shape, cotton(), cloth.k);
        sheet.load(cloth.places, v);
        SelfCollision self(sheet.surface(), sheet.state().size(), {kThick, 0.3, 1, 1});
        std::vector<Contacts*> contacts;
        if (collides) contacts.push_back(&self);
        SheetSettings settings;
        settings.substeps = 80;
        int crossed = 0;
        for (int i = 0; i < 6; ++i) {
            sheet.advance(1.0 / 60, settings, {{}, {}, contacts});
            crossed += crossings(sheet.state().x, sheet.surface());
        }
        EXPECT_EQ(crossed > 0, !collides);
        Vec3 after{};
        double sum = 0;
        for (const std::uint32_t i : sheet.surface().nodes)
            after += sheet.state().v.at(i), sum += length(sheet.state().v.at(i));
        // Drag takes its part of all of it alike.
        const double left = dot(after, before) / dot(before, before);
        EXPECT_LE(length(after - before * left), 1e-10 * sum);
    }
}

}  // namespace
}  // namespace impuls::deformable
