// Bodies of revolution about y whose walls have an inside: tube, bowl, funnel, torus. Each is a region of the
// half-plane (rho, y): a convex polygon, or a sector of a ring. Distances from points are exact, so that
// balls meet the true surface; everything else about them (other shapes, rays, mass centre by Pappus) comes
// from the region or from its triangles. Called by colliders, masses, checks and tessellation.
#pragma once

#include <array>
#include <concepts>
#include <vector>

#include "geometry/triangles.h"
#include "impuls/shapes.h"

namespace impuls {

template <class T>
concept RevolvedShape =
    std::same_as<T, Tube> || std::same_as<T, Bowl> || std::same_as<T, Funnel> || std::same_as<T, Torus>;

// A point of the half-plane.
struct ProfileVec {
    double rho = 0, y = 0;
};

class RevolvedProfile {
  public:
    explicit RevolvedProfile(const Tube& shape);
    explicit RevolvedProfile(const Bowl& shape);
    explicit RevolvedProfile(const Funnel& shape);
    explicit RevolvedProfile(const Torus& shape);

    // Signed distance of a point, negative inside the wall, and the direction away from the wall.
    struct Nearest {
        double distance;
        ProfileVec normal;
    };
    Nearest nearest(const ProfileVec& p) const;
    bool is_straight() const { return !corners_.empty(); }
    double reach() const;   // from the origin
    double narrow() const;  // half of the thickness: what tolerances are relative to

    // Of density 1: mass, height of its centre, moments about the centre along y and across it.
    struct Mass {
        double mass, height, along, across;
    };
    Mass mass() const;
    // A closed mesh: its vertices lie on the surface.
    TriangleMesh mesh(std::uint32_t around) const;

  private:
    Nearest nearest_to_polygon(const ProfileVec& p) const;
    Nearest nearest_to_sector(const ProfileVec& p) const;
    std::vector<ProfileVec> outline(std::uint32_t around) const;  // counter-clockwise in (rho, y)

    std::vector<ProfileVec> corners_{};      // of a polygon, counter-clockwise
    ProfileVec centre_{};                    // of a ring
    double inner_ = 0, outer_ = 0, to_ = 0;  // its radii; from straight down up to this angle
};

}  // namespace impuls
