// Heap allocations of the whole test program so far, for tests that a path takes no memory.
#pragma once

#include <atomic>

extern std::atomic<long> allocations;
extern std::atomic<long> allocated_bytes;  // asked for, whether given back or not
extern std::atomic<long> live_bytes;       // not given back, with what the heap rounds up
