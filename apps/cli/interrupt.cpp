// Interrupt handling (interrupt.h). The flag is the one mutable global a signal handler cannot do without.
#include "cli/interrupt.h"

#include <atomic>
#include <csignal>

namespace impuls::cli {
namespace {

std::atomic<bool> interrupted = false;  // asked by all threads of a step
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

extern "C" void note_interrupt(int) {
    interrupted.store(true, std::memory_order_relaxed);
}

}  // namespace

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = note_interrupt;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    struct sigaction old {};
    sigaction(SIGHUP, nullptr, &old);
    action.sa_flags = SA_RESTART;
    if (old.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

void throw_if_interrupted() {
    if (is_interrupted()) throw Interrupted{};
}

bool is_interrupted() {
    return interrupted.load(std::memory_order_relaxed);
}

}  // namespace impuls::cli
