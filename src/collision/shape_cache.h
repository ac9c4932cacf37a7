// Geometry shared by equal shapes: 5000 equal hulls build one polyhedron, 250 equal meshes one surface.
// Keyed by content, so it does not matter how a shape came about; entries end with the last collider that
// uses them. Owned by a world's bodies, used when bodies are built.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "collision/contact_surface.h"
#include "geometry/field_solid.h"
#include "geometry/polyhedron.h"
#include "impuls/shapes.h"

namespace impuls {

class ShapeCache {
  public:
    std::shared_ptr<const Polyhedron> polyhedron(const Convex& convex);
    std::shared_ptr<const ContactSurface> surface(const Mesh& mesh);
    std::shared_ptr<const ContactSurface> surface(const HeightField& field);
    std::shared_ptr<const FieldSolid> field(const Mesh& mesh);
    // The surface that the field is the distance from: holes closed.
    std::shared_ptr<const ContactSurface> closed_surface(const Mesh& mesh);

  private:
    using Key = std::vector<std::uint64_t>;  // all numbers of a description
    template <class T>
    using Shared = std::map<Key, std::weak_ptr<const T>>;
    template <class T, class Make>
    static std::shared_ptr<const T> find(Shared<T>& map, const Key& key, Make&& make);

    Shared<Polyhedron> polyhedra_{};
    Shared<ContactSurface> meshes_{}, fields_{}, closed_{};
    Shared<FieldSolid> solids_{};
};

}  // namespace impuls
