// muParser behind the interface of expression.h. Every parser is a copy of its scope's, so functions and
// names are defined once; muParser compiles at the first evaluation and then runs bytecode.
#include "scene/expression.h"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include "impuls/errors.h"
#include "scene/units.h"

namespace impuls {

namespace {

constexpr std::size_t kLongestExpression = 1000;  // characters
constexpr std::size_t kLongestName = 60;
constexpr std::array<const char*, 4> kIndexNames{"i", "ix", "iy", "iz"};

// Remainder with the sign of b, so that a grid index wraps the way people expect.
double modulo(double a, double b) {
    return a - b * std::floor(a / b);
}
double round_half_away(double x) {
    return std::round(x);
}
double floor_of(double x) {
    return std::floor(x);
}
double ceil_of(double x) {
    return std::ceil(x);
}

template <std::size_t K>
double in_si(double value) {
    return value * kUnits[K].factor;
}

void define_names(mu::Parser& parser) {
    parser.ClearConst();
    parser.DefineConst("pi", std::numbers::pi);
    parser.DefineConst("e", std::numbers::e);
    parser.DefineFun("floor", floor_of);
    parser.DefineFun("ceil", ceil_of);
    parser.DefineFun("round", round_half_away);
    parser.DefineFun("mod", modulo);
    parser.DefineOprt("%", modulo, mu::prMUL_DIV, mu::oaLEFT, true);
    [&]<std::size_t... K>(std::index_sequence<K...>) {
        (parser.DefinePostfixOprt(kUnits[K].name, in_si<K>), ...);
    }
    (std::make_index_sequence<kUnits.size()>());
}

// What muParser would accept but a scene must not hold: assignments, strings, lists, endless texts.
void refuse_unwanted(const std::string& text) {
    if (text.size() > kLongestExpression) {
        throw ExpressionError(fmt::format("expression of {} characters is too long (at most {})", text.size(),
                                          kLongestExpression));
    }
    for (std::size_t k = 0; k < text.size(); ++k) {
        const char c = text[k];
        const bool plain =
            c == '\t' || (c >= ' ' && c <= '~' && c != '"' && c != '#' && c != '$' && c != '@');
        if (!plain) throw ExpressionError(fmt::format("'{}' holds a character that has no meaning", text));
        if (c != '=') continue;
        const char before = k > 0 ? text[k - 1] : ' ';
        if (text.substr(k, 2) == "==") {
            ++k;
        } else if (before != '<' && before != '>' && before != '!') {
            throw ExpressionError(fmt::format("'{}': use == to compare", text));
        }
    }
}

std::string message_of(const std::string& text, const mu::ParserError& error,
                       const std::vector<std::string>& known, bool indexed) {
    std::string token = error.GetToken();
    while (!token.empty() && token.back() == ' ') token.pop_back();
    const bool is_name =
        !token.empty() && (std::isalpha(static_cast<unsigned char>(token[0])) || token[0] == '_');
    if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN && is_name) {
        const bool index = std::find(kIndexNames.begin(), kIndexNames.end(), token) != kIndexNames.end();
        if (index && !indexed) return fmt::format("'{}': '{}' is known only inside a repeat", text, token);
        const std::string near = did_you_mean(token, known);
        return fmt::format("'{}': unknown name '{}'{}", text, token,
                           near.empty() ? " (no variable of the file, and no function)" : near);
    }
    if (error.GetCode() == mu::ecEMPTY_EXPRESSION) return "the expression is empty";
    std::string reason = error.GetMsg();
    while (!reason.empty() && (reason.back() == '.' || reason.back() == ' ')) reason.pop_back();
    if (!reason.empty()) reason[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(reason[0])));
    return fmt::format("'{}': {}", text, reason);
}

std::set<std::string> function_names() {
    mu::Parser parser;
    define_names(parser);
    std::set<std::string> names;
    for (const auto& [name, function] : parser.GetFunDef()) names.insert(name);
    return names;
}

double finite(const std::string& text, double value) {
    if (std::isfinite(value)) return value;
    const char* shown = std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    throw ExpressionError(fmt::format("'{}' is {}, not a finite number", text, shown));
}

}  // namespace

struct Scope::Engine {
    mu::Parser parser;
};
struct Expression::Compiled {
    mu::Parser parser;
};

Scope::Scope() : engine_(std::make_unique<Engine>()) {
    define_names(engine_->parser);
}
Scope::~Scope() = default;

void Scope::set(const std::string& name, double value) {
    const bool is_new = values_.count(name) == 0;
    double& place = values_[name];
    place = value;
    if (is_new) engine_->parser.DefineVar(name, &place);
}

