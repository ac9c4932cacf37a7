// Names in few bytes against a map.
#include "base/name_list.h"

#include <gtest/gtest.h>

#include <map>

#include "base/rng.h"

namespace impuls {
namespace {

TEST(NameList, gives_names_back_as_they_were) {
    NameList list;
    const std::vector<std::string> names{
        "",        "a",     "a1",         "a[1]",        "a01",          "a[01]",
        "7",       "[7]",   "a[]",        "a]",          "a1]",          "a[1",
        "a[-1]",   "a[1] ", "0",          "a0",          "a[0]",         "a00",
        "b[2][3]", "1[2]",  "a999999999", "a9999999999", "a[999999999]", "a[4294967296]",
        "x/y[3]",  "a1b2",  "]",          "a[1]]"};
    for (std::uint32_t k = 0; k < names.size(); ++k) list.set(k, names[k]);
    for (std::uint32_t k = 0; k < names.size(); ++k) {
        EXPECT_EQ(list[k], names[k]);
        EXPECT_EQ(list.find(names[k]), k) << names[k];
    }
    EXPECT_EQ(list.find("a2"), NameList::kNone);
    EXPECT_EQ(list.find("b"), NameList::kNone);
}

TEST(NameList, finds_what_a_map_finds) {
    Rng rng(3, 1);
    NameList list;
    std::map<std::string, std::uint32_t> expected;
    std::vector<std::string> at(500);
    const auto draw = [&] {
        const auto n = std::to_string(rng.next() % 400);
        const char* stems[] = {"a", "grain", "b1c"};
        const std::string stem = stems[rng.next() % 3];
        return rng.next() % 2 ? stem + n : stem + "[" + n + "]";
    };
    for (int k = 0; k < 30'000; ++k) {
        const auto place = static_cast<std::uint32_t>(rng.next() % at.size());
        const std::string name = draw();
        const auto known = expected.find(name);
        ASSERT_EQ(list.find(name), known == expected.end() ? NameList::kNone : known->second);
        if (!at[place].empty()) {
            list.clear(place);
            expected.erase(std::exchange(at[place], {}));
        } else if (known == expected.end()) {
            list.set(place, at[place] = name);
            expected[name] = place;
        }
    }
    for (const auto& [name, place] : expected) EXPECT_EQ(list[place], name);
}

}  // namespace
}  // namespace impuls
