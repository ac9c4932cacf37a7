// Messages for bad input: one line per problem, and suggestions for misspelt names.
// Called wherever input enters: scene files, overrides, commands, the command line.
#include "impuls/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace impuls {

namespace {

constexpr std::size_t kLongestWord = 64;

std::string all_texts(const std::vector<Issue>& issues) {
    std::string text;
    for (const Issue& issue : issues) {
        if (!text.empty()) text += '\n';
        text += issue.text();
    }
    return text;
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

// Edit distance in which a swap of neighbours is one edit (optimal string alignment, Boytsov 2011, sec. 2.1).
std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::array<std::array<std::size_t, kLongestWord + 1>, kLongestWord + 1> d{};
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replace});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[a.size()][b.size()];
}

// What other engines call things; of several, the one that is known where the word stands.
constexpr std::pair<std::string_view, std::string_view> kSynonyms[] = {
    {"revolute", "hinge"},
    {"prismatic", "slider"},
    {"spherical", "ball"},
    {"socket", "ball"},
    {"ball_and_socket", "ball"},
    {"point_to_point", "ball"},
    {"weld", "fixed"},
    {"rigid", "fixed"},
    {"free", "six_dof"},
    {"d6", "six_dof"},
    {"generic", "six_dof"},
    {"cardan", "universal"},
    {"hooke", "universal"},
    {"rack", "rack_and_pinion"},
    {"rod", "distance"},
    {"wheel", "hinge2"},
    {"suspension", "hinge2"},
    {"cube", "box"},
    {"cuboid", "box"},
    {"hull", "convex"},
    {"polyhedron", "convex"},
    {"trimesh", "mesh"},
    {"terrain", "height_field"},
    {"particle", "point"},
    {"ground", "plane"},
    {"halfspace", "plane"},
    {"ellipse", "ellipsoid"},
    {"runge_kutta", "rk4"},
    {"euler", "semi_implicit"},
    {"gauss_seidel", "pgs"},
    {"fixed", "static"},
    {"immovable", "static"},
    {"movable", "dynamic"},
    {"moving", "dynamic"},
    {"timestep", "dt"},
    {"time_step", "dt"},
    {"step", "dt"},
    {"end_time", "duration"},
    {"stop_time", "duration"},
    {"rotation", "orientation"},
    {"quaternion", "orientation"},
    {"location", "position"},
    {"origin", "position"},
    {"linear_velocity", "velocity"},
    {"omega", "angular_velocity"},
    {"mu", "friction"},
    {"friction_coefficient", "friction"},
    {"bounce", "restitution"},
    {"bounciness", "restitution"},
    {"elasticity", "restitution"},
    {"weight", "mass"},
    {"half_extents", "size"},
    {"extents", "size"},
    {"dimensions", "size"},
    {"diameter", "radius"},
    {"motor", "turn"},
    {"motor", "slide"},
    {"motor", "twist"},
    {"limits", "turn"},
    {"limits", "slide"},
    {"min", "lower"},
    {"max", "upper"},
    {"target_velocity", "speed"},
    {"max_motor_force", "max_force"},
    {"pivot", "anchor"},
    {"spring_constant", "stiffness"},
    {"k", "stiffness"},
    {"rest_length", "length"},
    {"body_a", "a"},
    {"body_b", "b"},
    {"parent", "a"},
    {"child", "b"},
    {"body1", "a"},
    {"body2", "b"},
};

}  // namespace

std::string Issue::text() const {
    std::string text = file;
    if (line > 0) text += fmt::format("{}{}:{}", text.empty() ? "" : ":", line, column);
    if (!path.empty()) text += (text.empty() ? "" : ": ") + path;
    return text + (text.empty() ? "" : ": ") + message;
}

InputError::InputError(std::vector<Issue> issues)
    : std::runtime_error(all_texts(issues)), issues_(std::move(issues)) {}

InputError::InputError(const std::string& message)
    : std::runtime_error(message), issues_{Issue{{}, 0, 0, {}, message}} {}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
    if (word.empty() || word.size() > kLongestWord) return {};
    const std::string wanted = lower(word);
    for (const auto& [other, ours] : kSynonyms)
        if (wanted == other && std::find(known.begin(), known.end(), ours) != known.end())
            return fmt::format(" (did you mean '{}'?)", ours);
    // At most a third of the letters may differ, but never all of them.
    std::size_t best = std::min(std::max<std::size_t>(1, word.size() / 3), word.size() - 1) + 1;
    const std::string* nearest = nullptr;
    for (const std::string& candidate : known) {
        const std::size_t longer = std::max(candidate.size(), word.size());
        if (longer > kLongestWord || longer - std::min(candidate.size(), word.size()) >= best) continue;
        const std::size_t distance = edit_distance(wanted, lower(candidate));
        if (distance < best) best = distance, nearest = &candidate;
    }
    // Or the beginning of a word: "pos".
    constexpr std::size_t kShortest = 3;
    for (const std::string& candidate : known)
        if (!nearest && word.size() >= kShortest && lower(candidate).starts_with(wanted))
            nearest = &candidate;
    return nearest ? fmt::format(" (did you mean '{}'?)", *nearest) : std::string();
}

}  // namespace impuls
