// Every frame as a picture of the software renderer (src/render).
#include "render/png.h"
#include "io/export/formats.h"
#include "render/picture.h"

namespace impuls {

void export_png(const Recording& recording, const std::string& out, const ExportSettings& settings) {
    OutputFolder folder(out, existing(settings));
    const double aspect = static_cast<double>(settings.width) / settings.height;
    const Look look = choose_look(recording.scene(), find_extent(recording, settings, 0, 0.1), aspect);
    const PictureSettings picture{.width = settings.width, .height = settings.height};
    for_each_frame(recording, settings, 0.1, 1, [&](std::size_t k, const Frame& frame) {
        OutputFile file(folder, frame_file_name(k, "png"));
        file.write(encode_png(draw_picture(frame, look, picture)));
        file.finish();
    });
    folder.finish();
}

}  // namespace impuls
