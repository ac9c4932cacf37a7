// All frames in one JSON file that explains itself: title, units, then frames with bodies by name, joints,
// contacts, groups of programs and events (where there are any). Written frame by frame, so memory does not
// grow with the recording. What is not a number becomes null.
#include <json/json.h>

#include <algorithm>
#include <cmath>

#include "impuls/scene.h"
#include "io/export/formats.h"
#include "io/export/walk_groups.h"

namespace impuls {

namespace {

std::string json_quoted(const std::string& text) {
    return Json::valueToQuotedString(text.c_str());
}

std::string number(double x) {
    return std::isfinite(x) ? fmt::format("{}", x) : "null";
}

std::string vector(const Vec3& v) {
    return fmt::format("[{},{},{}]", number(v.x), number(v.y), number(v.z));
}

std::string body_name(const Frame& frame, std::uint32_t index) {
    return index == kNoBody ? "null" : json_quoted(frame.structure->bodies[index].name);
}

std::string value_text(const Frame& frame, const ColumnView& column, std::size_t entry) {
    if (column.meaning == Meaning::Body)
        return body_name(frame, static_cast<std::uint32_t>(column.number(entry, 0)));
    if (column.desc->size == 1) return number(column.number(entry, 0));
    std::string text;
    for (std::uint32_t part = 0; part < column.desc->size; ++part)
        text += (part == 0 ? "[" : ",") + number(column.number(entry, part));
    return text + "]";
}

// ,"force":[0,1,0],"torque":...
void write_columns(OutputFile& file, const Frame& frame, const GroupView& group, std::size_t entry,
                   bool is_first) {
    for (const ColumnView& column : group.columns) {
        file.print("{}{}:{}", is_first ? "" : ",", json_quoted(column.desc->name),
                   value_text(frame, column, entry));
        is_first = false;
    }
}

// The axes of a joint are told with it.
void write_axes(OutputFile& file, const Frame& frame, std::size_t joint, const GroupView& axes,
                std::size_t& place) {
    visit_axes(frame.structure->joints[joint].joint, [&](const char* name, const AxisDesc&) {
        if (place >= axes.count) return;
        file.print(",\"{}\":{{", name);
        write_columns(file, frame, axes, place++, true);
        file.write("}");
    });
}

const GroupView& group_named(const std::vector<GroupView>& groups, const char* name) {
    return *std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.desc->name == name; });
}

void write_group(OutputFile& file, const Frame& frame, const GroupView& group, const GroupView& axes) {
    file.print(" {}:[", json_quoted(group.desc->name));
    std::size_t place = 0;
    for (std::size_t k = 0; k < group.count; ++k) {
        const bool has_name = group.entries != EntryNames::None;
        file.print("{}\n  {{", k > 0 ? "," : "");
        if (has_name) file.print("\"name\":{}", json_quoted(entry_name(frame, group, k)));
        write_columns(file, frame, group, k, !has_name);
        if (group.entries == EntryNames::Joints) write_axes(file, frame, k, axes, place);
        file.write("}");
    }
    file.write("]");
}

// Groups of the engine that most scenes have nothing of: left out where they are empty.
bool is_rare(const GroupView& group) {
    const std::string_view name = group.desc->name;
    return find_frame_group(name) && name != "bodies" && name != "joints" && name != "contacts";
}

void write_groups(OutputFile& file, const Frame& frame) {
    const std::vector<GroupView> groups = groups_of(frame);
    const GroupView& axes = group_named(groups, "axes");
    bool is_first = true;
    for (const GroupView& group : groups) {
        if (group.entries == EntryNames::Axes || (group.count == 0 && is_rare(group))) continue;
        if (!is_first) file.write(",\n");
        write_group(file, frame, group, axes);
        is_first = false;
    }
}

