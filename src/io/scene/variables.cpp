// Depth-first evaluation; a variable met again while it is being evaluated closes a cycle.
#include "io/scene/variables.h"

#include <algorithm>
#include <map>

namespace impuls {

namespace {

constexpr std::size_t kMaxVariables = 1000;  // also bounds the recursion

using Report = std::function<void(const std::string&, const Json::Value&, const std::string&)>;

class Evaluation {
  public:
    Evaluation(const Json::Value& object, Scope& scope, const Report& report)
        : object_(object), scope_(scope), report_(report) {}

    // Whether the variable has a value.
    bool evaluate(const std::string& name) {
        if (const auto known = done_.find(name); known != done_.end()) return known->second;
        const Json::Value& json = object_[name];
        open_.push_back(name);
        std::string problem;
        bool ok = compute(name, json, problem);
        open_.pop_back();
        if (!problem.empty()) report_(name, json, problem);
        return done_[name] = ok;
    }

  private:
    bool compute(const std::string& name, const Json::Value& json, std::string& problem) {
        problem = bad_variable_name(name);
        if (!problem.empty()) return false;
        if (json.isNumeric()) {
            scope_.set(name, json.asDouble());
            return true;
        }
        if (!json.isString()) {
            problem = "expected a number or an expression";
            return false;
        }
        try {
            return evaluate_parts(json.asString(), problem) &&
                   (scope_.set(name, scope_.evaluate(json.asString())), true);
        } catch (const ExpressionError& error) {
            problem = error.what();
            return false;
        }
    }

    bool evaluate_parts(const std::string& expression, std::string& problem) {
        bool ok = true;
        for (const std::string& part : scope_.used_names(expression)) {
            if (!object_.isMember(part)) continue;
            const auto open = std::find(open_.begin(), open_.end(), part);
            if (open != open_.end()) {
                problem = "refers to itself: ";
                for (auto it = open; it != open_.end(); ++it) problem += *it + " -> ";
                problem += part;
                return false;
            }
            ok = evaluate(part) && ok;
        }
        return ok;
    }

    const Json::Value& object_;
    Scope& scope_;
    const Report& report_;
    std::vector<std::string> open_{};
    std::map<std::string, bool> done_{};
};

}  // namespace

std::vector<Variable> read_variables(const Json::Value& object, Scope& scope, const Report& report) {
    if (object.size() > kMaxVariables) {
        report("", object, "more than " + std::to_string(kMaxVariables) + " variables");
        return {};
    }
    std::vector<std::pair<std::ptrdiff_t, std::string>> order;
    for (const std::string& name : object.getMemberNames())
        order.emplace_back(object[name].getOffsetStart(), name);
    std::sort(order.begin(), order.end());
    Evaluation evaluation(object, scope, report);
    std::vector<Variable> variables;
    for (const auto& [offset, name] : order) {
        Variable variable{name, 0};
        if (evaluation.evaluate(name)) variable.value = scope.evaluate(name);
        variables.push_back(std::move(variable));
    }
    return variables;
}

}  // namespace impuls
