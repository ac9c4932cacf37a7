// Expressions compiled to a short program and run by our own functions (functions.h): the same bits
// everywhere, no memory taken while running, so that they may be used inside a step. Scene variables are no
// business of theirs: those are numbers by the time a formula is made. With jets (value and two derivatives
// by one variable, forward differentiation) a place as a function of time also gives velocity and
// acceleration.
//
//     || && == != < <= > >= + - * / % ^ ! ?:   pi e   sin cos tan asin acos atan atan2 sinh cosh tanh exp log
//     ln log10 sqrt abs sign floor ceil round min max mod pow hypot step
//
// Called by courses (course.h), and by conditions and measurements (scene/condition.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace impuls {

// A number with its first and second derivative.
struct Jet {
    double value = 0, first = 0, second = 0;
};

class FormulaError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class Formula {
  public:
    // Whoever compiles says what names and calls mean: the number of a variable, or nothing.
    struct Names {
        std::function<std::optional<std::uint32_t>(const std::string& name)> variable{};
        // A call that is not one of the functions above, with its arguments as text.
        std::function<std::optional<std::uint32_t>(const std::string& function,
                                                   const std::vector<std::string>& arguments)>
            call{};
        bool are_dotted = false;  // names may hold dots and brackets: bodies.cubes[3].position.x
    };
    // Throws FormulaError.
    Formula(const std::string& text, const Names& names);

    double operator()(std::span<const double> variables) const;
    Jet operator()(std::span<const Jet> variables) const;

  private:
    friend class FormulaParser;
    struct Step {
        std::uint8_t code = 0;
        std::uint32_t variable = 0;
        double number = 0;
    };
    template <class T>
    T run(std::span<const T> variables) const;

    std::vector<Step> steps_{};
};

// The names in an expression that are no functions, outside braces: for whoever has to know whether one is
// there.
std::vector<std::string> names_in(std::string_view text);

}  // namespace impuls
