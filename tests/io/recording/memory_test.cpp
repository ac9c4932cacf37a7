// A small recording cannot ask for much memory, whatever its blocks claim or hold.
#include <sys/resource.h>
#include <sys/wait.h>

#include "io/recording/db.h"
#include "io/recording/fixture.h"
#include "io/recording/zstd.h"
#include "support/slow_build.h"

namespace impuls::test {
namespace {

std::string recording_with(const TempFolder& folder, const char* update, std::span<const std::byte> blob) {
    const std::string file = folder / "a.impuls";
    const auto structure = std::make_shared<const Scene>(make_scene(3));
    Recorder recorder(file, *structure);
    recorder.add_frame(wild_frame(structure, 0, 3));
    recorder.close();
    Database db(file, SQLITE_OPEN_READWRITE, file);
    Statement(db, update).bind(1, blob).run();
    return file;
}

// Reads the frame in a process of its own; peak memory in MB, or -1 when it was read after all.
long memory_to_refuse(const std::string& file) {
    const pid_t child = fork();
    if (child == 0) {
        try {
            Recording(file).frame(0);
        } catch (const FileError&) {
            _exit(0);
        }
        _exit(1);
    }
    int status = 0;
    rusage used{};
    wait4(child, &status, 0, &used);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? used.ru_maxrss / 1024 : -1;
}

constexpr long kMost = kSlowBuild ? 1000 : 200;  // MB, with what the test program has itself

void expect_little(const std::string& file) {
    EXPECT_LT(std::filesystem::file_size(file), 2u << 20);
    const long memory = memory_to_refuse(file);
    EXPECT_GT(memory, 0);
    EXPECT_LT(memory, kMost);
}

// What is compressed is gone when it returns: the memory of the reader is measured in a copy of this process.
std::vector<std::byte> compressed(std::string_view text, const BlobLimit& limit) {
    Compressor compressor;
    const auto blob = compressor.compress(std::as_bytes(std::span(text)), limit);
    return {blob.begin(), blob.end()};
}

TEST(RecordingMemory, FramesThatClaimMuchAreRefused) {
    constexpr BlobLimit kNone{1'000'000'000, 0};
    const auto blob = compressed(std::string(std::size_t{256} << 20, '\0'), kNone);
    const TempFolder folder;
    expect_little(recording_with(folder, "UPDATE frames SET data = ?", blob));
}

TEST(RecordingMemory, StructuresFullOfNothingAreRefused) {
    for (const std::size_t bodies : {300'000u, 30'000'000u}) {
        std::vector<std::byte> blob;
        {
            std::string text = R"({"impuls": 1, "bodies": [{})";
            for (std::size_t k = 1; k < bodies; ++k) text += ",{}";
            blob = compressed(text + "]}", kTextLimit);
        }
        const TempFolder folder;
        expect_little(recording_with(folder, "UPDATE structures SET json = ?", blob));
    }
}

}  // namespace
}  // namespace impuls::test
