// Quantities by name: the columns of bodies, joints, axes and of the frame itself (frame_groups.h), and what
// is derived from them, which tables below say. Entries of other groups are found by group_quantity.h. A
// vector entry also gives its .x, .y, .z and .magnitude. Names of bodies may hold dots, slashes and brackets:
// the longest known property at the end is split off and the rest must be the name of a body. Called when
// measure entries are set up, by plots, and (the readers) after every step: reading takes no memory.
#include "impuls/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <variant>

#include "impuls/errors.h"
#include "impuls/scene.h"
#include "scene/frame_groups.h"
#include "scene/frame_totals.h"
#include "scene/grain_groups.h"
#include "scene/group_quantity.h"
#include "scene/particle_quantity.h"
#include "scene/properties.h"
#include "scene/quantity_expression.h"

namespace impuls {

namespace {

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

void put(double* out, const Vec3& v) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

using F = const Frame&;
using I = std::size_t;

const Properties& of_bodies() {
    static const Properties all = properties_of(
        "bodies",
        {{"speed", 1, "m/s", [](F f, I k, double* out) { *out = length(f.velocities[k]); }},
         {"contact_force", 3, "N", [](F f, I k, double* out) { put(out, contact_force(f, k)); }},
         {"stretch", 1, "", [](F f, I k, double* out) { *out = of_particles(f, k, &ParticleBody::stretch); }},
         {"elastic", 1, "J",
          [](F f, I k, double* out) { *out = of_particles(f, k, &ParticleBody::elastic); }},
         {"asleep", 1, "", [](F f, I k, double* out) { *out = k < f.asleep.size() ? f.asleep[k] : 0; }}});
    return all;
}

const Properties& of_joints() {
    static const Properties all = properties_of(
        "joints", {{"reaction", 3, "N", [](F f, I k, double* out) { put(out, f.joints[k].force); }}});
    return all;
}

const Properties& of_forces() {
    static const Properties all = properties_of("forces", {});
    return all;
}
const Properties& of_frame() {
    static const Properties all = properties_of(
        "frame",
        {{"time", 1, "s", [](F f, I, double* out) { *out = f.time; }},
         {"contacts.count", 1, "",
          [](F f, I, double* out) { *out = static_cast<double>(f.contacts.size()); }},
         {"contacts.max_force", 1, "N", [](F f, I, double* out) { *out = max_contact_force(f); }},
         {"contacts.total_normal_force", 1, "N", [](F f, I, double* out) { *out = total_normal_force(f); }},
         {"profile.total", 1, "s", [](F f, I, double* out) { *out = all_stages(f); }}});
    return all;
}

const Properties& of_axes() {  // `index` is the place in Frame::axes
    static const Properties all = properties_of("axes", {});
    return all;
}

const Property& of_events() {
    static const Property one{"events.<kind>", 1, "", [](F f, I k, double* out) {
                                  *out = static_cast<double>(std::count_if(
                                      f.events.begin(), f.events.end(),
                                      [k](const Event& e) { return static_cast<I>(e.kind) == k; }));
                              }};
    return one;
}

// What a property yields: all of it, one component, or the length of a vector.
constexpr int kWhole = -1;
constexpr int kMagnitude = -2;

struct Selection {
    const Property* property = nullptr;
    int component = kWhole;
    int size() const { return component == kWhole ? property->size : 1; }
};

const std::vector<std::string>& components(int size) {
    static const std::vector<std::string> none, vector{"x", "y", "z"}, quaternion{"w", "x", "y", "z"};
    return size == 3 ? vector : size == 4 ? quaternion : none;
}

// Every spelling of every property of a table: position, position.x, …, position.magnitude.
std::vector<std::pair<std::string, Selection>> spellings(const Properties& properties) {
    std::vector<std::pair<std::string, Selection>> all;
    for (const Property& p : properties) {
        if (p.size <= 3) all.push_back({p.name, {&p, kWhole}});
        int k = 0;
        for (const std::string& c : components(p.size)) all.push_back({p.name + "." + c, {&p, k++}});
        if (p.size == 3) all.push_back({p.name + ".magnitude", {&p, kMagnitude}});
    }
    return all;
}

void select(const Selection& selection, const Frame& frame, std::size_t index, double* out) {
    double all[4];
    selection.property->read(frame, index, all);
    if (selection.component == kWhole) {
        std::copy(all, all + selection.property->size, out);
    } else {
        *out =
            selection.component == kMagnitude ? length({all[0], all[1], all[2]}) : all[selection.component];
    }
}

template <class Thing>
std::size_t find_named(const std::vector<Thing>& things, const std::string& name) {
    for (std::size_t k = 0; k < things.size(); ++k) {
        if (things[k].name == name) return k;
    }
    return kNowhere;
}

// Reads from the body or joint of a name; looks the name up again only when the structure has changed.
template <class Thing>
struct NamedReader {
    std::vector<Thing> Scene::*things;
    std::string name;
    Selection selection;
    mutable std::shared_ptr<const Scene> structure{};
    mutable std::size_t index = kNowhere;

