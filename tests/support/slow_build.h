// Sanitizers look for other faults than the numbers do, and run ten times slower: tests that take long there
// do less.
#pragma once

namespace impuls {

#ifdef NDEBUG
inline constexpr bool kSlowBuild = false;
#else
inline constexpr bool kSlowBuild = true;
#endif

}  // namespace impuls
