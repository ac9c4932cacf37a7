// Tracks of bodies (tracks.h). What is not finite counts as not there.
#include "io/export/tracks.h"

#include <xxhash.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "geometry/tessellate.h"
#include "impuls/scene.h"
#include "render/deformed.h"
#include "render/grains.h"
#include "scene/drawn_shape.h"

namespace impuls {

namespace {

constexpr int kSegments = 24, kGrainSegments = 12;
constexpr double kPlaneFactor = 12, kPointFactor = 0.01;  // of the scene's size

class Collector {
  public:
    explicit Collector(Tracks& out) : out_(out) {}

    void add(std::size_t number, const Frame& frame) {
        out_.times.push_back(frame.time);
        for (const double energy : {frame.energy.total, frame.energy.kinetic, frame.energy.potential})
            out_.energies.push_back(static_cast<float>(energy));
        if (frame.structure != structure_) restructure(frame);
        for (std::size_t k = 0; k < frame.bodies.size(); ++k) add_pose(number, frame, k);
        if (!structure_->grains.empty()) add_grains(number, frame);
    }

  private:
    void restructure(const Frame& frame) {
        structure_ = frame.structure;
        colors_.clear();
        for (const MaterialDesc& m : structure_->materials) colors_.emplace(m.name, m.color);
    }

    void add_pose(std::size_t number, const Frame& frame, std::size_t k) {
        const Pose pose{frame.positions[k], frame.orientations[k]};
        if (!is_finite(pose.position) || !is_finite(pose.orientation)) return;
        const auto key = std::pair(frame.bodies[k].index, frame.bodies[k].generation);
        const auto found = open_.find(key);
        std::size_t at = found == open_.end() ? out_.bodies.size() : found->second;
        // What changes its form has a surface of its own in each frame.
        Shape scratch;
        const Shape& shape = shape_in(frame, k, scratch);
        if (found == open_.end() || &shape == &scratch ||
            out_.bodies[at].first + out_.bodies[at].count() != number) {
            at = out_.bodies.size();
            out_.bodies.push_back(begin(number, frame.structure->bodies[k], shape));
            open_[key] = at;
        }
        append_pose(out_.bodies[at].poses, pose);
    }

    // Grains come one behind the other and never go; a size has a mesh of its own.
    void add_grains(std::size_t number, const Frame& frame) {
        const auto& kinds = grain_meshes_.of(structure_, kGrainSegments);
        std::size_t k = 0;
        for_each_grain(frame, [&](const GrainPlaceNow& grain) {
            if (grain.kind >= kinds.size()) return;
            if (k == grains_.size()) {
                TriangleMesh mesh = kinds[grain.kind].mesh;
                for (Vec3& p : mesh.vertices) p *= grain.size;
                grains_.push_back(out_.bodies.size());
                out_.bodies.push_back({"grains[" + std::to_string(k) + "]",
                                       mesh_of(mesh, false),
                                       number,
                                       kinds[grain.kind].color,
                                       {}});
            }
            append_pose(out_.bodies[grains_[k++]].poses, grain.pose);
        });
    }

    static void append_pose(std::vector<float>& poses, const Pose& pose) {
        const Vec3& p = pose.position;
        Quat q = pose.orientation;
        if (!poses.empty()) {
            const float* last = &poses[poses.size() - 4];
            const double cosine = q.x * static_cast<double>(last[0]) + q.y * static_cast<double>(last[1]) +
                                  q.z * static_cast<double>(last[2]) + q.w * static_cast<double>(last[3]);
            if (cosine < 0) q = {-q.w, -q.x, -q.y, -q.z};
        }
        for (const double value : {p.x, p.y, p.z, q.x, q.y, q.z, q.w})
            poses.push_back(static_cast<float>(value));
    }

    Track begin(std::size_t number, const BodyDesc& body, const Shape& shape) {
        const auto material = colors_.find(body.material);
        const Vec3 color = body.color                  ? *body.color
                           : material != colors_.end() ? material->second
                                                       : MaterialDesc{}.color;
        const std::size_t mesh = mesh_of(&shape == &body.shape ? *DrawnShape(body) : shape);
        return {body.name, mesh, number, color, {}};
    }

    std::size_t mesh_of(const Shape& shape) {
        const bool is_plane = std::holds_alternative<Plane>(shape);
        const Shape drawn =
            std::holds_alternative<Point>(shape) ? Shape(Sphere{kPointFactor * out_.look.size}) : shape;
        return mesh_of(tessellate(drawn, kSegments, kPlaneFactor * out_.look.size), is_plane);
    }

    std::size_t mesh_of(const TriangleMesh& mesh, bool is_plane) {
        const std::uint64_t key = XXH3_64bits_withSeed(
            mesh.vertices.data(), mesh.vertices.size() * sizeof(Vec3), mesh.triangles.size());
        const auto [at, is_new] = meshes_.emplace(key, out_.meshes.size());
        if (is_new) out_.meshes.push_back({smooth_facets(mesh), is_plane});
        return at->second;
    }

    Tracks& out_;
    std::shared_ptr<const Scene> structure_{};
    std::unordered_map<std::string, Vec3> colors_{};
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> open_{};
    std::map<std::uint64_t, std::size_t> meshes_{};
    GrainMeshes grain_meshes_{};
    std::vector<std::size_t> grains_{};  // their tracks
};

}  // namespace

bool Track::moves() const {
    for (std::size_t k = 7; k < poses.size(); ++k)
        if (poses[k] != poses[k - 7]) return true;
    return false;
}

Tracks collect_tracks(const Recording& recording, const ExportSettings& settings) {
    Tracks tracks;
    const Scene scene = recording.scene();
    tracks.title = scene.title;
    tracks.look = choose_look(scene, find_extent(recording, settings, 0, 0.4));
    Collector collector(tracks);
    for_each_frame(recording, settings, 0.4, 1,
                   [&](std::size_t k, const Frame& frame) { collector.add(k, frame); });
    return tracks;
}

}  // namespace impuls
