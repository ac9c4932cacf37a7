// Seams: bodies that do not move and lie flush (tiles, the slabs of a road, parts of a compound). A body that
// slides over them meets the hidden side of the next one, or its edge, and a search pair by pair cannot know
// that nothing is to be struck there. Meshes know it from their neighbouring triangles; here it follows from
// the other contacts of the body:
//
//     A touches C, at rest on the plane P: A is above P, C below it (up to the depth of that contact).
//     B does not rise above P either. Then P separates A from B as well as A from C,
//     and the contact of A with B is taken along the normal of P, whatever axis the pair alone would choose.
//
// Where A is not over B, there are no points along that normal, and no contact. What rises above P by more
// than kFlush of the size (a kerb), and a corner of A that reaches below P (into a gap), are not concerned.
// It is one-way: C rises above the plane of the contact with B, unless the two normals are nearly the same;
// and a plane that is corrected so corrects no other.
// Called by the searches of all steppers for pairs of a dynamic body with one that is not.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collision/manifold.h"
#include "steppers/island.h"

namespace impuls {

class Seams {
  public:
    // The contacts of an island, in the order of its pairs; then sort().
    void clear() { touches_.clear(); }
    void add(const Island& island, std::uint32_t pair, const Manifold& m);
    void sort(const Island& island);
    std::size_t size() const { return touches_.size(); }

    // Whether nothing can be a seam for this pair.
    bool is_far_from(const Island& island, std::uint32_t pair) const;
    // The normal (from a to b) that the contact m of a pair has to be taken along, where it is not its own,
    // with the bodies at these poses. The dynamic one may have moved by `way` since the contacts were found:
    // what leads below a plane is what its contact there has yet to prevent.
    std::optional<Vec3> direction(const Island& island, std::uint32_t pair, const Manifold& m,
                                  const Pose& X_WA, const Pose& X_WB, const Vec3& way = {}) const;
    // The manifolds of a pair at its present poses, corrected into `out`; false: they are right as they are.
    bool correct(const Island& island, std::uint32_t pair, std::span<const Manifold> found,
                 std::vector<Manifold>& out) const;

  private:
    struct Plane {
        Vec3 up{};          // W, unit
        double height = 0;  // along it, from the origin of W
        double depth = 0;   // of the dynamic body below the plane, at the contact
    };
    struct Touch {    // of a dynamic body with one that is not
        Plane own{};  // along the normal of the contact, at the surface of the latter
        Plane
            plane{};  // what it says to other contacts: along the normal of the face that is touched, if any
        std::uint32_t pair = 0;
        std::uint32_t node = 0;  // the dynamic one
        bool is_face = false;    // more than an edge
        bool is_hidden = false;  // behind the plane of another
    };
    struct Place {  // poses of the two bodies of a contact, and the way of the dynamic one
        const Pose &upper, &lower;
        Vec3 way{};
    };
    static Touch touch_of(const Island& island, std::uint32_t pair, const Manifold& m);
    static bool is_behind(const Island& island, const Touch& t, const Touch& other, const Place& at);
    std::span<const Touch> of(std::uint32_t node) const {
        return std::span(sorted_).subspan(start_[node], start_[node + 1] - start_[node]);
    }

    std::vector<Touch> touches_{}, sorted_{};
    std::vector<std::uint32_t> start_{};  // by dynamic node, and one end
};

}  // namespace impuls
