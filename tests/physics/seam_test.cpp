// Sliding over static bodies that lie flush: as over one plane. Without friction the velocity stays, with it
// it falls by mu g t; a kerb stops, a gap catches what fits into it.
#include <algorithm>
#include <array>

#include "contact_scenes.h"

namespace impuls {
namespace {

constexpr double kTile = 0.5;  // m

Quat yaw(double angle) {
    return from_axis_angle({0, 1, 0}, angle);
}

// A prism over a polygon in the plane y = 0, 1 m deep.
Convex prism(const std::vector<Vec3>& polygon) {
    Convex hull;
    for (const Vec3& p : polygon) {
        hull.points.push_back(p);
        hull.points.push_back({p.x, -1, p.z});
    }
    return hull;
}

enum class Tiles { Boxes, Hulls, Triangles };

// 9 by 7 tiles, turned as a whole.
void add_tiles(Scene& scene, Tiles kind, double turn, const Vec3& at = {}) {
    constexpr double h = 0.5 * kTile;
    const Vec3 corner[4] = {{-h, 0, -h}, {h, 0, -h}, {h, 0, h}, {-h, 0, h}};
    const auto add = [&](const Shape& shape, const Vec3& p) {
        const auto name = "tile" + std::to_string(scene.bodies.size());
        scene.bodies.push_back(body_of(name, shape, at + rotate(yaw(turn), p), BodyKind::Static));
        scene.bodies.back().orientation = yaw(turn);
    };
    for (int i = -4; i <= 4; ++i)
        for (int j = -3; j <= 3; ++j) {
            const Vec3 p{i * kTile, 0, j * kTile};
            if (kind == Tiles::Boxes) add(Box{{kTile, 1, kTile}}, p + Vec3{0, -0.5, 0});
            if (kind == Tiles::Hulls) add(prism({corner[0], corner[1], corner[2], corner[3]}), p);
            if (kind != Tiles::Triangles) continue;
            add(prism({corner[0], corner[1], corner[3]}), p);
            add(prism({corner[1], corner[2], corner[3]}), p);
        }
}

struct Slider {
    const char* name;
    Shape shape;
    double height;
    Quat orientation{};
};

std::vector<Slider> sliders() {
    const Quat along_x = from_axis_angle({0, 0, 1}, 0.5 * kPi),
               along_z = from_axis_angle({1, 0, 0}, 0.5 * kPi);
    const Convex pebble{{{0.3, -0.2, 0.2},
                         {-0.25, -0.2, 0.3},
                         {-0.3, -0.2, -0.2},
                         {0.2, -0.2, -0.3},
                         {0.2, 0.25, 0.1},
                         {-0.2, 0.2, 0.15},
                         {0, 0.3, -0.2}}};
    return {{"box", Box{{0.4, 0.3, 0.5}}, 0.15},
            {"turned box", Box{{0.4, 0.3, 0.5}}, 0.15, yaw(0.4)},
            {"sphere", Sphere{0.2}, 0.2},
            {"capsule", Capsule{0.2, 0.4}, 0.2, along_x},
            {"capsule across", Capsule{0.2, 0.4}, 0.2, along_z},
            {"cylinder", Cylinder{0.2, 0.3}, 0.15},
            {"lying cylinder", Cylinder{0.2, 0.3}, 0.2, along_x},
            {"cylinder across", Cylinder{0.2, 0.3}, 0.2, along_z},
            {"ellipsoid", Ellipsoid{{0.3, 0.2, 0.3}}, 0.2},
            {"cone", Cone{0.3, 0.4}, 0.2},
            {"hull", pebble, 0.2}};
}

struct SlideCase {
    const char* method;
    Tiles tiles;
    double turn, speed, dt, friction;
};

Scene scene_for(const SlideCase& run, const Slider& slider) {
    Scene scene = scene_of({.density = 1000, .friction = run.friction}, false);
    scene.settings.dt = run.dt;
    scene.settings.method.preset = run.method;
    add_tiles(scene, run.tiles, run.turn);
    BodyDesc body = body_of("slider", slider.shape, {-1.3, slider.height, -0.23});
    body.orientation = slider.orientation;
    body.velocity = {run.speed, 0, 0.3 * run.speed};
    body.mass = 2;
    scene.bodies.push_back(body);
    return scene;
}

std::vector<SlideCase> slide_cases(double friction) {
    std::vector<SlideCase> all;
    int k = 0;
    for (const char* method : {"default", "accurate", "fast", "erleben"})
        for (const Tiles tiles : {Tiles::Boxes, Tiles::Hulls, Tiles::Triangles})
            for (const double turn : {0.0, 0.3, 0.7})
                for (const double speed : {0.5, 2.2, 6.0})
                    for (const double dt : {1.0 / 60, 1.0 / 240})
                        if (is_long() || k++ % (kSlowBuild ? 57 : 19) == 0)
                            all.push_back({method, tiles, turn, speed, dt, friction});
    return all;
}

std::string name_of(const SlideCase& run, const Slider& slider) {
    return std::string(run.method) + ", tiles " + std::to_string(static_cast<int>(run.tiles)) + ", turned " +
           std::to_string(run.turn) + ", speed " + std::to_string(run.speed) + ", dt " +
           std::to_string(run.dt) + ", " + slider.name;
}

// How exactly, m/s. In doubles: 1e-6 of the speed for each of some 50 corrected normals. Blocks: their soft
// contacts share the load anew on every tile, which tilts a body by up to 1e-4 rad; where its own face is
// what touches, that much of gravity acts along the floor. On a single body they keep the speed to 1e-7.
double tolerance(const SlideCase& run, double time) {
    const bool is_soft = std::string(run.method) == "fast";
    return is_soft ? 1e-4 * (run.speed + kG * time) : 5e-5 * run.speed;
}

TEST(Seams, WithoutFrictionTheVelocityStays) {
    for (const SlideCase& run : slide_cases(0))
        for (const Slider& slider : sliders()) {
            SCOPED_TRACE(name_of(run, slider));
            World world(scene_for(run, slider));
            const BodyId id = world.find_body("slider");
            double highest = 0, lowest = 1;
            while (world.time() < 2.4 / run.speed) {
                ASSERT_TRUE(world.step().ok);
                highest = std::max(highest, world.pose(id).position.y);
                lowest = std::min(lowest, world.pose(id).position.y);
            }
            const Vec3 v{run.speed, 0, 0.3 * run.speed};
            EXPECT_LT(length(world.velocity(id) - v), tolerance(run, world.time()));
            EXPECT_LT(highest, (1 + 1e-3) * slider.height);
            EXPECT_GT(lowest, (1 - 1e-3) * slider.height);
        }
}

TEST(Seams, WithFrictionItFallsByMuG) {
    constexpr double kMu = 0.3;
    for (const SlideCase& run : slide_cases(kMu)) {
        const Slider slider =
            sliders()[run.turn > 0 ? 1 : 5];  // a box, a cylinder: they slide, and do not roll
        SCOPED_TRACE(name_of(run, slider));
        World world(scene_for(run, slider));
        const double start = length(Vec3{run.speed, 0, 0.3 * run.speed}),
                     until = std::min(2.4 / run.speed, 0.8 * start / (kMu * kG));
        while (world.time() < until) ASSERT_TRUE(world.step().ok);
        const double loss = start - length(velocity_of(world, "slider"));
        EXPECT_NEAR(loss, kMu * kG * world.time(), 0.02 * kMu * kG * world.time() + kMu * kG * world.dt());
    }
}

// Two slabs of 4 m, the second one raised by a kerb.
double speed_after_kerb(const char* method, double kerb, double scale = 1) {
    Scene scene = scene_of({.density = 1000, .friction = 0, .restitution = 0}, false, {0, -kG * scale, 0});
    scene.settings.method.preset = method;
    scene.settings.dt = 1.0 / 60;
    const auto add = [&](const char* name, const Vec3& size, const Vec3& at, BodyKind kind) {
        scene.bodies.push_back(body_of(name, Box{size * scale}, at * scale, kind));
    };
    add("first", {4, 1, 4}, {-2, -0.5, 0}, BodyKind::Static);
    add("second", {4, 1, 4}, {2, -0.5 + kerb, 0}, BodyKind::Static);
    add("box", {0.3, 0.2, 0.3}, {-0.4, 0.1, 0}, BodyKind::Dynamic);
    scene.bodies.back().mass = 18;
    scene.bodies.back().velocity = {0.5 * scale, 0, 0};
    World world(scene);
    double last = 0.5;
    while (world.time() < 1.2) {
        EXPECT_TRUE(world.step().ok);
        last = velocity_of(world, "box").x / scale;
    }
    return last;
}

TEST(Seams, AKerbOfAMillimetreStops) {
    for (const char* method : {"default", "accurate", "fast", "erleben"}) {
        SCOPED_TRACE(method);
        // Struck 99 mm below its centre it loses most of its speed, and what is left tips it.
        EXPECT_LT(std::abs(speed_after_kerb(method, 1e-3)), 0.25);
        EXPECT_NEAR(speed_after_kerb(method, 0), 0.5, 1e-5);
        // A step down by h releases g h, 8 % of its kinetic energy per mass: 4 % of its speed.
        EXPECT_NEAR(speed_after_kerb(method, -1e-3), 0.5, 0.04 * 0.5);
    }
}

TEST(Seams, ScaleFree) {
    for (const char* method : {"default", "fast", "erleben"})
        for (const double kerb : {0.0, 1e-3})
            for (const double scale : {0x1p-7, 0x1p7})
                EXPECT_EQ(speed_after_kerb(method, kerb, scale), speed_after_kerb(method, kerb))
                    << method << " " << kerb << " " << scale;
}

// A gap of 0.1 m: a flat box slides over it, a cube on its edge sinks in up to where its faces rest on both
// rims, a small ball falls through.
TEST(Seams, AGapCatchesWhatFits) {
    for (const char* method : {"default", "accurate", "fast", "erleben"}) {
        SCOPED_TRACE(method);
        Scene scene = scene_of({.density = 1000, .friction = 0, .restitution = 0}, false);
        scene.settings.method.preset = method;
        scene.settings.dt = 1.0 / 60;
        scene.bodies.push_back(body_of("first", Box{{4, 1, 4}}, {-2.05, -0.5, 0}, BodyKind::Static));
        scene.bodies.push_back(body_of("second", Box{{4, 1, 4}}, {2.05, -0.5, 0}, BodyKind::Static));
        scene.bodies.push_back(body_of("box", Box{{0.3, 0.2, 0.3}}, {-0.4, 0.1, 0}));
        scene.bodies.back().velocity = {1, 0, 0};
        scene.bodies.push_back(body_of("cube", Box{{0.3, 0.3, 0.3}}, {0, 0.3, 1}));
        scene.bodies.back().orientation = from_axis_angle({0, 0, 1}, 0.25 * kPi);
        scene.bodies.push_back(body_of("ball", Sphere{0.04}, {-0.3, 0.04, -1}));
        scene.bodies.back().velocity = {0.3, 0, 0};
        World world(scene);
        run(world, 1);
        EXPECT_NEAR(velocity_of(world, "box").x, 1, 1e-4);
        run(world, 2);
        EXPECT_NEAR(world.pose(world.find_body("cube")).position.y, 0.15 * std::sqrt(2.0) - 0.05, 1e-3);
        EXPECT_LT(world.pose(world.find_body("ball")).position.y, -0.5);
    }
}

}  // namespace
}  // namespace impuls
