// Scenes made of several files, and meshes from OBJ files.
#include "io/scene/obj.h"
#include "io/scene/testing.h"

namespace impuls {
namespace {

using SceneIncludes = SceneFolder;

TEST_F(SceneIncludes, MergedWithNamesPlacesAndLocalVariables) {
    write("parts/arm.json", R"({"impuls": 1, "variables": {"r": 0.25},
 "materials": [{"name": "steel", "density": 7800}],
 "bodies": [{"name": "hand", "shape": {"type": "sphere", "radius": "r"}, "position": [1, 0, 0],
             "material": "steel", "repeat": {"count": [2, 1, 1], "spacing": [1, 0, 0]}}],
 "joints": [{"type": "ball", "name": "wrist", "a": "hand[0]", "b": "hand[1]", "anchor": [1.5, 0, 0]}]})");
    const std::string file = write("main.json", R"({"impuls": 1, "variables": {"r": 9},
 "include": [{"file": "parts/arm.json", "name": "left", "position": [0, "r", 0]}, "parts/arm.json"],
 "bodies": [{"name": "box", "shape": {"type": "box"}, "material": "steel"}],
 "joints": [{"type": "ball", "a": "left/hand[0]", "b": "box"}, {"type": "ball", "a": "hand[1]", "b": "box"}]})");
    const Scene scene = load_scene(file);
    const Scene out = expand(scene);
    ASSERT_EQ(out.bodies.size(), 5u);
    EXPECT_EQ(out.bodies[1].name, "left/hand[1]");
    EXPECT_EQ(out.bodies[1].position, (Vec3{2, 9, 0}));
    EXPECT_EQ(out.bodies[3].name, "hand[1]");
    EXPECT_EQ(std::get<Sphere>(out.bodies[3].shape).radius, 0.25);
    EXPECT_EQ(out.joints[0].name, "left/wrist");
    EXPECT_EQ(out.materials.size(), 1u);

    save_scene(scene, path("again.json"));
    const std::string saved = read_text(path("again.json"));
    EXPECT_NE(saved.find("\"parts/arm.json\"\n"), std::string::npos) << saved;
    EXPECT_NE(saved.find("[0, \"r\", 0]"), std::string::npos) << saved;
    EXPECT_EQ(to_json(load_scene(path("again.json"))), saved);
}

TEST_F(SceneIncludes, ProblemsNameTheIncludedFile) {
    write(
        "part.json",
        "{\"impuls\": 1, \"bodies\": [\n {\"name\": \"a\", \"shape\": {\"type\": \"box\"}, \"mass\": -1}]}");
    const std::string file = write("main.json", R"({"impuls": 1, "include": ["part.json"],
 "settings": {"dt": -1}})");
    EXPECT_EQ(file_complaints(file), file + ":2:21: /settings/dt: -1 is not > 0\n" + path("part.json") +
                                         ":2:50: /bodies/0/mass: -1 is not > 0");
}

TEST_F(SceneIncludes, SyntaxErrorInAnIncludedFile) {
    write("part.json", "{\"impuls\": 1,\n x}");
    const std::string file =
        write("main.json", R"({"impuls": 1, "include": ["part.json"], "settings": {"dt": -1}})");
    EXPECT_EQ(file_complaints(file), file + ":1:60: /settings/dt: -1 is not > 0\n" + path("part.json") +
                                         ":2:2: missing '}' or object member name");
}

TEST_F(SceneIncludes, CyclesAndMissingFiles) {
    const std::string a = write("a.json", R"({"impuls": 1, "include": ["b.json", "gone.json"]})");
    const std::string b = write("b.json", R"({"impuls": 1, "include": [{"file": "sub/../a.json"}]})");
    EXPECT_EQ(file_complaints(a), a + ":1:37: /include/1/file: '" + path("gone.json") + "': no such file\n" +
                                      b + ":1:36: /include/0/file: '" + a +
                                      "': the file includes itself through b.json");
    const std::string self = write("self.json", R"({"impuls": 1, "include": ["self.json"]})");
    EXPECT_EQ(file_complaints(self),
              self + ":1:27: /include/0/file: '" + self + "': the file includes itself");
    const std::string dir = write("dir.json", R"({"impuls": 1, "include": ["."]})");
    EXPECT_NE(file_complaints(dir).find("is not a file"), std::string::npos);
}

