// Arithmetic, templates and what they refuse.
#include "scene/expression.h"

#include <gtest/gtest.h>

#include <cmath>

namespace impuls {
namespace {

std::string complaint(Scope& scope, const std::string& text) {
    try {
        scope.evaluate(text);
    } catch (const ExpressionError& error) {
        return error.what();
    }
    return "";
}

TEST(Expression, Arithmetic) {
    Scope scope;
    scope.set("r", 0.25);
    EXPECT_EQ(scope.evaluate("2*r+1"), 1.5);
    EXPECT_EQ(scope.evaluate("2^3"), 8);
    EXPECT_EQ(scope.evaluate("7 % 4"), 3);
    EXPECT_EQ(scope.evaluate("-1 % 4"), 3);
    EXPECT_EQ(scope.evaluate("mod(9, 5)"), 4);
    EXPECT_EQ(scope.evaluate("1 + 7 % 4 * 2"), 7);
    EXPECT_EQ(scope.evaluate("floor(2.7) + ceil(2.2) + round(2.5)"), 8);
    EXPECT_EQ(scope.evaluate("min(3, 1, 2) + max(4, 5)"), 6);
    EXPECT_EQ(scope.evaluate("r > 0.2 ? 10 : 20"), 10);
    EXPECT_DOUBLE_EQ(scope.evaluate("sin(pi/2) + cos(0) + sqrt(4)"), 4);
    EXPECT_DOUBLE_EQ(scope.evaluate("e"), std::exp(1.0));
}

TEST(Expression, Refusals) {
    Scope scope;
    scope.set("radius", 1);
    EXPECT_EQ(complaint(scope, "2*raduis"), "'2*raduis': unknown name 'raduis' (did you mean 'radius'?)");
    EXPECT_EQ(complaint(scope, "i+1"), "'i+1': 'i' is known only inside a repeat");
    EXPECT_EQ(complaint(scope, "1/0"), "'1/0' is inf, not a finite number");
    EXPECT_EQ(complaint(scope, "sqrt(-1)"), "'sqrt(-1)' is nan, not a finite number");
    EXPECT_EQ(complaint(scope, "radius = 3"), "'radius = 3': use == to compare");
    EXPECT_EQ(complaint(scope, "1, 2"), "'1, 2' is not one number");
    EXPECT_EQ(complaint(scope, ""), "the expression is empty");
    EXPECT_NE(complaint(scope, "2*"), "");
    EXPECT_NE(complaint(scope, "(1"), "");
    EXPECT_NE(complaint(scope, std::string(5000, '1')), "");
    EXPECT_EQ(scope.evaluate("radius"), 1) << "nothing was assigned";
}

TEST(Expression, CompiledOnceEvaluatedPerIndex) {
    Scope scope;
    scope.set("d", 0.5);
    scope.set_indexed(true);
    const Expression expression("d*ix + 10*iy + 100*iz + 1000*i", scope);
    EXPECT_TRUE(expression.uses_index());
    scope.set_index({7, 1, 2, 3});
    EXPECT_EQ(expression(), 0.5 + 20 + 300 + 7000);
    EXPECT_FALSE(Expression("d+1", scope).uses_index());
}

TEST(Expression, Templates) {
    Scope scope;
    scope.set("n", 3);
    EXPECT_EQ(Template("link[{n-1}]", scope)(), "link[2]");
    EXPECT_EQ(Template("{n/2} and {n*2}", scope)(), "1.5 and 6");
    EXPECT_EQ(Template("a {{b}} c", scope)(), "a {b} c");
    EXPECT_EQ(Template("plain", scope)(), "plain");
    EXPECT_THROW(Template("a {n", scope), ExpressionError);
    EXPECT_THROW(Template("a {m}", scope), ExpressionError);
    EXPECT_EQ(Template(escape_braces("x{1}{{y}"), scope)(), "x{1}{{y}");
}

TEST(Expression, VariableNames) {
    EXPECT_EQ(bad_variable_name("width_2"), "");
    EXPECT_EQ(bad_variable_name("2w"), "is not a name made of letters, digits and _");
    EXPECT_EQ(bad_variable_name("ix"), "is a name with a fixed meaning");
    EXPECT_EQ(bad_variable_name("pi"), "is a name with a fixed meaning");
    EXPECT_EQ(bad_variable_name(std::string(200, 'a')), "is longer than 60 letters");
    EXPECT_EQ(bad_variable_name("sin"), "is the name of a function");
}

}  // namespace
}  // namespace impuls