void write_events(OutputFile& file, const Frame& frame) {
    if (frame.events.empty()) return;
    file.write(",\n \"events\":[");
    for (std::size_t k = 0; k < frame.events.size(); ++k) {
        const Event& e = frame.events[k];
        file.print("{}\n  {{\"kind\":\"{}\"", k > 0 ? "," : "",
                   EnumNames<EventKind>::names[static_cast<std::size_t>(e.kind)]);
        if (e.joint != kNoJoint)
            file.print(",\"joint\":{}", json_quoted(frame.structure->joints[e.joint].name));
        if (e.timer != kNoTimer)
            file.print(",\"timer\":{}}}", json_quoted(frame.structure->timers[e.timer].name));
        if (e.timer == kNoTimer)
            file.print(",\"a\":{},\"b\":{}}}", body_name(frame, e.a), body_name(frame, e.b));
    }
    file.write("]");
}

void write_sleepers(OutputFile& file, const Frame& frame) {
    bool is_first = true;
    for (std::size_t k = 0; k < frame.asleep.size(); ++k) {
        if (!frame.asleep[k]) continue;
        file.print("{}{}", is_first ? ",\n \"asleep\":[" : ",", json_quoted(frame.structure->bodies[k].name));
        is_first = false;
    }
    if (!is_first) file.write("]");
}

// Groups of programs explain themselves: units and meaning of their columns.
void write_descriptions(OutputFile& file, const Recording& recording) {
    const std::vector<std::int64_t> steps = recording.frame_steps();
    if (steps.empty()) return;
    const Frame frame = recording.frame(steps.back());
    if (frame.groups.empty()) return;
    file.write("\"groups\":{");
    for (std::size_t g = 0; g < frame.groups.size(); ++g) {
        const GroupDesc& group = frame.groups[g].desc();
        file.print("{}{}:{{\"about\":{},\"columns\":{{", g > 0 ? "," : "", json_quoted(group.name),
                   json_quoted(group.about));
        for (std::size_t c = 0; c < group.columns.size(); ++c)
            file.print("{}{}:{{\"unit\":{},\"about\":{}}}", c > 0 ? "," : "",
                       json_quoted(group.columns[c].name), json_quoted(group.columns[c].unit),
                       json_quoted(group.columns[c].about));
        file.write("}}");
    }
    file.write("},\n");
}

void write_json_frame(OutputFile& file, const Frame& frame) {
    file.print("{{\"step\":{},\"time\":{},\n", frame.step, number(frame.time));
    file.print(" \"energy\":{{\"kinetic\":{},\"potential\":{},\"total\":{}}},\n",
               number(frame.energy.kinetic), number(frame.energy.potential), number(frame.energy.total));
    write_groups(file, frame);
    write_events(file, frame);
    write_sleepers(file, frame);
    file.write("}");
}

}  // namespace

void export_json(const Recording& recording, const std::string& out, const ExportSettings& settings) {
    const Scene scene = recording.scene();
    OutputFile file(out, existing(settings));
    file.print("{{\"format\":\"impuls-frames\",\"version\":1,\"title\":{},\"description\":{},\n",
               json_quoted(scene.title), json_quoted(scene.description));
    file.print("\"engine\":{},\"dt\":{},\"gravity\":{},\n", json_quoted(recording.meta("engine")),
               number(scene.settings.dt), vector(scene.settings.gravity));
    file.write(
        "\"units\":{\"time\":\"s\",\"position\":\"m\",\"orientation\":\"unit quaternion w, x, y, z\","
        "\"velocity\":\"m/s, of the centre of mass\",\"angular_velocity\":\"rad/s\",\"depth\":\"m\","
        "\"force\":\"N; of contacts: what a does to b; of joints: on body b\",\"torque\":\"N m\","
        "\"energy\":\"J\"},\n");
    write_descriptions(file, recording);
    file.write("\"frames\":[");
    for_each_frame(recording, settings, 0, 1, [&file](std::size_t k, const Frame& frame) {
        file.write(k > 0 ? ",\n" : "\n");
        write_json_frame(file, frame);
    });
    file.write("]}\n");
    file.finish();
}

}  // namespace impuls
