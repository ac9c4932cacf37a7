// Areas of contact as VTK files (legacy polydata, for ParaView): the triangles of each frame's patches in
// world coordinates, with pressure and number of the patch as cell data.
#include "io/export/formats.h"

namespace impuls {

namespace {

void write_vtk_frame(OutputFile& file, const Frame& frame) {
    const auto& triangles = frame.pressed;
    file.print("# vtk DataFile Version 3.0\nstep {}, time {} s\nASCII\nDATASET POLYDATA\nPOINTS {} double\n",
               frame.step, frame.time, 3 * triangles.size());
    for (const PressedTriangle& t : triangles)
        for (const Vec3& p : {t.corner_1, t.corner_2, t.corner_3}) file.print("{} {} {}\n", p.x, p.y, p.z);
    file.print("POLYGONS {} {}\n", triangles.size(), 4 * triangles.size());
    for (std::size_t k = 0; k < triangles.size(); ++k)
        file.print("3 {} {} {}\n", 3 * k, 3 * k + 1, 3 * k + 2);
    file.print("CELL_DATA {}\nSCALARS pressure double 1\nLOOKUP_TABLE default\n", triangles.size());
    for (const PressedTriangle& t : triangles) file.print("{}\n", t.pressure);
    file.print("SCALARS patch int 1\nLOOKUP_TABLE default\n");
    for (const PressedTriangle& t : triangles) file.print("{}\n", t.patch);
}

}  // namespace

void export_vtk(const Recording& recording, const std::string& out, const ExportSettings& settings) {
    OutputFolder folder(out, existing(settings));
    for_each_frame(recording, settings, 0.3, 1, [&](std::size_t k, const Frame& frame) {
        OutputFile file(folder, frame_file_name(k, "vtk"));
        write_vtk_frame(file, frame);
        file.finish();
    });
    folder.finish();
}

}  // namespace impuls
