// Arithmetic in scene files, by muParser: expressions ("2*pi*r") and strings with {expressions}.
// Compiled once, evaluated for every copy of a generator. Called by leaf.cpp and the scene reader.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace impuls {

// What is wrong with an expression; callers add the place.
class ExpressionError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The running numbers of a generator's copy.
struct GridIndex {
    double i = 0, ix = 0, iy = 0, iz = 0;
};

// Names and their values. Expressions keep addresses of the values: a scope outlives them and stays in place.
class Scope {
  public:
    Scope();
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

    void set(const std::string& name, double value);
    // Inside a generator i, ix, iy, iz are known.
    void set_indexed(bool indexed);
    void set_index(const GridIndex& index);
    bool indexed() const { return indexed_; }

    bool has(const std::string& name) const;
    double evaluate(const std::string& expression);
    // Names an expression uses, known or not.
    std::vector<std::string> used_names(const std::string& expression);

  private:
    friend class Expression;
    struct Engine;
    std::string complaint(const std::string& expression, const void* error) const;

    std::unique_ptr<Engine> engine_;
    std::map<std::string, double> values_;
    GridIndex index_{};
    bool indexed_ = false;
};

// Why `name` cannot name a variable; "" when it can.
std::string bad_variable_name(const std::string& name);

class Expression {
  public:
    Expression(const std::string& text, Scope& scope);
    ~Expression();
    Expression(Expression&&) noexcept;
    Expression& operator=(Expression&&) noexcept;

    double operator()() const;
    bool uses_index() const { return uses_index_; }

  private:
    struct Compiled;
    std::unique_ptr<Compiled> compiled_;
    std::string text_;
    bool uses_index_ = false;
};

// "link[{i+1}]": text with expressions in braces; {{ and }} stand for single braces.
class Template {
  public:
    Template(const std::string& text, Scope& scope);
    std::string operator()() const;
    bool uses_index() const;

  private:
    std::vector<std::string> texts_{};  // one more than expressions
    std::vector<Expression> expressions_{};
};

// The text whose template value is `value`.
std::string escape_braces(const std::string& value);

}  // namespace impuls
