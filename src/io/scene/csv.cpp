// Line by line, number by number, with std::from_chars: no locale (csv.h).
#include "io/scene/csv.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <sstream>

#include "impuls/errors.h"

namespace impuls {

std::vector<std::vector<double>> parse_csv(const std::string& text, const std::string& file,
                                           std::size_t columns) {
    std::vector<std::vector<double>> rows;
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        const auto refuse = [&](const std::string& why) {
            throw InputError(std::vector<Issue>{{file, number, 1, {}, why}});
        };
        line = line.substr(0, line.find('#'));
        std::vector<double> row;
        bool is_numeric = true;
        const char *at = line.data(), *end = at + line.size();
        while (is_numeric && at < end) {
            if (*at == ' ' || *at == '\t' || *at == '\r' || *at == ',' || *at == ';') {
                ++at;
                continue;
            }
            double value = 0;
            const auto [next, error] = std::from_chars(at, end, value);
            is_numeric = error == std::errc{} && std::isfinite(value);
            if (is_numeric) row.push_back(value);
            at = next;
        }
        if (!is_numeric && rows.empty() && row.empty()) continue;  // names
        if (!is_numeric) refuse("holds something that is not a number");
        if (row.empty()) continue;
        if (row.size() != columns) refuse(fmt::format("has {} numbers instead of {}", row.size(), columns));
        rows.push_back(std::move(row));
    }
    if (rows.empty()) throw InputError(std::vector<Issue>{{file, 0, 0, {}, "holds no numbers"}});
    return rows;
}

}  // namespace impuls
