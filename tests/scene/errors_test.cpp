// Texts of issues and suggestions.
#include "impuls/errors.h"

#include <gtest/gtest.h>

namespace impuls {
namespace {

TEST(Errors, IssueTextLeavesOutWhatIsUnknown) {
    EXPECT_EQ((Issue{"a.json", 3, 7, "/bodies/3/mass", "-2 is not > 0"}.text()),
              "a.json:3:7: /bodies/3/mass: -2 is not > 0");
    EXPECT_EQ((Issue{"a.json", 0, 0, "", "no such file"}.text()), "a.json: no such file");
    EXPECT_EQ((Issue{"", 0, 0, "/joints/0", "bad"}.text()), "/joints/0: bad");
    EXPECT_EQ((Issue{"", 0, 0, "", "bad"}.text()), "bad");
}

TEST(Errors, InputErrorHoldsAllIssues) {
    const InputError error(std::vector<Issue>{{"a", 1, 2, "/x", "one"}, {"a", 3, 4, "/y", "two"}});
    EXPECT_STREQ(error.what(), "a:1:2: /x: one\na:3:4: /y: two");
    EXPECT_EQ(error.issues().size(), 2u);
}

TEST(Errors, SuggestsTheNearestName) {
    const std::vector<std::string> known{"radius", "length", "mass"};
    EXPECT_EQ(did_you_mean("raduis", known), " (did you mean 'radius'?)");
    EXPECT_EQ(did_you_mean("Mass", known), " (did you mean 'mass'?)");
    EXPECT_EQ(did_you_mean("lenght", known), " (did you mean 'length'?)");
    EXPECT_EQ(did_you_mean("rad", known), " (did you mean 'radius'?)");  // its beginning
    EXPECT_EQ(did_you_mean("ra", known), "");
    EXPECT_EQ(did_you_mean("colour", known), "");
    EXPECT_EQ(did_you_mean("", known), "");
    EXPECT_EQ(did_you_mean(std::string(100000, 'a'), known), "");
}

}  // namespace
}  // namespace impuls
