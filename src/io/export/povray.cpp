// Every frame as a POV-Ray 3.7 scene with camera, light, materials and checkered planes. POV-Ray thinks in a
// left-handed world only where it derives a vector itself (look_at, rotate): here all camera vectors and
// matrices are written out, so that our right-handed coordinates are used as they are and nothing is
// mirrored.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "impuls/scene.h"
#include "io/export/formats.h"
#include "io/export/povray_shapes.h"
#include "render/deformed.h"
#include "render/look.h"
#include "scene/drawn_shape.h"

namespace impuls {

namespace {

constexpr const char* kReadme =
    "One POV-Ray scene for each frame. To render all of them as 800 x 600 pictures:\n"
    "    for f in frame_*.pov; do povray -D +A +W800 +H600 \"$f\"; done\n"
    "The horizontal angle of view is that of the scene for any width and height.\n";

std::string color(const Vec3& c) {
    return fmt::format("srgb {}", povray_vector(c));
}

// 1, 2 or 5 times a power of ten, near x.
double round_number(double x) {
    const double power = std::pow(10, std::floor(std::log10(x)));
    return (x < 2 * power ? 1 : x < 5 * power ? 2 : 5) * power;
}

std::unordered_map<std::string, Vec3> material_colors(const Scene& structure) {
    std::unordered_map<std::string, Vec3> colors;
    for (const MaterialDesc& material : structure.materials) colors.emplace(material.name, material.color);
    return colors;
}

Vec3 body_color(const BodyDesc& body, const std::unordered_map<std::string, Vec3>& materials) {
    if (body.color) return *body.color;
    const auto material = materials.find(body.material);
    return material != materials.end() ? material->second : MaterialDesc{}.color;
}

void write_head(OutputFile& file, const Frame& frame, const Look& look) {
    const Camera& c = look.camera;
    file.print("// step {}, time {} s\n#version 3.7;\nglobal_settings {{ assumed_gamma 1.0 }}\n", frame.step,
               frame.time);
    file.print("background {{ {} }}\n", color(look.background));
    file.print(
        "camera {{\n  perspective location {}\n  direction {}\n  right {} * {}\n  up {} * {} * image_height "
        "/ "
        "image_width\n}}\n",
        povray_vector(c.location), povray_vector(c.forward), povray_vector(c.right), 2 * c.tan_half_width,
        povray_vector(c.up), 2 * c.tan_half_width);
    file.print("light_source {{ {} rgb 1 }}\n", povray_vector(c.light));
    file.print("light_source {{ {} rgb 0.25 shadowless }}\n", povray_vector(c.location));
    file.write("#declare Finish = finish { ambient 0.25 diffuse 0.75 specular 0.2 roughness 0.05 }\n");
}

// A plane is drawn unless the camera stands inside it: from there it would only hide the scene.
void write_plane(OutputFile& file, const Pose& X_WB, const Vec3& rgb, const Look& look) {
    if (rotate_inverse(X_WB.orientation, look.camera.location - X_WB.position).y <= 0) return;
    file.print(
        "plane {{ y, 0 texture {{ pigment {{ checker color {} color {} scale {} }} finish {{ Finish }} }} {} "
        "}}\n",
        color(rgb), color(0.8 * rgb), round_number(look.size / 8), povray_matrix(X_WB));
}

void write_bodies(OutputFile& file, const Frame& frame, const Look& look) {
    const auto materials = material_colors(*frame.structure);
    for (std::size_t k = 0; k < frame.bodies.size(); ++k) {
        const BodyDesc& body = frame.structure->bodies[k];
        const Pose X_WB{frame.positions[k], frame.orientations[k]};
        if (!is_finite(X_WB.position) || !is_finite(X_WB.orientation)) continue;
        const Vec3 rgb = body_color(body, materials);
        const DrawnShape drawn(body);
        if (std::holds_alternative<Plane>(*drawn)) {
            write_plane(file, X_WB, rgb, look);
            continue;
        }
        Shape scratch;
        const Shape& moved = shape_in(frame, k, scratch);
        const std::string object = povray_object(&moved == &scratch ? moved : *drawn, 0.01 * look.size);
        if (object.empty()) continue;
        file.print("{} texture {{ pigment {{ {} }} finish {{ Finish }} }} {} }}\n", object, color(rgb),
                   povray_matrix(X_WB));
    }
}

void write_text(const OutputFolder& folder, const std::string& name, std::string_view text) {
    OutputFile file(folder, name);
    file.write(text);
    file.finish();
}

}  // namespace

void export_povray(const Recording& recording, const std::string& out, const ExportSettings& settings) {
    const Scene scene = recording.scene();
    OutputFolder folder(out, existing(settings));
    const Aabb extent = find_extent(recording, settings, 0, 0.3);
    const Look look = choose_look(scene, extent);
    write_text(folder, "README.txt", kReadme);
    for_each_frame(recording, settings, 0.3, 1, [&](std::size_t k, const Frame& frame) {
        OutputFile file(folder, frame_file_name(k, "pov"));
        write_head(file, frame, look);
        write_bodies(file, frame, look);
        file.finish();
    });
    folder.finish();
}

}  // namespace impuls
