// Two surfaces pressed into each other: elements, patches, the wrench and its tangent (spec: areal-contact
// 2.11-2.12). One of them is the base, from which rays measure the depth: a plane, else the one without sharp
// edges, else the larger one. Everything is said relative to the base; placing it in the world is up to
// whoever asks (steppers/force/areal.h, world/areal.cpp). Forces depend on pose and relative velocity alone;
// what is kept between calls saves searching and changes no result. Nothing is allocated once lists have
// grown.
#pragma once

#include "areal/candidates.h"
#include "areal/clip.h"
#include "areal/isosurface.h"

namespace impuls::areal {

using Twist = Motion6<double>;  // of the target relative to the base: at the base's origin, base's axes

// Change of (force, torque) with (displacement, rotation of the target about its own origin, velocity, spin).
struct Tangent {
    std::array<std::array<double, kDirections>, 6> by{};
};

struct Element {
    Vec3 center{}, normal{};  // of the target's side of the contact, base's axes; out of the target
    double area = 0, depth = 0, pressure = 0;  // m^2; means, m and Pa
    Vec3 velocity{};                           // of the target relative to the base
    std::uint64_t name = 0;  // of its triangle of the base (of the target with a plane), or of its box
    std::uint32_t patch = 0;
    std::uint32_t first_corner = 0, corners = 0;  // among corners()
};

struct Patch {
    Vec3 center{}, normal{};         // of pressure; of the force of pressure, unit, on the base
    double area = 0, load = 0;       // m^2; N, of pressure
    double depth = 0, pressure = 0;  // largest, m and Pa
    Vec3 force{}, moment{};          // on the base; about the center
    std::uint32_t elements = 0;
};

class ArealPair {
  public:
    // `a_is_base` says which became the base. `share_a`: of the depth, by which a yields. Elements by
    // clipping, or with a spacing (m) by generator S.
    void bind(const Surface& a, const Surface& b, const ArealLaw& law, double share_a = 0.5,
              double spacing = 0);
    bool a_is_base() const { return a_is_base_; }
    const ArealLaw& law() const { return law_; }

    // The force on the base and its moment about the base's origin.
    const Pressed<double>& press(const Pose& X_BT, const Twist& motion, Tangent* tangent = nullptr);
    // Of the last press(), with the same arguments.
    void find_elements(const Pose& X_BT, const Twist& motion);
    std::span<const Element> elements() const { return elements_; }
    std::span<const Patch> patches() const { return patches_; }
    std::span<const Vec3> corners() const { return corners_; }
    // The surfaces meet nowhere and yet one is inside the other: there is no depth, and no force.
    bool is_immersed(const Pose& X_BT) const;
    // Largest deviation of flat triangles from the surface they stand for, relative to the depth: beyond 1
    // facets are felt. Of the last elements found.
    double sagitta_share() const;
    // So few elements that the patch is not resolved.
    static constexpr std::uint32_t kFewElements = 12;
    // How often the trees were gone down, and how many pairs of triangles were found last.
    long searches() const { return candidates_.searches(); }
    std::size_t candidates() const { return candidates_.count(); }

  private:
    struct Piece {
        Candidate of{};
        Polygon<double> polygon{};
        Facet<double> facet{};
        Vec3 normal{};
        double deepest = 0;
        bool is_hidden = false;
    };
    double cover(const Pose& X_BT, double limit);
    void hide(std::size_t first, std::size_t end);
    template <class T>
    Pressed<T> sum_cells(const Pose& X_BT, const Motion6<T>& motion) const;
    void find_tangent(const Pose& X_BT, const Twist& motion, Tangent& tangent);
    void find_pieces(const Twist& motion);
    void find_cell_elements(const Pose& X_BT, const Twist& motion);
    void join_patches();
    void sum_patches();

    Surface base_{}, target_{};
    ArealLaw law_{};
    double base_share_ = 0.5;
    double spacing_ = 0;
    bool a_is_base_ = true;
    IsoScratch iso_{};
    Candidates candidates_{};
    std::vector<Piece> pieces_{};
    Pressed<double> pressed_{};
    std::vector<Element> elements_{};
    std::vector<Pressed<double>> owned_{};  // by element
    std::vector<Patch> patches_{};
    std::vector<Vec3> corners_{};
    std::vector<std::uint32_t> parent_{};
};

}  // namespace impuls::areal
