// Recordings: bit-exact round trips, one file after closing, plain SQL, what is refused.
#include <fmt/format.h>
#include <json/json.h>
#include <sqlite3.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "impuls/scene_file.h"
#include "io/recording/fixture.h"

namespace impuls::test {
namespace {

void expect_same_bits(const Frame& a, const Frame& b, bool contacts) {
    EXPECT_EQ(a.step, b.step);
    EXPECT_EQ(bits(a.time), bits(b.time));
    ASSERT_EQ(a.bodies, b.bodies);
    for (std::size_t k = 0; k < a.bodies.size(); ++k) {
        test::expect_same_bits(a.positions[k], b.positions[k]);
        test::expect_same_bits(a.velocities[k], b.velocities[k]);
        test::expect_same_bits(a.angular_velocities[k], b.angular_velocities[k]);
        EXPECT_EQ(std::memcmp(&a.orientations[k], &b.orientations[k], sizeof(Quat)), 0);
    }
    ASSERT_EQ(a.joints.size(), b.joints.size());
    for (std::size_t k = 0; k < a.joints.size(); ++k) {
        EXPECT_EQ(std::memcmp(&a.joints[k], &b.joints[k], sizeof(JointReaction)), 0);
    }
    ASSERT_EQ(b.contacts.size(), contacts ? a.contacts.size() : 0u);
    for (std::size_t k = 0; k < b.contacts.size(); ++k) {
        const Contact &c = a.contacts[k], &d = b.contacts[k];
        EXPECT_EQ(c.a, d.a);
        EXPECT_EQ(c.b, d.b);
        EXPECT_EQ(c.feature, d.feature);
        test::expect_same_bits(c.point, d.point);
        test::expect_same_bits(c.normal, d.normal);
        EXPECT_EQ(bits(c.depth), bits(d.depth));
        test::expect_same_bits(c.force, d.force);
    }
    EXPECT_EQ(std::memcmp(&a.energy, &b.energy, sizeof(Energy)), 0);
    test::expect_same_bits(a.linear_momentum, b.linear_momentum);
    test::expect_same_bits(a.angular_momentum, b.angular_momentum);
    EXPECT_EQ(bits(a.max_penetration), bits(b.max_penetration));
    EXPECT_EQ(bits(a.max_joint_error), bits(b.max_joint_error));
    EXPECT_EQ(std::memcmp(&a.stage_seconds, &b.stage_seconds, sizeof a.stage_seconds), 0);
    EXPECT_EQ(a.outcomes, b.outcomes);
}

std::string shell(const std::string& command) {
    std::string out;
    std::FILE* pipe = popen(command.c_str(), "r");
    std::array<char, 4096> buffer{};
    while (std::fgets(buffer.data(), buffer.size(), pipe)) out += buffer.data();
    EXPECT_EQ(pclose(pipe), 0) << command;
    return out;
}

void run_sql(const std::string& file, const std::string& sql) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
}

// A small closed recording of everything.
void write_sample_recording(const std::string& file) {
    const auto structure = std::make_shared<const Scene>(make_scene(3, true));
    Recorder recorder(file, *structure);
    for (std::int64_t step = 0; step < 10; ++step) {
        recorder.add_hash(step, 0xf000000000000000u + static_cast<std::uint64_t>(step));
        recorder.add_frame(wild_frame(structure, step, 5));
        recorder.add_sample("energy.total", step, 0.1 * static_cast<double>(step), 7.5);
        recorder.add_sample("bodies.ball[0].position.y", step, 0.1 * static_cast<double>(step), -1.25);
    }
    recorder.add_command(4, SetSettings{.gravity = Vec3{0, 0, -1.62}});
    recorder.add_command(4, Remove{.bodies = {"ball[1]"}});
    recorder.add_checkpoint(0, std::as_bytes(std::span("some state")));
    recorder.set_meta("note", "hello");
    recorder.close();
}

std::string error_of(const std::string& file) {
    try {
        const Recording recording(file);
    } catch (const FileError& e) {
        return e.what();
    }
    return "";
}

TEST(Recording, FramesComeBackBitForBit) {
    const TempFolder folder;
    for (const bool contacts : {true, false}) {
        const std::string file = folder / (contacts ? "with.impuls" : "without.impuls");
        const auto structure = std::make_shared<const Scene>(make_scene(5, true));
        RecordOptions options;
        options.contacts = contacts;
        Recorder recorder(file, *structure, options);
        for (std::int64_t step : {0, 3, 7}) recorder.add_frame(wild_frame(structure, step, 11));
        recorder.close();
        const Recording recording(file);
        EXPECT_EQ(recording.frame_steps(), (std::vector<std::int64_t>{0, 3, 7}));
        for (std::int64_t step : {7, 0, 3}) {
            expect_same_bits(wild_frame(structure, step, 11), recording.frame(step), contacts);
        }
        EXPECT_EQ(recording.frame(0).structure, recording.frame(7).structure) << "one structure, one object";
        EXPECT_THROW(recording.frame(4), InputError);
    }
}

TEST(Recording, EverythingElseComesBack) {
    const TempFolder folder;
    const std::string file = folder / "all.impuls";
    write_sample_recording(file);
    const Recording recording(file);
    const auto hashes = recording.hashes();
    ASSERT_EQ(hashes.size(), 10u);
    EXPECT_EQ(hashes[9], (std::pair<std::int64_t, std::uint64_t>{9, 0xf000000000000009u}));
    const auto commands = recording.commands();
    ASSERT_EQ(commands.size(), 2u);
    EXPECT_EQ(commands[0].first, 4);
    EXPECT_EQ(std::get<SetSettings>(commands[0].second).gravity, (Vec3{0, 0, -1.62}));
    EXPECT_EQ(std::get<Remove>(commands[1].second).bodies.at(0), "ball[1]");
    EXPECT_EQ(recording.checkpoint_steps(), std::vector<std::int64_t>{0});
    const auto state = recording.checkpoint(0);
    EXPECT_STREQ(reinterpret_cast<const char*>(state.data()), "some state");
    EXPECT_THROW(recording.checkpoint(1), InputError);
    EXPECT_EQ(recording.sample_names(),
              (std::vector<std::string>{"bodies.ball[0].position.y", "energy.total"}));
    const auto samples = recording.samples("energy.total");
    ASSERT_EQ(samples.size(), 10u);
    EXPECT_EQ(samples[3].step, 3);
    EXPECT_EQ(samples[3].time, 0.1 * 3.0);
    EXPECT_EQ(samples[3].value, 7.5);
    EXPECT_EQ(recording.meta("note"), "hello");
    EXPECT_EQ(recording.meta("nothing"), "");
    for (const auto& [key, value] : build_info()) EXPECT_EQ(recording.meta(key), value);
    EXPECT_GE(recording.all_meta().size(), 8u);
    const Scene scene = recording.scene();
    EXPECT_EQ(scene.title, make_scene(0).title);
    EXPECT_EQ(scene.bodies.size(), 4u);
    EXPECT_EQ(scene.joints.size(), 3u);
}

TEST(Recording, StructureIsStoredOnlyWhenItChanges) {
    const TempFolder folder;
    const std::string file = folder / "structure.impuls";
    const auto two = std::make_shared<const Scene>(make_scene(2));
    const auto three = std::make_shared<const Scene>(make_scene(3));
    {
        Recorder recorder(file, *two);
        recorder.add_frame(tame_frame(two, 0));
        recorder.add_frame(tame_frame(two, 1));
        recorder.add_frame(tame_frame(std::make_shared<const Scene>(*two), 2));
        recorder.add_frame(tame_frame(three, 3));
        recorder.add_frame(tame_frame(three, 4));
        recorder.close();
    }
    EXPECT_EQ(shell("sqlite3 " + file + " 'SELECT id, step FROM structures'"), "1|0\n2|3\n");
    const Recording recording(file);
    EXPECT_EQ(recording.frame(2).positions.size(), 3u);
    EXPECT_EQ(recording.frame(4).positions.size(), 4u);
    EXPECT_EQ(recording.frame(4).structure->bodies[3].name, "ball[2]");
    EXPECT_EQ(recording.frame(1).structure->bodies.size(), 3u);
}

TEST(Recording, MeasurementsArePlainSql) {
    const TempFolder folder;
    const std::string file = folder / "sql.impuls";
    write_sample_recording(file);
    EXPECT_EQ(shell("sqlite3 " + file +
                    " \"SELECT count(*), sum(value) FROM measurements WHERE name = 'energy.total'\""),
              "10|75.0\n");
    EXPECT_EQ(shell("sqlite3 " + file + " 'SELECT value FROM meta WHERE key = \"note\"'"), "hello\n");
    EXPECT_EQ(
        shell("sqlite3 " + file + " 'PRAGMA application_id; PRAGMA user_version; PRAGMA integrity_check'"),
        "1231908972\n2\nok\n");
}

TEST(Recording, NotANumberIsNullInSql) {
    const TempFolder folder;
    const std::string file = folder / "nan.impuls";
    {
        Recorder recorder(file, make_scene(1));
        recorder.add_sample("q", 0, 0, std::nan(""));
        recorder.add_sample("q", 1, 1, std::numeric_limits<double>::infinity());
    }
    const auto samples = Recording(file).samples("q");
    ASSERT_EQ(samples.size(), 2u);
    EXPECT_TRUE(std::isnan(samples[0].value));
    EXPECT_TRUE(std::isinf(samples[1].value));
}

TEST(Recording, OneFileRemainsAfterClose) {
    const TempFolder folder;
    write_sample_recording(folder / "one.impuls");
    {
        const Recording recording(folder / "one.impuls");
        recording.frame(3);
    }
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        names.push_back(entry.path().filename());
    }
    EXPECT_EQ(names, std::vector<std::string>{"one.impuls"});
}

