// A film: pictures of the software renderer, thirty a second, encoded by the installed program ffmpeg, which
// reads them from a pipe. At each time the film shows the last frame recorded up to then.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>

#include <fmt/format.h>

#include "impuls/errors.h"
#include "io/export/formats.h"
#include "render/look.h"
#include "render/picture.h"

extern char** environ;

namespace impuls {

namespace {

constexpr int kRate = 30;  // pictures in a second

class Encoder {
  public:
    Encoder(int width, int height, const std::string& file) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) throw FileError("mp4: no pipe to ffmpeg");
        input_ = ends[1];
        const std::string size = fmt::format("{}x{}", width, height), rate = std::to_string(kRate);
        std::vector<std::string> words{"ffmpeg",    "-nostdin",   "-loglevel", "error", "-y",       "-f",
                                       "rawvideo",  "-pix_fmt",   "rgb24",     "-s",    size,       "-r",
                                       rate,        "-i",         "pipe:0",    "-an",   "-pix_fmt", "yuv420p",
                                       "-movflags", "+faststart", "-f",        "mp4",   file};
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
        const int error = posix_spawnp(&pid_, "ffmpeg", &actions, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        close(ends[0]);
        if (error != 0) {
            close(input_);
            throw FileError(
                "films are encoded by the program ffmpeg, which is not installed (on Debian: apt install "
                "ffmpeg); without it: export --format png, or --format html");
        }
    }
    ~Encoder() {
        if (pid_ > 0) wait();
    }
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    void add(const Image& image) {
        const auto* bytes = image.row(0);
        std::size_t left =
            3 * static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.height());
        while (left > 0) {
            const ssize_t written = write(input_, bytes, left);
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) throw FileError("ffmpeg stopped before the film was complete");
            bytes += written, left -= static_cast<std::size_t>(written);
        }
    }
    void finish() {
        if (const int status = wait(); !WIFEXITED(status) || WEXITSTATUS(status) != 0)
            throw FileError("ffmpeg could not encode the film (its message is above)");
    }

  private:
    int wait() {
        close(input_);
        int status = 0;
        while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
        pid_ = -1;
        return status;
    }
    int input_ = -1;
    pid_t pid_ = -1;
};

struct Leftover {
    std::string path;
    ~Leftover() { std::remove(path.c_str()); }
};

void copy_into(OutputFile& file, const std::string& from) {
    std::ifstream in(from, std::ios::binary);
    std::string block(1 << 20, '\0');
    while (in.read(block.data(), static_cast<std::streamsize>(block.size())), in.gcount() > 0)
        file.write({block.data(), static_cast<std::size_t>(in.gcount())});
}

}  // namespace

void export_mp4(const Recording& recording, const std::string& out, const ExportSettings& settings) {
    OutputFile file(out, existing(settings));
    const Leftover film{fmt::format("{}.{}.film", behind_links(out), getpid())};
    const int width = settings.width / 2 * 2, height = settings.height / 2 * 2;  // the encoder's rule
    Encoder encoder(width, height, film.path);
    const Look look = choose_look(recording.scene(), find_extent(recording, settings, 0, 0.1),
                                  static_cast<double>(width) / height);
    Frame pending;  // the last one; drawn when the film shows it
    Image drawn;
    double start = 0;
    std::int64_t shown = 0;
    const auto show_until = [&](double time) {
        for (; static_cast<double>(shown) * settings.speed < (time - start) * kRate - 1e-6; ++shown) {
            if (drawn.width() == 0) drawn = draw_picture(pending, look, {.width = width, .height = height});
            encoder.add(drawn);
        }
    };
    for_each_frame(recording, settings, 0.1, 1, [&](std::size_t k, const Frame& frame) {
        if (k == 0) start = frame.time;
        show_until(frame.time);
        pending = frame;
        drawn = {};
    });
    if (pending.structure) show_until(pending.time + settings.speed / kRate);
    encoder.finish();
    copy_into(file, film.path);
    file.finish();
}

}  // namespace impuls
