// Surfaces of a frame (gather.h). Round bodies get as many facets as their size on the picture asks for;
// copies of one shape share a mesh.
#include "render/gather.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "geometry/particle_net.h"
#include "geometry/tessellate.h"
#include "impuls/scene.h"
#include "render/deformed.h"
#include "render/grains.h"
#include "render/pressure.h"
#include "render/symbols.h"
#include "scene/drawn_shape.h"

namespace impuls {

namespace {

constexpr double kPointRadius = 0.01;  // of a mass point, of the scene's size
constexpr double kThinnest = 0.7;      // least radius of a line, of a pixel

struct Colors {
    std::unordered_map<std::string, Vec3> of_materials{};

    explicit Colors(const Scene& structure) {
        for (const MaterialDesc& m : structure.materials) of_materials.emplace(m.name, m.color);
    }
    Vec3 of(const BodyDesc& body) const {
        if (body.color) return *body.color;
        const auto found = of_materials.find(body.material);
        return found != of_materials.end() ? found->second : MaterialDesc{}.color;
    }
};

// Facets around for a radius of so many pixels: the chords then miss the circle by less than a quarter pixel.
int segments_for(double pixels) {
    return std::clamp(static_cast<int>(4.5 * std::sqrt(std::max(0.0, pixels))) / 4 * 4, 12, 64);
}

bool is_round(const Shape& shape) {
    return !std::holds_alternative<Box>(shape) && !std::holds_alternative<Convex>(shape) &&
           !std::holds_alternative<Mesh>(shape) && !std::holds_alternative<HeightField>(shape);
}

// The mesh of the last body, as long as the shape stays the same.
class Meshes {
  public:
    const Facets& of(const Shape& shape, int segments) {
        if (!last_ || last_segments_ != segments || !is_same(*last_, shape)) {
            facets_ = smooth_facets(tessellate(shape, segments));
            last_ = &shape, last_segments_ = segments;
        }
        return facets_;
    }

