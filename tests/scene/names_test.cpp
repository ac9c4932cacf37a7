// Names of generators' copies without making them.
#include "scene/names.h"

#include <gtest/gtest.h>

namespace impuls {
namespace {

TEST(NameTable, CopiesAreRanges) {
    NameTable table;
    EXPECT_FALSE(table.add_copies("cubes", 0, 1'000'000, {nullptr, 1}));
    EXPECT_FALSE(table.add("ball", {nullptr, 2}));
    EXPECT_TRUE(table.has("cubes[0]"));
    EXPECT_TRUE(table.has("cubes[999999]"));
    EXPECT_FALSE(table.has("cubes[1000000]"));
    EXPECT_FALSE(table.has("cubes[007]"));
    EXPECT_FALSE(table.has("cubes"));
    EXPECT_TRUE(table.has("ball"));
}

TEST(NameTable, FindsClashes) {
    NameTable table;
    table.add_copies("cubes", 0, 10, {nullptr, 1});
    ASSERT_TRUE(table.add("cubes[3]", {nullptr, 2}));
    EXPECT_EQ(table.add("cubes[3]", {nullptr, 2})->number, 1u);
    EXPECT_FALSE(table.add("cubes[10]", {nullptr, 3}));
    EXPECT_TRUE(table.add_copies("cubes", 5, 1, {nullptr, 4}));
    EXPECT_TRUE(table.add_copies("cubes", 8, 100, {nullptr, 4}));
    EXPECT_FALSE(table.add("ball", {nullptr, 5}));
    EXPECT_TRUE(table.add("ball", {nullptr, 6}));
}

TEST(NameTable, Suggestions) {
    NameTable table;
    table.add_copies("cubes", 0, 10, {nullptr, 1});
    table.add("ball", {nullptr, 2});
    EXPECT_EQ(table.suggestion("bal"), " (did you mean 'ball'?)");
    EXPECT_EQ(table.suggestion("cubes"), " (its copies are called cubes[0], ...)");
    EXPECT_EQ(table.suggestion("cubes[12]"), " (the last one is cubes[9])");
}

}  // namespace
}  // namespace impuls
