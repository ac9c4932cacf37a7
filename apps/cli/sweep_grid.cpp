// Values and combinations of a sweep (sweep_grid.h).
#include "cli/sweep_grid.h"

#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "impuls/errors.h"

namespace impuls::cli {
namespace {

constexpr std::size_t kMostRuns = 1'000'000;

// Splits at commas that are not inside brackets, braces or quotes.
std::vector<std::string> split_values(const std::string& text) {
    std::vector<std::string> values(1);
    int depth = 0;
    bool is_quoted = false;
    for (const char c : text) {
        if (c == '"') is_quoted = !is_quoted;
        if (!is_quoted && (c == '[' || c == '{' || c == '(')) ++depth;
        if (!is_quoted && (c == ']' || c == '}' || c == ')')) --depth;
        if (c == ',' && depth == 0 && !is_quoted)
            values.emplace_back();
        else
            values.back() += c;
    }
    return values;
}

std::optional<double> number(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_number = error == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
    return is_number ? std::optional(value) : std::nullopt;
}

std::vector<std::string> split_at_colons(const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == ':')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

// first:last:count, or first:last:count:log. Nothing when it is no range at all.
std::optional<std::vector<std::string>> range(const std::string& text, const std::string& whole) {
    const std::vector<std::string> parts = split_at_colons(text);
    if (parts.size() < 2 || !number(parts[0])) return {};
    const auto refuse = [&](const char* why) -> InputError {
        return InputError(
            fmt::format("--vary {}: {}; expected first:last:count or first:last:count:log", whole, why));
    };
    const bool is_log = parts.size() == 4 && parts[3] == "log";
    if (parts.size() != 3 && !is_log) throw refuse("this is no range");
    const auto first = number(parts[0]), last = number(parts[1]), count = number(parts[2]);
    if (!first || !last || !count) throw refuse("not all of these are numbers");
    if (*count < 2 || *count > kMostRuns || *count != std::floor(*count))
        throw refuse("the count must be a whole number from 2");
    if (is_log && !(*first > 0 && *last > 0)) throw refuse("logarithms need numbers above 0");
    std::vector<std::string> values;
    for (double k = 0; k < *count; ++k) {
        const double t = k / (*count - 1);
        double value = is_log ? *first * std::pow(*last / *first, t) : *first + (*last - *first) * t;
        if (k == *count - 1) value = *last;
        // Twelve digits: 0.3 and not 0.30000000000000004.
        values.push_back(fmt::format("{:.12g}", value));
    }
    return values;
}

}  // namespace

Varied parse_varied(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        throw InputError(
            fmt::format("--vary {}: expected path=value,value,..., e.g. variables.m=100,300", text));
    Varied varied{text.substr(0, equals), {}};
    for (const std::string& value : split_values(text.substr(equals + 1))) {
        if (value.empty()) throw InputError(fmt::format("--vary {}: a value is empty", text));
        if (const auto values = range(value, text))
            varied.values.insert(varied.values.end(), values->begin(), values->end());
        else
            varied.values.push_back(value);
    }
    return varied;
}

Grid::Grid(std::vector<Varied> varied) : varied_(std::move(varied)) {
    for (std::size_t k = 0; k < varied_.size(); ++k) {
        for (std::size_t j = 0; j < k; ++j)
            if (varied_[j].path == varied_[k].path)
                throw InputError(fmt::format("--vary names {} twice", varied_[k].path));
        if (varied_[k].values.size() > kMostRuns / size_)
            throw InputError(fmt::format("this makes more than {} runs", kMostRuns));
        size_ *= varied_[k].values.size();
    }
}

std::vector<std::string> Grid::values(std::size_t run) const {
    std::vector<std::string> values(varied_.size());
    for (std::size_t k = varied_.size(); k-- > 0;) {
        const std::size_t count = varied_[k].values.size();
        values[k] = varied_[k].values[run % count];
        run /= count;
    }
    return values;
}

std::vector<std::string> Grid::set(std::size_t run) const {
    std::vector<std::string> set = values(run);
    for (std::size_t k = 0; k < set.size(); ++k) set[k] = varied_[k].path + "=" + set[k];
    return set;
}

}  // namespace impuls::cli
