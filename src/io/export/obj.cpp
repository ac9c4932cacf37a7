// Every frame as a Wavefront OBJ file, in world coordinates, with one group named after each body. Surfaces
// are made once per structure and moved frame by frame.
#include <cctype>
#include <memory>

#include "geometry/tessellate.h"
#include "impuls/scene.h"
#include "io/export/formats.h"
#include "render/camera.h"
#include "render/deformed.h"
#include "scene/drawn_shape.h"

namespace impuls {

namespace {

constexpr int kSegments = 24;
constexpr double kPlaneFactor = 4;  // the square that stands for an infinite plane, in sizes of the scene

// White space would split a group name into several.
std::string group_name(std::string name) {
    for (char& c : name) {
        if (std::isspace(static_cast<unsigned char>(c))) c = '_';
    }
    return name;
}

struct Surfaces {
    double plane_size;
    std::shared_ptr<const Scene> structure{};
    std::vector<TriangleMesh> meshes{};

    void update(const Frame& frame) {
        if (frame.structure == structure) return;
        structure = frame.structure;
        meshes.clear();
        for (const BodyDesc& body : structure->bodies) {
            meshes.push_back(tessellate(*DrawnShape(body), kSegments, plane_size));
        }
    }
};

void write_obj_frame(OutputFile& file, const Frame& frame, const Surfaces& surfaces) {
    file.print("# step {}, time {} s\n", frame.step, frame.time);
    std::size_t first = 1;  // OBJ counts vertices from 1 through the whole file
    for (std::size_t k = 0; k < frame.bodies.size(); ++k) {
        Shape scratch;
        const Shape& shape = shape_in(frame, k, scratch);
        const bool is_deformed = &shape == &scratch;
        const TriangleMesh own = is_deformed ? tessellate(shape, kSegments) : TriangleMesh{};
        const TriangleMesh& mesh = is_deformed ? own : surfaces.meshes[k];
        file.print("g {}\n", group_name(frame.structure->bodies[k].name));
        const Pose X_WB{frame.positions[k], frame.orientations[k]};
        for (const Vec3& p_B : mesh.vertices) {
            const Vec3 p = X_WB * p_B;
            file.print("v {} {} {}\n", p.x, p.y, p.z);
        }
        for (const auto& t : mesh.triangles)
            file.print("f {} {} {}\n", first + t[0], first + t[1], first + t[2]);
        first += mesh.vertices.size();
    }
}

}  // namespace

void export_obj(const Recording& recording, const std::string& out, const ExportSettings& settings) {
    OutputFolder folder(out, existing(settings));
    Surfaces surfaces{kPlaneFactor * size_of(find_extent(recording, settings, 0, 0.3))};
    for_each_frame(recording, settings, 0.3, 1, [&](std::size_t k, const Frame& frame) {
        surfaces.update(frame);
        OutputFile file(folder, frame_file_name(k, "obj"));
        write_obj_frame(file, frame, surfaces);
        file.finish();
    });
    folder.finish();
}

}  // namespace impuls
