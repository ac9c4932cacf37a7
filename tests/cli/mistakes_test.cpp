// Mistakes that people make in their first hours: each message names the place, what was written, and what is
// possible or what to do.

#include "cli/program.h"
#include "support/full_size.h"

namespace impuls::test {
namespace {

TEST_F(Cli, MistakesInScenesAreToldWithWhatIsPossible) {
    const auto body = [](const std::string& keys) {
        return R"({"impuls": 1, "bodies": [{"name": "a", "shape": {"type": "box"}, )" + keys + "}]}";
    };
    const auto joint = [](const std::string& keys) {
        return R"({"impuls": 1, "bodies": [{"name": "a", "shape": {"type": "box"}}], "joints": [{"b": "a", )" +
               keys + "}]}";
    };
    const std::vector<std::pair<std::string, std::vector<const char*>>> mistakes{
        {R"({"bodies": []})", {"'impuls' is missing", "begins with \"impuls\": 1"}},
        {R"({"impuls": 2})", {"/impuls: 2 is not 1", "version of the format"}},
        {R"({"impuls": 1, "bodies": [{"shape": "sphere"}]})",
         {"/bodies/0/shape", R"(such as {"type": "sphere"})"}},
        {R"({"impuls": 1, "bodies": [{"shape": {"type": "cube"}}]})", {"'cube'", "did you mean 'box'"}},
        {R"({"impuls": 1, "bodies": [{"shape": {"type": "box", "radius": 2}}]})",
         {"/shape/radius: unknown key", "one of type, size"}},
        {R"({"impuls": 1, "bodies": [{"shape": {"type": "box", "half_extents": [1, 1, 1]}}]})",
         {"did you mean 'size'"}},
        {R"({"impuls": 1, "settings": {"timestep": 0.1}})", {"/settings/timestep", "did you mean 'dt'"}},
        {R"({"impuls": 1, "settings": {"gravity": -9.81}})", {"a list of 3 numbers, not -9.81"}},
        {R"({"impuls": 1, "settings": {"method": "exact"}})",
         {"unknown method 'exact'", "one of default, accurate"}},
        {R"({"impuls": 1, "materials": [{"name": "m", "bounciness": 1}]})", {"did you mean 'restitution'"}},
        {R"({"impuls": 1, "materials": [{"name": "m", "mu": 1}]})", {"did you mean 'friction'"}},
        {R"({"impuls": 1, "materials": [{"name": "m", "restitution": 2}]})", {"2 is not between 0 and 1"}},
        {body(R"("position": [0, 1])"), {"/bodies/0/position", "a list of 3 numbers, not a list of 2"}},
        {body(R"("position": [0, "h", 0])"), {"/position/1", "unknown name 'h'", "no variable of the file"}},
        {body(R"("rotation": [1, 0, 0, 0])"), {"did you mean 'orientation'"}},
        {body(R"("kind": "fixed")"), {"/kind", "did you mean 'static'"}},
        {body(R"("omega": [0, 1, 0])"), {"did you mean 'angular_velocity'"}},
        {body(R"("material": "steal")"), {"unknown material 'steal'", "did you mean 'steel'"}},
        {joint(R"("type": "revolute")"), {"/joints/0/type", "did you mean 'hinge'"}},
        {joint(R"("type": "hinge", "motor": {"speed": 1})"), {"/joints/0/motor", "did you mean 'turn'"}},
        {joint(R"("type": "slider", "motor": {"speed": 1})"), {"did you mean 'slide'"}},
        {joint(R"("type": "hinge", "turn": {"min": 0})"), {"/turn/min", "did you mean 'lower'"}},
        {joint(R"("type": "hinge", "pivot": [0, 0, 0])"), {"did you mean 'anchor'"}},
        {joint(R"("type": "hinge", "colour": 1)"), {"unknown key", "one of name, a, b,"}},
        {R"({"impuls": 1, "bodies": [{"name": "a", "shape": {"type": "box"}}],
             "forces": [{"type": "spring", "b": "a", "k": 3}]})",
         {"did you mean 'stiffness'"}},
    };
    int number = 0;
    for (const auto& [text, told] : mistakes) {
        const std::string scene = write("mistake" + std::to_string(number++) + ".json", text);
        const Outcome outcome = run({"check", scene});
        EXPECT_EQ(outcome.code, 2) << text;
        EXPECT_TRUE(contains(outcome.err, scene + ":")) << outcome.err;
        for (const char* part : told)
            EXPECT_TRUE(contains(outcome.err, part)) << text << "\n" << outcome.err << part;
    }
}

