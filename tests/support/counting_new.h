// Heap allocations of the whole test program so far, for tests that a path takes no memory.
#pragma once

#include <atomic>

extern std::atomic<long> allocations;
