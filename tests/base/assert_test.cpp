// Assertions: with IMPULS_ASSERTS (Debug, sanitizers) they stop the program and say where; without, nothing
// is evaluated.
#include "base/assert.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/raw_array.h"
#include "base/raw_vector.h"

namespace impuls {
namespace {

// With side effects, to count how often assertions are evaluated.
int asked = 0;
bool holds() {
    ++asked;
    return true;
}
int index() {
    ++asked;
    return 2;
}

TEST(Assert, passes_what_holds) {
    asked = 0;
    IMPULS_ASSERT(holds());
    IMPULS_ASSERT_INDEX(index(), 3u);
#ifdef IMPULS_ASSERTS
    EXPECT_EQ(asked, 2);
#else
    EXPECT_EQ(asked, 0);
#endif
}

#ifdef IMPULS_ASSERTS

TEST(AssertDeathTest, says_file_line_and_condition) {
    EXPECT_DEATH(IMPULS_ASSERT(1 + 1 == 3), "assert_test.cpp:[0-9]+: this does not hold: 1 \\+ 1 == 3");
}

TEST(AssertDeathTest, says_index_and_size) {
    const std::size_t size = 3;
    EXPECT_DEATH(IMPULS_ASSERT_INDEX(index() + 1, size),
                 "assert_test.cpp:[0-9]+: index\\(\\) \\+ 1 = 3 is not in \\[0, size = 3\\)");
    EXPECT_DEATH(IMPULS_ASSERT_INDEX(-index(), size), "-index\\(\\) = -2 is not in");
}

TEST(AssertDeathTest, indices_of_arrays) {
    RawArray<int, 4> array;
    EXPECT_DEATH(array[4] = 1, "raw_array.h:[0-9]+: k = 4 is not in \\[0, N = 4\\)");
    RawVector<int> vector(4);
    EXPECT_DEATH(vector[4] = 1, "");  // by the standard library
}

#else

TEST(Assert, of_what_does_not_hold_passes) {
    IMPULS_ASSERT(false);
    IMPULS_ASSERT_INDEX(3, 3);
}

#endif

}  // namespace
}  // namespace impuls
