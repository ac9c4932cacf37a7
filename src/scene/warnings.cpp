// Warnings as text (impuls/warnings.h). Called by the command line, and by whoever shows warnings to people.
#include "impuls/warnings.h"

#include <fmt/format.h>

namespace impuls {
namespace {

constexpr std::array<const char*, kWarningKinds> kWhat{
    "initial overlap of",
    "penetration of",
    "open joint",
    "energy that nothing gave, in the island of",
    "energy taken out of the island of",
    "joints that do not close, in the island of",
    "more work than a step may take, in the island of",
    "lost body",
    "command skipped:",
    "not as the scene asks:",
    "step too short for its tolerance by",
    "layers too thin for",
    "facets too coarse, of",
    "one inside the other, without force:",
    "overlap of grains of",
    "substep too long for a contact of grains of",
    "lost grains of",
    "overlapping parts that weigh twice, as a share of the volume of"};

std::string number(double value, const std::string& unit) {
    return unit.empty() ? fmt::format("{:.3g}", value) : fmt::format("{:.3g} {}", value, unit);
}

std::string who(const Warning& w) {
    if (w.subject.empty()) return "others";
    return w.other.empty() ? fmt::format("'{}'", w.subject)
                           : fmt::format("'{}' and '{}'", w.subject, w.other);
}

}  // namespace

std::string describe(const Warning& w) {
    const char* what = kWhat[static_cast<std::size_t>(w.kind)];
    if (!w.text.empty()) return fmt::format("{} {}", what, w.text);
    std::string line = fmt::format("{} {}: {} at {:.6g} s", what, who(w), number(w.value, w.unit), w.time);
    if (w.allowed > 0) line += fmt::format(" (allowed: {})", number(w.allowed, w.unit));
    if (w.count > 1)
        line += fmt::format("; worst {} at {:.6g} s, in {} steps", number(w.worst, w.unit), w.worst_time,
                            w.count);
    if (w.total > 0 && (w.count > 1 || w.unit != "J"))
        line += fmt::format(", {} in all", number(w.total, "J"));
    return line;
}

}  // namespace impuls