void Scope::set_indexed(bool indexed) {
    if (indexed == indexed_) return;
    indexed_ = indexed;
    index_ = {};
    const std::array<double*, 4> places{&index_.i, &index_.ix, &index_.iy, &index_.iz};
    for (std::size_t k = 0; k < places.size(); ++k) {
        if (indexed) engine_->parser.DefineVar(kIndexNames[k], places[k]);
        if (!indexed) engine_->parser.RemoveVar(kIndexNames[k]);
    }
}

void Scope::set_index(const GridIndex& index) {
    index_ = index;
}

bool Scope::has(const std::string& name) const {
    const bool is_index =
        std::find(kIndexNames.begin(), kIndexNames.end(), name) != kIndexNames.end() && indexed_;
    return is_index || values_.count(name) > 0;
}

std::string Scope::complaint(const std::string& expression, const void* error) const {
    std::vector<std::string> known{"pi", "e"};
    for (const auto& [name, value] : values_) known.push_back(name);
    for (const auto& [name, function] : engine_->parser.GetFunDef()) known.push_back(name);
    return message_of(expression, *static_cast<const mu::ParserError*>(error), known, indexed_);
}

double Scope::evaluate(const std::string& expression) {
    refuse_unwanted(expression);
    try {
        engine_->parser.SetExpr(expression);
        const double value = engine_->parser.Eval();
        if (engine_->parser.GetNumResults() != 1)
            throw ExpressionError("'" + expression + "' is not one number");
        return finite(expression, value);
    } catch (const mu::ParserError& error) {
        throw ExpressionError(complaint(expression, &error));
    }
}

std::vector<std::string> Scope::used_names(const std::string& expression) {
    refuse_unwanted(expression);
    try {
        engine_->parser.SetExpr(expression);
        std::vector<std::string> names;
        for (const auto& [name, place] : engine_->parser.GetUsedVar()) names.push_back(name);
        return names;
    } catch (const mu::ParserError& error) {
        throw ExpressionError(complaint(expression, &error));
    }
}

std::string bad_variable_name(const std::string& name) {
    static const std::string first = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const std::string letters = first + "0123456789";
    if (name.empty() || first.find(name[0]) == std::string::npos ||
        name.find_first_not_of(letters) != std::string::npos) {
        return "is not a name made of letters, digits and _";
    }
    if (name.size() > kLongestName) return fmt::format("is longer than {} letters", kLongestName);
    const bool is_index = std::find(kIndexNames.begin(), kIndexNames.end(), name) != kIndexNames.end();
    if (is_index || name == "pi" || name == "e") return "is a name with a fixed meaning";
    static const std::set<std::string> functions = function_names();
    if (functions.count(name)) return "is the name of a function";
    return {};
}

Expression::Expression(const std::string& text, Scope& scope)
    : compiled_(std::make_unique<Compiled>(Compiled{scope.engine_->parser})), text_(text) {
    for (const std::string& name : scope.used_names(text)) {
        uses_index_ =
            uses_index_ || std::find(kIndexNames.begin(), kIndexNames.end(), name) != kIndexNames.end();
    }
    try {
        compiled_->parser.SetExpr(text);
        compiled_->parser.Eval();
        if (compiled_->parser.GetNumResults() != 1) throw ExpressionError("'" + text + "' is not one number");
    } catch (const mu::ParserError& error) {
        throw ExpressionError(scope.complaint(text, &error));
    }
}

Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

double Expression::operator()() const {
    try {
        return finite(text_, compiled_->parser.Eval());
    } catch (const mu::ParserError& error) {
        throw ExpressionError(message_of(text_, error, {}, true));
    }
}

Template::Template(const std::string& text, Scope& scope) {
    std::string plain;
    for (std::size_t k = 0; k < text.size(); ++k) {
        const char c = text[k];
        const bool doubled = (c == '{' || c == '}') && k + 1 < text.size() && text[k + 1] == c;
        if (doubled || c != '{') {
            plain += c;
            k += doubled ? 1 : 0;
            continue;
        }
        const std::size_t end = text.find('}', k);
        if (end == std::string::npos) throw ExpressionError("'{' without '}' (write '{{' for a brace)");
        expressions_.emplace_back(text.substr(k + 1, end - k - 1), scope);
        texts_.push_back(std::move(plain));
        plain.clear();
        k = end;
    }
    texts_.push_back(std::move(plain));
}

std::string Template::operator()() const {
    std::string result = texts_[0];
    for (std::size_t k = 0; k < expressions_.size(); ++k) {
        result += fmt::format("{}", expressions_[k]()) + texts_[k + 1];
    }
    return result;
}

bool Template::uses_index() const {
    return std::any_of(expressions_.begin(), expressions_.end(),
                       [](const Expression& e) { return e.uses_index(); });
}

std::string escape_braces(const std::string& value) {
    std::string text;
    for (const char c : value) text += (c == '{' || c == '}') ? std::string(2, c) : std::string(1, c);
    return text;
}

}  // namespace impuls
