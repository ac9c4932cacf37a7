// Splitting names, and the table that finds them (name_list.h). Removal moves later entries of a row back, so
// that there are no marks of what is gone (Knuth, algorithm R of section 6.4).
#include "base/name_list.h"

namespace impuls {

// Only a number that is written as one would be: "b07" and "b99999999999" are names of their own.
NameList::Parts NameList::parts_of(std::string_view name) {
    constexpr std::size_t kMostDigits = 9;
    const bool is_bracket = name.ends_with(']');
    const std::size_t end = name.size() - is_bracket;
    std::size_t begin = end;
    std::uint32_t number = 0, unit = 1;
    while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') {
        if (end - begin == kMostDigits) return {name, Form::Plain, 0};
        number += unit * static_cast<std::uint32_t>(name[--begin] - '0');
        unit *= 10;
    }
    const bool is_number = begin < end && (name[begin] != '0' || end - begin == 1);
    if (!is_number || (is_bracket && (begin == 0 || name[begin - 1] != '['))) return {name, Form::Plain, 0};
    if (is_bracket) return {name.substr(0, begin - 1), Form::Bracket, number};
    return {name.substr(0, begin), Form::Number, number};
}

std::size_t NameList::start_of(const Entry& e) const {
    std::uint64_t h = (std::uint64_t{e.stem} << 32 | e.number) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
    return static_cast<std::size_t>(h >> 32) & (table_.size() - 1);
}

std::uint32_t NameList::stem_number(std::string_view stem) {
    const auto [it, is_new] =
        stem_numbers_.try_emplace(std::string(stem), static_cast<std::uint32_t>(stems_.size()));
    if (is_new) stems_.emplace_back(stem);
    return it->second;
}

std::uint32_t NameList::find(std::string_view name) const {
    const Parts parts = parts_of(name);
    const auto stem = stem_numbers_.find(std::string(parts.stem));
    if (stem == stem_numbers_.end() || table_.empty()) return kNone;
    const Entry wanted{stem->second << kFormBits | static_cast<std::uint32_t>(parts.form), parts.number};
    for (std::size_t at = start_of(wanted); table_[at] != kNone; at = (at + 1) & (table_.size() - 1))
        if (entries_[table_[at]] == wanted) return table_[at];
    return kNone;
}

void NameList::enter(std::uint32_t place) {
    std::size_t at = start_of(entries_[place]);
    while (table_[at] != kNone) at = (at + 1) & (table_.size() - 1);
    table_[at] = place;
}

void NameList::grow() {
    table_.assign(table_.empty() ? 16 : 2 * table_.size(), kNone);
    for (std::uint32_t place = 0; place < entries_.size(); ++place)
        if (form_of(entries_[place]) != Form::Free) enter(place);
}

void NameList::set(std::uint32_t place, std::string_view name) {
    IMPULS_ASSERT(find(name) == kNone);
    if (4 * (used_ + 1) > 3 * table_.size()) grow();
    if (place >= entries_.size()) entries_.resize(place + 1);
    IMPULS_ASSERT(form_of(entries_[place]) == Form::Free);
    const Parts parts = parts_of(name);
    entries_[place] = {stem_number(parts.stem) << kFormBits | static_cast<std::uint32_t>(parts.form),
                       parts.number};
    ++used_;
    enter(place);
}

void NameList::clear(std::uint32_t place) {
    IMPULS_ASSERT(place < entries_.size() && form_of(entries_[place]) != Form::Free);
    const std::size_t mask = table_.size() - 1;
    std::size_t hole = start_of(entries_[place]);
    while (table_[hole] != place) hole = (hole + 1) & mask;
    for (std::size_t at = (hole + 1) & mask; table_[at] != kNone; at = (at + 1) & mask) {
        const std::size_t start = start_of(entries_[table_[at]]);
        if (((at - start) & mask) < ((at - hole) & mask)) continue;  // it is not before its start there
        table_[hole] = table_[at];
        hole = at;
    }
    table_[hole] = kNone;
    entries_[place] = {};
    --used_;
}

}  // namespace impuls
