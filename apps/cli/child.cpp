// Child processes (child.h).
#include "cli/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/core.h>

#include "impuls/errors.h"

namespace impuls::cli {
namespace {

int memory_file(const char* name) {
    const int file = memfd_create(name, MFD_CLOEXEC);
    if (file < 0) throw FileError(fmt::format("no memory for the output of a run: {}", std::strerror(errno)));
    return file;
}

std::string read_all(int file) {
    std::string text;
    char buffer[4096];
    for (off_t at = 0;;) {
        const ssize_t n = pread(file, buffer, sizeof buffer, at);
        if (n <= 0) return text;
        text.append(buffer, static_cast<std::size_t>(n));
        at += n;
    }
}

// Between fork and exec: nothing but calls that a signal handler may make.
[[noreturn]] void become(char* const* arguments, pid_t parent, int out, int err) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);  // it ended before
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    setpgid(0, 0);  // Ctrl-C is for the one that started it
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    execv("/proc/self/exe", arguments);
    _exit(127);
}

}  // namespace

Child::Child(const std::vector<std::string>& arguments) {
    std::vector<std::string> words{"impuls"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    out_ = memory_file("out");
    err_ = memory_file("err");
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ == 0) become(pointers.data(), parent, out_, err_);
    if (pid_ < 0) throw FileError(fmt::format("cannot start a process: {}", std::strerror(errno)));
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      out_(std::exchange(other.out_, -1)),
      err_(std::exchange(other.err_, -1)),
      exit_code_(other.exit_code_) {}

Child::~Child() {
    if (pid_ > 0) {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    if (out_ >= 0) close(out_);
    if (err_ >= 0) close(err_);
}

bool Child::has_ended() {
    if (pid_ < 0) return true;
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) != pid_) return false;
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    pid_ = -1;
    return true;
}

std::string Child::out() const {
    return read_all(out_);
}

std::string Child::err() const {
    return read_all(err_);
}

}  // namespace impuls::cli
