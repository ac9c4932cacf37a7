// Quantities by name. Tables say what can be asked of a body, of a joint or its axis, and of the whole frame;
// a vector entry also gives its .x, .y, .z and .magnitude. Names of bodies may hold dots, slashes and
// brackets: the longest known property at the end is split off and the rest must be the name of a body.
// Called when measure entries are set up, by plots, and (the readers) after every step: reading takes no
// memory.
#include "impuls/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <variant>

#include "impuls/errors.h"
#include "impuls/scene.h"

namespace impuls {

namespace {

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// How many numbers `read` writes: 1, 3 (a vector), 4 (a quaternion w, x, y, z; only its parts have names).
struct Property {
    const char* name;
    int size;
    const char* unit;
    void (*read)(const Frame& frame, std::size_t index, double* out);
};

void put(double* out, const Vec3& v) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

Vec3 contact_force(const Frame& frame, std::size_t body) {
    Vec3 sum;
    for (const Contact& c : frame.contacts) {
        if (c.b == body) sum += c.force;
        if (c.a == body) sum -= c.force;
    }
    return sum;
}

double total_normal_force(const Frame& frame) {
    double sum = 0;
    for (const Contact& c : frame.contacts) sum += std::abs(dot(c.force, c.normal));
    return sum;
}

double max_contact_force(const Frame& frame) {
    double most = 0;
    for (const Contact& c : frame.contacts) most = std::max(most, length_squared(c.force));
    return std::sqrt(most);
}

double all_stages(const Frame& frame) {
    double sum = 0;
    for (const double seconds : frame.stage_seconds) sum += seconds;
    return sum;
}

using F = const Frame&;
using I = std::size_t;

constexpr Property kOfBody[] = {
    {"position", 3, "m", [](F f, I k, double* out) { put(out, f.positions[k]); }},
    {"orientation", 4, "",
     [](F f, I k, double* out) {
         const Quat& q = f.orientations[k];
         out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
     }},
    {"velocity", 3, "m/s", [](F f, I k, double* out) { put(out, f.velocities[k]); }},
    {"speed", 1, "m/s", [](F f, I k, double* out) { *out = length(f.velocities[k]); }},
    {"angular_velocity", 3, "rad/s", [](F f, I k, double* out) { put(out, f.angular_velocities[k]); }},
    {"contact_force", 3, "N", [](F f, I k, double* out) { put(out, contact_force(f, k)); }},
    {"asleep", 1, "", [](F f, I k, double* out) { *out = k < f.asleep.size() ? f.asleep[k] : 0; }},
};

constexpr Property kOfJoint[] = {
    {"reaction", 3, "N", [](F f, I k, double* out) { put(out, f.joints[k].force); }},
    {"force", 3, "N", [](F f, I k, double* out) { put(out, f.joints[k].force); }},
    {"torque", 3, "N m", [](F f, I k, double* out) { put(out, f.joints[k].torque); }},
    {"error", 1, "m", [](F f, I k, double* out) { *out = f.joints[k].error; }},
};

// Here `index` is unused.
constexpr Property kOfFrame[] = {
    {"time", 1, "s", [](F f, I, double* out) { *out = f.time; }},
    {"energy.kinetic", 1, "J", [](F f, I, double* out) { *out = f.energy.kinetic; }},
    {"energy.potential", 1, "J", [](F f, I, double* out) { *out = f.energy.potential; }},
    {"energy.total", 1, "J", [](F f, I, double* out) { *out = f.energy.total; }},
    {"energy.supplied", 1, "J", [](F f, I, double* out) { *out = f.energy.supplied; }},
    {"energy.dissipated", 1, "J", [](F f, I, double* out) { *out = f.energy.dissipated; }},
    {"momentum.linear", 3, "kg m/s", [](F f, I, double* out) { put(out, f.linear_momentum); }},
    {"momentum.angular", 3, "kg m^2/s", [](F f, I, double* out) { put(out, f.angular_momentum); }},
    {"contacts.count", 1, "", [](F f, I, double* out) { *out = static_cast<double>(f.contacts.size()); }},
    {"contacts.max_force", 1, "N", [](F f, I, double* out) { *out = max_contact_force(f); }},
    {"contacts.total_normal_force", 1, "N", [](F f, I, double* out) { *out = total_normal_force(f); }},
    {"max_penetration", 1, "m", [](F f, I, double* out) { *out = f.max_penetration; }},
    {"max_joint_error", 1, "m", [](F f, I, double* out) { *out = f.max_joint_error; }},
    {"profile.total", 1, "s", [](F f, I, double* out) { *out = all_stages(f); }},
};
// Here `index` is the place in Frame::axes.
constexpr Property kOfAxis[] = {
    {"position", 1, "m or rad", [](F f, I k, double* out) { *out = f.axes[k].position; }},
    {"velocity", 1, "m/s or rad/s", [](F f, I k, double* out) { *out = f.axes[k].velocity; }},
    {"force", 1, "N or N m", [](F f, I k, double* out) { *out = f.axes[k].force; }},
};
constexpr Property kOfStage = {"profile.<stage>", 1, "s",
                               [](F f, I k, double* out) { *out = f.stage_seconds[k]; }};

constexpr Property kOfEvents = {
    "events.<kind>", 1, "", [](F f, I k, double* out) {
        *out = static_cast<double>(std::count_if(
            f.events.begin(), f.events.end(), [k](const Event& e) { return static_cast<I>(e.kind) == k; }));
    }};

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
std::vector<std::pair<std::string, Selection>> spellings(const Property* begin, const Property* end) {
    std::vector<std::pair<std::string, Selection>> all;
    for (const Property* p = begin; p != end; ++p) {
        const std::string name = p->name;
        if (p->size <= 3) all.push_back({name, {p, kWhole}});
        int k = 0;
        for (const std::string& c : components(p->size)) all.push_back({name + "." + c, {p, k++}});
        if (p->size == 3) all.push_back({name + ".magnitude", {p, kMagnitude}});
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
        const std::size_t count =
            std::is_same_v<Thing, BodyDesc> ? frame.positions.size() : frame.joints.size();
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

// Names that exist now or will be added by the timeline.
template <class Thing, class Add, class Member>
std::vector<std::string> known_names(const Scene& scene, std::vector<Thing> Scene::*things, Member member) {
    std::vector<std::string> names;
    for (const Thing& thing : scene.*things) names.push_back(thing.name);
    for (const TimedCommand& timed : scene.timeline) {
        if (const auto* add = std::get_if<Add>(&timed.command)) names.push_back((add->*member).name);
    }
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

// joints.<name>.<axis>.<property>; `known` collects what the joint in question has.
Quantity find_of_axis(const std::string& full, const std::string& rest, const Scene& scene,
                      std::vector<std::string>& known) {
    Quantity quantity;
    const auto look_at = [&](const JointDesc& desc) {
        if (!rest.starts_with(desc.name + ".")) return;
        visit_axes(desc.joint, [&](const char* axis, const AxisDesc&) {
            for (const Property& property : kOfAxis) {
                known.push_back(std::string(axis) + "." + property.name);
                if (rest.substr(desc.name.size() + 1) != known.back()) continue;
                quantity = make(full, {&property, kWhole});
                quantity.read = AxisReader{desc.name, axis, &property};
            }
        });
    };
    for (const JointDesc& desc : scene.joints) look_at(desc);
    for (const TimedCommand& timed : scene.timeline)
        if (const auto* add = std::get_if<AddJoint>(&timed.command)) look_at(add->joint);
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

Quantity find_of_frame(const std::string& name) {
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
    for (const auto& [spelling, selection] : spellings(std::begin(kOfFrame), std::end(kOfFrame))) {
        if (Quantity quantity = try_one(spelling, selection, 0); quantity.read) return quantity;
    }
    for (std::size_t k = 0; k < kStageNames.size(); ++k) {
        Quantity quantity = try_one(std::string("profile.") + kStageNames[k], {&kOfStage, kWhole}, k);
        if (quantity.read) return quantity;
    }
    for (std::size_t k = 0; k < kEventKinds; ++k) {
        Quantity quantity =
            try_one(std::string("events.") + EnumNames<EventKind>::names[k], {&kOfEvents, kWhole}, k);
        if (quantity.read) return quantity;
    }
    unknown(name, "no such quantity" + did_you_mean(name, known));
}

void add_help(std::vector<std::pair<std::string, std::string>>& help, const std::string& prefix,
              const Property& property) {
    const char* parts = property.size == 3   ? "[.x|.y|.z|.magnitude]"
                        : property.size == 4 ? ".w|.x|.y|.z"
                                             : "";
    help.emplace_back(prefix + property.name + parts, property.unit);
}

}  // namespace

Quantity find_quantity(const std::string& name, const Scene& structure) {
    const std::string bodies = "bodies.", joints = "joints.";
    if (name.starts_with(bodies)) {
        return find_of_thing(name, name.substr(bodies.size()), "body", &Scene::bodies,
                             known_names<BodyDesc, AddBody>(structure, &Scene::bodies, &AddBody::body),
                             spellings(std::begin(kOfBody), std::end(kOfBody)));
    }
    if (name.starts_with(joints)) {
        std::vector<std::string> of_axes;
        Quantity of_axis = find_of_axis(name, name.substr(joints.size()), structure, of_axes);
        if (of_axis.read) return of_axis;
        return find_of_thing(name, name.substr(joints.size()), "joint", &Scene::joints,
                             known_names<JointDesc, AddJoint>(structure, &Scene::joints, &AddJoint::joint),
                             spellings(std::begin(kOfJoint), std::end(kOfJoint)), of_axes);
    }
    return find_of_frame(name);
}

std::vector<std::pair<std::string, std::string>> quantity_help() {
    std::vector<std::pair<std::string, std::string>> help;
    for (const Property& p : kOfBody) add_help(help, "bodies.<name>.", p);
    for (const Property& p : kOfJoint) add_help(help, "joints.<name>.", p);
    for (const Property& p : kOfAxis) add_help(help, "joints.<name>.<axis>.", p);
    for (const Property& p : kOfFrame) add_help(help, "", p);
    add_help(help, "", kOfStage);
    add_help(help, "", kOfEvents);
    return help;
}

}  // namespace impuls
