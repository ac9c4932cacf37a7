// On which core a thread runs. Executor asks, because some schedulers let two busy threads share a core for
// long while another one is idle.
#pragma once

namespace impuls {

// The core the calling thread runs on; -1 where the system does not tell.
int current_core();

// Moves the calling thread to another core it may use, if there is one. It is not bound to it: the system
// may move it again.
void leave_core(int core);

}  // namespace impuls
