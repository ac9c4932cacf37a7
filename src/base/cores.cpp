// Cores (cores.h): Linux moves a thread at once when its core is taken out of those it may use; giving the
// core back afterwards does not call it back.
#include "base/cores.h"

#ifdef __linux__
#include <sched.h>

namespace impuls {

int current_core() {
    return sched_getcpu();
}

void leave_core(int core) {
    cpu_set_t all;
    if (core < 0 || sched_getaffinity(0, sizeof all, &all) != 0) return;
    cpu_set_t others = all;
    CPU_CLR(core, &others);
    if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others) != 0) return;
    sched_setaffinity(0, sizeof all, &all);
}

}  // namespace impuls

#else

namespace impuls {

int current_core() {
    return -1;
}

void leave_core(int) {}

}  // namespace impuls

#endif
