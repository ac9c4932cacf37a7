// Regular files, read without waiting (input.h).
#include "io/files/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace impuls {

namespace {

constexpr std::size_t kMostUnsized = std::size_t{16}
                                     << 20;  // bytes, of files of /proc that do not say how long

struct OpenFile {
    explicit OpenFile(const std::string& file)
        : fd(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {}
    ~OpenFile() {
        if (fd >= 0) close(fd);
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    // False at the end of the file, or when it cannot be read (errno).
    bool read_more(std::string& text, std::size_t count) const {
        const std::size_t old = text.size();
        text.resize(old + count);
        ssize_t got = 0;
        do got = read(fd, text.data() + old, count);
        while (got < 0 && errno == EINTR);
        text.resize(old + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        if (got == 0) errno = 0;
        return got > 0;
    }

    int fd;
};

}  // namespace

std::string read_whole_file(const std::string& file, std::size_t most) {
    constexpr std::size_t kPiece = std::size_t{1} << 16;
    struct stat info {};
    if (stat(file.c_str(), &info) != 0)
        throw std::runtime_error(errno == ENOENT ? "no such file" : std::strerror(errno));
    if (!S_ISREG(info.st_mode)) throw std::runtime_error("is not a file");
    const OpenFile in(file);
    if (in.fd < 0 || fstat(in.fd, &info) != 0) throw std::runtime_error("cannot be read");
    if (!S_ISREG(info.st_mode)) throw std::runtime_error("is not a file");
    const auto size = static_cast<std::size_t>(std::max<off_t>(info.st_size, 0));
    if (size == 0) most = std::min(most, kMostUnsized);
    if (size > most) throw std::runtime_error("is too large");
    std::string text;
    while (in.read_more(text, std::max(kPiece, size < text.size() ? kPiece : size - text.size() + 1)))
        if (text.size() > most) throw std::runtime_error("is too large");
    if (errno == EAGAIN) throw std::runtime_error("has no end: it waits for news");
    if (errno != 0) throw std::runtime_error("cannot be read");
    return text;
}

std::string read_file_head(const std::string& file, std::size_t count) {
    struct stat info {};
    if (stat(file.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
    const OpenFile in(file);
    std::string head;
    while (in.fd >= 0 && head.size() < count && in.read_more(head, count - head.size())) {
    }
    return head;
}

}  // namespace impuls