TEST(Recording, MayBeReadWhileItIsWritten) {
    const TempFolder folder;
    const std::string file = folder / "live.impuls";
    const auto structure = std::make_shared<const Scene>(make_scene(2));
    Recorder recorder(file, *structure);
    recorder.add_frame(tame_frame(structure, 0));
    recorder.commit();
    const Recording reader(file);
    EXPECT_EQ(reader.frame_steps().size(), 1u);
    recorder.add_frame(tame_frame(structure, 1));
    EXPECT_EQ(reader.frame_steps().size(), 1u);
    recorder.commit();
    EXPECT_EQ(reader.frame_steps().size(), 2u);
}

TEST(Recording, CommitsByItselfWithinASecond) {
    const TempFolder folder;
    const std::string file = folder / "slow.impuls";
    const auto structure = std::make_shared<const Scene>(make_scene(2));
    Recorder recorder(file, *structure);
    recorder.add_frame(tame_frame(structure, 0));
    usleep(1'000'000);  // the caller is busy elsewhere
    EXPECT_EQ(Recording(file).frame_steps().size(), 1u);
}

TEST(Recording, OverwritesOnlyRecordingsAndOnlyWhenTold) {
    const TempFolder folder;
    const Scene scene = make_scene(1);
    const std::string file = folder / "old.impuls";
    write_sample_recording(file);
    EXPECT_THROW(Recorder(file, scene), FileError);
    EXPECT_EQ(Recording(file).frame_steps().size(), 10u) << "the old one is untouched";
    { const Recorder recorder(file, scene, {}, true); }
    EXPECT_EQ(Recording(file).frame_steps().size(), 0u);

    const std::string text = folder / "thesis.txt";
    std::ofstream(text) << "three years of work";
    EXPECT_THROW(Recorder(text, scene, {}, true), FileError);
    EXPECT_EQ(std::filesystem::file_size(text), 19u);
    run_sql(folder / "other.db", "CREATE TABLE t(x)");
    EXPECT_THROW(Recorder(folder / "other.db", scene, {}, true), FileError);
    std::ofstream(folder / "empty");
    EXPECT_THROW(Recorder(folder / "empty", scene, {}, true), FileError);
    EXPECT_THROW(Recorder(folder.path(), scene, {}, true), FileError);
    EXPECT_THROW(Recorder("/dev/null", scene, {}, true), FileError);
    EXPECT_THROW(Recorder("", scene), FileError);
}

