// Temporary names, complete files (output.h).
#include "io/files/output.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "impuls/errors.h"

namespace impuls {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPart = "part";
constexpr int kMostLinks = 40;  // as the kernel follows
constexpr int kMostTries = 100;

[[noreturn]] void fail(const std::string& path, int error) {
    throw FileError(fmt::format("{}: cannot be written ({})", path, std::strerror(error)));
}

[[noreturn]] void refuse_existing(const std::string& path) {
    throw FileError(fmt::format("{}: exists already; only --overwrite replaces it", path));
}

// The first name of this process that is free; two of its threads may write to one target.
template <class Make>
std::string make_temporary(const std::string& path, const std::string& target, Make&& make) {
    remove_leftovers(target, kPart);
    for (int k = 0; k < kMostTries; ++k) {
        std::string name = k == 0 ? fmt::format("{}.{}.{}", target, getpid(), kPart)
                                  : fmt::format("{}.{}.{}.{}", target, getpid(), k, kPart);
        if (make(name)) return name;
        if (errno != EEXIST) break;
    }
    fail(path, errno);
}

std::FILE* stream_of(int fd) {
    std::FILE* file = fdopen(fd, "wb");
    if (file == nullptr) close(fd);
    return file;
}

// Waits for nobody: a pipe without a reader is an error.
std::FILE* open_directly(const std::string& path) {
    const int fd = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return nullptr;
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return stream_of(fd);
}

// Gives a complete file or folder its name, without a moment in which something else could have it.
bool rename_to_free(const std::string& from, const std::string& to) {
    if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
    if (errno != EINVAL && errno != ENOSYS) return false;
    // A file system without that: a second name, which is never given twice.
    if (link(from.c_str(), to.c_str()) != 0) return false;
    unlink(from.c_str());
    return true;
}

// "frame_000012.obj" and the like: what exporters put into folders.
bool is_of_export(const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || entry.is_symlink()) return false;
    if (name == "README.txt") return true;
    const std::string_view head = "frame_";
    const std::size_t dot = name.find('.');
    if (!name.starts_with(head) || dot == std::string::npos || dot == head.size()) return false;
    const bool is_number = std::all_of(name.begin() + static_cast<std::ptrdiff_t>(head.size()),
                                       name.begin() + static_cast<std::ptrdiff_t>(dot),
                                       [](char c) { return c >= '0' && c <= '9'; });
    const std::string extension = name.substr(dot);
    return is_number && (extension == ".obj" || extension == ".pov" || extension == ".png");
}

std::string without_slashes(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return path;
}

// The process that made `name`, beside a target called `head` ("x.csv."), with the suffix; none when the name
// is not such a one.
std::optional<pid_t> maker_of(std::string_view name, std::string_view head, std::string_view suffix) {
    if (!name.starts_with(head)) return std::nullopt;
    name.remove_prefix(head.size());
    pid_t pid = 0;
    const auto number = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (number.ec != std::errc() || pid <= 0) return std::nullopt;
    name.remove_prefix(static_cast<std::size_t>(number.ptr - name.data()));
    const std::string_view digits = "0123456789";
    if (name.size() > 2 && name[0] == '.' && digits.find(name[1]) != digits.npos) {  // .1 and so on
        name.remove_prefix(1);
        name.remove_prefix(std::min(name.find_first_not_of(digits), name.size()));
    }
    if (name.empty() || name[0] != '.') return std::nullopt;
    name.remove_prefix(1);
    if (!name.starts_with(suffix)) return std::nullopt;
    name.remove_prefix(suffix.size());
    const bool is_known = name.empty() || name == "-wal" || name == "-shm" || name == "-journal";
    return is_known ? std::optional(pid) : std::nullopt;
}

bool is_gone(pid_t pid) {
    return pid != getpid() && kill(pid, 0) != 0 && errno == ESRCH;
}

}  // namespace

std::string behind_links(const std::string& path) {
    fs::path target = without_slashes(path);
    std::error_code error;
    for (int k = 0; k < kMostLinks; ++k) {
        if (!fs::is_symlink(fs::symlink_status(target, error))) return target.string();
        const fs::path next = fs::read_symlink(target, error);
        if (error) fail(path, error.value());
        target = next.is_absolute() ? next : target.parent_path() / next;
    }
    fail(path, ELOOP);
}

