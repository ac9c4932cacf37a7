// The renderer: bodies where a projection written here puts them, in front of one another as they stand, in
// their colours; shadows where the light says; the same bytes each time.
#include "render/picture.h"

#include <gtest/gtest.h>

#include <cmath>

#include "impuls/scene.h"
#include "render/paint.h"
#include "render/symbols.h"
#include "scene/described.h"

namespace impuls::test {
namespace {

constexpr int kWidth = 160, kHeight = 120;

Frame frame_of(const Scene& scene) {
    Frame frame;
    frame.structure = std::make_shared<const Scene>(expand(scene));
    for (const BodyDesc& body : frame.structure->bodies) {
        frame.bodies.push_back({static_cast<std::uint32_t>(frame.bodies.size()), 1});
        frame.positions.push_back(body.position);
        frame.orientations.push_back(body.orientation);
    }
    return frame;
}

BodyDesc body(const Shape& shape, const Vec3& position, const Vec3& color) {
    BodyDesc desc;
    desc.shape = shape;
    desc.position = position;
    desc.color = color;
    if (std::holds_alternative<Plane>(shape)) desc.kind = BodyKind::Static;
    return desc;
}

// Looks along -z from 10 m, so that x is right and y up.
Scene scene_from_the_front() {
    Scene scene;
    scene.view.camera = Vec3{0, 0, 10};
    scene.view.target = Vec3{};
    scene.view.field_of_view = 2 * std::atan(0.4);
    scene.view.light = Vec3{30, 60, 100};
    return scene;
}

Image draw(const Scene& scene, int samples = 2) {
    const Frame frame = frame_of(scene);
    Aabb extent;
    grow_extent(extent, frame);
    return draw_picture(frame, choose_look(scene, finished_extent(extent)), {kWidth, kHeight, samples});
}

struct Blob {
    double x = 0, y = 0;
    int count = 0;
};

// The middle of all pixels that are clearly red.
Blob red(const Image& image) {
    Blob blob;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const Rgb c = image.at(x, y);
            if (c.r < 60 || c.r < 2.5 * c.g || c.r < 2.5 * c.b) continue;
            blob.x += x + 0.5, blob.y += y + 0.5, ++blob.count;
        }
    if (blob.count > 0) blob.x /= blob.count, blob.y /= blob.count;
    return blob;
}

TEST(Picture, BodiesAreWhereAProjectionPutsThem) {
    for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{2, 1, 0}, Vec3{-3, -1.5, -2}, Vec3{1, 1.5, 3}}) {
        Scene scene = scene_from_the_front();
        scene.bodies.push_back(body(Sphere{0.3}, p, {0.9, 0, 0}));
        const Blob seen = red(draw(scene));
        // Half the width is a tangent of 0.4.
        const double focal = kWidth / 2.0 / 0.4, ahead = 10 - p.z;
        EXPECT_NEAR(seen.x, kWidth / 2.0 + focal * p.x / ahead, 0.7) << p.x;
        EXPECT_NEAR(seen.y, kHeight / 2.0 - focal * p.y / ahead, 0.7) << p.y;
        const double radius = focal * 0.3 / ahead;
        EXPECT_NEAR(seen.count, 3.14159 * radius * radius, 0.15 * 3.14159 * radius * radius + 6);
    }
}

// Much thinner than a pixel, and slanted, so that it passes between samples somewhere: no row is without it.
TEST(Picture, RopesHaveNoGaps) {
    for (const double slant : {0.0, 0.13, 0.4}) {
        Scene scene = scene_from_the_front();
        scene.bodies.push_back(body(Sphere{0.01}, {-slant, 2.2, 0}, {0, 0, 0}));
        scene.bodies.push_back(body(Sphere{0.01}, {slant, -2.2, 0}, {0, 0, 0}));
        scene.bodies[0].name = "a", scene.bodies[1].name = "b";
        JointDesc rope;
        rope.a = "a", rope.b = "b";
        rope.joint = DistanceJoint{.anchor_a = {-slant, 2.2, 0}, .anchor_b = {slant, -2.2, 0}};
        const Image bare = draw(scene);
        scene.joints.push_back(rope);
        const Image image = draw(scene);
        const double focal = kWidth / 2.0 / 0.4 / 10;
        for (int y = kHeight / 2 - static_cast<int>(2 * focal); y < kHeight / 2 + 2 * focal; ++y) {
            bool is_seen = false;
            for (int x = 0; x < kWidth; ++x) is_seen = is_seen || image.at(x, y).g + 20 < bare.at(x, y).g;
            EXPECT_TRUE(is_seen) << "slant " << slant << ", row " << y;
        }
    }
}