TEST(Recording, IsNotTakenFromAWriterThatIsStillAtIt) {
    const TempFolder folder;
    const std::string file = folder / "busy.impuls";
    const auto structure = std::make_shared<const Scene>(make_scene(1));
    Recorder writer(file, *structure);
    writer.add_frame(tame_frame(structure, 0));
    EXPECT_THROW(Recorder(file, *structure, {}, true), FileError);
    writer.add_frame(tame_frame(structure, 1));
    writer.close();
    EXPECT_EQ(Recording(file).frame_steps().size(), 2u);
}

TEST(Recording, StaleLogsDoNotReachTheNewFile) {
    const TempFolder folder;
    const std::string file = folder / "x.impuls";
    const auto structure = std::make_shared<const Scene>(make_scene(1));
    {
        Recorder recorder(file, *structure);
        recorder.add_frame(tame_frame(structure, 5));
        recorder.commit();
        std::filesystem::copy(file + "-wal", folder / "saved");
    }
    std::filesystem::remove(file);
    std::filesystem::rename(folder / "saved", file + "-wal");
    { const Recorder recorder(file, *structure); }
    EXPECT_EQ(Recording(file).frame_steps().size(), 0u);

    std::ofstream(folder / "y.impuls-wal") << "my own notes";
    EXPECT_THROW(Recorder(folder / "y.impuls", *structure), FileError);
    EXPECT_TRUE(std::filesystem::exists(folder / "y.impuls-wal"));
}