void remove_leftovers(const std::string& path, std::string_view suffix) {
    const fs::path target(path);
    const fs::path folder = target.parent_path().empty() ? fs::path(".") : target.parent_path();
    const std::string head = target.filename().string() + ".";
    std::error_code error;
    std::vector<fs::path> found;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const auto pid = maker_of(it->path().filename().string(), head, suffix);
        if (pid && is_gone(*pid)) found.push_back(it->path());
    }
    for (const fs::path& left : found) fs::remove_all(left, error);
}

OutputFile::OutputFile(const std::string& path, Existing existing) : path_(path), existing_(existing) {
    if (path.empty()) throw FileError("an output needs a file name");
    struct stat old {};
    const bool is_there = stat(path.c_str(), &old) == 0;
    if (is_there && S_ISDIR(old.st_mode)) fail(path_, EISDIR);
    if (is_there && (S_ISFIFO(old.st_mode) || S_ISCHR(old.st_mode))) {
        file_ = open_directly(path);
        if (file_ == nullptr) fail(path_, errno);
        return;
    }
    target_ = behind_links(path);
    if (is_there && !S_ISREG(old.st_mode)) throw FileError(fmt::format("{}: is not a file", path));
    if (is_there && existing == Existing::Refuse) refuse_existing(path);
    if (is_there && access(target_.c_str(), W_OK) != 0) fail(path_, errno);
    int fd = -1;
    temporary_ = make_temporary(path_, target_, [&](const std::string& name) {
        fd = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        return fd >= 0;
    });
    if (is_there) fchmod(fd, old.st_mode & 07777);
    file_ = stream_of(fd);
    if (file_ == nullptr) fail(path_, errno);
}

OutputFile::OutputFile(const OutputFolder& folder, const std::string& name)
    : path_(folder.path_of(name)), target_(path_), existing_(Existing::Refuse) {
    file_ = std::fopen(path_.c_str(), "wbx");
    if (file_ == nullptr) fail(path_, errno);
}

OutputFile::~OutputFile() {
    if (file_ != nullptr) std::fclose(file_);
    if (!temporary_.empty()) std::remove(temporary_.c_str());
}

void OutputFile::write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail(path_, errno);
}

void OutputFile::complete() {
    if (file_ == nullptr) return;
    if (std::fflush(file_) != 0) fail(path_, errno);
    if (!temporary_.empty() && fsync(fileno(file_)) != 0 && errno != EINVAL) fail(path_, errno);
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail(path_, errno);
}

void OutputFile::finish() {
    complete();
    if (temporary_.empty()) return;
    const bool is_named = existing_ == Existing::Replace
                              ? std::rename(temporary_.c_str(), target_.c_str()) == 0
                              : rename_to_free(temporary_, target_);
    if (!is_named && errno == EEXIST) refuse_existing(path_);
    if (!is_named) fail(path_, errno);
    temporary_.clear();
}

OutputFolder::OutputFolder(const std::string& path, Existing existing)
    : path_(path), target_(behind_links(path)) {
    if (path.empty()) throw FileError("an output needs a folder name");
    std::error_code error;
    const auto status = fs::status(target_, error);
    if (fs::exists(status)) {
        if (!fs::is_directory(status)) fail(path_, ENOTDIR);
        const fs::directory_iterator entries(target_, error);
        if (error) fail(path_, error.value());
        is_replacing_ = entries != fs::directory_iterator();
        if (is_replacing_ && existing == Existing::Refuse) {
            throw FileError(fmt::format("{}: the folder is not empty; remove it or choose another", path));
        }
        if (!std::all_of(begin(entries), end(entries), is_of_export)) {
            throw FileError(fmt::format("{}: the folder holds other things than exported frames", path));
        }
    }
    temporary_ = make_temporary(path_, target_,
                                [](const std::string& name) { return mkdir(name.c_str(), 0777) == 0; });
}

OutputFolder::~OutputFolder() {
    std::error_code ignored;
    if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

// An empty folder gives way to the new one; a full one changes names with it, and then goes.
void OutputFolder::finish() {
    const int result =
        is_replacing_ ? renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE)
                      : std::rename(temporary_.c_str(), target_.c_str());
    if (result != 0) fail(path_, errno);
    std::error_code ignored;
    if (is_replacing_) fs::remove_all(temporary_, ignored);
    temporary_.clear();
}

}  // namespace impuls
