// Runs a function in a process of its own with a limit of CPU time, and brings its result home: a step
// without end or a crash then is a verdict like any other.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <type_traits>

namespace impuls::faults {

template <class Message>
struct ChildResult {
    bool is_whole = false;  // the message came
    Message message{};
    std::string note{};  // how it ended otherwise
    double cpu_seconds = 0;
};

template <class Message>
bool read_message(int from, Message& message) {
    char* place = reinterpret_cast<char*>(&message);
    std::size_t left = sizeof message;
    while (left > 0) {
        const ssize_t got = read(from, place, left);
        if (got <= 0) return false;
        place += got, left -= static_cast<std::size_t>(got);
    }
    return true;
}

// `make` returns a Message, which is sent as it lies in memory.
template <class Make>
auto run_in_child(int cpu_limit, const Make& make) {
    using Message = decltype(make());
    static_assert(std::is_trivially_copyable_v<Message>);
    ChildResult<Message> result;
    int ends[2];
    if (pipe(ends) != 0) return result;
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        const rlimit limit{static_cast<rlim_t>(cpu_limit), static_cast<rlim_t>(cpu_limit + 1)};
        setrlimit(RLIMIT_CPU, &limit);
        const Message message = make();
        _exit(write(ends[1], &message, sizeof message) == static_cast<ssize_t>(sizeof message) ? 0 : 1);
    }
    close(ends[1]);
    result.is_whole = child > 0 && read_message(ends[0], result.message);
    close(ends[0]);
    if (child < 0) return result;
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    result.cpu_seconds = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    if (!result.is_whole)
        result.note = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)
                          ? "did not end in " + std::to_string(cpu_limit) + " s of CPU"
                          : "the process ended early";
    return result;
}

}  // namespace impuls::faults
