// What commands may do to files: nothing that exists is replaced unasked, and whatever goes wrong (a full
// disk, a limit, a pipe for a file) leaves the old file and an exit code.
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "cli/program.h"
#include "impuls/recording.h"
#include "support/places.h"
#include "support/slow_build.h"

namespace impuls::test {
namespace {

namespace fs = std::filesystem;

// A disk of its own, of a few pages; needs root.
class SmallDisk {
  public:
    SmallDisk(const std::string& folder, const std::string& size) : folder_(folder) {
        fs::create_directory(folder);
        is_there_ = mount("none", folder.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
    }
    ~SmallDisk() {
        if (is_there_) umount2(folder_.c_str(), MNT_DETACH);
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;
    bool is_there() const { return is_there_; }

  private:
    std::string folder_;
    bool is_there_ = false;
};

std::vector<std::string> names_in(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

class Files : public Cli {
  protected:
    Files() : scene(write("ball.json", kFallingBall)), recording(path("ball.impuls")) {
        EXPECT_EQ(run({"run", scene, "--quiet", "--until", "0.2", "--record", recording}).code, 0);
        bytes = read_text(recording);
    }
    // Every command that writes `out`, with what it reads.
    std::vector<std::vector<std::string>> writers(const std::string& out) const {
        return {{"export", recording, "--format", "csv", "-o", out},
                {"export", recording, "--format", "json", "-o", out},
                {"plot", recording, "--quantity", "energy.total", "-o", out},
                {"assemble", path("pendulum.json"), "--quiet", "-o", out},
                {"run", scene, "--quiet", "--until", "0.2", "--profile", out},
                {"run", scene, "--quiet", "--until", "0.2", "--record", out}};
    }
    static std::vector<std::string> with(std::vector<std::string> command, const std::string& option) {
        command.push_back(option);
        return command;
    }

    std::string scene, recording, bytes;
    std::string pendulum = write("pendulum.json", kPendulum);
};

TEST_F(Files, NothingThatExistsIsReplacedUnasked) {
    const std::string out = write("out", "precious");
    for (const auto& command : writers(out)) {
        const Outcome outcome = run(command);
        EXPECT_EQ(outcome.code, 4) << command[0];
        EXPECT_TRUE(contains(outcome.err, "exists")) << outcome.err;
        EXPECT_EQ(read_text(out), "precious") << command[0];
    }
    for (const auto& command : writers(out)) {
        if (command.back() == out && command[command.size() - 2] == "--record") continue;  // not a recording
        write("out", "precious");
        EXPECT_EQ(run(with(command, "--overwrite")).code, 0) << command[0];
        EXPECT_NE(read_text(out), "precious") << command[0];
    }
    const std::string measurements = write("new.csv.measurements.csv", "precious");
    EXPECT_EQ(run({"export", recording, "--format", "csv", "-o", path("new.csv")}).code, 4);
    EXPECT_EQ(read_text(measurements), "precious");
    EXPECT_FALSE(fs::exists(path("new.csv"))) << "both or none";
}

TEST_F(Files, InputIsNeverTheOutput) {
    fs::create_symlink(recording, path("link"));
    for (const std::string& out : {recording, path("link")})
        for (const char* option : {"--quiet", "--overwrite"}) {
            EXPECT_NE(run({"export", recording, "--format", "csv", "-o", out, option}).code, 0);
            EXPECT_EQ(read_text(recording), bytes);
        }
    EXPECT_NE(run({"plot", recording, "-o", recording, "--overwrite"}).code, 0);
    EXPECT_EQ(read_text(recording), bytes);
    EXPECT_NE(run({"run", scene, "--quiet", "--profile", scene, "--overwrite"}).code, 0);
    EXPECT_EQ(read_text(scene), kFallingBall);
    EXPECT_NE(run({"run", scene, "--quiet", "--record", path("x"), "--profile", path("x")}).code, 0);
    EXPECT_NE(run({"assemble", pendulum, "-o", pendulum}).code, 0);
    EXPECT_EQ(read_text(pendulum), kPendulum);
    EXPECT_EQ(run({"assemble", pendulum, "-o", pendulum, "--overwrite"}).code, 0) << "a scene for a scene";
}

TEST_F(Files, SymbolicLinksStay) {
    fs::create_directory(path("far"));
    for (const auto& command : writers(path("link"))) {
        fs::remove(path("link"));
        fs::remove_all(path("far"));
        fs::create_directory(path("far"));
        fs::create_symlink("far/target", path("link"));
        EXPECT_EQ(run(command).code, 0) << command[0] << ": the link points at nothing yet";
        EXPECT_TRUE(fs::is_symlink(path("link"))) << command[0];
        EXPECT_GT(fs::file_size(path("far/target")), 0u) << command[0];
        EXPECT_EQ(run(command).code, 4) << command[0];
        EXPECT_EQ(run(with(command, "--overwrite")).code, 0) << command[0];
        EXPECT_TRUE(fs::is_symlink(path("link"))) << command[0];
    }
}

TEST_F(Files, FoldersAreReplacedOnlyWhenTheyHoldFrames) {
    const std::vector<std::string> command{"export",  recording, "--format",    "obj",
                                           "--quiet", "-o",      path("frames")};
    ASSERT_EQ(run(command).code, 0);
    const auto names = names_in(path("frames"));
    EXPECT_EQ(run(command).code, 4);
    EXPECT_EQ(run(with(command, "--overwrite")).code, 0);
    EXPECT_EQ(names_in(path("frames")), names);
    write("frames/thesis.tex", "precious");
    EXPECT_EQ(run(with(command, "--overwrite")).code, 4);
    EXPECT_EQ(read_text(path("frames/thesis.tex")), "precious");
}

TEST_F(Files, FullDiskLeavesTheOldFile) {
    const SmallDisk disk(path("disk"), "64k");
    if (!disk.is_there()) GTEST_SKIP() << "a small disk can be mounted by root only";
    const std::string out = path("disk/out");
    for (const auto& command : writers(out)) {
        write("disk/out", "precious");
        write("disk/filling", std::string(64 << 10, 'x'));  // as much as there is room
        std::vector<std::string> longer = with(command, "--overwrite");
        if (command[0] == "assemble") longer[1] = path("grid.json");
        write("grid.json", R"({"impuls": 1, "bodies": [{"name": "a", "shape": {"type": "box"},
            "repeat": {"count": [8, 8, 1], "spacing": [2, 2, 2]}}],
            "joints": [{"name": "j", "type": "ball", "a": "a[0]", "b": "a[1]", "anchor": [1, 0, 0]}]})");
        const Outcome outcome = run(longer);
        EXPECT_EQ(outcome.code, 4) << command[0] << " " << command.back() << "\n" << outcome.err;
        EXPECT_EQ(read_text(out), "precious") << command[0];
        EXPECT_EQ(names_in(path("disk")), (std::vector<std::string>{"filling", "out"})) << command[0];
    }
}

TEST_F(Files, FullDiskLeavesTheOldRecording) {
    const SmallDisk disk(path("disk"), "400k");
    if (!disk.is_there()) GTEST_SKIP() << "a small disk can be mounted by root only";
    fs::copy_file(recording, path("disk/out"));
    write("disk/filling", std::string(400 << 10, 'x'));
    const Outcome outcome = run({"run", scene, "--quiet", "--record", path("disk/out"), "--overwrite"});
    EXPECT_EQ(outcome.code, 4) << outcome.err;
    EXPECT_EQ(read_text(path("disk/out")), bytes);
    EXPECT_EQ(names_in(path("disk")), (std::vector<std::string>{"filling", "out"}));
}

TEST_F(Files, DiskThatFillsUpWhileRecordingKeepsWhatWasCommitted) {
    const SmallDisk disk(path("disk"), "12m");
    if (!disk.is_there()) GTEST_SKIP() << "a small disk can be mounted by root only";
    const Outcome outcome =
        run({"run", scene, "--quiet", "--until", "1e6", "--record", path("disk/long.impuls")});
    EXPECT_EQ(outcome.code, 4) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "full")) << outcome.err;
    const Recording kept(path("disk/long.impuls"));
    EXPECT_FALSE(kept.hashes().empty());
}

