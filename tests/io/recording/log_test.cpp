// The log beside a recording: missing after a kill, or that of another recording.
#include <signal.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "io/recording/fixture.h"
#include "io/recording/zstd.h"

namespace impuls::test {
namespace {

namespace fs = std::filesystem;

// A recording as a killed program leaves it: most of it in the log.
void record_and_die(const std::string& file, int steps) {
    const pid_t child = fork();
    if (child == 0) {
        const auto structure = std::make_shared<const Scene>(make_scene(3));
        Recorder recorder(file, *structure);
        for (int step = 0; step < steps; ++step) {
            recorder.add_hash(step, static_cast<std::uint64_t>(step));
            recorder.add_frame(wild_frame(structure, step, 3));
        }
        recorder.commit();
        raise(SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    ASSERT_GT(fs::file_size(file + "-wal"), 0u);
}

void record_and_close(const std::string& file, int steps) {
    const auto structure = std::make_shared<const Scene>(make_scene(3));
    Recorder recorder(file, *structure);
    for (int step = 0; step < steps; ++step) recorder.add_hash(step, static_cast<std::uint64_t>(step));
    recorder.close();
}

TEST(RecordingLog, OfAKilledRecordingIsReadWithoutAWord) {
    const TempFolder folder;
    record_and_die(folder / "a.impuls", 40);
    const Recording recording(folder / "a.impuls");
    EXPECT_TRUE(recording.file_warnings().empty());
    EXPECT_EQ(recording.hashes().size(), 40u);
}

TEST(RecordingLog, ThatIsMissingIsSaid) {
    const TempFolder folder;
    record_and_die(folder / "a.impuls", 40);
    fs::copy_file(folder / "a.impuls", folder / "copy.impuls");
    const Recording recording(folder / "copy.impuls");
    ASSERT_EQ(recording.file_warnings().size(), 1u);
    EXPECT_NE(recording.file_warnings()[0].find("missing"), std::string::npos)
        << recording.file_warnings()[0];
    EXPECT_LT(recording.hashes().size(), 40u);
}

TEST(RecordingLog, OfAnotherRecordingIsNotMixedIn) {
    const TempFolder folder;
    record_and_die(folder / "a.impuls", 40);
    record_and_die(folder / "b.impuls", 90);
    record_and_close(folder / "c.impuls", 7);
    for (const std::string& other : {folder / "c.impuls", folder / "b.impuls"}) {
        // a is replaced by a copy of another, and its log stays behind.
        fs::copy_file(other, folder / "a.impuls", fs::copy_options::overwrite_existing);
        const std::string before = [&] {
            std::ifstream in(folder / "a.impuls", std::ios::binary);
            return std::string(std::istreambuf_iterator<char>(in), {});
        }();
        const Recording recording(folder / "a.impuls");
        ASSERT_EQ(recording.file_warnings().size(), 1u) << other;
        EXPECT_NE(recording.file_warnings()[0].find("another"), std::string::npos)
            << recording.file_warnings()[0];
        EXPECT_NO_THROW(recording.scene());
        const auto hashes = recording.hashes();
        EXPECT_EQ(hashes.size(), other == folder / "c.impuls" ? 7u : 0u) << "only its own";
        std::ifstream in(folder / "a.impuls", std::ios::binary);
        EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), before);
    }
}

TEST(RecordingLog, OfAClosedRecordingIsNotThere) {
    const TempFolder folder;
    record_and_close(folder / "c.impuls", 7);
    EXPECT_TRUE(Recording(folder / "c.impuls").file_warnings().empty());
}

}  // namespace
}  // namespace impuls::test
