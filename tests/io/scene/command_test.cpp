// Commands as one line of JSON, bit for bit; hostile texts.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "io/scene/testing.h"
#include "scene/described.h"

namespace impuls {
namespace {

void expect_exact(const Command& command) {
    const std::string line = to_json(command);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const Command again = parse_command(line);
    EXPECT_TRUE(same(again, command)) << line;
    EXPECT_EQ(to_json(again), line);
}

TEST(SceneCommand, EveryKind) {
    BodyDesc body;
    body.name = "x {i}\n\"";
    body.shape = Compound{{{{1, 2, 3}, {0.5, 0.5, 0.5, 0.5}, Capsule{0.1, 0.2}},
                           {{}, {}, Mesh{"m.obj", {{1, 2, 3}}, {0, 0, 0}}}}};
    body.mass = 0.1 + 0.2;
    expect_exact(Put{.bodies = {body, {}}, .move = true});
    expect_exact(Remove{.bodies = {"a"}});
    SetBody set;
    set.body = "a";
    set.position = Vec3{-0.0, 5e-324, 1.7976931348623157e308};
    set.orientation = Quat{2, 0, 0, 1};  // kept as given
    expect_exact(set);
    expect_exact(SetForce{"a", {-0.0, 0, 0}, {0, 1.0 / 3, 0}});
    ApplyImpulse impulse;
    impulse.point = Vec3{};
    expect_exact(impulse);
    JointDesc joint;
    joint.b = "b";
    joint.joint = BallJoint{{1, 2, 3}};
    expect_exact(Put{.joints = {joint}});
    expect_exact(Remove{.joints = {"j"}});
    ForceDesc force;
    force.b = "b";
    force.force = CableForce{{1, 2, 3}, {0.1, 0, 0}, {{0, 1.0 / 3, 0}}, 5e-324, 0, 0.3};
    force.until = 0.1 + 0.2;
    expect_exact(Put{.forces = {force}});
    expect_exact(Remove{.forces = {"f"}});
    expect_exact(EnableForce{"f", false});
    expect_exact(SetSettings{.gravity = Vec3{0, -9.81, 0}});
    expect_exact(SetSettings{.broad_phase = BroadPhaseKind::Grid, .events = std::vector<EventKind>{}});
    expect_exact(Put{.materials = {{.name = "m"}}, .contacts = {{.a = "m", .b = "m", .friction = 0.1}}});
    expect_exact(Remove{.contacts = {{"m", "m"}}, .materials = {"m"}});
    expect_exact(SetMethod{parse_method("erleben+shock=off")});
    expect_exact(Drag{.body = "b", .target = Vec3{1, 2, 3}, .max_force = 5});
    expect_exact(Batch{{SetForce{"a", {1, 0, 0}, {}}, Remove{.bodies = {"a"}}}});
}

TEST(SceneCommand, RandomBitPatterns) {
    std::mt19937_64 random(1);
    for (int k = 0; k < 20000; ++k) {
        Vec3 v;
        for (int c = 0; c < 3; ++c) {
            const std::uint64_t bits = random();
            std::memcpy(&v[c], &bits, sizeof bits);
            if (!std::isfinite(v[c])) v[c] = std::numeric_limits<double>::denorm_min();
        }
        const Command command = SetSettings{.gravity = v};
        ASSERT_TRUE(same(parse_command(to_json(command)), command)) << to_json(command);
    }
}

TEST(SceneCommand, Problems) {
    const auto complaint = [](const std::string& text) -> std::string {
        try {
            parse_command(text);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(complaint("{\"type\": \"set_forc\"}"),
              "command:1:10: /type: unknown type 'set_forc' (did you mean 'set_force'?)");
    EXPECT_EQ(complaint("{\"type\": \"set_body\"}"), "command:1:1: 'body' is missing");
    EXPECT_EQ(complaint("{\"type\": \"set_gravity\", \"gravity\": [0, \"1+1\", 0]}"),
              "command:1:40: /gravity/1: expected a number, not a string");
    EXPECT_NE(complaint("nonsense"), "");
    EXPECT_NE(complaint(""), "");
}

// Mutations of a valid text: nothing but InputError may come out.
TEST(SceneCommand, HostileTexts) {
    std::mt19937 random(7);
    const std::string scene = R"({"impuls": 1, "variables": {"n": "2+1"}, // c
 "bodies": [{"name": "a{n}", "shape": {"type": "box", "size": ["n", 1e0, 2]}, "orientation": [1, 2, 3, 4],
 "repeat": {"count": ["n", 2, 1], "where": "i%2==0"}, "mass": "i+1"}],
 "joints": [{"type": "ball", "a": "a3[{i}]", "b": "a3[{i+1}]", "repeat": {"count": [2, 1, 1]}}],
 "timeline": [{"time": 1, "type": "apply_impulse", "body": "a3[0]"}], "measure": ["energy.total"]})";
    EXPECT_EQ(complaints(scene), "");
    const std::string alphabet = "{}[]\",:0123456789.eE+-*/%^()= \n\t\\nxi/*\x00\xff?&|<>!";
    int loaded = 0;
    for (int k = 0; k < 3000; ++k) {
        std::string text = scene;
        const unsigned edits = 1 + random() % 4;
        for (unsigned e = 0; e < edits; ++e) {
            const std::size_t at = random() % text.size();
            const unsigned kind = random() % 3;
            if (kind == 0) text[at] = alphabet[random() % alphabet.size()];
            if (kind == 1) text.erase(at, 1 + random() % 5);
            if (kind == 2) text.insert(at, text.substr(random() % text.size(), random() % 20));
        }
        try {
            const Scene read = parse_scene(text);
            const std::string saved = to_json(read);
            ASSERT_EQ(to_json(parse_scene(saved)), saved) << text;
            ++loaded;
        } catch (const InputError&) {
        }
        try {
            parse_command(text);
        } catch (const InputError&) {
        }
    }
    EXPECT_GT(loaded, 20);
}

}  // namespace
}  // namespace impuls