// RLIMIT_FSIZE would end the program by SIGXFSZ.
TEST_F(Files, FileSizeLimitIsAnExitCode) {
    for (const auto& command : writers(path("new"))) {
        if (command[0] == "assemble") continue;  // a small file
        std::string line = "ulimit -f 1; \"$impuls\"";
        for (const std::string& word : command) line += " '" + word + "'";
        const Outcome outcome = bash(line + " --overwrite");
        EXPECT_EQ(outcome.code, 4) << line << "\n" << outcome.err;
        EXPECT_FALSE(fs::exists(path("new"))) << line;
    }
    EXPECT_EQ(bash("ulimit -f 1; \"$impuls\" schema > schema.json").code, 4);
    for (const std::string& name : names_in(folder()))
        EXPECT_FALSE(contains(name, ".part") || contains(name, ".new")) << name;
}

TEST_F(Files, PipesAndFilesOfProcAsInputDoNotHang) {
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    for (const std::string& file : {path("pipe"), std::string("/proc/kmsg"), std::string("/dev/zero"),
                                    std::string("/proc/self/pagemap")})
        for (const char* command : {"run", "check", "info", "replay"}) {
            const Outcome outcome = bash("timeout 20 \"$impuls\" " + std::string(command) + " " + file);
            EXPECT_TRUE(outcome.code == 2 || outcome.code == 4)
                << command << " " << file << ": " << outcome.code;
        }
    write("includes.json", R"({"impuls": 1, "include": ["pipe"], "bodies": []})");
    EXPECT_EQ(bash("timeout 20 \"$impuls\" check includes.json").code, 2);
    EXPECT_EQ(bash("timeout 20 \"$impuls\" run ball.json --record pipe").code, 4);
    EXPECT_EQ(bash("timeout 20 \"$impuls\" plot ball.impuls -o pipe").code, 4) << "nobody reads it";
    fs::rename(path("pipe"), recording + "-wal");
    EXPECT_EQ(bash("timeout 20 \"$impuls\" info ball.impuls").code, 4);
    EXPECT_EQ(bash("timeout 20 \"$impuls\" plot ball.impuls -o /dev/stdout | head -c 4").code, 4);
    fs::remove(recording + "-wal");
    EXPECT_EQ(bash("\"$impuls\" plot ball.impuls -o /dev/stdout | head -c 4").out, "<svg");
}