TEST_F(SceneIncludes, CountsHiddenInIncludes) {
    write("many.json", R"({"impuls": 1, "bodies": [
 {"name": "a", "shape": {"type": "box"}, "repeat": {"count": [1000, 1000, 4]}}]})");
    const std::string file =
        write("main.json", R"({"impuls": 1, "include": [{"file": "many.json", "name": "x"},
 {"file": "many.json", "name": "y"}, {"file": "many.json", "name": "z"}]})");
    EXPECT_EQ(file_complaints(file),
              path("many.json") +
                  ":2:62: /bodies/0/repeat/count: brings the number of bodies to 12000000; "
                  "at most 10000000 are possible");
}

TEST_F(SceneIncludes, ManyFilesDeep) {
    for (int k = 0; k < 80; ++k) {
        write(std::to_string(k) + ".json",
              "{\"impuls\": 1, \"include\": [\"" + std::to_string(k + 1) + ".json\"]}");
    }
    write("80.json", "{\"impuls\": 1}");
    EXPECT_NE(file_complaints(path("0.json")).find("files are included too deep"), std::string::npos);
    EXPECT_EQ(file_complaints(path("30.json")), "");
}

TEST_F(SceneIncludes, MeshFromObj) {
    write("tetra.obj",
          "# a tetrahedron\no thing\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\n"
          "f 1/1/1 3/3/1 2/2/1\nf 1 2 4\nf 1//1 4//1 3//1\nf -3 -2 -1\n");
    const std::string file =
        write("main.json", R"({"impuls": 1, "bodies": [{"shape": {"type": "mesh", "file": "tetra.obj"}}]})");
    const Scene scene = load_scene(file);
    const Mesh& mesh = std::get<Mesh>(scene.bodies[0].shape);
    EXPECT_EQ(mesh.vertices.size(), 4u);
    EXPECT_EQ(mesh.triangles, (std::vector<std::int64_t>{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}));
    const std::string saved = to_json(scene);
    EXPECT_EQ(saved.find("vertices"), std::string::npos);
    EXPECT_NE(saved.find("{\"type\": \"mesh\", \"file\": \"tetra.obj\"}"), std::string::npos);
}

TEST_F(SceneIncludes, MeshProblems) {
    const std::string file =
        write("main.json", R"({"impuls": 1, "bodies": [{"shape": {"type": "mesh", "file": "m.obj"}}]})");
    EXPECT_EQ(file_complaints(file),
              file + ":1:61: /bodies/0/shape/file: '" + path("m.obj") + "': no such file");
    write("m.obj", "v 0 0 0\nv 1 0\n");
    EXPECT_EQ(file_complaints(file), path("m.obj") + ":2:1: a vertex needs 3 numbers");
    write("m.obj", "v 0 0 0\nv 1 0 nan\n");
    EXPECT_EQ(file_complaints(file), path("m.obj") + ":2:1: 'nan' is not a number");
    write("m.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 4\n");
    EXPECT_EQ(file_complaints(file), path("m.obj") + ":4:1: there is no vertex 4 (3 vertices so far)");
    write("m.obj", "v 0 0 0\n");
    EXPECT_EQ(file_complaints(file), path("m.obj") + ":1:1: holds no faces");
    const std::string both =
        write("both.json", R"({"impuls": 1, "bodies": [{"shape": {"type": "mesh", "file": "m.obj",
 "vertices": [[0, 0, 0]]}}]})");
    EXPECT_EQ(file_complaints(both),
              both + ":1:61: /bodies/0/shape/file: vertices or triangles are given too: leave one out");
}

TEST(Obj, PolygonsBecomeFans) {
    Mesh mesh;
    parse_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0.5 0\nf 1 2 3 4 5\n", "m.obj", mesh);
    EXPECT_EQ(mesh.triangles, (std::vector<std::int64_t>{0, 1, 2, 0, 2, 3, 0, 3, 4}));
}

}  // namespace
}  // namespace impuls
