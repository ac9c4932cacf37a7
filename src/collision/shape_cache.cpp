// Content-keyed sharing of collision geometry (shape_cache.h).
#include "collision/shape_cache.h"

#include <bit>

#include "geometry/closed_mesh.h"
#include "geometry/triangles.h"
#include "impuls/errors.h"

namespace impuls {
namespace {

void put(std::vector<std::uint64_t>& key, double x) {
    key.push_back(std::bit_cast<std::uint64_t>(x));
}
void put(std::vector<std::uint64_t>& key, const Vec3& v) {
    put(key, v.x), put(key, v.y), put(key, v.z);
}

std::vector<std::uint64_t> key_of(const Mesh& mesh) {
    std::vector<std::uint64_t> key{mesh.vertices.size()};
    for (const Vec3& v : mesh.vertices) put(key, v);
    for (const std::int64_t i : mesh.triangles) key.push_back(static_cast<std::uint64_t>(i));
    return key;
}

}  // namespace

// Expired entries go when something new is made.
template <class T, class Make>
std::shared_ptr<const T> ShapeCache::find(Shared<T>& map, const Key& key, Make&& make) {
    if (const auto at = map.find(key); at != map.end())
        if (auto known = at->second.lock()) return known;
    std::erase_if(map, [](const auto& entry) { return entry.second.expired(); });
    std::shared_ptr<const T> made = make();
    map[key] = made;
    return made;
}

std::shared_ptr<const Polyhedron> ShapeCache::polyhedron(const Convex& convex) {
    Key key;
    for (const Vec3& p : convex.points) put(key, p);
    return find(polyhedra_, key, [&] {
        HullResult result = convex_hull(convex.points);
        if (!result.ok()) throw InputError(result.error);
        return std::make_shared<const Polyhedron>(make_polyhedron(std::move(result.hull)));
    });
}

std::shared_ptr<const ContactSurface> ShapeCache::surface(const Mesh& mesh) {
    return find(meshes_, key_of(mesh), [&] { return std::make_shared<const ContactSurface>(mesh); });
}

std::shared_ptr<const ContactSurface> ShapeCache::surface(const HeightField& field) {
    Key key{static_cast<std::uint64_t>(field.columns)};
    put(key, field.spacing);
    for (const double h : field.heights) put(key, h);
    return find(fields_, key, [&] { return std::make_shared<const ContactSurface>(field); });
}

std::shared_ptr<const FieldSolid> ShapeCache::field(const Mesh& mesh) {
    Key key = key_of(mesh);
    key.push_back(static_cast<std::uint64_t>(mesh.field_cells));
    return find(solids_, key, [&] {
        DistanceFieldReport report;
        FieldSolidOptions options;
        options.field.resolution = static_cast<int>(mesh.field_cells);
        auto solid = make_field_solid(to_triangles(mesh), options, report);
        if (!solid) throw InputError(report.error);
        return solid;
    });
}

std::shared_ptr<const ContactSurface> ShapeCache::closed_surface(const Mesh& mesh) {
    return find(closed_, key_of(mesh),
                [&] { return std::make_shared<const ContactSurface>(close_mesh(to_triangles(mesh)).mesh); });
}

}  // namespace impuls