TEST_F(Files, RunsThatCannotBeAreRefused) {
    for (const std::vector<std::string>& tail :
         std::vector<std::vector<std::string>>{{"--record", ""},
                                               {"--profile", ""},
                                               {"--dt", "1e-200"},
                                               {"--until", "1e200"},
                                               {"--steps", "1e20"},
                                               {"--steps", "99999999999999999999"},
                                               {"--steps", "9000000000000000000"}}) {
        std::vector<std::string> all{"timeout", "20", built_program(), "run", scene, "--quiet"};
        all.insert(all.end(), tail.begin(), tail.end());
        const Outcome outcome = Started(folder(), all).wait();
        EXPECT_TRUE(outcome.code == 2 || outcome.code == 4)
            << tail[0] << " " << tail[1] << ": " << outcome.code;
        EXPECT_FALSE(outcome.err.empty());
    }
}

// As after kill -9 while a recording or an export begins.
TEST_F(Files, LeftoversOfProgramsThatAreGoneAreRemoved) {
    Started gone(folder(), {"true"});
    gone.wait();
    const std::string pid = std::to_string(gone.pid());
    const std::string mine = std::to_string(getpid());
    for (const std::string& name :
         std::vector<std::string>{"new.impuls." + pid + ".new", "new.impuls." + pid + ".new-wal",
                                  "new.csv." + pid + ".part", "new.csv." + pid + ".1.part",
                                  "new.impuls." + mine + ".new", "new.impuls.note.new", "new.csv.1.txt"})
        write(name, "x");
    ASSERT_EQ(run({"run", scene, "--quiet", "--until", "0.1", "--record", path("new.impuls")}).code, 0);
    ASSERT_EQ(run({"export", recording, "--format", "csv", "-o", path("new.csv"), "--quiet"}).code, 0);
    for (const std::string& name : names_in(folder())) EXPECT_FALSE(contains(name, "." + pid + ".")) << name;
    EXPECT_TRUE(fs::exists(path("new.impuls." + mine + ".new"))) << "its program runs";
    EXPECT_TRUE(fs::exists(path("new.impuls.note.new")) && fs::exists(path("new.csv.1.txt")))
        << "others' files";
}

// Peak memory in kB, by the kernel's account of the child.
long peak_memory(const std::string& folder, const std::vector<std::string>& arguments) {
    const Outcome outcome = Started(folder, arguments).wait();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return std::stol(outcome.err.substr(outcome.err.rfind('\n', outcome.err.size() - 2) + 1));
}

TEST_F(Files, MemoryOfARunDoesNotGrowWithSteps) {
    if (kSlowBuild) GTEST_SKIP() << "sanitizers keep what was freed";
    const auto run_of = [&](const char* steps) {
        return peak_memory(
            folder(), {"python3", "-c",
                       "import resource, subprocess, sys\n"
                       "subprocess.run(sys.argv[1:], check=True)\n"
                       "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)",
                       built_program(), "run", scene, "--quiet", "--steps", steps, "--profile", path("trace"),
                       "--overwrite"});
    };
    // Wall times of 2^18 steps are kept for the quantiles; beyond that nothing may come. Samples of 400000
    // steps alone were 30 MB.
    const long shorter = run_of("300000"), longer = run_of("700000");
    EXPECT_LT(longer, shorter + 2000);
}

// From any folder, by name and as the documentation writes them; a file of the same name comes first.
TEST_F(Cli, FindsScenesThatComeWithIt) {
    const auto title = [&](const std::string& scene) {
        return bash("cd '" + folder() + "' && \"$impuls\" run " + scene + " --until 0 --json").out;
    };
    const std::string shipped = parse_json(title("pendulum"))["title"].asString();
    EXPECT_EQ(shipped, "Pendulums");
    EXPECT_EQ(parse_json(title("scenes/examples/pendulum.json"))["title"].asString(), shipped);
    EXPECT_EQ(bash("cd '" + folder() + "' && \"$impuls\" check pendulum dominoes").code, 0);
    write("pendulum", kPendulum);
    EXPECT_EQ(parse_json(title("pendulum"))["title"].asString(), "Pendulum");
    EXPECT_EQ(run({"run", path("no-such-scene.json")}).code, 2);
    const Outcome studio = run({"studio"});
    EXPECT_EQ(studio.code, 2);
    EXPECT_TRUE(contains(studio.err, "./impuls studio")) << studio.err;
}

}  // namespace
}  // namespace impuls::test
