// The families of `impuls list` (families.h).
#include "cli/families.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <type_traits>
#include <variant>

#include <fmt/core.h>

#include "cli/sentences.h"
#include "cli/shipped.h"
#include "impuls/command.h"
#include "impuls/export.h"
#include "impuls/forces.h"
#include "impuls/joints.h"
#include "impuls/quantity.h"
#include "impuls/scene_file.h"
#include "impuls/settings.h"
#include "impuls/shapes.h"
#include "scene/material_library.h"
#include "validate/laws.h"

namespace impuls::cli {
namespace {

template <class T>
struct TypeName {
    static std::string text() {
        if constexpr (std::is_enum_v<T>) {
            std::string all;
            for (const char* name : EnumNames<T>::names) all += (all.empty() ? "" : "|") + std::string(name);
            return all;
        } else if constexpr (std::is_same_v<T, bool>) {
            return "true|false";
        } else if constexpr (std::is_integral_v<T>) {
            return "integer";
        } else if constexpr (std::is_floating_point_v<T>) {
            return "number";
        } else if constexpr (std::is_same_v<T, std::string>) {
            return "text";
        } else if constexpr (std::is_same_v<T, Course>) {
            return "number, expression of t, or table";
        } else if constexpr (std::is_same_v<T, Vec3>) {
            return "vector";
        } else if constexpr (std::is_same_v<T, Quat>) {
            return "rotation";
        } else {
            return "object";
        }
    }
};
template <class T>
struct TypeName<std::optional<T>> : TypeName<T> {};
template <class T>
struct TypeName<std::vector<T>> {
    static std::string text() { return "list of " + TypeName<T>::text(); }
};

std::string range_text(const Field& field) {
    if (std::isinf(field.min) && std::isinf(field.max)) return {};
    if (std::isinf(field.max)) return fmt::format("{} {}", field.exclusive_min ? ">" : ">=", field.min);
    return fmt::format("{} ... {}", field.min, field.max);
}

template <class T>
std::vector<FieldInfo> fields_of() {
    std::vector<FieldInfo> fields;
    T::visit_fields([&](const char* name, auto member, const Field& field) {
        if (*name == 0) return;  // of a family, whose keys stand beside these
        using Value = std::remove_cvref_t<decltype(std::declval<T&>().*member)>;
        fields.push_back(
            {name, TypeName<Value>::text(), field.unit, field.doc, range_text(field), field.is_required});
    });
    return fields;
}

template <class Variant>
struct Kinds;
template <class... T>
struct Kinds<std::variant<T...>> {
    static std::vector<Entry> entries() {
        constexpr const char* family = std::is_same_v<std::variant<T...>, Joint>     ? "joint"
                                       : std::is_same_v<std::variant<T...>, Command> ? "command"
                                                                                     : "";
        return {Entry{T::kType, sentence(T::kType, family), fields_of<T>()}...};
    }
};

template <class E>
std::vector<Entry> enum_entries() {
    std::vector<Entry> entries;
    for (const char* name : EnumNames<E>::names)
        entries.push_back({name,
                           sentence(name, std::is_same_v<E, FrictionModel> ? "friction"
                                          : std::is_same_v<E, ImpactOrder> ? "impacts"
                                          : std::is_same_v<E, Solver>      ? "solver"
                                                                           : ""),
                           {}});
    return entries;
}

std::vector<Entry> preset_entries() {
    std::vector<Entry> entries;
    for (const Method& m : method_presets()) {
        entries.push_back({m.preset,
                           sentence(m.preset),
                           {{"parts", method_text(m).substr(m.preset.size() + 1), {}, {}, {}}}});
    }
    return entries;
}

std::vector<Entry> motion_entries() {
    std::vector<Entry> entries;
    for (Entry& entry : Kinds<PlaceMotion>::entries()) {
        entry.name = "place." + entry.name;
        entries.push_back(std::move(entry));
    }
    for (Entry& entry : Kinds<TurnMotion>::entries()) {
        entry.name = "turn." + entry.name;
        entries.push_back(std::move(entry));
    }
    return entries;
}

std::vector<Entry> material_entries() {
    std::vector<Entry> entries;
    for (const auto& [m, source, friction_source] : material_library()) {
        entries.push_back(
            {m.name,
             fmt::format(
                 "density {} kg/m^3, E {:g} GPa, Poisson {}, friction {} (static {}), restitution {}; {}; "
                 "friction: {}",
                 m.density, *m.youngs_modulus * 1e-9, m.poisson_ratio, m.friction,
                 m.static_friction.value_or(m.friction), m.restitution, source, friction_source),
             {}});
    }
    return entries;
}

std::vector<Entry> material_pair_entries() {
    std::vector<Entry> entries;
    for (const LibraryPair& pair : library_pairs())
        entries.push_back(
            {fmt::format("{} on {}", pair.a, pair.b),
             fmt::format("friction {} (static {}); {}", pair.friction, pair.static_friction, pair.source),
             {}});
    return entries;
}

std::vector<Entry> law_entries() {
    std::vector<Entry> entries;
    for (const Law& law : laws()) entries.push_back({law.name, law.about, {}});
    return entries;
}

std::vector<Entry> exporter_entries() {
    std::vector<Entry> entries;
    for (const Exporter& exporter : exporters()) entries.push_back({exporter.name, exporter.help, {}});
    return entries;
}

std::vector<Entry> quantity_entries() {
    std::vector<Entry> entries;
    for (const auto& [name, unit] : quantity_help()) entries.push_back({name, unit, {}});
    return entries;
}

// Scenes under ./scenes, else those that come with the program. A file that does not load
// (a part meant for including, or a broken one) is listed without a title.
std::vector<Entry> scene_entries() {
    namespace fs = std::filesystem;
    std::vector<Entry> entries;
    std::error_code error;
    const fs::path root = fs::is_directory("scenes", error) ? fs::path("scenes") : shipped_scenes();
    for (fs::recursive_directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
        if (it->path().extension() != ".json") continue;
        std::string title;
        try {
            title = load_scene(it->path().string()).title;
        } catch (const std::exception&) {
            title = "(does not load: see impuls check)";
        }
        entries.push_back({it->path().string(), title, {}});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
    return entries;
}

// Of "m or rad" the one that the free axes of a joint have, where they are all of a kind.
std::string unit_of(const std::string& unit, const Entry& joint) {
    const std::size_t both = unit.find(" or ");
    bool slides = false, turns = false;
    for (const FieldInfo& field : joint.fields)
        if (field.type == "object") {
            const bool is_way = field.name == "slide" || field.name == "length" || field.name.size() == 1;
            (is_way ? slides : turns) = true;
        }
    if (both == std::string::npos || slides == turns) return unit;
    return slides ? unit.substr(0, both) : unit.substr(both + 4);
}

}  // namespace

const std::vector<Family>& families() {
    static const std::vector<Family> list{
        {"shapes", "shapes of bodies", Kinds<Shape>::entries},
        {"joints", "joints between bodies", Kinds<Joint>::entries},
        {"forces", "forces on bodies and between them", Kinds<Force>::entries},
        {"motions", "motion of kinematic bodies: of the place, then of the rotation", motion_entries},
        {"materials", "materials that need no description", material_entries},
        {"material_pairs", "friction between two of these", material_pair_entries},
        {"commands", "commands of a timeline", Kinds<Command>::entries},
        {"presets", "methods by name", preset_entries},
        {"steppers", "how a step is organised", Kinds<StepperFamily<Decided>>::entries},
        {"solvers", "how contacts and joints are solved", enum_entries<Solver>},
        {"integrators", "how free motion is advanced", enum_entries<Integrator>},
        {"impacts", "how impacts that come together are resolved", enum_entries<ImpactOrder>},
        {"friction", "shape of the set that friction is kept in", enum_entries<FrictionModel>},
        {"broad_phases", "how pairs that may touch are found", enum_entries<BroadPhaseKind>},
        {"quantities", "what can be measured and plotted", quantity_entries},
        {"exporters", "formats of impuls export", exporter_entries},
        {"laws", "laws of impuls validate", law_entries},
        {"scenes", "scene files that come with Impuls", scene_entries},
    };
    return list;
}

std::vector<Entry> common_entries(const std::string& family, const Entry& one) {
    if (family == "forces") return {{"every force", "", fields_of<ForceDesc>()}};
    if (family != "joints") return {};
    std::vector<FieldInfo> of_axis = fields_of<AxisDesc>();
    for (FieldInfo& field : of_axis) field.unit = unit_of(field.unit, one);
    return {{"every joint", "", fields_of<JointDesc>()},
            {"every free axis", "what limits, drives, brakes and pulls back along it", of_axis}};
}

}  // namespace impuls::cli
