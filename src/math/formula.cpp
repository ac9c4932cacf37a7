// Recursive descent to a postfix program (formula.h), by precedence from choices down to names and numbers.
// Run by formula_run.cpp.
#include "math/formula.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "math/formula_codes.h"

namespace impuls {
namespace formula {
namespace {

constexpr std::size_t kLongest = 1000;

struct Function {
    std::string_view name;
    Code code;
    int arguments;  // -1: two or more
};
constexpr std::array<Function, 29> kFunctions{
    {{"sin", kSin, 1},    {"cos", kCos, 1},     {"tan", kTan, 1},     {"asin", kAsin, 1},
     {"acos", kAcos, 1},  {"atan", kAtan, 1},   {"atan2", kAtan2, 2}, {"sinh", kSinh, 1},
     {"cosh", kCosh, 1},  {"tanh", kTanh, 1},   {"exp", kExp, 1},     {"log", kLog, 1},
     {"ln", kLog, 1},     {"log10", kLog10, 1}, {"sqrt", kSqrt, 1},   {"abs", kAbs, 1},
     {"sign", kSign, 1},  {"floor", kFloor, 1}, {"ceil", kCeil, 1},   {"round", kRound, 1},
     {"rint", kRound, 1}, {"min", kMin, -1},    {"max", kMax, -1},    {"mod", kModulo, 2},
     {"pow", kPower, 2},  {"hypot", kHypot, 2}, {"step", kStep, 1},   {"pi", kNumber, 0},
     {"e", kNumber, 0}}};

const Function* find_function(std::string_view name) {
    const auto at =
        std::find_if(kFunctions.begin(), kFunctions.end(), [&](auto& f) { return f.name == name; });
    return at == kFunctions.end() ? nullptr : &*at;
}

bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace
}  // namespace formula

using namespace formula;

class FormulaParser {
  public:
    FormulaParser(const std::string& text, const Formula::Names& names, std::vector<Formula::Step>& steps)
        : text_(text), names_(names), steps_(steps) {
        if (text.size() > kLongest) fail("is longer than 1000 characters");
        skip();
        if (at_ == text_.size()) throw FormulaError("the expression is empty");
        choice();
        if (at_ < text_.size()) fail("unexpected '" + text_.substr(at_, 1) + "'");
    }

  private:
    [[noreturn]] void fail(const std::string& why) const { throw FormulaError("'" + text_ + "': " + why); }
    void skip() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    }
    bool take(std::string_view symbol) {
        if (text_.compare(at_, symbol.size(), symbol) != 0) return false;
        at_ += symbol.size();
        skip();
        return true;
    }
    void expect(std::string_view symbol) {
        if (!take(symbol)) fail("'" + std::string(symbol) + "' is missing");
    }
    // `taken` values leave the stack, one comes.
    void emit(Code code, std::size_t taken, double number = 0, std::uint32_t variable = 0) {
        depth_ = depth_ + 1 - taken;
        if (depth_ > kDeepest) fail("is nested too deeply");
        steps_.push_back({code, variable, number});
    }

    struct Nesting {
        explicit Nesting(FormulaParser& parser) : p(parser) {
            if (++p.nesting_ > 200) p.fail("is nested too deeply");
        }
        ~Nesting() { --p.nesting_; }
        FormulaParser& p;
    };

