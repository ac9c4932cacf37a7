// Pictures, films and pages from the command line: `show`, `export` to png, glb, html, mp4, and `plot`.
#include <cmath>
#include <cstring>
#include <filesystem>

#include "cli/program.h"
#include "support/places.h"

namespace impuls::test {
namespace {

namespace fs = std::filesystem;

struct Size {
    unsigned width, height;
};

// Of a PNG file, whose first chunk begins with its width and height.
Size png_size(const std::string& file) {
    const std::string bytes = read_text(file);
    EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n") << file;
    EXPECT_EQ(bytes.substr(12, 4), "IHDR");
    const auto number = [&](std::size_t at) {
        unsigned value = 0;
        for (std::size_t k = 0; k < 4; ++k) value = value << 8 | static_cast<unsigned char>(bytes[at + k]);
        return value;
    };
    return {number(16), number(20)};
}

std::size_t files_in(const std::string& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

class Looking : public Cli {
  protected:
    // 31 frames, one every 0.05 s; a ball comes at 0.7 s and goes at 1.1 s.
    void record() {
        ASSERT_EQ(run({"run", scene, "--quiet", "--record", recording, "--frame-every", "5"}).code, 0);
    }
    std::string scene = write("kick.json", kTimeline), recording = path("kick.impuls");
};

TEST_F(Looking, ARunThatStopsEarlyShowsItsEnd) {
    const std::string file = path("end.png"), early = in_project("scenes/examples/trap-door.json");
    ASSERT_EQ(run({"show", early, "-o", file, "--at", "4", "--size", "64x48", "--quiet"}).code, 0);
    EXPECT_EQ(png_size(file).width, 64u);
}

TEST_F(Looking, ShowDrawsMomentsAndEnergiesOfAScene) {
    const Outcome outcome = run({"show", scene, "--moments", "3", "--columns", "2", "--size", "200x100"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "wrote kick.png\n") << "named after the scene, here";
    const Size sheet = png_size(path("kick.png"));
    EXPECT_EQ(sheet.width, 400u);
    EXPECT_EQ(sheet.height, 40u + 2 * 126 + 300) << "title, two rows with captions, plot";
    EXPECT_EQ(run({"show", scene}).code, 4) << "exists";
}

TEST_F(Looking, ShowDrawsRecordingsAndSingleMoments) {
    record();
    ASSERT_EQ(run({"show", recording, "--no-plot", "-o", path("all.png")}).code, 0);
    EXPECT_EQ(png_size(path("all.png")).width, 1280u);
    ASSERT_EQ(run({"show", recording, "--at", "0.8", "--size", "123x77", "--labels", "--axes", "-o",
                   path("one.png")})
                  .code,
              0);
    EXPECT_EQ(png_size(path("one.png")).width, 123u);
    EXPECT_EQ(png_size(path("one.png")).height, 77u);
    ASSERT_EQ(
        run({"show", scene, "--at", "0.8", "--size", "123x77", "--labels", "--axes", "-o", path("same.png")})
            .code,
        0);
    for (const char* size : {"0x10", "200", "200x", "99999x10", "axb"}) {
        const Outcome wrong = run({"show", recording, "--size", size, "-o", path("no.png")});
        EXPECT_EQ(wrong.code, 2) << size;
        EXPECT_TRUE(contains(wrong.err, "WIDTHxHEIGHT")) << wrong.err;
    }
    EXPECT_EQ(run({"show", recording, "--set", "settings.dt=1", "-o", path("no.png")}).code, 2);
    EXPECT_FALSE(fs::exists(path("no.png")));
}

TEST_F(Looking, ExportChoosesFrames) {
    record();
    const auto count = [&](const std::vector<std::string>& options) {
        std::vector<std::string> all{"export", recording, "--format",     "png",        "--size",
                                     "40x30",  "-o",      path("frames"), "--overwrite"};
        all.insert(all.end(), options.begin(), options.end());
        const Outcome outcome = run(all);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return files_in(path("frames"));
    };
    EXPECT_EQ(count({}), 31u);
    EXPECT_EQ(count({"--from", "0.5", "--to", "1"}), 11u) << "both ends included";
    EXPECT_EQ(count({"--every", "10"}), 4u);
    EXPECT_EQ(count({"--from", "0.5", "--every", "10"}), 3u);
    EXPECT_EQ(png_size(path("frames/frame_000002.png")).height, 30u);
    const Outcome none = run({"export", recording, "--format", "csv", "--from", "7", "-o", path("x.csv")});
    EXPECT_EQ(none.code, 2);
    EXPECT_TRUE(contains(none.err, "those recorded go from 0 s to 1.5 s")) << none.err;
    EXPECT_EQ(
        run({"export", recording, "--format", "csv", "--from", "2", "--to", "1", "-o", path("x.csv")}).code,
        2);
}

// The numbers of an accessor of a binary glTF, read as the standard says.
std::vector<float> numbers(const Json::Value& root, const std::string& bytes, int accessor) {
    const Json::Value& a = root["accessors"][accessor];
    const Json::Value& view = root["bufferViews"][a["bufferView"].asInt()];
    EXPECT_EQ(a["componentType"].asInt(), 5126);
    const std::string type = a["type"].asString();
    const std::size_t count = a["count"].asUInt64() * (type == "SCALAR" ? 1 : type == "VEC3" ? 3 : 4);
    EXPECT_EQ(view["byteLength"].asUInt64(), 4 * count);
    EXPECT_LE(view["byteOffset"].asUInt64() + 4 * count, bytes.size());
    std::vector<float> out(count);
    std::memcpy(out.data(), &bytes[view["byteOffset"].asUInt64()], 4 * count);
    return out;
}

TEST_F(Looking, GlbHoldsTheMotion) {
    record();
    ASSERT_EQ(run({"export", recording, "--format", "glb", "-o", path("kick.glb"), "--quiet"}).code, 0);
    ASSERT_EQ(run({"export", recording, "--format", "json", "-o", path("kick.frames"), "--quiet"}).code, 0);
    const std::string file = read_text(path("kick.glb"));
    const auto word = [&](std::size_t at) {
        std::uint32_t value;
        std::memcpy(&value, &file[at], 4);
        return value;
    };
    ASSERT_EQ(file.substr(0, 4), "glTF");
    EXPECT_EQ(word(4), 2u);
    EXPECT_EQ(word(8), file.size());
    const std::size_t json_size = word(12);
    EXPECT_EQ(file.substr(16, 4), "JSON");
    const Json::Value root = parse_json(file.substr(20, json_size));
    EXPECT_EQ(file.substr(20 + json_size + 4, 4), std::string("BIN\0", 4));
    const std::string bytes = file.substr(28 + json_size);
    EXPECT_EQ(root["buffers"][0]["byteLength"].asUInt64(), bytes.size());

    int node = -1, late = -1;
    for (int k = 0; k < static_cast<int>(root["nodes"].size()); ++k) {
        if (root["nodes"][k]["name"] == "ball") node = k;
        if (root["nodes"][k]["name"] != "ball" && root["nodes"][k]["name"] != "floor" &&
            root["nodes"][k].isMember("mesh"))
            late = k;
    }
    ASSERT_GE(node, 0);
    ASSERT_GE(late, 0);
    const Json::Value frames = parse_json(read_text(path("kick.frames")))["frames"];
    bool has_way = false, hides = false;
    const Json::Value& animation = root["animations"][0];
    for (const Json::Value& channel : animation["channels"]) {
        const Json::Value& sampler = animation["samplers"][channel["sampler"].asInt()];
        const std::vector<float> times = numbers(root, bytes, sampler["input"].asInt());
        const std::vector<float> values = numbers(root, bytes, sampler["output"].asInt());
        for (std::size_t k = 1; k < times.size(); ++k) EXPECT_LT(times[k - 1], times[k]);
        const std::string what = channel["target"]["path"].asString();
        if (channel["target"]["node"].asInt() == node && what == "translation") {
            has_way = true;
            ASSERT_EQ(times.size(), 31u);
            for (std::size_t k = 0; k < times.size(); ++k) {
                EXPECT_NEAR(static_cast<double>(times[k]), 0.05 * static_cast<double>(k), 1e-5);
                const Json::Value& frame = frames[static_cast<int>(k)];
                for (const Json::Value& body : frame["bodies"]) {
                    if (body["name"] != "ball") continue;
                    EXPECT_NEAR(static_cast<double>(values[3 * k + 1]), body["position"][1].asDouble(), 1e-5);
                }
            }
        }
        if (channel["target"]["node"].asInt() == late && what == "scale") {
            hides = true;
            EXPECT_EQ(sampler["interpolation"].asString(), "STEP");
            EXPECT_EQ(values.front(), 0.0f) << "not there yet";
            EXPECT_EQ(*std::max_element(values.begin(), values.end()), 1.0f);
        }
    }
    EXPECT_TRUE(has_way);
    EXPECT_TRUE(hides);
}

TEST_F(Looking, HtmlPlaysWithoutAServer) {
    record();
    ASSERT_EQ(run({"export", recording, "--format", "html", "-o", path("kick.html"), "--quiet"}).code, 0);
    const std::string page = read_text(path("kick.html"));
    EXPECT_LT(page.size(), 1'000'000u);
    for (const char* outside : {"src=", "href=", "http:", "https:", "import "})
        EXPECT_FALSE(contains(page, outside)) << "asks for nothing: " << outside;
    EXPECT_FALSE(contains(page, "/*DATA*/"));
    if (bash("command -v chromium").code != 0) GTEST_SKIP() << "no chromium";
    const Outcome opened = bash(
        "timeout 60 chromium --headless --no-sandbox --disable-gpu --use-gl=swiftshader "
        "--enable-unsafe-swiftshader "
        "--user-data-dir=profile --virtual-time-budget=2000 --dump-dom \"file://$PWD/kick.html\" "
        "2>/dev/null");
    EXPECT_EQ(opened.code, 0);
    EXPECT_TRUE(contains(opened.out, "0.000 s of 1.50 s")) << "its script ran to the end";
    EXPECT_TRUE(contains(opened.out, "<div id=\"title\">Kicked ball</div>"));
    EXPECT_FALSE(contains(opened.out, "id=\"problem\" style=\"display: flex")) << "it could draw";
}

// A program of that name stands for ffmpeg: it keeps what it is given.
TEST_F(Looking, Mp4SendsPicturesToTheEncoder) {
    record();
    fs::create_directory(path("bin"));
    write("bin/ffmpeg",
          "#!/bin/bash\nfor last; do :; done\nprintf '%s ' \"$@\" > arguments\nwc -c > \"$last\"\n");
    fs::permissions(path("bin/ffmpeg"), fs::perms::owner_all);
    const Outcome made = bash(
        "PATH=$PWD/bin:$PATH \"$impuls\" export kick.impuls --format mp4 --size 41x30 -o kick.mp4 --quiet");
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_TRUE(contains(read_text(path("arguments")), "-s 40x30 -r 30")) << "even, as the encoder wants";
    // 1.5 s are 46 pictures with both ends.
    EXPECT_EQ(std::stol(read_text(path("kick.mp4"))), 46l * 40 * 30 * 3);
    const Outcome slow = bash(
        "PATH=$PWD/bin:$PATH \"$impuls\" export kick.impuls --format mp4 --size 40x30 --speed 0.5 --to 0.5 "
        "-o slow.mp4 --quiet");
    ASSERT_EQ(slow.code, 0) << slow.err;
    EXPECT_EQ(std::stol(read_text(path("slow.mp4"))), 31l * 40 * 30 * 3) << "half a second takes a second";
    for (const auto& entry : fs::directory_iterator(folder()))
        EXPECT_FALSE(contains(entry.path().string(), ".film")) << entry.path();

    write("bin/ffmpeg", "#!/bin/bash\nexit 1\n");
    EXPECT_EQ(bash("PATH=$PWD/bin:$PATH \"$impuls\" export kick.impuls --format mp4 -o no.mp4 --quiet").code,
              4);
    const Outcome none =
        bash("mkdir none; PATH=$PWD/none \"$impuls\" export kick.impuls --format mp4 -o no.mp4 --quiet");
    EXPECT_EQ(none.code, 4);
    EXPECT_TRUE(contains(none.err, "apt install ffmpeg")) << none.err;
    EXPECT_FALSE(fs::exists(path("no.mp4")));
}

TEST_F(Looking, RealFfmpegMakesAFilm) {
    if (bash("command -v ffmpeg && command -v ffprobe").code != 0) GTEST_SKIP() << "no ffmpeg";
    record();
    const Outcome made =
        run({"export", recording, "--format", "mp4", "--size", "64x48", "-o", path("kick.mp4"), "--quiet"});
    ASSERT_EQ(made.code, 0) << made.err;
    const Outcome probed =
        bash("ffprobe -v error -show_entries stream=width,height,nb_frames -of csv=p=0 kick.mp4");
    EXPECT_EQ(probed.out, "64,48,46\n") << probed.err;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
}

TEST_F(Looking, PlotsHaveAPanelForEachUnit) {
    record();
    const std::vector<std::string> quantities{"-q", "energy.total",  "-q", "bodies.ball.speed",
                                              "-q", "energy.kinetic"};
    const auto plot = [&](const std::string& out, const std::vector<std::string>& more) {
        std::vector<std::string> all{"plot", recording, "-o", path(out)};
        all.insert(all.end(), quantities.begin(), quantities.end());
        all.insert(all.end(), more.begin(), more.end());
        return run(all);
    };
    ASSERT_EQ(plot("two.svg", {"--title", "Two panels"}).code, 0);
    const std::string svg = read_text(path("two.svg"));
    EXPECT_EQ(count(svg, "<rect class=\"frame\""), 2u);
    EXPECT_EQ(count(svg, ">Two panels<"), 1u);
    EXPECT_EQ(count(svg, ">time (s)<"), 1u) << "below the last one only";
    EXPECT_EQ(count(svg, ">bodies.ball.speed (m/s)<"), 1u);
    EXPECT_EQ(count(svg, ">J<"), 1u);

    ASSERT_EQ(plot("two.png", {"--from", "0.5", "--to", "1"}).code, 0);
    EXPECT_EQ(png_size(path("two.png")).width, 900u);
    EXPECT_GT(png_size(path("two.png")).height, 540u) << "a second panel";
    EXPECT_EQ(plot("two.pdf", {}).code, 2);
}

TEST_F(Looking, PlotsOneAgainstAnotherAndOfSeveralRecordings) {
    record();
    ASSERT_EQ(run({"plot", recording, "--against", "bodies.ball.position.y", "-q", "bodies.ball.velocity.y",
                   "--from", "0", "--to", "0.2", "-o", path("phase.svg")})
                  .code,
              0);
    const std::string phase = read_text(path("phase.svg"));
    EXPECT_EQ(count(phase, ">bodies.ball.position.y (m)<"), 1u);
    const std::size_t from = phase.find("class=\"series\"");
    EXPECT_EQ(count(phase.substr(from, phase.find("/>", from) - from), "L"), 4u) << "five frames in 0.2 s";
    EXPECT_EQ(run({"plot", recording, "--against", "bodies.ball.position", "-q", "energy.total", "-o",
                   path("x.svg")})
                  .code,
              2);

    ASSERT_EQ(run({"run", scene, "--quiet", "--dt", "0.005", "--record", path("fine.impuls")}).code, 0);
    ASSERT_EQ(
        run({"plot", recording, path("fine.impuls"), "-q", "energy.total", "-o", path("both.svg")}).code, 0);
    const std::string both = read_text(path("both.svg"));
    EXPECT_EQ(count(both, ">kick: energy.total<"), 1u);
    EXPECT_EQ(count(both, ">fine: energy.total<"), 1u);
}

TEST_F(Looking, RunSaysHowToLookAtTheResult) {
    EXPECT_TRUE(contains(run({"run", scene, "--until", "0.1"}).out, "impuls show " + scene));
    const Outcome recorded = run({"run", scene, "--until", "0.1", "--record", recording});
    EXPECT_TRUE(contains(recorded.out, "impuls show " + recording)) << recorded.out;
    EXPECT_TRUE(contains(recorded.out, "method        default\n") || contains(recorded.out, "default"))
        << recorded.out;
    EXPECT_FALSE(contains(recorded.out, "substeps=")) << "the name of the preset, not its parts";
}

}  // namespace
}  // namespace impuls::test