// Instead of the shape, where the body says.
TEST(Picture, VisualShapesTakeThePlaceOfTheShape) {
    Scene scene = scene_from_the_front();
    scene.bodies.push_back(body(Box{{6, 3, 1}}, {}, {0.9, 0, 0}));
    const int whole = red(draw(scene)).count;
    scene.bodies.back().visual.push_back({{2, 1, 0}, {}, Sphere{0.3}});
    const Blob seen = red(draw(scene));
    EXPECT_LT(seen.count, whole / 20);
    const double focal = kWidth / 2.0 / 0.4 / 10;
    EXPECT_NEAR(seen.x, kWidth / 2.0 + focal * 2, 1);
    EXPECT_NEAR(seen.y, kHeight / 2.0 - focal * 1, 1);
}

TEST(Picture, EveryShapeIsSeen) {
    const std::vector<Shape> shapes{
        Sphere{},
        Box{},
        Capsule{},
        Cylinder{},
        Cone{},
        Ellipsoid{},
        Point{},
        Convex{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        Mesh{"", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}},
        HeightField{2, 1, {0, 0.1, 0.2, 0}},
        Compound{
            {CompoundPart{{0, 0, 0}, {}, Sphere{0.3}}, CompoundPart{{0.5, 0, 0}, {}, Box{{0.3, 0.3, 0.3}}}}}};
    for (const Shape& shape : shapes) {
        Scene scene = scene_from_the_front();
        BodyDesc desc = body(shape, {}, {0.9, 0, 0});
        desc.orientation = normalized(Quat{1, 0.4, 0.1, 0});
        desc.mass = 1;
        if (std::holds_alternative<HeightField>(shape))
            desc.kind = BodyKind::Static, desc.mass = std::nullopt;
        scene.bodies.push_back(desc);
        scene.bodies.push_back(body(Box{{8, 0.1, 0.1}}, {0, -3, 0}, {0.5, 0.5, 0.5}));
        EXPECT_GT(red(draw(scene)).count, 2) << shape.index();
    }
    Scene ground = scene_from_the_front();
    ground.view.camera = Vec3{0, 3, 10};
    ground.bodies.push_back(body(Plane{}, {}, {0.9, 0, 0}));
    ground.bodies.push_back(body(Box{{8, 0.1, 0.1}}, {0, 0, -3}, {0.5, 0.5, 0.5}));
    EXPECT_GT(red(draw(ground)).count, kWidth * kHeight / 10);
}

TEST(Picture, NearerBodiesHideThoseBehind) {
    for (const double z : {-2.0, 2.0}) {
        Scene scene = scene_from_the_front();
        scene.bodies.push_back(body(Box{{1, 1, 1}}, {0, 0, 0}, {0.1, 0.1, 0.9}));
        scene.bodies.push_back(body(Box{{0.5, 0.5, 0.5}}, {0, 0, z}, {0.9, 0, 0}));
        EXPECT_EQ(red(draw(scene)).count > 0, z > 0) << z;
    }
}

// A ball between lamp and ground: the ground is darker behind it, and bright beside it.
TEST(Picture, ShadowsFallWhereTheLightSays) {
    Scene scene;
    scene.view.camera = Vec3{0, 20, 0.01};
    scene.view.target = Vec3{};
    scene.view.light = Vec3{100, 100, 0};
    scene.bodies.push_back(body(Plane{}, {}, {0.8, 0.8, 0.8}));
    scene.bodies.push_back(body(Sphere{0.5}, {0, 2, 0}, {0.9, 0, 0}));
    scene.bodies.push_back(body(Box{{0.1, 0.1, 20}}, {8, 0, 0}, {0.9, 0, 0}));
    const Image image = draw(scene);
    const double focal = kWidth / 2.0 / std::tan(0.4);
    const auto ground = [&](double x) {
        return static_cast<int>(image.at(static_cast<int>(kWidth / 2.0 + focal * x / 20), kHeight / 2).g);
    };
    EXPECT_LT(ground(-2), 0.85 * ground(-4)) << "its shadow lies 2 m aside, away from the lamp";
    EXPECT_GT(ground(2), 0.95 * ground(4)) << "and none on the side of the lamp";
}

