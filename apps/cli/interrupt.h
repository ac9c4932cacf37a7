// Ctrl-C, SIGTERM and SIGHUP (the terminal is gone) as a question to be asked between and inside steps, so
// that a run ends with its files complete.
#pragma once

namespace impuls::cli {

// From now on these signals are only noted, but a second SIGINT or SIGTERM ends the program at once. (Of
// hangups both the terminal and the shell may send one.) A hangup that is ignored (nohup) stays so.
void catch_interrupts();
bool is_interrupted();

// For commands without steps, whose files go when they do.
struct Interrupted {};
void throw_if_interrupted();

}  // namespace impuls::cli
