// The exporters behind the family list in exporters.cpp; to add one: its source file, a line here and a line
// there.
#pragma once

#include <string>

#include "io/export/file.h"

namespace impuls {

void export_csv(const Recording& recording, const std::string& out, const ExportSettings& settings);
void export_mp4(const Recording& recording, const std::string& out, const ExportSettings& settings);
void export_html(const Recording& recording, const std::string& out, const ExportSettings& settings);
void export_glb(const Recording& recording, const std::string& out, const ExportSettings& settings);
void export_json(const Recording& recording, const std::string& out, const ExportSettings& settings);
void export_vtk(const Recording& recording, const std::string& out, const ExportSettings& settings);
void export_obj(const Recording& recording, const std::string& out, const ExportSettings& settings);
void export_png(const Recording& recording, const std::string& out, const ExportSettings& settings);
void export_povray(const Recording& recording, const std::string& out, const ExportSettings& settings);

}  // namespace impuls
