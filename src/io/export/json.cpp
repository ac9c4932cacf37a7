// All frames in one JSON file that explains itself: title, units, then frames with bodies by name, contacts,
// joint reactions and events (where there are any). Written frame by frame, so memory does not grow with the
// recording. What is not a number becomes null.
#include <json/json.h>

#include <cmath>

#include "impuls/scene.h"
#include "io/export/formats.h"

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

std::string quaternion(const Quat& q) {
    return fmt::format("[{},{},{},{}]", number(q.w), number(q.x), number(q.y), number(q.z));
}

std::string body_name(const Frame& frame, std::uint32_t index) {
    return index == kNoBody ? "null" : json_quoted(frame.structure->bodies[index].name);
}

void write_bodies(OutputFile& file, const Frame& frame) {
    file.write(" \"bodies\":[");
    for (std::size_t k = 0; k < frame.bodies.size(); ++k) {
        file.print(
            "{}\n  "
            "{{\"name\":{},\"position\":{},\"orientation\":{},\"velocity\":{},\"angular_velocity\":{}}}",
            k > 0 ? "," : "", json_quoted(frame.structure->bodies[k].name), vector(frame.positions[k]),
            quaternion(frame.orientations[k]), vector(frame.velocities[k]),
            vector(frame.angular_velocities[k]));
    }
    file.write("],\n");
}

void write_joints(OutputFile& file, const Frame& frame) {
    file.write(" \"joints\":[");
    std::size_t place = 0;
    for (std::size_t k = 0; k < frame.joints.size(); ++k) {
        const JointReaction& r = frame.joints[k];
        file.print("{}\n  {{\"name\":{},\"force\":{},\"torque\":{},\"error\":{}", k > 0 ? "," : "",
                   json_quoted(frame.structure->joints[k].name), vector(r.force), vector(r.torque),
                   number(r.error));
        visit_axes(frame.structure->joints[k].joint, [&](const char* name, const AxisDesc&) {
            if (place >= frame.axes.size()) return;
            const AxisState& axis = frame.axes[place++];
            file.print(",\"{}\":{{\"position\":{},\"velocity\":{},\"force\":{}}}", name,
                       number(axis.position), number(axis.velocity), number(axis.force));
        });
        file.write("}");
    }
    file.write("],\n");
}

void write_contacts(OutputFile& file, const Frame& frame) {
    file.write(" \"contacts\":[");
    for (std::size_t k = 0; k < frame.contacts.size(); ++k) {
        const Contact& c = frame.contacts[k];
        file.print("{}\n  {{\"a\":{},\"b\":{},\"point\":{},\"normal\":{},\"depth\":{},\"force\":{}}}",
                   k > 0 ? "," : "", body_name(frame, c.a), body_name(frame, c.b), vector(c.point),
                   vector(c.normal), number(c.depth), vector(c.force));
    }
    file.write("]");
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

void write_json_frame(OutputFile& file, const Frame& frame) {
    file.print("{{\"step\":{},\"time\":{},\n", frame.step, number(frame.time));
    file.print(" \"energy\":{{\"kinetic\":{},\"potential\":{},\"total\":{}}},\n",
               number(frame.energy.kinetic), number(frame.energy.potential), number(frame.energy.total));
    write_bodies(file, frame);
    write_joints(file, frame);
    write_contacts(file, frame);
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
        "\"energy\":\"J\"},\n\"frames\":[");
    for_each_frame(recording, settings.progress, 0, 1, [&file](std::size_t k, const Frame& frame) {
        file.write(k > 0 ? ",\n" : "\n");
        write_json_frame(file, frame);
    });
    file.write("]}\n");
    file.finish();
}

}  // namespace impuls