TEST(Recording, SaysWhatIsWrongWithOtherFiles) {
    const TempFolder folder;
    EXPECT_THROW(Recording(folder / "none.impuls"), InputError);
    EXPECT_NE(error_of(folder.path()).find("folder"), std::string::npos);
    std::ofstream(folder / "text")
        << "hello, this is a text file that is long enough to be looked at ................";
    EXPECT_NE(error_of(folder / "text").find("not an Impuls recording"), std::string::npos);
    std::ofstream(folder / "short") << "x";
    EXPECT_NE(error_of(folder / "short").find("not an Impuls recording"), std::string::npos);
    std::ofstream(folder / "empty");
    EXPECT_NE(error_of(folder / "empty").find("empty"), std::string::npos);
    run_sql(folder / "other.db", "CREATE TABLE frames(step INTEGER PRIMARY KEY)");
    EXPECT_NE(error_of(folder / "other.db").find("SQLite file"), std::string::npos);
    write_sample_recording(folder / "newer.impuls");
    run_sql(folder / "newer.impuls", "PRAGMA user_version=3");
    EXPECT_NE(error_of(folder / "newer.impuls").find("format version 3"), std::string::npos);
}

TEST(Recording, RefusesTablesThatAreNotItsOwn) {
    const TempFolder folder;
    const std::string file = folder / "view.impuls";
    write_sample_recording(file);
    run_sql(
        file,
        "ALTER TABLE hashes RENAME TO h; CREATE VIEW hashes AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL "
        "SELECT x + 1 FROM n) SELECT x AS step, x AS hash FROM n");
    EXPECT_NE(error_of(file).find("damaged"), std::string::npos);
}

