// Exporters: what they write is parsed back by other means (a CSV reader here, JsonCpp, an OBJ reader, the
// real povray) and compared with the frames.
#include "impuls/export.h"

#include <json/json.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "impuls/errors.h"
#include "io/recording/fixture.h"

namespace impuls::test {
namespace {

void run_exporter(const std::string& name, const Recording& recording, const std::string& out) {
    double last = 0;
    for (const Exporter& exporter : exporters()) {
        if (exporter.name != name) continue;
        exporter.write(recording, out, {.progress = [&last](double done) {
                           EXPECT_GE(done, last);
                           last = done;
                       }});
        EXPECT_DOUBLE_EQ(last, 1);
        return;
    }
    FAIL() << "no exporter " << name;
}

std::string contents(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    EXPECT_TRUE(in) << file;
    return {std::istreambuf_iterator<char>(in), {}};
}

// RFC 4180.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
    std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
    bool quoted = false;
    for (std::size_t k = 0; k < text.size(); ++k) {
        const char c = text[k];
        if (quoted && c == '"' && k + 1 < text.size() && text[k + 1] == '"') {
            rows.back().back() += text[++k];
        } else if (c == '"') {
            quoted = !quoted;
        } else if (!quoted && c == ',') {
            rows.back().emplace_back();
        } else if (!quoted && c == '\n') {
            rows.emplace_back(1);
        } else {
            rows.back().back() += c;
        }
    }
    rows.pop_back();
    return rows;
}

const std::string kOddName = "a \"b\", c d";

// Three balls, one with a name that needs quoting; contacts and a joint; five frames.
std::string record(const TempFolder& folder, bool samples = true) {
    const std::string file = folder / "export.impuls";
    Scene scene = make_scene(3, true);
    scene.bodies[2].name = kOddName;
    scene.joints[1].b = kOddName;
    const auto structure = std::make_shared<const Scene>(scene);
    Recorder recorder(file, scene);
    for (std::int64_t step = 0; step < 5; ++step) {
        Frame frame = tame_frame(structure, 10 * step, 0.123);
        frame.contacts.push_back({0, 2, 1, {1, 2, 3}, {0, 1, 0}, 0.001, {0.1, 99.5, 0.2}});
        frame.contacts.push_back({1, kNoBody, 1, {4, 5, 6}, {0, 1, 0}, std::nan(""), {}});
        frame.joints[1].force = {1.5, 2.5, 3.5};
        recorder.add_frame(frame);
        if (samples) recorder.add_sample("energy,\ntotal", 10 * step, frame.time, 1.0 / 3.0);
    }
    recorder.close();
    return file;
}

TEST(Export, ListNamesThemAll) {
    std::vector<std::string> names;
    for (const Exporter& exporter : exporters()) names.emplace_back(exporter.name);
    EXPECT_EQ(names,
              (std::vector<std::string>{"csv", "json", "obj", "vtk", "povray", "png", "mp4", "glb", "html"}));
}

TEST(Export, CsvReadsBackExactly) {
    const TempFolder folder;
    const Recording recording(record(folder));
    run_exporter("csv", recording, folder / "out.csv");
    const auto rows = parse_csv(contents(folder / "out.csv"));
    ASSERT_EQ(rows.size(), 1u + 5 * 4);
    EXPECT_EQ(rows[0].size(), 16u);
    EXPECT_EQ(rows[0][2], "body");
    std::size_t row = 1;
    for (const std::int64_t step : recording.frame_steps()) {
        const Frame f = recording.frame(step);
        for (std::size_t k = 0; k < 4; ++k, ++row) {
            ASSERT_EQ(rows[row].size(), 16u);
            EXPECT_EQ(rows[row][0], std::to_string(step));
            EXPECT_EQ(rows[row][2], f.structure->bodies[k].name);
            const Vec3 &p = f.positions[k], &v = f.velocities[k], &w = f.angular_velocities[k];
            const Quat& q = f.orientations[k];
            const double expected[] = {p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z};
            EXPECT_EQ(std::stod(rows[row][1]), f.time);
            for (std::size_t c = 0; c < 13; ++c) EXPECT_EQ(std::stod(rows[row][3 + c]), expected[c]);
        }
    }
    const auto samples = parse_csv(contents(folder / "out.csv.measurements.csv"));
    ASSERT_EQ(samples.size(), 6u);
    EXPECT_EQ(samples[2][0], "energy,\ntotal");
    EXPECT_EQ(samples[2][1], "10");
    EXPECT_EQ(std::stod(samples[2][3]), 1.0 / 3.0);
}

TEST(Export, CsvWithoutMeasurementsIsOneFile) {
    const TempFolder folder;
    const Recording recording(record(folder, false));
    run_exporter("csv", recording, folder / "out.csv");
    EXPECT_FALSE(std::filesystem::exists(folder / "out.csv.measurements.csv"));
}

Vec3 to_vec(const Json::Value& v) {
    return {v[0].asDouble(), v[1].asDouble(), v[2].asDouble()};
}

TEST(Export, JsonReadsBackExactly) {
    const TempFolder folder;
    const Recording recording(record(folder));
    run_exporter("json", recording, folder / "out.json");
    std::ifstream in(folder / "out.json");
    Json::CharReaderBuilder builder;
    Json::CharReaderBuilder::strictMode(&builder.settings_);
    Json::Value root;
    std::string errors;
    ASSERT_TRUE(Json::parseFromStream(builder, in, &root, &errors)) << errors;
    EXPECT_EQ(root["title"].asString(), make_scene(0).title);
    ASSERT_EQ(root["frames"].size(), 5u);
    for (Json::ArrayIndex n = 0; n < 5; ++n) {
        const Json::Value& frame = root["frames"][n];
        const Frame f = recording.frame(10 * n);
        EXPECT_EQ(frame["step"].asInt64(), f.step);
        EXPECT_EQ(frame["time"].asDouble(), f.time);
        ASSERT_EQ(frame["bodies"].size(), 4u);
        for (Json::ArrayIndex k = 0; k < 4; ++k) {
            const Json::Value& body = frame["bodies"][k];
            EXPECT_EQ(body["name"].asString(), f.structure->bodies[k].name);
            EXPECT_EQ(to_vec(body["position"]), f.positions[k]);
            EXPECT_EQ(to_vec(body["velocity"]), f.velocities[k]);
            EXPECT_EQ(to_vec(body["angular_velocity"]), f.angular_velocities[k]);
            EXPECT_EQ(body["orientation"][0].asDouble(), f.orientations[k].w);
            EXPECT_EQ(body["orientation"][3].asDouble(), f.orientations[k].z);
        }
        ASSERT_EQ(frame["contacts"].size(), 2u);
        EXPECT_EQ(frame["contacts"][0]["b"].asString(), kOddName);
        EXPECT_EQ(to_vec(frame["contacts"][0]["force"]), (Vec3{0.1, 99.5, 0.2}));
        EXPECT_TRUE(frame["contacts"][1]["b"].isNull());
        EXPECT_TRUE(frame["contacts"][1]["depth"].isNull()) << "NaN";
        EXPECT_EQ(to_vec(frame["joints"][1]["force"]), (Vec3{1.5, 2.5, 3.5}));
    }
}

TEST(Export, ObjHasOneGroupForEachBody) {
    const TempFolder folder;
    const Recording recording(record(folder));
    run_exporter("obj", recording, folder / "frames/");
    const Frame f = recording.frame(30);
    std::ifstream in(folder / "frames/frame_000003.obj");
    std::map<std::string, std::vector<Vec3>> groups;
    std::vector<Vec3> vertices;
    std::string group, word;
    double volume =
        0;  // six times that of ball[2], by the divergence theorem: only right if faces point outwards
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        words >> word;
        if (word == "g") {
            words >> group;
            EXPECT_FALSE(words >> word) << "one name only: " << line;
        } else if (word == "v") {
            Vec3 v;
            words >> v.x >> v.y >> v.z;
            vertices.push_back(v);
            groups[group].push_back(v);
        } else if (word == "f") {
            std::size_t a = 0, b = 0, c = 0;
            words >> a >> b >> c;
            ASSERT_TRUE(a >= 1 && b >= 1 && c >= 1 && std::max({a, b, c}) <= vertices.size());
            if (group == "ball[2]") volume += dot(vertices[a - 1], cross(vertices[b - 1], vertices[c - 1]));
        }
    }
    ASSERT_EQ(groups.size(), 4u);
    EXPECT_EQ(groups.count("a_\"b\",_c_d"), 1u);
    ASSERT_GT(groups["ball[2]"].size(), 50u);
    for (const Vec3& v : groups["ball[2]"]) EXPECT_NEAR(length(v - f.positions[3]), 0.5, 1e-12);
    EXPECT_NEAR(volume / 6, 4.0 / 3.0 * M_PI * 0.125, 0.03);
}

