// Singles in a hash map, copies as disjoint ranges of numbers by generator name.
#include "scene/names.h"

#include <fmt/format.h>

#include <algorithm>

namespace impuls {

std::optional<std::pair<std::string, std::int64_t>> copy_number(const std::string& name) {
    const std::size_t open = name.rfind('[');
    if (open == std::string::npos || name.back() != ']') return {};
    const std::string digits = name.substr(open + 1, name.size() - open - 2);
    const bool plain = !digits.empty() && digits.size() <= 15 && (digits == "0" || digits[0] != '0') &&
                       digits.find_first_not_of("0123456789") == std::string::npos;
    if (!plain) return {};
    return std::pair(name.substr(0, open), static_cast<std::int64_t>(std::stoll(digits)));
}

std::optional<NameTable::Origin> NameTable::add(const std::string& name, Origin origin) {
    if (const auto copy = copy_number(name)) return add_copies(copy->first, copy->second, 1, origin);
    const auto [entry, is_new] = single_.emplace(name, origin);
    if (!is_new) return entry->second;
    return {};
}

std::optional<NameTable::Origin> NameTable::add_copies(const std::string& name, std::int64_t first,
                                                       std::int64_t count, Origin origin) {
    if (count <= 0) return {};
    std::map<std::int64_t, Range>& ranges = copies_[name];
    const auto next = ranges.lower_bound(first);
    if (next != ranges.end() && next->first < first + count) return next->second.origin;
    if (next != ranges.begin() && std::prev(next)->second.end > first) return std::prev(next)->second.origin;
    ranges.emplace_hint(next, first, Range{first + count, origin});
    return {};
}

bool NameTable::has(const std::string& name) const {
    if (single_.count(name)) return true;
    const auto copy = copy_number(name);
    const auto ranges = copy ? copies_.find(copy->first) : copies_.end();
    if (ranges == copies_.end()) return false;
    const auto after = ranges->second.upper_bound(copy->second);
    return after != ranges->second.begin() && copy->second < std::prev(after)->second.end;
}

std::string NameTable::suggestion(const std::string& name) const {
    const auto generator = copies_.find(name);
    if (generator != copies_.end()) return fmt::format(" (its copies are called {}[0], ...)", name);
    const auto copy = copy_number(name);
    const auto ranges = copy ? copies_.find(copy->first) : copies_.end();
    if (ranges != copies_.end()) {
        return fmt::format(" (the last one is {}[{}])", copy->first, ranges->second.rbegin()->second.end - 1);
    }
    std::vector<std::string> known;
    for (const auto& entry : single_) known.push_back(entry.first);
    for (const auto& entry : copies_) known.push_back(entry.first + "[0]");
    std::sort(known.begin(), known.end());
    return did_you_mean(name, known);
}

}  // namespace impuls
