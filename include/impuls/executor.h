// Where parallel work runs. Worlds receive an executor and may share one; results never depend on it.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace impuls {

class Executor {
  public:
    /// `threads` = 0 takes all cores; 1 runs everything on the calling thread.
    explicit Executor(int threads = 1);
    ~Executor();
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    int threads() const;

    /// Calls body(begin, end) for chunks that cover [0, n). Chunks hold `grain` items (the last maybe fewer),
    /// whatever the number of threads. Returns when all are done.
    template <class Body>
    void parallel_for(std::size_t n, std::size_t grain, Body&& body) {
        run(n, grain, &body, [](void* b, std::size_t begin, std::size_t end) {
            (*static_cast<std::remove_reference_t<Body>*>(b))(begin, end);
        });
    }

  private:
    using Call = void (*)(void* body, std::size_t begin, std::size_t end);
    void run(std::size_t n, std::size_t grain, void* body, Call call);

    struct Team;
    std::unique_ptr<Team> team_;
};

}  // namespace impuls
