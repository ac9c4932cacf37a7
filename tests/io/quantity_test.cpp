// Quantities by name: every kind against the numbers in the frame, odd names, misspelt names, bodies that go
// and come back, no memory taken while reading.
#include "impuls/quantity.h"

#include "impuls/errors.h"
#include "io/recording/fixture.h"
#include "support/counting_new.h"

namespace impuls::test {
namespace {

Frame known_frame(const std::shared_ptr<const Scene>& structure) {
    Frame frame = tame_frame(structure, 4);
    frame.time = 0.4;
    frame.positions[2] = {1, 2, 3};
    frame.velocities[2] = {3, 4, 12};
    frame.angular_velocities[2] = {-1, -2, -3};
    frame.orientations[2] = {0.5, -0.5, 0.5, -0.5};
    if (!frame.joints.empty()) frame.joints[1] = {{2, 3, 6}, {7, 8, 9}, 0.125};
    frame.contacts = {{0, 2, 0, {}, {0, 1, 0}, 0.01, {0, 10, 1}}, {2, 1, 0, {}, {1, 0, 0}, 0.02, {4, 0, 3}}};
    frame.energy = {1, 2, 3};
    frame.linear_momentum = {2, 3, 6}, frame.angular_momentum = {4, 5, 6};
    frame.max_penetration = 0.02, frame.max_joint_error = 0.125;
    for (std::size_t k = 0; k < frame.stage_seconds.size(); ++k)
        frame.stage_seconds[k] = static_cast<double>(k + 1);
    return frame;
}

double scalar(const std::string& name, const Frame& frame) {
    const Quantity quantity = find_quantity(name, *frame.structure);
    EXPECT_EQ(quantity.name, name);
    EXPECT_EQ(quantity.columns, std::vector<std::string>{name});
    double value = 0;
    quantity.read(frame, &value);
    return value;
}

Vec3 vector(const std::string& name, const Frame& frame) {
    const Quantity quantity = find_quantity(name, *frame.structure);
    EXPECT_EQ(quantity.columns, (std::vector<std::string>{name + ".x", name + ".y", name + ".z"}));
    double v[3] = {};
    quantity.read(frame, v);
    return {v[0], v[1], v[2]};
}

std::string error_of(const std::string& name, const Scene& scene) {
    try {
        find_quantity(name, scene);
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

TEST(Quantity, EveryKindReadsTheFrame) {
    const auto structure = std::make_shared<const Scene>(make_scene(2, true));
    const Frame f = known_frame(structure);
    EXPECT_EQ(vector("bodies.ball[1].position", f), (Vec3{1, 2, 3}));
    EXPECT_EQ(scalar("bodies.ball[1].position.y", f), 2);
    EXPECT_EQ(vector("bodies.ball[1].velocity", f), (Vec3{3, 4, 12}));
    EXPECT_EQ(scalar("bodies.ball[1].velocity.magnitude", f), 13);
    EXPECT_EQ(scalar("bodies.ball[1].speed", f), 13);
    EXPECT_EQ(scalar("bodies.ball[1].angular_velocity.z", f), -3);
    EXPECT_EQ(scalar("bodies.ball[1].orientation.w", f), 0.5);
    EXPECT_EQ(scalar("bodies.ball[1].orientation.x", f), -0.5);
    EXPECT_EQ(scalar("bodies.ball[1].orientation.z", f), -0.5);
    // +(0, 10, 1) from the floor, -(4, 0, 3) by what it does to ball[0].
    EXPECT_EQ(vector("bodies.ball[1].contact_force", f), (Vec3{-4, 10, -2}));
    EXPECT_EQ(scalar("bodies.floor.contact_force.y", f), -10);
    EXPECT_EQ(vector("joints.rope[1].reaction", f), (Vec3{2, 3, 6}));
    EXPECT_EQ(vector("joints.rope[1].force", f), (Vec3{2, 3, 6}));
    EXPECT_EQ(scalar("joints.rope[1].reaction.magnitude", f), 7);
    EXPECT_EQ(vector("joints.rope[1].torque", f), (Vec3{7, 8, 9}));
    EXPECT_EQ(scalar("joints.rope[1].error", f), 0.125);
    EXPECT_EQ(scalar("energy.kinetic", f), 1);
    EXPECT_EQ(scalar("energy.potential", f), 2);
    EXPECT_EQ(scalar("energy.total", f), 3);
    EXPECT_EQ(vector("momentum.linear", f), (Vec3{2, 3, 6}));
    EXPECT_EQ(scalar("momentum.linear.magnitude", f), 7);
    EXPECT_EQ(scalar("momentum.angular.y", f), 5);
    EXPECT_EQ(scalar("contacts.count", f), 2);
    EXPECT_DOUBLE_EQ(scalar("contacts.max_force", f), std::sqrt(101.0));
    EXPECT_EQ(scalar("contacts.total_normal_force", f), 14);
    EXPECT_EQ(scalar("max_penetration", f), 0.02);
    EXPECT_EQ(scalar("max_joint_error", f), 0.125);
    EXPECT_EQ(scalar("time", f), 0.4);
    double sum = 0;
    for (std::size_t k = 0; k < kStageNames.size(); ++k) {
        EXPECT_EQ(scalar(std::string("profile.") + kStageNames[k], f), static_cast<double>(k + 1));
        sum += static_cast<double>(k + 1);
    }
    EXPECT_EQ(scalar("profile.total", f), sum);
    EXPECT_EQ(find_quantity("bodies.floor.velocity.x", *structure).unit, "m/s");
}

TEST(Quantity, OddNamesWork) {
    Scene scene = make_scene(4);
    scene.bodies[1].name = "car/wheel.front";
    scene.bodies[2].name = "a.position";
    scene.bodies[3].name = "position.x";
    scene.bodies[4].name = "a";
    const auto structure = std::make_shared<const Scene>(scene);
    Frame f = tame_frame(structure, 0);
    for (std::size_t k = 0; k < 5; ++k) f.positions[k] = {static_cast<double>(k), 0, 0};
    EXPECT_EQ(scalar("bodies.car/wheel.front.position.x", f), 1);
    EXPECT_EQ(scalar("bodies.a.position.position.x", f), 2);
    EXPECT_EQ(vector("bodies.a.position.position", f).x, 2);
    EXPECT_EQ(scalar("bodies.position.x.position.x", f), 3);
    EXPECT_EQ(scalar("bodies.a.position.x", f), 4);
}

TEST(Quantity, MisspeltNamesAreExplained) {
    const Scene scene = make_scene(2, true);
    EXPECT_NE(error_of("bodies.flor.position.y", scene).find("did you mean 'floor'"), std::string::npos);
    EXPECT_NE(error_of("bodies.floor.postion", scene).find("did you mean 'position'"), std::string::npos);
    EXPECT_NE(error_of("joints.rope[0].reacton.x", scene).find("did you mean 'reaction.x'"),
              std::string::npos);
    EXPECT_NE(error_of("energy.totl", scene).find("did you mean 'energy.total'"), std::string::npos);
    EXPECT_NE(error_of("bodies.floor", scene).find("say what of"), std::string::npos);
    for (const char* name :
         {"", ".", "bodies", "bodies.", "bodies..", "joints.", "bodies.floor.", "bodies.floor.orientation",
          "bodies.floor.speed.x", "energy", "profile.", "bodies.ball[7].speed"}) {
        EXPECT_NE(error_of(name, scene), "") << name;
    }
}

TEST(Quantity, FollowsABodyThroughChangesOfTheStructure) {
    const auto before = std::make_shared<const Scene>(make_scene(3));
    Scene changed = make_scene(3);
    changed.bodies.erase(changed.bodies.begin() + 1);  // ball[0] goes, the others move up
    const auto after = std::make_shared<const Scene>(changed);
    const Quantity gone = find_quantity("bodies.ball[0].position.x", *before);
    const Quantity stays = find_quantity("bodies.ball[2].position", *before);
    Frame a = tame_frame(before, 0), b = tame_frame(after, 1);
    for (std::size_t k = 0; k < 4; ++k) a.positions[k] = {static_cast<double>(k), 0, 0};
    for (std::size_t k = 0; k < 3; ++k) b.positions[k] = {static_cast<double>(10 * k), 0, 0};
    double v[3];
    gone.read(a, v);
    EXPECT_EQ(v[0], 1);
    gone.read(b, v);
    EXPECT_TRUE(std::isnan(v[0]));
    gone.read(a, v);
    EXPECT_EQ(v[0], 1);
    stays.read(a, v);
    EXPECT_EQ(v[0], 3);
    stays.read(b, v);
    EXPECT_EQ(v[0], 20);
}

TEST(Quantity, BodiesOfTheTimelineMayBeNamedBeforeTheyExist) {
    Scene scene = make_scene(1);
    BodyDesc body = scene.bodies[1];
    body.name = "late";
    scene.timeline.push_back({1.0, Put{.bodies = {body}}});
    const auto before = std::make_shared<const Scene>(scene);
    scene.bodies.push_back(body);
    const auto after = std::make_shared<const Scene>(scene);
    const Quantity late = find_quantity("bodies.late.position.x", *before);
    double x = 0;
    late.read(tame_frame(before, 0), &x);
    EXPECT_TRUE(std::isnan(x));
    late.read(tame_frame(after, 1), &x);
    EXPECT_EQ(x, 2);
}

TEST(Quantity, ReadingTakesNoMemory) {
    const auto structure = std::make_shared<const Scene>(make_scene(50, true));
    const Frame frame = tame_frame(structure, 0);
    std::vector<Quantity> all;
    for (const char* name :
         {"bodies.ball[49].position", "bodies.ball[3].contact_force.magnitude", "energy.total",
          "joints.rope[20].reaction", "profile.total", "contacts.max_force"}) {
        all.push_back(find_quantity(name, *structure));
    }
    double v[3];
    for (const Quantity& quantity : all) quantity.read(frame, v);
    const long before = allocations;
    for (int k = 0; k < 100; ++k) {
        for (const Quantity& quantity : all) quantity.read(frame, v);
    }
    EXPECT_EQ(allocations, before);
}

TEST(Quantity, HelpListsWhatCanBeFound) {
    Scene scene = make_scene(1, true);
    scene.forces.push_back({.name = "push", .b = "floor", .force = ConstantForce{}});
    for (const auto& [pattern, unit] : quantity_help()) {
        std::string name = pattern.substr(0, pattern.find_first_of("[|"));
        const auto fill = [&name](const std::string& hole, const std::string& with) {
            if (const auto at = name.find(hole); at != std::string::npos) name.replace(at, hole.size(), with);
        };
        fill(name.starts_with("bodies") ? "<name>" : "-", "floor");
        fill(name.starts_with("forces") ? "<name>" : "-", "push");
        fill("<name>", "rope[0]");
        fill("<axis>", "twist");
        fill("<stage>", "pairs");
        fill("<kind>", "touch_begin");
        // Help names both units of axes; the one of a ball joint's twist is the second.
        const std::size_t either = unit.find(" or ");
        EXPECT_EQ(find_quantity(name, scene).unit,
                  either == std::string::npos ? unit : unit.substr(either + 4))
            << pattern;
    }
}

TEST(Quantity, AxesHaveTheUnitOfTheirKind) {
    Scene scene;
    scene.bodies.push_back({.name = "wheel", .shape = Sphere{}});
    scene.joints.push_back({.name = "door", .b = "wheel", .joint = HingeJoint{}});
    scene.joints.push_back({.name = "rod", .b = "wheel", .joint = CylindricalJoint{}});
    scene = expand(scene);
    EXPECT_EQ(find_quantity("joints.door.turn.position", scene).unit, "rad");
    EXPECT_EQ(find_quantity("joints.door.turn.force", scene).unit, "N m");
    EXPECT_EQ(find_quantity("joints.rod.slide.velocity", scene).unit, "m/s");
    EXPECT_EQ(find_quantity("joints.rod.turn.velocity", scene).unit, "rad/s");
}

}  // namespace
}  // namespace impuls::test
