// Signed distances of a solid on a sparse grid in its own frame, negative inside (Erleben 2004, 6.2;
// Guendelman, Bridson, Fedkiw 2003). Cubic cells; blocks of 8^3 cells (bricks) near the surface hold the
// exact distance at their nodes, a grid of twice the cell elsewhere; trilinear in between. Outside the grid
// the value is the distance from the box around the surface. Gradients are those of the interpolant.
//
// A trilinear interpolant of a 1-Lipschitz function differs from it by at most sum w_i |p - x_i| <= sqrt(3)/2
// of the cell. lower_bound() takes that off, and makes every prune conservative. Called by the narrow phase.
// Lookups use + - * / and sqrt only, and do not allocate.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "geometry/aabb.h"
#include "geometry/tessellate.h"
#include "impuls/executor.h"
#include "impuls/vec.h"

namespace impuls {

struct DistanceFieldOptions {
    int resolution = 64;  // cells along the longest side
};

// What the mesh needed before it had an inside.
struct DistanceFieldReport {
    std::size_t closed_loops = 0;
    double cap_fraction = 0;  // area of the caps in the whole surface
    bool by_winding = false;  // sign by winding number instead of pseudo-normals
    std::string error{};      // why there is no field
};

struct FieldSample {
    double value = 0;
    Vec3 gradient{};  // not normalised
};

class DistanceField {
  public:
    static constexpr int kBrick = 8;                // cells a side
    static constexpr int kCoarse = 2;               // cells between nodes away from the surface
    static constexpr double kBand = 2;              // cells: every point nearer to the surface is in a brick
    static constexpr double kMaxCapFraction = 0.1;  // meshes that are more open than this are refused

    // The field is empty when report.error is set. The executor changes the time only.
    static DistanceField build(const TriangleMesh& mesh, const DistanceFieldOptions& options,
                               DistanceFieldReport& report, Executor* executor = nullptr);

    bool empty() const { return brick_of_.empty(); }
    double value(const Vec3& p) const;
    // Not more than the exact distance, whatever the interpolation does.
    double lower_bound(const Vec3& p) const;
    FieldSample value_and_gradient(const Vec3& p) const;

    // False when no point within `radius` of c has a value() of at most `margin`.
    bool may_reach(const Vec3& c, double radius, double margin) const;

    double cell() const { return cell_; }
    double band() const { return kBand * cell_; }
    double lipschitz() const { return lipschitz_; }  // of the interpolant inside bricks, at most sqrt(3)
    const Aabb& surface_box() const { return box_; }
    std::size_t brick_count() const { return values_.size() / kNodes; }
    std::size_t bytes() const;

  private:
    static constexpr int kSide = kBrick + 1, kNodes = kSide * kSide * kSide;
    static constexpr double kHalfDiagonal = 0.8660254037844387;   // sqrt(3)/2
    static constexpr double kError = kHalfDiagonal * (1 + 1e-6);  // of the interpolant; rounding included

    // Corner values, in cells, of the fine or coarse cell around a point, and the place in it.
    struct Corner {
        bool inside_grid = false, is_fine = false;
        double value[8] = {};  // bit 0: +x, bit 1: +y, bit 2: +z
        Vec3 t{};
    };
    Corner corner(const Vec3& p) const;
    double box_distance(const Vec3& p) const;

    friend class DistanceFieldBuilder;

    Vec3 origin_{};  // node 0
    double cell_ = 0, inverse_cell_ = 0, lipschitz_ = 0;
    std::array<int, 3> bricks_{};           // along each axis
    Aabb box_{};                            // of the closed surface
    std::vector<std::int32_t> brick_of_{};  // number of the brick, or -1
    std::vector<float> coarse_{};           // cells; every kCoarse cells
    std::vector<float> values_{};           // cells; 9^3 a brick, shared faces repeated
};

}  // namespace impuls
