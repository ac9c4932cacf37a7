// Recordings that meet bad luck: damaged bytes, kills at any moment, full disks, folders that cannot be
// written. The bound everywhere: FileError or InputError, and what was committed can be read.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>

#include "io/recording/fixture.h"
#include "support/full_size.h"

namespace impuls::test {
namespace {

std::string bytes_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void set_contents(const std::string& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

// Uses every call of the reader. True when nothing was found damaged; other exceptions fail the test.
bool reads_completely(const std::string& file) {
    bool clean = true;
    const auto attempt = [&clean](const std::function<void()>& action) {
        try {
            action();
        } catch (const FileError&) {
            clean = false;
        } catch (const InputError&) {
            clean = false;
        }
    };
    attempt([&] {
        const Recording recording(file);
        std::vector<std::int64_t> steps, checkpoints;
        std::vector<std::string> names;
        attempt([&] { steps = recording.frame_steps(); });
        attempt([&] { checkpoints = recording.checkpoint_steps(); });
        attempt([&] { names = recording.sample_names(); });
        for (const std::int64_t step : steps) attempt([&] { recording.frame(step); });
        for (const std::int64_t step : checkpoints) attempt([&] { recording.checkpoint(step); });
        for (const std::string& name : names) attempt([&] { recording.samples(name); });
        attempt([&] { recording.all_meta(); });
        attempt([&] { recording.meta("engine"); });
        attempt([&] { recording.hashes(); });
        attempt([&] { recording.commands(); });
        attempt([&] { recording.scene(); });
    });
    return clean;
}

void fill(Recorder& recorder, const std::shared_ptr<const Scene>& structure, int steps) {
    for (std::int64_t step = 0; step < steps; ++step) {
        recorder.add_hash(step, static_cast<std::uint64_t>(step));
        recorder.add_frame(wild_frame(structure, step, 3));
        recorder.add_sample("energy.total", step, 0.1, 1);
        recorder.add_command(step, Remove{.bodies = {"ball[0]"}});
    }
    recorder.add_checkpoint(0, std::as_bytes(std::span("state")));
}

TEST(RecordingDamage, FlippedBytesGiveOnlyCleanErrors) {
    const TempFolder folder;
    const std::string file = folder / "a.impuls";
    const auto structure = std::make_shared<const Scene>(make_scene(3, true));
    {
        Recorder recorder(file, *structure);
        fill(recorder, structure, 20);
        recorder.close();
    }
    ASSERT_TRUE(reads_completely(file));
    const std::string good = bytes_of(file);
    std::mt19937_64 random(5);
    int noticed = 0, tried = 0;
    // All of the header and the first pages' heads, then places all over the file.
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < 220; ++k) places.push_back(k);
    for (std::size_t page = 0; page < good.size(); page += 8192) {
        for (std::size_t k = 0; k < 24; ++k) places.push_back(page + k);
    }
    for (int k = 0; k < 500; ++k) places.push_back(random() % good.size());
    for (const std::size_t place : places) {
        std::string bad = good;
        bad[place] = static_cast<char>(bad[place] ^ static_cast<char>(1 + random() % 255));
        set_contents(file, bad);
        noticed += reads_completely(file) ? 0 : 1;
        ++tried;
    }
    EXPECT_GT(noticed, tried / 10);
}

TEST(RecordingDamage, EveryFlippedBitInAFrameIsNoticed) {
    const TempFolder folder;
    const std::string file = folder / "a.impuls";
    const auto structure = std::make_shared<const Scene>(make_scene(1));
    {
        Recorder recorder(file, *structure);
        recorder.add_frame(wild_frame(structure, 0, 0));
        recorder.close();
    }
    const std::string good = bytes_of(file);
    const std::string zstd_magic = "\x28\xb5\x2f\xfd";
    std::size_t blob = good.size();
    for (std::size_t at = good.find(zstd_magic); at != std::string::npos;
         at = good.find(zstd_magic, at + 1)) {
        blob = at;
    }
    ASSERT_LT(blob + 300, good.size());
    const Frame truth = wild_frame(structure, 0, 0);
    for (std::size_t k = 0; k < 300; ++k) {
        std::string bad = good;
        bad[blob + k] = static_cast<char>(bad[blob + k] ^ 0x10);
        set_contents(file, bad);
        try {
            const Frame frame = Recording(file).frame(0);
            expect_same_bits(frame.positions[1], truth.positions[1]);  // a flip beyond the blob
            expect_same_bits(frame.velocities[1], truth.velocities[1]);
        } catch (const FileError&) {
            continue;
        }
    }
}

TEST(RecordingDamage, TruncatedFilesGiveOnlyCleanErrors) {
    const TempFolder folder;
    const std::string file = folder / "a.impuls";
    const auto structure = std::make_shared<const Scene>(make_scene(3, true));
    {
        Recorder recorder(file, *structure);
        fill(recorder, structure, 20);
        recorder.close();
    }
    const std::string good = bytes_of(file);
    for (std::size_t size = 0; size < good.size(); size += 769) {
        set_contents(file, good.substr(0, size));
        EXPECT_FALSE(reads_completely(file)) << size;
    }
}

TEST(RecordingDamage, DamagedLogsGiveOnlyCleanErrors) {
    const TempFolder folder;
    const std::string file = folder / "a.impuls", copy = folder / "b.impuls";
    const auto structure = std::make_shared<const Scene>(make_scene(3, true));
    std::string main, log;
    {
        Recorder recorder(file, *structure);
        fill(recorder, structure, 20);
        recorder.commit();
        main = bytes_of(file), log = bytes_of(file + "-wal");
    }
    ASSERT_GT(log.size(), 10000u);
    std::mt19937_64 random(6);
    for (int k = 0; k < 300; ++k) {
        std::string bad = log;
        const std::size_t place = k < 60 ? static_cast<std::size_t>(k) : random() % log.size();
        bad[place] = static_cast<char>(bad[place] ^ static_cast<char>(1 + random() % 255));
        std::filesystem::remove(copy + "-shm");
        set_contents(copy, main);
        set_contents(copy + "-wal", k % 3 == 0 ? bad.substr(0, place) : bad);
        reads_completely(copy);
    }
}

struct Child {
    pid_t pid;
    int pipe;  // the child writes the last committed step here
};

Child start(const std::function<void(int)>& body) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        body(ends[1]);
        _exit(0);
    }
    close(ends[1]);
    return {pid, ends[0]};
}

