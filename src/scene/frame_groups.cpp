// The tables of the engine's groups (frame_groups.h): to tell one thing more of a body, a joint or a contact,
// add its array to Frame, fill it (world/frame.cpp) and add its line here.
#include "scene/frame_groups.h"

#include <algorithm>
#include <cstring>

#include "impuls/scene.h"

namespace impuls {

namespace {

using FrameRef = Frame&;

template <class T, class M>
void* member_of(std::vector<T>& list, M T::*member) {
    return list.empty() ? nullptr : &(list.front().*member);
}
template <class T>
void* start_of(std::vector<T>& list) {
    return list.empty() ? nullptr : list.data();
}

ColumnDesc code(const char* name, NumberType type, std::uint32_t size = 1, const char* about = "") {
    return {name, "", about, size == 1 ? ValueShape::Scalar : ValueShape::List, size, type};
}

constexpr auto kU32 = NumberType::Uint32;
constexpr auto kU8 = NumberType::Uint8;

// One entry: the frame itself. Names hold dots, since they are those of quantities.
FrameGroup frame_group() {
    FrameGroup group{
        "frame",
        [](const Frame&) -> std::size_t { return 1; },
        [](FrameRef, std::size_t) {},
        {
            {scalar_column("energy.kinetic", "J"), [](FrameRef f) -> void* { return &f.energy.kinetic; }, 0},
            {scalar_column("energy.potential", "J", "of gravity and springs"),
             [](FrameRef f) -> void* { return &f.energy.potential; }, 0},
            {scalar_column("energy.total", "J"), [](FrameRef f) -> void* { return &f.energy.total; }, 0},
            {scalar_column("energy.supplied", "J", "since the start, by forces"),
             [](FrameRef f) -> void* { return &f.energy.supplied; }, 0},
            {scalar_column("energy.dissipated", "J", "since the start, in worlds with forces"),
             [](FrameRef f) -> void* { return &f.energy.dissipated; }, 0},
            {vector_column("momentum.linear", "kg m/s"),
             [](FrameRef f) -> void* { return &f.linear_momentum; }, 0},
            {vector_column("momentum.angular", "kg m^2/s", "about the origin"),
             [](FrameRef f) -> void* { return &f.angular_momentum; }, 0},
            {scalar_column("max_penetration", "m"), [](FrameRef f) -> void* { return &f.max_penetration; },
             0},
            {scalar_column("max_joint_error", "m"), [](FrameRef f) -> void* { return &f.max_joint_error; },
             0},
        }};
    const auto stage = [&]<std::size_t K>() {
        group.columns.push_back(
            {scalar_column(std::string("profile.") + kStageNames[K], "s", "computing time"),
             [](FrameRef f) -> void* { return &f.stage_seconds[K]; }, 0});
    };
    [&]<std::size_t... K>(std::index_sequence<K...>) {
        (stage.template operator()<K>(), ...);
    }
    (std::make_index_sequence<kStages>());
    return group;
}

FrameGroup body_group() {
    return {"bodies",
            [](const Frame& f) { return f.bodies.size(); },
            [](FrameRef f, std::size_t n) {
                f.bodies.resize(n);
                f.positions.resize(n);
                f.orientations.resize(n);
                f.velocities.resize(n);
                f.angular_velocities.resize(n);
                f.asleep.resize(n);
            },
            {{code("id", kU32, 2, "index and generation"), [](FrameRef f) { return start_of(f.bodies); },
              sizeof(BodyId), Meaning::Inner},
             {vector_column("position", "m", "of the body's frame"),
              [](FrameRef f) { return start_of(f.positions); }, sizeof(Vec3), Meaning::Number, ""},
             {rotation_column("orientation", "of the body's frame"),
              [](FrameRef f) { return start_of(f.orientations); }, sizeof(Quat), Meaning::Number, "q"},
             {vector_column("velocity", "m/s", "of the centre of mass"),
              [](FrameRef f) { return start_of(f.velocities); }, sizeof(Vec3), Meaning::Number, "v"},
             {vector_column("angular_velocity", "rad/s"),
              [](FrameRef f) { return start_of(f.angular_velocities); }, sizeof(Vec3), Meaning::Number, "w"},
             {code("asleep", kU8, 1, "1: not advanced until something wakes it"),
              [](FrameRef f) { return start_of(f.asleep); }, 1, Meaning::Inner}},
            EntryNames::Bodies};
}

FrameGroup joint_group() {
    constexpr std::size_t size = sizeof(JointReaction);
    return {"joints",
            [](const Frame& f) { return f.joints.size(); },
            [](FrameRef f, std::size_t n) { f.joints.resize(n); },
            {{vector_column("force", "N", "on body b, at the anchor"),
              [](FrameRef f) { return member_of(f.joints, &JointReaction::force); }, size},
             {vector_column("torque", "N m", "on body b"),
              [](FrameRef f) { return member_of(f.joints, &JointReaction::torque); }, size},
             {scalar_column("error", "m", "how far it is off"),
              [](FrameRef f) { return member_of(f.joints, &JointReaction::error); }, size}},
            EntryNames::Joints};
}

FrameGroup axis_group() {
    constexpr std::size_t size = sizeof(AxisState);
    return {"axes",
            [](const Frame& f) { return f.axes.size(); },
            [](FrameRef f, std::size_t n) { f.axes.resize(n); },
            {{scalar_column("position", "m or rad"),
              [](FrameRef f) { return member_of(f.axes, &AxisState::position); }, size},
             {scalar_column("velocity", "m/s or rad/s"),
              [](FrameRef f) { return member_of(f.axes, &AxisState::velocity); }, size},
             {scalar_column("force", "N or N m", "of limits, motor, friction and spring"),
              [](FrameRef f) { return member_of(f.axes, &AxisState::force); }, size}},
            EntryNames::Axes};
}

FrameGroup force_group() {
    constexpr std::size_t size = sizeof(ForceState);
    return {"forces",
            [](const Frame& f) { return f.forces.size(); },
            [](FrameRef f, std::size_t n) { f.forces.resize(n); },
            {{vector_column("force", "N", "on body b"),
              [](FrameRef f) { return member_of(f.forces, &ForceState::force); }, size},
             {vector_column("torque", "N m", "on body b, about its centre of mass"),
              [](FrameRef f) { return member_of(f.forces, &ForceState::torque); }, size},
             {scalar_column("length", "m", "between its two points"),
              [](FrameRef f) { return member_of(f.forces, &ForceState::length); }, size},
             {scalar_column("power", "W", "that its bodies gain by it"),
              [](FrameRef f) { return member_of(f.forces, &ForceState::power); }, size}},
            EntryNames::Forces};
}

FrameGroup contact_group() {
    constexpr std::size_t size = sizeof(Contact);
    return {"contacts",
            [](const Frame& f) { return f.contacts.size(); },
            [](FrameRef f, std::size_t n) { f.contacts.resize(n); },
            {{code("a", kU32), [](FrameRef f) { return member_of(f.contacts, &Contact::a); }, size,
              Meaning::Body},
             {code("b", kU32), [](FrameRef f) { return member_of(f.contacts, &Contact::b); }, size,
              Meaning::Body},
             {code("feature", kU32), [](FrameRef f) { return member_of(f.contacts, &Contact::feature); },
              size, Meaning::Inner},
             {vector_column("point", "m"), [](FrameRef f) { return member_of(f.contacts, &Contact::point); },
              size},
             {vector_column("normal", "", "from a to b"),
              [](FrameRef f) { return member_of(f.contacts, &Contact::normal); }, size},
             {scalar_column("depth", "m", "negative while apart"),
              [](FrameRef f) { return member_of(f.contacts, &Contact::depth); }, size},
             {vector_column("force", "N", "what a does to b"),
              [](FrameRef f) { return member_of(f.contacts, &Contact::force); }, size}},
            EntryNames::None,
            true};
}

FrameGroup particle_group() {
    constexpr std::size_t size = sizeof(ParticleState);
    return {"particles",
            [](const Frame& f) { return f.particles.size(); },
            [](FrameRef f, std::size_t n) { f.particles.resize(n); },
            {{code("body", kU32), [](FrameRef f) { return member_of(f.particles, &ParticleState::body); },
              size, Meaning::Body},
             {vector_column("position", "m"),
              [](FrameRef f) { return member_of(f.particles, &ParticleState::position); }, size},
             {vector_column("velocity", "m/s"),
              [](FrameRef f) { return member_of(f.particles, &ParticleState::velocity); }, size}}};
}

FrameGroup particle_body_group() {
    constexpr std::size_t size = sizeof(ParticleBody);
    return {
        "particle_bodies",
        [](const Frame& f) { return f.particle_bodies.size(); },
        [](FrameRef f, std::size_t n) { f.particle_bodies.resize(n); },
        {{code("body", kU32), [](FrameRef f) { return member_of(f.particle_bodies, &ParticleBody::body); },
          size, Meaning::Body},
         {code("first", kU32), [](FrameRef f) { return member_of(f.particle_bodies, &ParticleBody::first); },
          size, Meaning::Inner},
         {code("count", kU32), [](FrameRef f) { return member_of(f.particle_bodies, &ParticleBody::count); },
          size, Meaning::Inner},
         {scalar_column("stretch", "", "largest of its links, relative to their lengths"),
          [](FrameRef f) { return member_of(f.particle_bodies, &ParticleBody::stretch); }, size},
         {scalar_column("kinetic", "J"),
          [](FrameRef f) { return member_of(f.particle_bodies, &ParticleBody::kinetic); }, size},
         {scalar_column("elastic", "J", "of links that yield"),
          [](FrameRef f) { return member_of(f.particle_bodies, &ParticleBody::elastic); }, size}}};
}

FrameGroup patch_group() {
    constexpr std::size_t size = sizeof(ContactPatch);
    return {"patches",
            [](const Frame& f) { return f.patches.size(); },
            [](FrameRef f, std::size_t n) { f.patches.resize(n); },
            {{code("a", kU32), [](FrameRef f) { return member_of(f.patches, &ContactPatch::a); }, size,
              Meaning::Body},
             {code("b", kU32), [](FrameRef f) { return member_of(f.patches, &ContactPatch::b); }, size,
              Meaning::Body},
             {code("elements", kU32),
              [](FrameRef f) { return member_of(f.patches, &ContactPatch::elements); }, size},
             {vector_column("point", "m", "centre of pressure"),
              [](FrameRef f) { return member_of(f.patches, &ContactPatch::point); }, size},
             {vector_column("normal", "", "from a to b"),
              [](FrameRef f) { return member_of(f.patches, &ContactPatch::normal); }, size},
             {scalar_column("area", "m^2"),
              [](FrameRef f) { return member_of(f.patches, &ContactPatch::area); }, size},
             {scalar_column("depth", "m", "largest"),
              [](FrameRef f) { return member_of(f.patches, &ContactPatch::depth); }, size},
             {scalar_column("pressure", "Pa", "largest"),
              [](FrameRef f) { return member_of(f.patches, &ContactPatch::pressure); }, size},
             {vector_column("force", "N", "what a does to b"),
              [](FrameRef f) { return member_of(f.patches, &ContactPatch::force); }, size},
             {vector_column("moment", "N m", "likewise, about the point"),
              [](FrameRef f) { return member_of(f.patches, &ContactPatch::moment); }, size}},
            EntryNames::None,
            true};
}

FrameGroup pressed_group() {
    constexpr std::size_t size = sizeof(PressedTriangle);
    return {"pressed",
            [](const Frame& f) { return f.pressed.size(); },
            [](FrameRef f, std::size_t n) { f.pressed.resize(n); },
            {{code("patch", kU32), [](FrameRef f) { return member_of(f.pressed, &PressedTriangle::patch); },
              size},
             {scalar_column("pressure", "Pa", "mean"),
              [](FrameRef f) { return member_of(f.pressed, &PressedTriangle::pressure); }, size},
             {vector_column("corner_1", "m"),
              [](FrameRef f) { return member_of(f.pressed, &PressedTriangle::corner_1); }, size},
             {vector_column("corner_2", "m"),
              [](FrameRef f) { return member_of(f.pressed, &PressedTriangle::corner_2); }, size},
             {vector_column("corner_3", "m"),
              [](FrameRef f) { return member_of(f.pressed, &PressedTriangle::corner_3); }, size}},
            EntryNames::None,
            true};
}

FrameGroup event_group() {
    constexpr std::size_t size = sizeof(Event);
    static_assert(sizeof(EventKind) == 1);
    return {
        "events",
        [](const Frame& f) { return f.events.size(); },
        [](FrameRef f, std::size_t n) { f.events.resize(n); },
        {{code("kind", kU8), [](FrameRef f) { return member_of(f.events, &Event::kind); }, size,
          Meaning::Inner},
         {code("a", kU32), [](FrameRef f) { return member_of(f.events, &Event::a); }, size, Meaning::Inner},
         {code("b", kU32), [](FrameRef f) { return member_of(f.events, &Event::b); }, size, Meaning::Inner},
         {code("timer", kU32), [](FrameRef f) { return member_of(f.events, &Event::timer); }, size,
          Meaning::Inner},
         {code("joint", kU32), [](FrameRef f) { return member_of(f.events, &Event::joint); }, size,
          Meaning::Inner}},
        EntryNames::None,
        true};
}

FrameGroup outcome_group() {
    constexpr std::size_t size = sizeof(Outcome);
    static_assert(sizeof(IslandStepper) == 1 && sizeof(Refusal) == 1);
    const auto inner = Meaning::Inner;
    return {"outcomes",
            [](const Frame& f) { return f.outcomes.size(); },
            [](FrameRef f, std::size_t n) { f.outcomes.resize(n); },
            {{code("first_body", kU32),
              [](FrameRef f) { return member_of(f.outcomes, &Outcome::first_body); }, size, inner},
             {code("bodies", kU32), [](FrameRef f) { return member_of(f.outcomes, &Outcome::bodies); }, size,
              inner},
             {code("stepper", kU8), [](FrameRef f) { return member_of(f.outcomes, &Outcome::stepper); }, size,
              inner},
             {code("refused", kU8, kIslandSteppers, "by stepper"),
              [](FrameRef f) { return member_of(f.outcomes, &Outcome::refused); }, size, inner},
             {code("substeps", kU32), [](FrameRef f) { return member_of(f.outcomes, &Outcome::substeps); },
              size, inner},
             {code("iterations", kU32),
              [](FrameRef f) { return member_of(f.outcomes, &Outcome::iterations); }, size, inner},
             {code("retries", kU32), [](FrameRef f) { return member_of(f.outcomes, &Outcome::retries); },
              size, inner},
             {scalar_column("residual", "m/s"),
              [](FrameRef f) { return member_of(f.outcomes, &Outcome::residual); }, size, inner},
             {scalar_column("energy_removed", "J"),
              [](FrameRef f) { return member_of(f.outcomes, &Outcome::energy_removed); }, size, inner}}};
}

GroupDesc describe(const FrameGroup& group) {
    GroupDesc desc;
    desc.name = group.name;
    for (const FrameColumn& c : group.columns) desc.columns.push_back(c.desc);
    if (desc.name == "bodies") desc.drawing.as = DrawnAs::Shapes;
    return desc;
}

template <class T>
double read_number(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return static_cast<double>(value);
}

}  // namespace

double ColumnView::number(std::size_t entry, std::uint32_t part) const {
    if (!data) return 0;
    const std::byte* from = data + entry * stride + part * bytes_of(type);
    return type == NumberType::Float64  ? read_number<double>(from)
           : type == NumberType::Uint32 ? read_number<std::uint32_t>(from)
                                        : read_number<std::uint8_t>(from);
}

// Frames are only read through it.
ColumnView FrameGroup::view(const Frame& frame, std::size_t column) const {
    const FrameColumn& c = columns[column];
    return {&c.desc,   static_cast<const std::byte*>(c.data(const_cast<Frame&>(frame))),
            c.stride,  c.desc.type,
            c.meaning, c.heading};
}

ColumnView view_of(const ColumnGroup& group, std::size_t column) {
    const std::span<const double> numbers = group.column(column);
    const ColumnDesc& desc = group.desc().columns[column];
    return {&desc, reinterpret_cast<const std::byte*>(numbers.data()), desc.size * sizeof(double)};
}

const std::vector<FrameGroup>& frame_groups() {
    static const std::vector<FrameGroup> all{frame_group(),    body_group(),          joint_group(),
                                             axis_group(),     force_group(),         contact_group(),
                                             particle_group(), particle_body_group(), event_group(),
                                             outcome_group(),  patch_group(),         pressed_group()};
    return all;
}

const FrameGroup* find_frame_group(std::string_view name) {
    for (const FrameGroup& group : frame_groups())
        if (group.name == name) return &group;
    return nullptr;
}

const std::vector<GroupDesc>& engine_groups() {
    static const std::vector<GroupDesc> all = [] {
        std::vector<GroupDesc> list;
        for (const FrameGroup& group : frame_groups()) list.push_back(describe(group));
        return list;
    }();
    return all;
}

const GroupDesc& desc_of(const FrameGroup& group) {
    return engine_groups()[static_cast<std::size_t>(&group - frame_groups().data())];
}

}  // namespace impuls
