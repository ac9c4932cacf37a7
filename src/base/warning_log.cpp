// The warnings of a world (warning_log.h).
#include "base/warning_log.h"

#include <algorithm>

namespace impuls {

Warning& WarningLog::entry(WarningKind kind, const std::string& subject, const std::string& other) {
    const auto is_of = [&](const std::string& name, const std::string& with) {
        return [&, kind](const Warning& w) { return w.kind == kind && w.subject == name && w.other == with; };
    };
    const auto known = std::find_if(list_.begin(), list_.end(), is_of(subject, other));
    if (known != list_.end()) return *known;
    int& count = subjects_[static_cast<std::size_t>(kind)];
    const bool fits = count < kMostSubjects;
    static const std::string nobody;
    if (!fits) {
        const auto rest = std::find_if(list_.begin(), list_.end(), is_of(nobody, nobody));
        if (rest != list_.end()) return *rest;
    }
    ++count;
    Warning added;
    added.kind = kind;
    if (fits) added.subject = subject, added.other = other;
    list_.push_back(std::move(added));
    return list_.back();
}

void WarningLog::note(const Sighting& seen, double time, double energy) {
    Warning& w = entry(seen.kind, seen.subject, seen.other);
    if (w.count++ == 0) {
        w.time = time, w.value = seen.value;
        w.unit = seen.unit;
    }
    if (w.count == 1 || seen.value > w.worst) {
        w.worst = seen.value, w.worst_time = time;
        w.allowed = seen.allowed;
    }
    w.total += energy;
}

void WarningLog::add_energy(WarningKind kind, double energy) {
    const auto first =
        std::find_if(list_.begin(), list_.end(), [&](const Warning& w) { return w.kind == kind; });
    if (first != list_.end()) first->total += energy;
}

void WarningLog::say(WarningKind kind, double time, const std::string& text) {
    if (std::any_of(list_.begin(), list_.end(),
                    [&](const Warning& w) { return w.kind == kind && w.text == text; }))
        return;
    int& count = subjects_[static_cast<std::size_t>(kind)];
    if (count == kMostSubjects) return;
    ++count;
    Warning added;
    added.kind = kind;
    added.time = added.worst_time = time;
    added.count = 1;
    added.text = text;
    list_.push_back(std::move(added));
}

}  // namespace impuls
