// Hulls and mesh descriptions as triangle lists (see triangles.h).
#include "geometry/triangles.h"

namespace impuls {

TriangleMesh to_triangles(const Hull& hull) {
    TriangleMesh out{hull.vertices, {}};
    for (std::size_t f = 0; f < hull.face_count(); ++f) {
        const auto face = hull.face(f);
        for (std::size_t i = 2; i < face.size(); ++i)
            out.triangles.push_back({face[0], face[i - 1], face[i]});
    }
    return out;
}

TriangleMesh to_triangles(const Mesh& mesh) {
    TriangleMesh out{mesh.vertices, {}};
    const auto valid = [&](std::int64_t i) {
        return i >= 0 && static_cast<std::uint64_t>(i) < mesh.vertices.size() && i <= UINT32_MAX;
    };
    for (std::size_t i = 0; i + 2 < mesh.triangles.size(); i += 3) {
        const std::int64_t a = mesh.triangles[i], b = mesh.triangles[i + 1], c = mesh.triangles[i + 2];
        if (valid(a) && valid(b) && valid(c)) {
            out.triangles.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b),
                                     static_cast<std::uint32_t>(c)});
        }
    }
    return out;
}

}  // namespace impuls