TEST(Picture, IsTheSameEachTime) {
    Scene scene = scene_from_the_front();
    for (int k = 0; k < 20; ++k)
        scene.bodies.push_back(body(k % 2 ? Shape(Sphere{0.4}) : Shape(Box{{0.5, 0.6, 0.7}}),
                                    {0.37 * k - 3, std::sin(k), std::cos(2.0 * k)}, {0.05 * k, 0.5, 0.2}));
    const Image a = draw(scene), b = draw(scene);
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) ASSERT_EQ(a.at(x, y), b.at(x, y));
}

// Also those that hold no point: whoever looks sees that there is one.
TEST(Picture, EveryKindOfJointHasADrawing) {
    Scene scene = scene_from_the_front();
    for (const char* name : {"a", "b"}) {
        scene.bodies.push_back(body(Box{}, {name[0] == 'a' ? -2.0 : 2.0, 0, 0}, {0.5, 0.5, 0.5}));
        scene.bodies.back().name = name;
    }
    const Frame placed = frame_of(scene);
    const auto is_drawn = [&](const Joint& joint) {
        Scene structure = *placed.structure;
        structure.joints.push_back({.name = "j", .a = "a", .b = "b", .joint = joint});
        Frame frame = placed;
        frame.structure = std::make_shared<const Scene>(structure);
        std::size_t facets = 0;
        for (const Link& link : solids_of_joints(frame, 4, 0.01)) facets += link.facets.size();
        return facets > 0;
    };
    visit_family<Joint>([&]<class J>(std::type_identity<J>) {
        J joint{};
        if constexpr (std::is_same_v<J, RailJoint>) joint.points = {{0, 0, 0}, {1, 1, 0}, {2, 0, 0}};
        if constexpr (std::is_same_v<J, DistanceJoint> || std::is_same_v<J, DragJoint>)
            joint.anchor_b = {1, 0, 0};
        EXPECT_TRUE(is_drawn(joint)) << J::kType;
    });
}

// Signs of joints shine through bodies; a rod is a thing between its two points.
TEST(Picture, JointsAndForcesAreShown) {
    Scene scene = scene_from_the_front();
    scene.bodies.push_back(body(Box{{2, 2, 2}}, {}, {0.2, 0.2, 0.8}));
    scene.bodies.back().name = "box";
    const Image without = draw(scene);
    scene.joints.push_back({.name = "pin", .b = "box", .joint = HingeJoint{{0, 0, 0}, {0, 1, 0}, {}}});
    const Image with = draw(scene);
    int orange = 0;
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
            orange += static_cast<int>(with.at(x, y).r) > static_cast<int>(without.at(x, y).r) + 15;
    EXPECT_GT(orange, 0) << "though it is inside the box";
    scene.joints.clear();
    ForceDesc spring;
    spring.b = "box";
    spring.force = SpringForce{{3, 3, 0}, {1, 1, 0}, 10, 0, {}};
    scene.forces.push_back(spring);
    const Image sprung = draw(scene);
    const double focal = kWidth / 2.0 / 0.4 / 10;
    int changed = 0;
    for (int y = static_cast<int>(kHeight / 2 - 2.2 * focal); y < kHeight / 2 - 1.8 * focal; ++y)
        for (int x = static_cast<int>(kWidth / 2 + 1.7 * focal); x < kWidth / 2 + 2.3 * focal; ++x)
            changed += sprung.at(x, y) != without.at(x, y);
    EXPECT_GT(changed, 0) << "half way between its ends";
}

TEST(Paint, LinesAndTextCoverWhatTheyShould) {
    Image image(100, 40);
    paint_line(image, {{10, 20}, {90, 20}}, 4, {0, 0, 0});
    double ink = 0;
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 100; ++x) ink += (255 - image.at(x, y).r) / 255.0;
    EXPECT_NEAR(ink, 80 * 4 + 3.14159 * 4, 4) << "length times width, and round ends";
    Image empty(100, 40);
    paint_text(empty, {5, 25}, "Ig", {20, {0, 0, 0}, Align::Left, 0, false, false});
    EXPECT_LT(static_cast<int>(empty.at(4, 20).r), 128) << "the I";
    EXPECT_EQ(empty.at(50, 10), (Rgb{255, 255, 255})) << "nothing behind the text";
    EXPECT_GT(painted_width("mm", 10), painted_width("il", 10));
    EXPECT_EQ(painted_width("", 10), 0);
    EXPECT_EQ(painted_width("x²", 10) > painted_width("x", 10), true);
}

}  // namespace
}  // namespace impuls::test