TEST_F(Cli, MistakesOnTheCommandLineAreToldWithWhatIsPossible) {
    const std::string scene = write("ball.json", kFallingBall), recording = path("ball.impuls");
    ASSERT_EQ(run({"run", scene, "--quiet", "--record", recording}).code, 0);
    const std::vector<std::pair<std::vector<std::string>, std::vector<const char*>>> mistakes{
        {{"run"}, {"SCENE", "--resume FILE"}},
        {{"check"}, {"SCENE is missing", "impuls check --help"}},
        {{"info"}, {"FILE is missing"}},
        {{"plot", recording}, {"--output OUT is missing"}},
        {{"export", recording, "-o", path("x")}, {"--format", "is missing"}},
        {{"run", path("bal.json")}, {"no such file", "did you mean", "ball.json"}},
        {{"run", "newtons-cradel"}, {"no such file", "did you mean 'newtons-cradle'"}},
        {{"run", recording},
         {"this is a recording", "impuls info", "impuls show", "impuls replay", "--resume"}},
        {{"replay", scene}, {"is not an Impuls recording", "--record FILE makes one"}},
        {{"plot", scene, "-o", path("x.svg")}, {"--record FILE makes one"}},
        {{"run", scene, "--threads", "many"}, {"--threads", "'many' is not a whole number"}},
        {{"run", scene, "--threads", "-1"}, {"-1: it must be between 0 and 4096"}},
        {{"run", scene, "--record", path("y"), "--frame-every", "0"},
         {"--frame-every", "0: it must be at least 1"}},
        {{"run", scene, "--record", path("y"), "--frame-every", "1.5"}, {"'1.5' is not a whole number"}},
        {{"run", scene, "--steps", "-1"}, {"--steps", "-1: it must be"}},
        {{"run", scene, "--method", "exact"}, {"one of default, accurate"}},
        {{"run", scene, "--method", "default+speed=3"}, {"unknown part 'speed'", "one of"}},
        {{"run", "--resume", recording, "--until", "0.5"}, {"--until 0.5", "already reaches"}},
        {{"list", "everything"}, {"unknown family", "one of shapes, joints"}},
        {{"list", "joints", "revolute"}, {"did you mean 'hinge'"}},
        {{"export", recording, "--format", "pdf", "-o", path("x")}, {"unknown format 'pdf'", "one of csv"}},
        {{"export", recording, "--format", "mp4", "--speed", "0", "-o", path("x")},
         {"0: it must be above 0"}},
        {{"export", recording, "--format", "csv", "--from", "soon", "-o", path("x")},
         {"not a number of seconds"}},
        {{"plot", recording, "--from", "100", "-o", path("x.svg")},
         {"no value from 100 s on", "there are some from 0 s"}},
        {{"plot", recording, "-o", path("x.jpg")}, {".svg or .png"}},
        {{"show", recording, "--at", "100", "-o", path("x.png")}, {"--at 100", "ends at"}},
        {{"show", scene, "--at", "-1", "-o", path("x.png")}, {"-1 s: it must be at least 0"}},
        {{"show", scene, "-o", path("x.gif")}, {"pictures are written as .png"}},
        {{"show", scene, "--moments", "0"}, {"0: it must be between 1 and 100"}},
    };
    for (const auto& [command, told] : mistakes) {
        const Outcome outcome = run(command);
        std::string line;
        for (const std::string& word : command) line += word + " ";
        EXPECT_TRUE(outcome.code == 2 || outcome.code == 4) << line << outcome.code;
        for (const char* part : told)
            EXPECT_TRUE(contains(outcome.err, part)) << line << "\n" << outcome.err << part;
    }
}

// The keys that all joints have, and those of an axis, are shown with those of one.
TEST_F(Cli, ListOfAJointShowsAllItsKeys) {
    const std::string hinge = run({"list", "joints", "hinge"}).out;
    for (const char* key :
         {"anchor", "turn", "every joint", "break_force", "every free axis", "lower", "max_force"})
        EXPECT_TRUE(contains(hinge, key)) << key << "\n" << hinge;
    EXPECT_TRUE(contains(hinge, "[rad]") && !contains(hinge, "m or rad")) << hinge;
    EXPECT_TRUE(contains(run({"list", "joints", "slider"}).out, "[m]: lowest position"));
    EXPECT_TRUE(contains(run({"list", "forces", "spring"}).out, "until"));
}

// Where stderr is no terminal, a line every ten seconds says how far it is and how long it will take.
TEST_F(Cli, ProgressWithoutATerminalIsALineNowAndThen) {
    if (!is_long()) GTEST_SKIP() << "takes ten seconds";
    const std::string scene = write("ball.json", kFallingBall);
    const Outcome outcome =
        bash("timeout --foreground --preserve-status -s TERM 12 \"$impuls\" run " + scene + " --until 1e6");
    EXPECT_EQ(outcome.code, 130);
    EXPECT_TRUE(contains(outcome.err, " left")) << outcome.err;
    EXPECT_FALSE(contains(outcome.err, "\r")) << outcome.err;
}

}  // namespace
}  // namespace impuls::test
