// Frames as comma-separated values (RFC 4180): one row for each body of each frame, and beside it the
// recorded measurements, one row for each sample. Numbers are written so that they read back exactly.
#include <optional>

#include "impuls/scene.h"
#include "io/export/formats.h"

namespace impuls {

namespace {

std::string csv_quoted(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + "\"";
}

void write_csv_frame(OutputFile& file, const Frame& frame) {
    for (std::size_t k = 0; k < frame.bodies.size(); ++k) {
        const Vec3 &p = frame.positions[k], &v = frame.velocities[k], &w = frame.angular_velocities[k];
        const Quat& q = frame.orientations[k];
        file.print("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", frame.step, frame.time,
                   csv_quoted(frame.structure->bodies[k].name), p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y,
                   v.z, w.x, w.y, w.z);
    }
}

void write_measurements(OutputFile& file, const Recording& recording, const std::vector<std::string>& names) {
    file.write("name,step,time,value\n");
    for (const std::string& name : names) {
        for (const Recording::Sample& s : recording.samples(name)) {
            file.print("{},{},{},{}\n", csv_quoted(name), s.step, s.time, s.value);
        }
    }
}

}  // namespace

void export_csv(const Recording& recording, const std::string& out, const ExportSettings& settings) {
    OutputFile file(out, existing(settings));
    const std::vector<std::string> names = recording.sample_names();
    std::optional<OutputFile> measurements;  // opened first: one that is in the way shows at once
    if (!names.empty()) measurements.emplace(out + ".measurements.csv", existing(settings));
    file.write("step,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n");
    for_each_frame(recording, settings.progress, 0, 1,
                   [&file](std::size_t, const Frame& frame) { write_csv_frame(file, frame); });
    if (measurements) {
        write_measurements(*measurements, recording, names);
        measurements->complete();
    }
    file.complete();
    if (measurements) measurements->finish();
    file.finish();
}

}  // namespace impuls
