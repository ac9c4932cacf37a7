// Warnings for people and for programs (warnings.h).
#include "cli/warnings.h"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "cli/output.h"

namespace impuls::cli {
namespace {

constexpr std::size_t kMostLines = 3;  // of a kind

const char* kind_name(const Warning& w) {
    return EnumNames<WarningKind>::names[static_cast<std::size_t>(w.kind)];
}

std::array<std::vector<const Warning*>, kWarningKinds> by_kind(const std::vector<Warning>& warnings) {
    std::array<std::vector<const Warning*>, kWarningKinds> kinds;
    for (const Warning& w : warnings) kinds[static_cast<std::size_t>(w.kind)].push_back(&w);
    return kinds;
}

}  // namespace

void complain_of(const std::vector<Warning>& warnings) {
    for (std::vector<const Warning*>& kind : by_kind(warnings)) {
        // How far beyond what is allowed, in units of that: penetrations of a pebble and of a house compare.
        const auto excess = [](const Warning* w) {
            return w->allowed > 0 ? w->worst / w->allowed : w->worst;
        };
        std::stable_sort(kind.begin(), kind.end(),
                         [&](const Warning* a, const Warning* b) { return excess(a) > excess(b); });
        for (std::size_t k = 0; k < std::min(kMostLines, kind.size()); ++k)
            complain("warning: " + describe(*kind[k]));
        if (kind.size() > kMostLines)
            complain(fmt::format("warning: {} more of kind {} (all of them with --json)",
                                 kind.size() - kMostLines, kind_name(*kind.front())));
    }
}

std::string warning_counts(const std::vector<Warning>& warnings) {
    std::string text;
    for (const auto& kind : by_kind(warnings))
        if (!kind.empty())
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kind.size(), kind_name(*kind.front()));
    return text.empty() ? "none" : text;
}

Json warnings_json(const std::vector<Warning>& warnings) {
    Json list = Json::array();
    for (const Warning& w : warnings) {
        Json json = Json::object();
        json.add("kind", kind_name(w)).add("text", describe(w)).add("time", w.time);
        if (w.text.empty()) {
            json.add("subject", w.subject);
            if (!w.other.empty()) json.add("other", w.other);
            json.add("value", w.value).add("unit", w.unit).add("allowed", w.allowed);
            json.add("worst", w.worst).add("worst_time", w.worst_time).add("count", w.count);
            if (w.total > 0) json.add("total", w.total);
        }
        list.push(std::move(json));
    }
    return list;
}

}  // namespace impuls::cli