std::int64_t last_number(int pipe) {
    std::int64_t number = -1, next = 0;
    while (read(pipe, &next, sizeof next) == static_cast<ssize_t>(sizeof next)) number = next;
    close(pipe);
    return number;
}

// Records as fast as it can; commits now and then and reports each committed step.
void record_forever(const std::string& file, const std::shared_ptr<const Scene>& structure, int pipe) {
    Recorder recorder(file, *structure, {}, true);
    for (std::int64_t step = 0;; ++step) {
        recorder.add_hash(step, static_cast<std::uint64_t>(step * 31));
        recorder.add_sample("energy.total", step, 0.01 * static_cast<double>(step), 1);
        if (step % 3 == 0) recorder.add_frame(wild_frame(structure, step, 4));
        if (step % 50 == 0) recorder.add_checkpoint(step, std::as_bytes(std::span("state")));
        if (step % 17 != 0) continue;
        recorder.commit();
        if (write(pipe, &step, sizeof step) != static_cast<ssize_t>(sizeof step)) _exit(1);
    }
}

TEST(RecordingDamage, SurvivesKillAtAnyMoment) {
    const TempFolder folder;
    const auto structure = std::make_shared<const Scene>(make_scene(20, true));
    std::mt19937_64 random(std::random_device{}());
    const int kills = is_long() ? 100 : 20;
    int with_frames = 0;
    for (int k = 0; k < kills; ++k) {
        const std::string file = folder / ("kill" + std::to_string(k) + ".impuls");
        const Child child = start([&](int pipe) { record_forever(file, structure, pipe); });
        // Half of them right from the start, half after the first commit.
        std::int64_t first = -1;
        if (k % 2 == 0) {
            ASSERT_EQ(read(child.pipe, &first, sizeof first), static_cast<ssize_t>(sizeof first));
        }
        usleep(static_cast<useconds_t>(random() % 120'000));
        kill(child.pid, SIGKILL);
        waitpid(child.pid, nullptr, 0);
        const std::int64_t committed = std::max(first, last_number(child.pipe));
        if (!std::filesystem::exists(file)) {
            EXPECT_EQ(committed, -1);
            continue;
        }
        const Recording recording(file);
        const auto steps = recording.frame_steps();
        for (const std::int64_t step : steps) {
            expect_same_bits(recording.frame(step).positions[7], wild_frame(structure, step, 4).positions[7]);
        }
        const auto hashes = recording.hashes();
        EXPECT_GE(static_cast<std::int64_t>(hashes.size()), committed + 1);
        EXPECT_GE(steps.empty() ? -1 : steps.back(), committed < 0 ? -1 : committed - 2);
        EXPECT_EQ(recording.samples("energy.total").size(), hashes.size());
        EXPECT_EQ(recording.scene().bodies.size(), 21u);
        with_frames += steps.empty() ? 0 : 1;
    }
    EXPECT_GE(with_frames, kills / 2);
}

TEST(RecordingDamage, AKilledRecordingMayBeReplaced) {
    const TempFolder folder;
    const std::string file = folder / "again.impuls";
    const auto structure = std::make_shared<const Scene>(make_scene(3));
    for (int k = 0; k < 3; ++k) {
        const Child child = start([&](int pipe) { record_forever(file, structure, pipe); });
        usleep(60'000);
        kill(child.pid, SIGKILL);
        waitpid(child.pid, nullptr, 0);
        close(child.pipe);
    }
    Recorder recorder(file, *structure, {}, true);
    recorder.add_frame(tame_frame(structure, 8));
    recorder.close();
    EXPECT_EQ(Recording(file).frame_steps(), std::vector<std::int64_t>{8});
}

TEST(RecordingDamage, FullDiskLeavesAReadableFile) {
    const TempFolder folder;
    const std::string file = folder / "full.impuls";
    const auto structure = std::make_shared<const Scene>(make_scene(50, true));
    for (const rlim_t limit : {rlim_t{20'000}, rlim_t{300'000}, rlim_t{1'500'000}}) {
        std::filesystem::remove(file);
        const Child child = start([&](int pipe) {
            signal(SIGXFSZ, SIG_IGN);
            const rlimit size{limit, limit};
            setrlimit(RLIMIT_FSIZE, &size);
            try {
                record_forever(file, structure, pipe);
            } catch (const FileError& e) {
                const bool named = std::string(e.what()).find(file) != std::string::npos;
                const bool clear = std::string(e.what()).find("file size limit") != std::string::npos;
                _exit(named && clear ? 7 : 8);
            }
        });
        int status = 0;
        waitpid(child.pid, &status, 0);
        EXPECT_EQ(WEXITSTATUS(status), 7) << limit;
        const std::int64_t committed = last_number(child.pipe);
        if (limit < 100'000) {
            EXPECT_FALSE(std::filesystem::exists(file)) << "not even the tables fit";
            EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
            continue;
        }
        EXPECT_GE(committed, 0);
        EXPECT_TRUE(reads_completely(file));
        EXPECT_GE(static_cast<std::int64_t>(Recording(file).hashes().size()), committed + 1);
    }
}

TEST(RecordingDamage, ErrorsAreRepeatedAndTheFileStaysGood) {
    const TempFolder folder;
    const std::string file = folder / "full.impuls";
    const auto structure = std::make_shared<const Scene>(make_scene(50, true));
    const Child child = start([&](int) {
        signal(SIGXFSZ, SIG_IGN);
        const rlimit size{400'000, 400'000};
        setrlimit(RLIMIT_FSIZE, &size);
        Recorder recorder(file, *structure);
        int errors = 0;
        for (std::int64_t step = 0; step < 2000; ++step) {
            try {
                recorder.add_frame(wild_frame(structure, step, 4));
                recorder.commit();
            } catch (const FileError&) {
                ++errors;
            }
        }
        try {
            recorder.close();
        } catch (const FileError&) {
            _exit(errors > 100 ? 7 : 8);
        }
    });
    int status = 0;
    waitpid(child.pid, &status, 0);
    close(child.pipe);
    EXPECT_EQ(WEXITSTATUS(status), 7);
    EXPECT_TRUE(reads_completely(file));
    EXPECT_GT(Recording(file).frame_steps().size(), 0u);
}

// Runs in a child that may not write just because it is root; returns its exit code.
int as_nobody(const std::function<int()>& body) {
    const pid_t pid = fork();
    if (pid == 0) {
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(99);
        try {
            _exit(body());
        } catch (...) {
            _exit(98);
        }
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 97;
}

TEST(RecordingDamage, FoldersThatCannotBeWritten) {
    const TempFolder folder;
    EXPECT_THROW(Recorder(folder / "missing/a.impuls", make_scene(1)), FileError);
    std::filesystem::permissions(folder.path(), std::filesystem::perms{0555});
    const std::string file = folder / "a.impuls";
    EXPECT_EQ(as_nobody([&] {
                  try {
                      const Recorder recorder(file, make_scene(1));
                  } catch (const FileError& e) {
                      const std::string text = e.what();
                      return text.find(file) == 0 && text.find("Permission denied") != std::string::npos ? 7
                                                                                                         : 8;
                  }
                  return 9;
              }),
              7);
}

TEST(RecordingDamage, IsReadFromFoldersThatCannotBeWritten) {
    for (const bool killed : {false, true}) {
        for (const bool index : {true, false}) {
            const TempFolder folder;
            const std::string file = folder / "a.impuls";
            const auto structure = std::make_shared<const Scene>(make_scene(3));
            const Child child = start([&](int) {
                Recorder recorder(file, *structure);
                fill(recorder, structure, 20);
                recorder.commit();
                if (killed) kill(getpid(), SIGKILL);
                recorder.close();
            });
            waitpid(child.pid, nullptr, 0);
            close(child.pipe);
            ASSERT_EQ(std::filesystem::exists(file + "-wal"), killed);
            if (!index) std::filesystem::remove(file + "-shm");
            std::filesystem::permissions(folder.path(), std::filesystem::perms{0555});
            const int code = as_nobody([&] {
                try {
                    return Recording(file).frame_steps().size() == 20u ? 7 : 8;
                } catch (const FileError& e) {
                    return std::string(e.what()).find("copy it together with") != std::string::npos ? 6 : 9;
                }
            });
            EXPECT_EQ(code, killed && !index ? 6 : 7) << killed << index;
            std::filesystem::permissions(folder.path(), std::filesystem::perms{0755});
            EXPECT_EQ(Recording(file).frame_steps().size(), 20u);
        }
    }
}

}  // namespace
}  // namespace impuls::test
