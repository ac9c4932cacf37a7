// Units behind the numbers of expressions: what they become, and which names are none.
#include "scene/units.h"

#include <gtest/gtest.h>

#include <numbers>

#include "scene/expression.h"

namespace impuls {
namespace {

TEST(Units, become_si) {
    Scope scope;
    scope.set("r", 0.5);
    EXPECT_DOUBLE_EQ(scope.evaluate("20 cm"), 0.2);
    EXPECT_DOUBLE_EQ(scope.evaluate("20cm + 5 mm"), 0.205);
    EXPECT_DOUBLE_EQ(scope.evaluate("(1 + 2) km"), 3000);
    EXPECT_DOUBLE_EQ(scope.evaluate("r in"), 0.0127);
    EXPECT_DOUBLE_EQ(scope.evaluate("180 deg"), std::numbers::pi);
    EXPECT_DOUBLE_EQ(scope.evaluate("sin(30 deg)"), 0.5);
    EXPECT_DOUBLE_EQ(scope.evaluate("36 km/h"), 10);
    EXPECT_DOUBLE_EQ(scope.evaluate("60 rpm"), 2 * std::numbers::pi);
    EXPECT_DOUBLE_EQ(scope.evaluate("1.5 h"), 5400);
    EXPECT_DOUBLE_EQ(scope.evaluate("min(3, 2) ms"), 0.002);
    EXPECT_DOUBLE_EQ(scope.evaluate("1e3 g / 2"), 0.5);
    EXPECT_DOUBLE_EQ(scope.evaluate("2 * 3 mm"), 0.006);
    EXPECT_DOUBLE_EQ(scope.evaluate("210 GPa"), 2.1e11);
    EXPECT_THROW(scope.evaluate("20 parsec"), ExpressionError);
    EXPECT_THROW(scope.evaluate("cm"), ExpressionError);
}

TEST(Units, every_one_is_understood_where_its_si_unit_is_wanted) {
    for (const Unit& unit : kUnits) {
        Scope scope;
        const std::string text = std::string("3 ") + unit.name;
        EXPECT_DOUBLE_EQ(scope.evaluate(text), 3 * unit.factor) << text;
        EXPECT_EQ(wrong_unit(text, unit.si), "") << text;
        EXPECT_EQ(wrong_unit(text, std::string(unit.si) + " or N m") +
                      wrong_unit(text, std::string("x or ") + unit.si),
                  "");
        EXPECT_NE(wrong_unit(text, "kg m^2"), "") << text;
        EXPECT_NE(wrong_unit(text, ""), "") << text;
    }
}

TEST(Units, names_without_an_operand_before_them_are_none) {
    for (const char* text :
         {"m", "2 * m", "min(1, 2)", "s + g", "2 * (m + s)", "kg / 2", "x2 * m", "1e3 * s", "t > 2 ? s : m"})
        EXPECT_EQ(wrong_unit(text, "rad"), "") << text;
    for (const char* text : {"2 m", "x m", "x2 m", "(x) m", "1e3 m", "sin(x) m", "2 * 3 m"})
        EXPECT_NE(wrong_unit(text, "rad"), "") << text;
}

}  // namespace
}  // namespace impuls
