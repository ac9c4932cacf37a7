// What holds for all example scenes: each says what to look for, is seen and measured, and has a test of its
// own.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "scenes/example.h"
#include "support/places.h"

namespace impuls {
namespace {

const std::filesystem::path kFolder = in_project("scenes/examples");

// newtons-cradle -> NewtonsCradle
std::string camel_case(const std::string& stem) {
    std::string name;
    bool is_start = true;
    for (const char c : stem) {
        if (c != '-') name += is_start ? static_cast<char>(std::toupper(c)) : c;
        is_start = c == '-';
    }
    return name;
}

std::set<std::string> tests_of_examples() {
    std::set<std::string> names;
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    for (int s = 0; s < all.total_test_suite_count(); ++s) {
        const testing::TestSuite& suite = *all.GetTestSuite(s);
        for (int t = 0; suite.name() == std::string("Example") && t < suite.total_test_count(); ++t)
            names.insert(suite.GetTestInfo(t)->name());
    }
    return names;
}

TEST(Examples, AreManyAndEachHasATest) {
    const std::set<std::string> tests = tests_of_examples();
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
        if (entry.path().extension() != ".json") continue;
        ++count;
        EXPECT_TRUE(tests.count(camel_case(entry.path().stem().string()))) << entry.path() << " has no test";
    }
    EXPECT_GE(count, 14);
}

TEST(Examples, SayWhatToLookFor) {
    for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
        if (entry.path().extension() != ".json") continue;
        SCOPED_TRACE(entry.path().string());
        std::ifstream in(entry.path());
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        EXPECT_EQ(text.compare(0, 3, "// "), 0);
        const Scene scene = load_scene(entry.path().string());
        EXPECT_FALSE(scene.title.empty());
        EXPECT_FALSE(scene.description.empty());
        if (scene.bodies.empty()) continue;  // for include only
        EXPECT_FALSE(scene.measure.empty());
        EXPECT_TRUE(scene.view.camera && scene.view.target);
    }
}

// Names that a scene can use, with values in the range of real things.
TEST(Example, Materials) {
    const Scene scene = load_scene((kFolder / "materials.json").string());
    ASSERT_GE(scene.materials.size(), 5u);
    for (const MaterialDesc& m : scene.materials) {
        EXPECT_GT(m.density, 10);
        EXPECT_LT(m.density, 23000);
        EXPECT_LE(m.friction, 1.5);
    }
    World world(scene);
    EXPECT_TRUE(world.step().ok);
    EXPECT_EQ(world.body_count(), 0u);
}

}  // namespace
}  // namespace impuls