TEST(Recording, ScenesThatNameOtherFilesAreRefused) {
    const TempFolder folder;
    for (const char* scene :
         {R"({"impuls": 1, "include": [{"file": "/etc/passwd"}], "bodies": []})",
          R"({"impuls": 1, "bodies": [{"shape": {"type": "mesh", "file": "/etc/passwd"}}]})"}) {
        const std::string file = folder / "spy.impuls";
        std::filesystem::remove(file);
        write_sample_recording(file);
        run_sql(file, fmt::format("UPDATE scene SET text = '{}'", scene));
        try {
            Recording(file).scene();
            ADD_FAILURE() << "not refused: " << scene;
        } catch (const FileError& e) {
            EXPECT_NE(std::string(e.what()).find("other files"), std::string::npos) << e.what();
        }
    }
}

TEST(Recording, SceneWithIncludesNeedsNoOtherFile) {
    const TempFolder folder;
    std::ofstream(folder / "part.json")
        << R"({"impuls": 1, "bodies": [{"name": "wheel", "shape": {"type": "sphere", "radius": 0.25}}]})";
    std::ofstream(folder / "main.json")
        << R"({"impuls": 1, "title": "car", "include": [{"file": "part.json", "name": "car", "position": [0, 2, 0]}],
               "bodies": [{"name": "nail", "kind": "static", "shape": {"type": "point"}}],
               "measure": [{"quantity": "bodies.car/wheel.position.y"}], "view": {"camera": [1, 2, 3]}})";
    const Scene scene = load_scene(folder / "main.json");
    { const Recorder recorder(folder / "car.impuls", scene); }
    std::filesystem::remove(folder / "part.json");
    std::filesystem::remove(folder / "main.json");
    const Scene back = Recording(folder / "car.impuls").scene();
    EXPECT_TRUE(back.include.empty());
    ASSERT_EQ(back.bodies.size(), 2u);
    bool found = false;
    for (const BodyDesc& body : back.bodies)
        found |= body.name == "car/wheel" && body.position == Vec3{0, 2, 0};
    EXPECT_TRUE(found);
    ASSERT_EQ(back.measure.size(), 1u);
    EXPECT_EQ(back.title, "car");
    EXPECT_EQ(back.view.camera, (Vec3{1, 2, 3}));
}

TEST(Recording, OriginalSceneKeepsItsGenerators) {
    const TempFolder folder;
    const Scene scene = parse_scene(R"({"impuls": 1, "variables": {"n": 4},
        "bodies": [{"name": "c", "shape": {"type": "box"}, "repeat": {"count": ["n", 1, 1]}}]})");
    { const Recorder recorder(folder / "g.impuls", scene); }
    const Scene back = Recording(folder / "g.impuls").scene();
    ASSERT_EQ(back.bodies.size(), 1u);
    ASSERT_TRUE(back.bodies[0].repeat.has_value());
    EXPECT_EQ(back.bodies[0].repeat->count.x, 4);
    EXPECT_EQ(to_json(back), to_json(scene));
}

TEST(Recording, RefusesFramesThatDoNotFit) {
    const TempFolder folder;
    const auto structure = std::make_shared<const Scene>(make_scene(2));
    Recorder recorder(folder / "fit.impuls", *structure);
    Frame frame = tame_frame(structure, 0);
    frame.positions.pop_back();
    EXPECT_THROW(recorder.add_frame(frame), InputError);
    frame = tame_frame(structure, 0);
    frame.structure = nullptr;
    EXPECT_THROW(recorder.add_frame(frame), InputError);
    recorder.add_frame(tame_frame(structure, 1));
    recorder.close();
    EXPECT_THROW(recorder.add_frame(tame_frame(structure, 2)), FileError) << "closed";
    EXPECT_NO_THROW(recorder.close());
    EXPECT_EQ(Recording(folder / "fit.impuls").frame_steps(), std::vector<std::int64_t>{1});
}

}  // namespace
}  // namespace impuls::test