TEST(Export, LeavesNothingHalfWritten) {
    const TempFolder folder;
    const Recording recording(record(folder));
    EXPECT_THROW(run_exporter("csv", recording, folder / "missing/out.csv"), FileError);
    EXPECT_THROW(run_exporter("json", recording, folder / "missing/out.json"), FileError);
    EXPECT_THROW(run_exporter("obj", recording, folder / "missing/out"), FileError);
    EXPECT_THROW(run_exporter("csv", recording, folder.path()), FileError);
    std::ofstream(folder / "file") << "x";
    EXPECT_THROW(run_exporter("povray", recording, folder / "file"), FileError);
    EXPECT_THROW(run_exporter("obj", recording, folder.path()), FileError) << "not empty";
    // An export that breaks off leaves the old result alone.
    std::ofstream(folder / "old.csv") << "old";
    const ExportSettings stop{.overwrite = true,
                              .progress = [](double) { throw std::runtime_error("stop"); }};
    EXPECT_THROW(exporters()[0].write(recording, folder / "old.csv", stop), std::runtime_error);
    EXPECT_EQ(contents(folder / "old.csv"), "old");
    EXPECT_THROW(exporters()[2].write(recording, folder / "new", stop), std::runtime_error);
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++files;
    EXPECT_EQ(files, 3u) << "recording, file, old.csv";
    EXPECT_THROW(exporters()[0].write(recording, folder / "old.csv", {}), FileError) << "not asked to";
    EXPECT_EQ(contents(folder / "old.csv"), "old");
    EXPECT_NO_THROW(exporters()[0].write(recording, folder / "old.csv", {.overwrite = true}))
        << "no progress wanted";
    EXPECT_NE(contents(folder / "old.csv"), "old");
}

}  // namespace
}  // namespace impuls::test