    void choice() {
        const Nesting nesting(*this);
        either();
        if (!take("?")) return;
        choice();
        expect(":");
        choice();
        emit(kChoose, 3);
    }
    void either() {
        both();
        while (take("||")) both(), emit(kOr, 2);
    }
    void both() {
        equality();
        while (take("&&")) equality(), emit(kAnd, 2);
    }
    void equality() {
        order();
        for (;;) {
            if (take("==")) {
                order();
                emit(kEqual, 2);
            } else if (take("!=")) {
                order();
                emit(kNotEqual, 2);
            } else {
                if (at_ < text_.size() && text_[at_] == '=') fail("use == to compare");
                return;
            }
        }
    }
    void order() {
        sum();
        for (;;) {
            const Code code = take("<=")   ? kLessEqual
                              : take(">=") ? kGreaterEqual
                              : take("<")  ? kLess
                              : take(">")  ? kGreater
                                           : kNumber;
            if (code == kNumber) return;
            sum();
            emit(code, 2);
        }
    }
    void sum() {
        product();
        for (;;) {
            const Code code = take("+") ? kAdd : take("-") ? kSubtract : kNumber;
            if (code == kNumber) return;
            product();
            emit(code, 2);
        }
    }
    void product() {
        sign();
        for (;;) {
            const Code code = take("*") ? kMultiply : take("/") ? kDivide : take("%") ? kModulo : kNumber;
            if (code == kNumber) return;
            sign();
            emit(code, 2);
        }
    }
    void sign() {
        const Nesting nesting(*this);
        if (take("-")) {
            sign();
            emit(kNegate, 1);
        } else if (take("+")) {
            sign();
        } else if (text_.compare(at_, 2, "!=") != 0 && take("!")) {
            sign();
            emit(kNot, 1);
        } else {
            power();
        }
    }
    void power() {  // 2^-x; -2^2 is -4; 2^3^2 is 2^9
        primary();
        if (!take("^")) return;
        sign();
        emit(kPower, 2);
    }
    void primary() {
        if (at_ == text_.size()) fail("ends too early");
        const char c = text_[at_];
        if (take("(")) {
            choice();
            expect(")");
        } else if (is_digit(c) || c == '.') {
            number();
        } else if (is_letter(c) || c == '\'') {
            name();
        } else {
            fail("unexpected '" + std::string(1, c) + "'");
        }
    }
    void number() {
        double value = 0;
        const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (error != std::errc{}) fail("a number cannot be read");
        at_ = static_cast<std::size_t>(end - text_.data());
        skip();
        emit(kNumber, 0, value);
    }
    std::string read_name() {
        if (text_[at_] == '\'') {  // any characters
            const std::size_t end = text_.find('\'', at_ + 1);
            if (end == std::string::npos) fail("a quoted name does not end");
            const std::string name = text_.substr(at_ + 1, end - at_ - 1);
            at_ = end + 1;
            return name;
        }
        const std::size_t from = at_;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (names_.are_dotted && c == '[') {
                const std::size_t end = text_.find(']', at_);
                if (end == std::string::npos) fail("']' is missing");
                at_ = end + 1;
            } else if (is_letter(c) || is_digit(c) || (names_.are_dotted && c == '.')) {
                ++at_;
            } else {
                break;
            }
        }
        return text_.substr(from, at_ - from);
    }
    void name() {
        const bool is_quoted = text_[at_] == '\'';
        const std::string name = read_name();
        skip();
        if (!is_quoted && at_ < text_.size() && text_[at_] == '(') return call(name);
        if (!is_quoted && (name == "pi" || name == "e"))
            return emit(kNumber, 0, name == "pi" ? 3.141592653589793 : 2.718281828459045);
        const auto variable = names_.variable ? names_.variable(name) : std::nullopt;
        if (!variable) fail("unknown name '" + name + "'");
        emit(kVariable, 0, 0, *variable);
    }
    // The arguments as text, up to the closing bracket.
    std::vector<std::string> argument_texts() {
        std::vector<std::string> texts{""};
        int depth = 0;
        bool is_quoted = false;
        for (++at_; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == '\'') is_quoted = !is_quoted;
            if (!is_quoted && depth == 0 && c == ')') break;
            if (!is_quoted && depth == 0 && c == ',') {
                texts.emplace_back();
                continue;
            }
            if (!is_quoted) depth += (c == '(' || c == '[') - (c == ')' || c == ']');
            texts.back() += c;
        }
        expect(")");
        for (std::string& t : texts) {
            t.erase(0, std::min(t.find_first_not_of(" \t"), t.size()));
            t.erase(t.find_last_not_of(" \t") + 1);
            if (t.size() > 1 && t.front() == '\'' && t.find('\'', 1) == t.size() - 1)
                t = t.substr(1, t.size() - 2);
        }
        return texts;
    }
    void call(const std::string& name) {
        const std::size_t before = at_;
        if (names_.call) {
            if (const auto variable = names_.call(name, argument_texts()))
                return emit(kVariable, 0, 0, *variable);
            at_ = before;
        }
        const Function* function = find_function(name);
        if (!function || function->arguments == 0) fail("unknown function '" + name + "'");
        expect("(");
        int count = 1;
        choice();
        for (; take(","); ++count) {
            choice();
            if (function->arguments < 0) emit(function->code, 2);
        }
        expect(")");
        if (function->arguments < 0 && count > 1) return;
        if (function->arguments != count)
            fail("'" + name + "' takes " +
                 (function->arguments < 0 ? "two or more" : std::to_string(function->arguments)) +
                 " argument(s), not " + std::to_string(count));
        emit(function->code, static_cast<std::size_t>(count));
    }

    const std::string& text_;
    const Formula::Names& names_;
    std::vector<Formula::Step>& steps_;
    std::size_t at_ = 0, depth_ = 0;
    int nesting_ = 0;
};

Formula::Formula(const std::string& text, const Names& names) {
    FormulaParser(text, names, steps_);
}

std::vector<std::string> names_in(std::string_view text) {
    std::vector<std::string> names;
    int braces = 0;
    for (std::size_t k = 0; k < text.size(); ++k) {
        braces += (text[k] == '{') - (text[k] == '}');
        const bool is_start =
            is_letter(text[k]) &&
            (k == 0 || (!is_letter(text[k - 1]) && !is_digit(text[k - 1]) && text[k - 1] != '.'));
        if (braces > 0 || !is_start) continue;
        std::size_t end = k;
        while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
        const std::string name(text.substr(k, end - k));
        if (!find_function(name)) names.push_back(name);
        k = end - 1;
    }
    return names;
}

}  // namespace impuls
