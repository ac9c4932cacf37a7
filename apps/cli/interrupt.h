// Ctrl-C and SIGTERM as a question to be asked between steps, so that a run ends with its files complete.
#pragma once

namespace impuls::cli {

// From now on the first SIGINT or SIGTERM is only noted; the second one of its kind ends the program at once.
void catch_interrupts();
bool is_interrupted();

}  // namespace impuls::cli
