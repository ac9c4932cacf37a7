// Principal moments and axes by the cyclic Jacobi method (Golub & Van Loan, Matrix Computations, 8.5).
// The rotation is collected as a quaternion of half angles, so it is right-handed by construction. The matrix
// is first scaled by a power of two, and only + - * / sqrt of scaled values follow: scaling the input by
// powers of two scales the moments and leaves the rotation, bit for bit. Called when bodies are built.
#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/mass_properties.h"

namespace impuls {
namespace {

constexpr int kMaxSweeps = 30;  // three to six are usual

// Upper triangle of a symmetric matrix: d = (xx, yy, zz), o = (yz, zx, xy).
struct Symmetric {
    Vec3 d, o;
};

// An off-diagonal element that changes neither neighbour (Demmel & Veselic 1992).
bool negligible(const Symmetric& a, int i) {
    constexpr double kTiny = 0.25 * std::numeric_limits<double>::epsilon();
    const double limit = kTiny * kTiny * std::abs(a.d[(i + 1) % 3] * a.d[(i + 2) % 3]);
    return a.o[i] * a.o[i] <= limit;
}

// Turns about axis i by the angle whose tangent t solves t^2 + 2 theta t - 1 = 0, the smaller root, so that
// element (p, q) vanishes; p, q, i are cyclic. In that plane J = [c s; -s c], a turn by -phi about axis i.
void rotate_away(Symmetric& a, Quat& rotation, int i) {
    const int p = (i + 1) % 3, q = (i + 2) % 3;
    const double theta = (a.d[q] - a.d[p]) / (2 * a.o[i]);
    const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::sqrt(theta * theta + 1));
    const double c = 1 / std::sqrt(t * t + 1), s = t * c;
    a.d[p] -= t * a.o[i];
    a.d[q] += t * a.o[i];
    a.o[i] = 0;
    const double with_p = a.o[q], with_q = a.o[p];  // elements (i, p) and (i, q)
    a.o[q] = c * with_p - s * with_q;
    a.o[p] = s * with_p + c * with_q;

    const double cos_half = std::sqrt((1 + c) / 2);
    Vec3 axis;
    axis[i] = -s / (2 * cos_half);
    rotation = normalized(rotation * Quat{cos_half, axis.x, axis.y, axis.z});
}

}  // namespace

PrincipalAxes principal_axes(const Mat3& m) {
    Symmetric a{{m.c0.x, m.c1.y, m.c2.z}, {m.c2.y, m.c2.x, m.c1.x}};
    if (a.o == Vec3{}) return {a.d, {}};
    double largest = 0;
    for (int i = 0; i < 3; ++i) largest = std::max({largest, std::abs(a.d[i]), std::abs(a.o[i])});
    int exponent = 0;
    std::frexp(largest, &exponent);
    for (int i = 0; i < 3; ++i) {
        a.d[i] = std::ldexp(a.d[i], -exponent);
        a.o[i] = std::ldexp(a.o[i], -exponent);
    }
    Quat rotation;
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
        bool done = true;
        for (const int i : {2, 0, 1}) {
            if (a.o[i] == 0 || negligible(a, i)) continue;
            rotate_away(a, rotation, i);
            done = false;
        }
        if (done) break;
    }
    const auto back = [&](double x) { return std::ldexp(x, exponent); };
    return {{back(a.d.x), back(a.d.y), back(a.d.z)}, rotation};
}

}  // namespace impuls