  private:
    static bool is_same(const Shape& a, const Shape& b) {
        if (a.index() != b.index()) return false;
        if (const auto* x = std::get_if<Sphere>(&a)) return x->radius == std::get<Sphere>(b).radius;
        if (const auto* x = std::get_if<Box>(&a)) return x->size == std::get<Box>(b).size;
        return &a == &b;
    }
    const Shape* last_ = nullptr;
    int last_segments_ = 0;
    Facets facets_{};
};

void append_moved(Facets& out, const Facets& facets, const Pose& pose) {
    const Mat3 R = to_matrix(pose.orientation);
    out.reserve(out.size() + facets.size());
    for (Facet facet : facets) {
        for (Vec3& p : facet.p) p = pose.position + R * p;
        for (Vec3& n : facet.n) n = R * n;
        out.push_back(facet);
    }
}

struct Around {
    Aabb box{};
    void add(const Facets& facets) {
        for (const Facet& facet : facets)
            for (const Vec3& p : facet.p)
                for (int k = 0; k < 3; ++k)
                    box.min[k] = std::min(box.min[k], p[k]), box.max[k] = std::max(box.max[k], p[k]);
    }
};

double pixels_of(const Look& look, const PictureSettings& settings, const Vec3& p, double radius) {
    const auto seen = look.camera.see(p);
    if (!seen) return 0;
    return radius / std::max(seen->depth - radius, 0.1 * radius) / look.camera.tan_half_width *
           settings.width / 2;
}

void gather_bodies(Gathered& out, const Frame& frame, const Look& look, const PictureSettings& settings) {
    const Colors colors(*frame.structure);
    Meshes meshes;
    for (std::size_t k = 0; k < frame.bodies.size(); ++k) {
        const BodyDesc& body = frame.structure->bodies[k];
        const Pose X_WB{frame.positions[k], frame.orientations[k]};
        if (!is_finite(X_WB.position) || !is_finite(X_WB.orientation)) continue;
        Item item{to_light(colors.of(body))};
        Facets facets;
        const DrawnShape drawn(body);
        if (std::holds_alternative<Plane>(*drawn)) {
            // Unless the camera stands inside it: from there it would only hide the scene.
            if (rotate_inverse(X_WB.orientation, look.camera.location - X_WB.position).y <= 0) continue;
            item.is_plane = true, item.line = 0, item.pose = X_WB;
        } else if (std::holds_alternative<Point>(*drawn)) {
            append_ball(facets, X_WB.position, kPointRadius * look.size);
        } else if (is_of_particles(body.shape)) {
            Shape scratch;
            const Shape& shape = shape_in(frame, k, scratch);
            const double pixels = pixels_of(look, settings, X_WB.position, 0.5 * size_of(bounds(shape, {})));
            append_moved(facets, smooth_facets(tessellate(shape, segments_for(pixels))), X_WB);
        } else {
            const double radius = 0.5 * size_of(bounds(*drawn, {}));
            const double pixels = pixels_of(look, settings, X_WB.position, radius);
            item.line = std::clamp(pixels / 14, 0.0, 1.0);
            const int segments = is_round(*drawn) ? segments_for(pixels) : 4;
            if (body.visual.empty())
                append_moved(facets, meshes.of(body.shape, segments), X_WB);
            else
                append_moved(facets, smooth_facets(tessellate(*drawn, segments)), X_WB);
        }
        out.items.push_back(item);
        out.facets.push_back(std::move(facets));
    }
}

// One item for all grains of a colour would hide their edges: one each.
void gather_grains(Gathered& out, const Frame& frame, const Look& look, const PictureSettings& settings) {
    if (frame.structure->grains.empty()) return;
    GrainMeshes meshes;
    const auto& kinds = meshes.of(frame.structure, 12);
    std::vector<Facets> facets;
    for (const DrawnGrainKind& kind : kinds) facets.push_back(smooth_facets(kind.mesh));
    for_each_grain(frame, [&](const GrainPlaceNow& grain) {
        if (grain.kind >= kinds.size()) return;
        const double pixels =
            pixels_of(look, settings, grain.pose.position, kinds[grain.kind].radius * grain.size);
        Facets placed = facets[grain.kind];
        for (Facet& facet : placed)
            for (Vec3& p : facet.p) p *= grain.size;
        Facets moved;
        append_moved(moved, placed, grain.pose);
        Item item{to_light(kinds[grain.kind].color)};
        item.line = std::clamp(pixels / 14, 0.0, 1.0);
        out.items.push_back(item);
        out.facets.push_back(std::move(moved));
    });
}

void append_axes(Gathered& out, const Look& look) {
    const double reach = 0.35 * look.size;
    for (int k = 0; k < 3; ++k) {
        Vec3 axis, color{0.1, 0.1, 0.1};
        axis[k] = reach, color[k] = 0.8;
        Facets facets;
        append_arrow(facets, {}, axis, 0.008 * look.size);
        out.items.push_back({to_light(color), 0, true});
        out.facets.push_back(std::move(facets));
    }
}

void append_solids(Gathered& out, Around& around, const Frame& frame, double size, double thinnest) {
    for (const auto& all : {solids_of_joints(frame, size, thinnest), solids_of_forces(frame, size, thinnest)})
        for (const Link& solid : all) {
            around.add(solid.facets);
            out.items.push_back({to_light(solid.color), 0.4, solid.is_sign});
            out.facets.push_back(solid.facets);
        }
}

}  // namespace

Gathered gather(const Frame& frame, const Look& look, const PictureSettings& settings) {
    Gathered out;
    gather_bodies(out, frame, look, settings);
    gather_grains(out, frame, look, settings);
    Around around;
    for (const Facets& facets : out.facets) around.add(facets);
    const bool is_somewhere = !is_empty(around.box);
    const Vec3 middle = is_somewhere ? 0.5 * (around.box.min + around.box.max) : Vec3{};
    // Signs and ropes are drawn so that they can be seen: by what the picture shows, not by the bodies alone.
    const double seen = look.camera.tan_half_width * length(look.camera.location - middle);
    if (settings.joints)
        append_solids(out, around, frame, is_somewhere ? std::max(0.5 * look.size, seen) : look.size,
                      kThinnest * 2 * seen / settings.width);
    if (!is_empty(around.box)) {
        out.center = 0.5 * (around.box.min + around.box.max);
        out.radius = 0.5 * size_of(around.box);
    }
    for (Link& link : solids_of_pressure(frame)) {
        out.items.push_back({to_light(link.color), 0, link.is_sign});
        out.facets.push_back(std::move(link.facets));
    }
    if (settings.axes) append_axes(out, look);
    return out;
}

}  // namespace impuls
