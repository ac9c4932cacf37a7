// Running an engine in a child process (measure.h).
#include "bench/measure.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <new>

#include "bench/trajectory.h"
#include "impuls/errors.h"

namespace impuls::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr rlim_t kMemory = rlim_t{8} << 30;  // bytes of address space a run may take

struct Header {
    volatile bool is_finished = false;  // the child came to its end and `end` is true
    volatile int steps = 0;
    RunEnd end = RunEnd::Done;
    bool has_states = false;
    std::int64_t contacts = 0;
    double joint_gap = 0, energy_end = 0, energy_low = 0, energy_high = 0, trajectory = -1;
    char message[400] = {};
};

// Memory that parent and child both see.
class Shared {
  public:
    Shared(int steps, std::size_t bodies) : steps_(static_cast<std::size_t>(steps)), bodies_(bodies) {
        size_ = sizeof(Header) + 2 * steps_ * sizeof(double) + bodies_ * sizeof(BodyState);
        void* memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        header_ = new (memory) Header();
    }
    ~Shared() { munmap(header_, size_); }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;

    Header& header() { return *header_; }
    double* step_ms() { return reinterpret_cast<double*>(header_ + 1); }
    double* cpu_ms() { return step_ms() + steps_; }
    BodyState* states() { return reinterpret_cast<BodyState*>(cpu_ms() + steps_); }

  private:
    std::size_t steps_, bodies_, size_;
    Header* header_;
};

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

bool all_finite(const std::vector<BodyState>& states) {
    return std::all_of(states.begin(), states.end(), [](const BodyState& s) {
        return is_finite(s.X_WP.position) && is_finite(s.X_WP.orientation) && is_finite(s.v) &&
               is_finite(s.w);
    });
}

// Joint gap and energy over the run; only scenes with joints are looked at every step.
struct Watch {
    Watch(const Model& m, const std::vector<Vec3>& c, Header& h)
        : model(m), centres(c), header(h), start(energy(m, start_states(m))), unit(energy_scale(m)) {}
    void look(const std::vector<BodyState>& states, int steps) {
        const double drift = (energy(model, states) - start) / unit;
        header.energy_end = drift;
        header.energy_low = std::min(header.energy_low, drift);
        header.energy_high = std::max(header.energy_high, drift);
        header.joint_gap = std::max(header.joint_gap, joint_gap(model, states));
        if (steps != std::lround(kTrajectoryTime / model.dt)) return;
        for (std::size_t k = 0; k < centres.size(); ++k)
            header.trajectory = std::max(header.trajectory, length(states[k].X_WP.position - centres[k]));
    }
    const Model& model;
    const std::vector<Vec3>& centres;
    Header& header;
    double start, unit;
};

void simulate(const Engine& engine, const Setup& setup, const Model& model, int steps, double cap_s,
              const std::vector<Vec3>& centres, Shared& shared) {
    Header& h = shared.header();
    if (model.has_driven() && !engine.drives) throw Unsupported("no driven bodies");
    if (!model.springs.empty() && !engine.has_springs) throw Unsupported("no springs");
    const std::unique_ptr<Simulation> simulation = engine.make(model, setup);
    std::vector<BodyState> states(model.bodies.size());
    Watch watch(model, centres, h);
    double total = 0;
    for (int k = 0; k < steps && total < cap_s; ++k) {
        const double cpu = cpu_seconds();
        const auto began = Clock::now();
        simulation->step();
        const double wall = std::chrono::duration<double>(Clock::now() - began).count();
        shared.cpu_ms()[k] = 1e3 * (cpu_seconds() - cpu);
        shared.step_ms()[k] = 1e3 * wall;
        h.steps = k + 1;
        total += wall;
        if (model.joints.empty()) continue;
        simulation->read(states);
        if (!all_finite(states)) throw std::runtime_error("blew up in step " + std::to_string(k + 1));
        watch.look(states, h.steps);
    }
    simulation->read(states);
    h.contacts = simulation->contact_points();
    h.end = h.steps < steps ? RunEnd::Cut : RunEnd::Done;
    if (!all_finite(states)) throw std::runtime_error("blew up");
    std::copy(states.begin(), states.end(), shared.states());
    h.has_states = true;
}

void set_message(Header& h, RunEnd end, const char* text) {
    h.end = end;
    strncpy(h.message, text, sizeof h.message - 1);
    if (char* line = strchr(h.message, '\n')) *line = 0;
}

// Never returns: leaves without running anybody's exit handlers.
[[noreturn]] void be_child(const Engine& engine, const Setup& setup, const Model& model, int steps,
                           double cap_s, const std::vector<Vec3>& centres, Shared& shared) {
    const rlimit memory{kMemory, kMemory};
    setrlimit(RLIMIT_AS, &memory);
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO), dup2(nowhere, STDERR_FILENO);
    Header& h = shared.header();
    try {
        simulate(engine, setup, model, steps, cap_s, centres, shared);
    } catch (const Unsupported& reason) {
        set_message(h, RunEnd::Refused, reason.what());
    } catch (const std::bad_alloc&) {
        set_message(h, RunEnd::Failed, "out of memory (8 GiB)");
    } catch (const std::exception& error) {
        set_message(h, RunEnd::Failed, error.what());
    }
    h.is_finished = true;
    _exit(0);
}

// True when the child ended by itself before the deadline.
bool wait_for(pid_t child, double seconds, int& status) {
    const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (Clock::now() > deadline) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return false;
        }
        usleep(2000);
    }
    return true;
}

}  // namespace

const char* name_of(RunEnd end) {
    switch (end) {
        case RunEnd::Done:
            return "done";
        case RunEnd::Cut:
            return "cut";
        case RunEnd::Refused:
            return "refused";
        case RunEnd::Failed:
            return "failed";
        case RunEnd::Crashed:
            return "crashed";
        case RunEnd::Hung:
            return "hung";
    }
    return "";
}

RunRecord run_apart(const Engine& engine, const Setup& setup, const Model& model, int steps, double cap_s,
                    const std::vector<Vec3>& centres) {
    Shared shared(steps, model.bodies.size());
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child == 0) be_child(engine, setup, model, steps, cap_s, centres, shared);

    int status = 0;
    const bool ended = wait_for(child, 3 * cap_s + 60, status);
    const Header& h = shared.header();
    RunRecord record;
    record.end = h.end, record.message = h.message;
    if (!ended) {
        record.end = RunEnd::Hung;
        record.message =
            h.steps == 0 ? "no end of loading or of step 1" : "no end of step " + std::to_string(h.steps + 1);
    } else if (!h.is_finished) {
        record.end = RunEnd::Crashed;
        record.message = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "the library ended the process";
    }
    record.step_ms.assign(shared.step_ms(), shared.step_ms() + h.steps);
    record.cpu_ms.assign(shared.cpu_ms(), shared.cpu_ms() + h.steps);
    if (h.has_states) record.last.assign(shared.states(), shared.states() + model.bodies.size());
    record.contacts = h.contacts;
    record.joint_gap = h.joint_gap, record.energy_end = h.energy_end;
    record.energy_low = h.energy_low, record.energy_high = h.energy_high;
    record.trajectory = h.trajectory;
    return record;
}

}  // namespace impuls::bench
