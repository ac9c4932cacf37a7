// The family list of exporters. Called by the command line.
#include "impuls/export.h"

#include "io/export/formats.h"

namespace impuls {

const std::vector<Exporter>& exporters() {
    static const std::vector<Exporter> all{
        {"csv", "a table with a row for every body of every frame (and OUT.measurements.csv)", export_csv},
        {"json", "one file with all frames: poses, velocities, contacts, joint reactions", export_json},
        {"obj", "a folder with one Wavefront OBJ file for each frame", export_obj},
        {"vtk", "a folder with one VTK file for each frame: areas of contact with their pressure",
         export_vtk},
        {"povray", "a folder with one POV-Ray scene for each frame, ready to render", export_povray},
        {"png", "a folder with one picture for each frame", export_png},
        {"mp4", "a film of 30 pictures a second, by the installed ffmpeg", export_mp4},
        {"glb", "animated glTF 2.0 in one file, for Blender and others", export_glb},
        {"html", "a page that plays the recording in any browser, without a server", export_html},
    };
    return all;
}

}  // namespace impuls
