// Includes walked depth first. The number of parts is bounded here, since files that include each other twice
// would make 2^depth of them.
#include "scene/parts.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace impuls {

namespace {

void collect(const ScenePart& part, std::vector<ScenePart>& parts) {
    for (const IncludeDesc& include : part.scene->include) {
        if (!include.scene || parts.size() > kMaxParts) continue;
        const std::string prefix = include.name.empty() ? part.prefix : part.prefix + include.name + "/";
        collect({include.scene.get(), prefix, part.X_WI * Pose{include.position, include.orientation}},
                parts);
    }
    if (parts.size() <= kMaxParts) parts.push_back(part);
}

}  // namespace

std::vector<ScenePart> scene_parts(const Scene& scene) {
    std::vector<ScenePart> parts;
    collect({&scene, {}, {}}, parts);
    return parts;
}

std::vector<const Scene*> distinct_scenes(const std::vector<ScenePart>& parts) {
    std::vector<const Scene*> scenes;
    std::set<const Scene*> seen;
    for (const ScenePart& part : parts) {
        if (seen.insert(part.scene).second) scenes.push_back(part.scene);
    }
    return scenes;
}

double copies_of(const std::optional<Repeat>& repeat) {
    return repeat ? repeat->count.x * repeat->count.y * repeat->count.z : 1;
}

Issue issue_at(const Scene& scene, const std::string& path, const std::string& message) {
    Issue issue{scene.file, 0, 0, path, message};
    for (std::string at = path; !scene.places.empty(); at.resize(at.rfind('/'))) {
        const auto place = scene.places.find(at);
        if (place != scene.places.end()) {
            std::tie(issue.line, issue.column) = place->second;
            break;
        }
        if (at.empty()) break;
    }
    return issue;
}

std::vector<Issue> in_file_order(std::vector<Issue> issues, const std::string& first_file) {
    std::map<std::string, int> rank{{first_file, 0}};
    for (const Issue& issue : issues) rank.emplace(issue.file, static_cast<int>(rank.size()));
    const auto key = [&](const Issue& a) { return std::tuple(rank[a.file], a.line, a.column); };
    std::stable_sort(issues.begin(), issues.end(),
                     [&](const Issue& a, const Issue& b) { return key(a) < key(b); });
    std::set<std::string> seen;
    std::vector<Issue> result;
    for (Issue& issue : issues) {
        if (seen.insert(issue.text()).second) result.push_back(std::move(issue));
    }
    return result;
}

}  // namespace impuls
