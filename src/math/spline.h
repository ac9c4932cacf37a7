// A smooth curve through given points: the cubic spline with continuous curvature, over the lengths of the
// chords; closed, or open with no curvature at its ends, beyond which it goes on straight (so that its
// curvature is continuous there too). With the knots t_k, second derivatives M_k, h = t_k+1 - t_k and
// A = (t_k+1 - t) / h, B = 1 - A:
//     c = A p_k + B p_k+1 + h^2/6 ((A^3 - A) M_k + (B^3 - B) M_k+1)
// and c' continuous at each knot gives a tridiagonal system for M. Lengths are integrals of |c'| by Gauss's
// rule, piece by piece; sqrt is all that they need. Or near control points, as a B-spline (bspline.h), which
// has the same form. Called for rails (dynamics/joints/rail.cpp) and scripted motion (math/motion).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "impuls/vec.h"

namespace impuls {

class Spline {
  public:
    struct Point {
        Vec3 position, first, second;  // c, dc/dt, d2c/dt2
    };

    Spline() = default;
    // At least two points, no two that follow each other equal; closed ones need three. Lengths count from
    // the place nearest to `from`.
    Spline(std::span<const Vec3> points, bool is_closed, const Vec3& from);
    // The open cubic B-spline of at least four control points over its breaks 0 < .., one for each but two;
    // ends in the first and the last. Lengths count from the first.
    static Spline of_controls(std::span<const Vec3> controls, std::span<const double> breaks);

    // At the parameter t; a closed curve is run through again and again, in both directions.
    Point at(double t) const;
    Vec3 third(double t) const;  // d3c/dt3, constant from knot to knot
    std::span<const double> knots() const { return knots_; }
    bool is_closed() const { return is_closed_; }
    // Way along the curve from its origin to t, m, and back; the second within a small part of a piece.
    double length_at(double t) const;
    double parameter_at(double length) const;
    // The place nearest to p, of those around t. Where another part of the curve is nearer by far, that.
    double foot(const Vec3& p, double t) const;
    // A direction across the curve near t, to measure others against: constant from knot to knot, and made
    // so that its part across the tangent turns as little as can be.
    const Vec3& normal(double t) const { return normals_[piece_of(t).number]; }

  private:
    struct Piece {
        std::size_t number;
        double from;  // parameter of its first knot
        double lap;   // laps before it
    };
    Piece piece_of(double t) const;
    Point at(const Piece& piece, double t) const;
    double piece_length(const Piece& piece, double t) const;
    double nearest(const Vec3& p) const;
    double follow(const Vec3& p, double t) const;
    void find_curvature();
    void find_lengths();

    bool is_closed_ = false;
    std::vector<Vec3> points_{}, second_{}, normals_{};  // closed: the first once more at the end
    std::vector<double> knots_{}, lengths_{};            // from the first point
    double origin_ = 0;                                  // length at which counting begins
};

}  // namespace impuls
