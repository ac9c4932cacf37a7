// The family list of exporters. Called by the command line.
#include "impuls/export.h"

#include "io/export/formats.h"

namespace impuls {

const std::vector<Exporter>& exporters() {
    static const std::vector<Exporter> all{
        {"csv", "a table with a row for every body of every frame (and OUT.measurements.csv)", export_csv},
        {"json", "one file with all frames: poses, velocities, contacts, joint reactions", export_json},
        {"obj", "a folder with one Wavefront OBJ file for each frame", export_obj},
        {"povray", "a folder with one POV-Ray scene for each frame, ready to render", export_povray},
        {"png", "a folder with one picture for each frame", export_png},
    };
    return all;
}

}  // namespace impuls