    void operator()(const Frame& frame, double* out) const {
        if (frame.structure != structure) {
            structure = frame.structure;
            index = structure ? find_named((*structure).*things, name) : kNowhere;
        }
        const std::size_t count = std::is_same_v<Thing, BodyDesc>    ? frame.positions.size()
                                  : std::is_same_v<Thing, JointDesc> ? frame.joints.size()
                                                                     : frame.forces.size();
        if (index < count) return select(selection, frame, index, out);
        std::fill(out, out + selection.size(), kNaN);
    }
};

// Reads from an axis of the joint of a name.
struct AxisReader {
    std::string joint, axis;
    const Property* property;
    mutable std::shared_ptr<const Scene> structure{};
    mutable std::size_t index = kNowhere;

    void operator()(const Frame& frame, double* out) const {
        if (frame.structure != structure) {
            structure = frame.structure;
            index = structure ? find_axis(*structure) : kNowhere;
        }
        *out = kNaN;
        if (index < frame.axes.size()) property->read(frame, index, out);
    }
    std::size_t find_axis(const Scene& scene) const {
        std::size_t place = 0, found = kNowhere;
        for (const JointDesc& desc : scene.joints)
            visit_axes(desc.joint, [&](const char* name, const AxisDesc&) {
                if (desc.name == joint && axis == name) found = place;
                ++place;
            });
        return found;
    }
};

template <class Visit>
void for_each_put(const std::vector<TimedCommand>& timeline, Visit&& visit) {
    for (const TimedCommand& timed : timeline)
        visit_changes(timed.command, [&](const auto& change) {
            if constexpr (std::is_same_v<std::decay_t<decltype(change)>, Put>) visit(change);
        });
}

// Names that exist now or will be added by the timeline.
template <class Thing>
std::vector<std::string> known_names(const Scene& scene, std::vector<Thing> Scene::*things,
                                     std::vector<Thing> Put::*added) {
    std::vector<std::string> names;
    for (const Thing& thing : scene.*things) names.push_back(thing.name);
    for_each_put(scene.timeline, [&](const Put& put) {
        for (const Thing& thing : put.*added) names.push_back(thing.name);
    });
    return names;
}

Quantity make(const std::string& name, const Selection& selection) {
    Quantity quantity;
    quantity.name = name;
    quantity.unit = selection.property->unit;
    if (selection.size() == 1) quantity.columns = {name};
    for (const std::string& c : components(selection.size())) quantity.columns.push_back(name + "." + c);
    return quantity;
}

[[noreturn]] void unknown(const std::string& name, const std::string& why) {
    throw InputError(fmt::format("unknown quantity '{}': {}", name, why));
}

bool has(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// Says whether the name or the property is wrong, from the longest known name or property in the text.
[[noreturn]] void unknown_named(const std::string& full, const std::string& rest, const char* kind,
                                const std::vector<std::string>& names,
                                const std::vector<std::pair<std::string, Selection>>& properties,
                                const std::vector<std::string>& more) {
    std::vector<std::string> property_names;
    for (const auto& [spelling, selection] : properties) property_names.push_back(spelling);
    property_names.insert(property_names.end(), more.begin(), more.end());
    for (std::size_t dot = rest.rfind('.'); dot != std::string::npos && dot > 0;
         dot = rest.rfind('.', dot - 1)) {
        if (!has(names, std::string_view(rest).substr(0, dot))) continue;
        const std::string property = rest.substr(dot + 1);
        unknown(full,
                fmt::format("a {} has no '{}'{}", kind, property, did_you_mean(property, property_names)));
    }
    if (has(names, rest))
        unknown(full, fmt::format("say what of {} '{}', e.g. .{}", kind, rest, property_names[0]));
    for (const std::string& property : property_names) {
        if (rest.size() <= property.size() + 1 || !rest.ends_with("." + property)) continue;
        const std::string name = rest.substr(0, rest.size() - property.size() - 1);
        unknown(full, fmt::format("there is no {} '{}'{}", kind, name, did_you_mean(name, names)));
    }
    const std::string name = rest.substr(0, rest.find('.'));
    unknown(full, fmt::format("there is no {} '{}'{}", kind, name, did_you_mean(name, names)));
}

// The descriptions of axes say "m or rad": which of them an axis of that name has.
std::string unit_of_axis(const std::string& both, std::string_view axis) {
    const std::size_t middle = both.find(" or ");
    if (middle == std::string::npos) return both;
    for (const std::string_view length : {"slide", "suspension", "length", "x", "y", "z"})
        if (axis == length) return both.substr(0, middle);
    return both.substr(middle + 4);
}

// joints.<name>.<axis>.<property>; `known` collects what the joint in question has.
Quantity find_of_axis(const std::string& full, const std::string& rest, const Scene& scene,
                      std::vector<std::string>& known) {
    Quantity quantity;
    const auto look_at = [&](const JointDesc& desc) {
        if (!rest.starts_with(desc.name + ".")) return;
        visit_axes(desc.joint, [&](const char* axis, const AxisDesc&) {
            for (const Property& property : of_axes()) {
                known.push_back(std::string(axis) + "." + property.name);
                if (rest.substr(desc.name.size() + 1) != known.back()) continue;
                quantity = make(full, {&property, kWhole});
                quantity.read = AxisReader{desc.name, axis, &property};
                quantity.unit = unit_of_axis(quantity.unit, axis);
            }
        });
    };
    for (const JointDesc& desc : scene.joints) look_at(desc);
    for_each_put(scene.timeline, [&](const Put& put) {
        for (const JointDesc& desc : put.joints) look_at(desc);
    });
    return quantity;
}

template <class Thing>
Quantity find_of_thing(const std::string& full, const std::string& rest, const char* kind,
                       std::vector<Thing> Scene::*things, const std::vector<std::string>& names,
                       const std::vector<std::pair<std::string, Selection>>& properties,
                       const std::vector<std::string>& more = {}) {
    for (const auto& [spelling, selection] : properties) {
        if (rest.size() <= spelling.size() + 1 || !rest.ends_with("." + spelling)) continue;
        const std::string name = rest.substr(0, rest.size() - spelling.size() - 1);
        if (!has(names, name)) continue;
        Quantity quantity = make(full, selection);
        quantity.read = NamedReader<Thing>{things, name, selection};
        return quantity;
    }
    unknown_named(full, rest, kind, names, properties, more);
}

Quantity find_of_frame(const std::string& name, std::span<const ColumnGroup> groups) {
    std::vector<std::string> known{"bodies.<name>.position", "joints.<name>.reaction"};
    const auto try_one = [&](const std::string& spelling, const Selection& selection, std::size_t index) {
        known.push_back(spelling);
        if (spelling != name) return Quantity{};
        Quantity quantity = make(name, selection);
        quantity.read = [selection, index](const Frame& frame, double* out) {
            select(selection, frame, index, out);
        };
        return quantity;
    };
    for (const auto& [spelling, selection] : spellings(of_frame())) {
        if (Quantity quantity = try_one(spelling, selection, 0); quantity.read) return quantity;
    }
    for (std::size_t k = 0; k < kEventKinds; ++k) {
        Quantity quantity =
            try_one(std::string("events.") + EnumNames<EventKind>::names[k], {&of_events(), kWhole}, k);
        if (quantity.read) return quantity;
    }
    if (auto found = find_in_groups(name, groups, known)) return *found;
    unknown(name, "no such quantity" + did_you_mean(name, known));
}

void add_help(std::vector<std::pair<std::string, std::string>>& help, const std::string& prefix,
              const Property& property) {
    const char* parts = property.size == 3   ? "[.x|.y|.z|.magnitude]"
                        : property.size == 4 ? ".w|.x|.y|.z"
                                             : "";
    help.emplace_back(prefix + property.name + parts, property.unit);
}

Quantity find_plain(const std::string& name, const Scene& structure, std::span<const ColumnGroup> groups) {
    const std::string bodies = "bodies.", joints = "joints.";
    if (auto found = find_of_particle(name, structure)) return *found;
    if (name.starts_with(bodies)) {
        return find_of_thing(name, name.substr(bodies.size()), "body", &Scene::bodies,
                             known_names(structure, &Scene::bodies, &Put::bodies), spellings(of_bodies()));
    }
    if (name.starts_with(joints)) {
        std::vector<std::string> of_axes;
        Quantity of_axis = find_of_axis(name, name.substr(joints.size()), structure, of_axes);
        if (of_axis.read) return of_axis;
        return find_of_thing(name, name.substr(joints.size()), "joint", &Scene::joints,
                             known_names(structure, &Scene::joints, &Put::joints), spellings(of_joints()),
                             of_axes);
    }
    if (const std::string forces = "forces."; name.starts_with(forces)) {
        try {
            return find_of_frame(name, groups);  // forces.power.sum
        } catch (const InputError&) {
        }
        return find_of_thing(name, name.substr(forces.size()), "force", &Scene::forces,
                             known_names(structure, &Scene::forces, &Put::forces), spellings(of_forces()));
    }
    return find_of_frame(name, groups);
}

}  // namespace

// Names of bodies may look like expressions: plain names come first.
Quantity find_quantity(const std::string& name, const Scene& structure, std::span<const ColumnGroup> groups) {
    // Frames with grains have these, also before there is one.
    if (groups.empty() && !structure.grains.empty()) {
        std::vector<ColumnGroup> own;
        for (const GroupDesc& group : grain_groups()) own.emplace_back(group);
        return find_quantity(name, structure, own);
    }
    if (!is_quantity_expression(name)) return find_plain(name, structure, groups);
    try {
        return find_plain(name, structure, groups);
    } catch (const InputError&) {
    }
    return find_quantity_expression(
        name, structure, [&](const std::string& plain) { return find_plain(plain, structure, groups); });
}

std::vector<std::pair<std::string, std::string>> quantity_help() {
    std::vector<std::pair<std::string, std::string>> help;
    for (const Property& p : of_bodies()) add_help(help, "bodies.<name>.", p);
    for (const Property& p : of_joints()) add_help(help, "joints.<name>.", p);
    for (const Property& p : of_axes()) add_help(help, "joints.<name>.<axis>.", p);
    for (const Property& p : of_forces()) add_help(help, "forces.<name>.", p);
    for (const Property& p : of_frame()) add_help(help, "", p);
    add_help(help, "", of_events());
    add_group_help(help);
    return help;
}

}  // namespace impuls
