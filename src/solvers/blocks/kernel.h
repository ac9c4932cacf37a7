// Contacts in eight lanes: the inner loops of BlockContacts (contacts.h), compiled three times: for every
// processor, for AVX2 (256-bit registers), and for AVX-512VL (32 of them). All give the same bits: no step of
// theirs is contracted or reordered.
//
// Per body there are v and w~ = I^(1/2) w, and the displacement (x, t~) since the pass began, so that a row
// needs one vector a body: j = I^(-1/2) (r x n), with dv = n p/m and dw~ = j p. Orientations stay as they are
// within a pass.
#pragma once

#include <cstddef>
#include <cstdint>

namespace impuls::block {

inline constexpr int kLanes = 8;
using Lanes [[gnu::vector_size(4 * kLanes)]] = float;
using LaneMask [[gnu::vector_size(4 * kLanes)]] = std::int32_t;

struct alignas(32) Motion {
    float v[4], w[4];  // the fourths stay 0
};
struct alignas(32) Body {
    float root[6];  // of the inverse inertia, W: xx, xy, xz, yy, yz, zz
    float inv_mass, unused;
};

// A manifold being copied into or out of a lane: eight of them become lanes, and back, by transposing.
// It is given as
//     normal, friction, slop, cap, bounce, threshold
//     tangential impulse, twist (of balls: whether both are), surface, how many points (and kPassing and
//     kOfDisk, if it is)
//     levers from a and b, separation, impulse         for each point, zeros up to the batch's N
// and its results are left in the same place:
//     impulses, sums                                   of the points
//     separations, tangential impulse, twist
//     sum of the tangential impulse, sum of the twist
struct alignas(32) Octet {
    float x[8];
};
inline constexpr float kPassing = 8, kOfDisk = 16;
constexpr std::uint32_t octets_of(int points) {
    return static_cast<std::uint32_t>(2 + points);
}

// Batches are made of parts that lie one behind the other, in the order of their bases. What sweeps read
// comes first and is kept small: they are bound by memory.

struct BatchEnds {
    std::uint32_t a[kLanes], b[kLanes];
    std::int32_t bounces, slides;  // whether any lane has restitution, or a surface that runs
    std::int32_t is_struck;        // by an impact in this substep
    std::int32_t rebounds;         // in the present round of impacts
    std::int32_t unused[4];
};
template <int N>
struct BatchPoints {
    Lanes s0[N], s[N], p[N];  // separations at the start and now, impulses
};
template <int N>
struct BatchImpact {
    Lanes bounce;           // restitution
    Lanes hit[N], back[N];  // of a round of impacts: impulses; the share that is given back, 0: not struck
    // Velocity of b's surface relative to a's; along the normal, unless it is passing, the speed of approach
    // that forces add in a substep.
    Lanes u1, u2, un;
    Lanes is_passing;  // 0 or 1: times Pass::phase
    Lanes is_there[N];
};

// Of single points.
struct PointFrame {
    Lanes n[3], t1[3], inv_a, inv_b;
};
struct PointJacobian {
    Lanes ja[3], jb[3];
};
struct PointMasses {
    Lanes mass[1];                                // inverse of J M^-1 J^T; 0: there is no point
    Lanes t1a[3], t1b[3], t2a[3], t2b[3], tt[3];  // tangents, inverse of their block
};
struct PointLaw {
    Lanes p1, p2;
    Lanes mu, slop, cap, threshold;
    Lanes sum[1], sum_1, sum_2;  // of all substeps
};

// Eight manifolds of up to N points, no two of which share a body that moves.
template <int N>
struct Batch;
template <>
struct alignas(32) Batch<1>
    : BatchEnds, PointFrame, PointJacobian, BatchPoints<1>, PointMasses, PointLaw, BatchImpact<1> {
    Lanes correction[1];          // impulses of displacements alone
    std::uint32_t given[kLanes];  // its first octet; 0: an empty lane
};
static_assert(sizeof(Batch<1>) == 32 * (3 + 51 + 1), "no gaps");

// Of manifolds. The points' levers from b are those from a plus a vector that they share, so that b's motion
// relative to a, at the centre of the load and along t1, t2 and n, is all that the rows need
// (manifold_body.h).
struct ManifoldFrame {
    Lanes n[3], t1[3], t2[3], inv_a, inv_b;
    Lanes turn_a[3][3], turn_b[3][3];  // I^(-1/2) t1, t2 and n
    Lanes ra[3], rb[3];                // levers of the centre
    Lanes x[4], y[4];                  // the points from there
};
struct ManifoldMasses {
    Lanes inverse[10];  // of J M^-1 J^T, lower part; slightly regularised
    // Speeds along t1, along t2 and about n that come of an impulse along n and of moments about t1, t2 and
    // n.
    Lanes follow_1[4], follow_2[4], follow_w[3];
    Lanes tt[3], w_mass;  // inverse of the tangents' block, and of the twist
};
struct ManifoldLaw {
    Lanes p1, p2, pw;
    Lanes mu, radius, slop, cap, threshold;
    Lanes sum[4], sum_1, sum_2, sum_w;
};
struct PointsAlone {
    Lanes mass[4], block[6];  // of each point alone (0: there is none), J M^-1 J^T below the diagonal
};

template <>
struct alignas(32) Batch<4>
    : BatchEnds, ManifoldFrame, BatchPoints<4>, ManifoldMasses, ManifoldLaw, PointsAlone, BatchImpact<4> {
    Lanes z[4];    // with x and y
    Lanes spread;  // mean distance from the centre, of a face to that of its corners
    Lanes correction[4];
    std::uint32_t given[kLanes];
};
static_assert(sizeof(Batch<4>) == 32 * (3 + 131 + 1), "no gaps");
inline constexpr std::uint32_t kNoManifold = 0xffffffff;

// Eight single points whose levers lie along the normal, of bodies with one moment of inertia, or fixed ones:
// balls. Normals exert no torque, and tangents are each other's levers: with r = l n and I = 1/g^2
//     I^(-1/2) (r x t1) = g l t2,   I^(-1/2) (r x t2) = -g l t1.
struct RoundLevers {
    Lanes lever_a, lever_b;  // g l
};
struct RoundMasses {
    Lanes mass[1], t_mass;  // along the normal, across it
};
struct alignas(32) RoundBatch : BatchEnds,
                                PointFrame,
                                RoundLevers,
                                BatchPoints<1>,
                                RoundMasses,
                                PointLaw,
                                BatchImpact<1> {
    Lanes correction[1];
    Lanes reach;  // m, from centre to centre along the normal, where both are balls; else 0
    std::uint32_t given[kLanes];
};
static_assert(sizeof(RoundBatch) == 32 * (3 + 34 + 1), "no gaps");

// Rows of eight joints, no two of which share a body that moves: N = 6: up to six equations, solved as one
// block; N = 1: a limit, motor, brake or spring. A row's rate is la . v_a + ja . w~_a + lb . v_b + jb . w~_b.
template <int N>
struct RowJacobian {
    std::uint32_t a[kLanes], b[kLanes];
    Lanes inv_a, inv_b;
    Lanes la[N][3], ja[N][3], lb[N][3], jb[N][3];  // until prepare() ja and jb are those of w
};
template <int N>
struct RowErrors {
    Lanes s0[N], p[N], cap[N];       // error, impulse of a substep, error worked off at most
    Lanes inverse[N * (N + 1) / 2];  // of J M^-1 J^T, lower part
};
// N = 1 only: a limit holds the error at or above 0; the others want a rate of -bias, less
// stiffness * (how far it went) and yields * p.
struct RowLaw {
    Lanes lower, upper, bias, stiffness, yields;
    Lanes is_limit, is_spring;  // 0 or 1
};
template <int N>
struct alignas(32) RowBatch : RowJacobian<N>, RowErrors<N>, RowLaw {
    Lanes sum[N];
    Lanes is_there[N];
    std::uint32_t row[kLanes];  // number of the first; kNoManifold: an empty lane
};
static_assert(sizeof(RowBatch<1>) == 32 * (2 + 27 + 1) && sizeof(RowBatch<6>) == 32 * (2 + 132 + 1),
              "no gaps");

// A contact that overlaps is a spring and damper whose stiffness follows the substep h: with w = 2 pi/(4 h)
// it rests at F (1/m_a + 1/m_b)/w^2 below the slop. Depth beyond `cap` is
// no spring's: it would be stress that nothing bears, and lock what is jammed; displacements take it away.
struct Softness {
    float rate;  // 1/s: depth beyond the slop that is worked off
    float mass;  // share of a velocity error that a sweep removes
    float leak;  // share of the impulse that is given up: 1 - mass
    float inv_h;
};

struct RowKernel {
    void (*prepare_1)(RowBatch<1>*, std::size_t, const Body*);
    void (*prepare_6)(RowBatch<6>*, std::size_t, const Body*);
    void (*apply_1)(const RowBatch<1>*, std::size_t, Motion*);
    void (*apply_6)(const RowBatch<6>*, std::size_t, Motion*);
    void (*solve_1)(RowBatch<1>*, std::size_t, Motion*, const Motion* moved, const Softness&);
    void (*solve_6)(RowBatch<6>*, std::size_t, Motion*, const Motion* moved, const Softness&);
    void (*relax_1)(RowBatch<1>*, std::size_t, Motion*, const Motion* moved, const Softness&);
    void (*relax_6)(RowBatch<6>*, std::size_t, Motion*, const Motion* moved, const Softness&);
    // Errors of equations where the bodies are, and displacements that take them away, as far as a sweep
    // does.
    void (*measure_6)(RowBatch<6>*, std::size_t, const Motion* moved);
    void (*close_6)(RowBatch<6>*, std::size_t, Motion* by);
    // Impulses of an impact, of their own, that keep the rates of equations at 0.
    void (*strike_6)(RowBatch<6>*, std::size_t, Motion*);
};

// What the sweeps of a pass work with.
struct Pass {
    Motion* motion;
    const Motion* moved;
    Softness soft;
    float phase = 1;  // from -1 at the start of the pass to 1 at its end
};

// Speeds along the normals of a batch's points.
struct alignas(32) NormalSpeeds {
    Lanes of[4];
};

template <class B>  // RoundBatch, Batch<1> or Batch<4>
struct ContactKernel {
    // From a, b and what is given.
    void (*prepare)(B*, std::size_t, const Body*, const Octet* given);
    // Impulses of the last step's last substep, as a first guess.
    void (*apply)(const B*, std::size_t, Motion*);
    // Separations are as the last relax() left them, which measures where the bodies are now.
    void (*solve)(B*, std::size_t, const Pass&);
    void (*relax)(B*, std::size_t, const Pass&);
    // Whether any point is far deeper than its cap; a sweep of displacements that take the share `part` of
    // depth beyond the cap away.
    bool (*has_excess)(const B*, std::size_t);
    void (*correct)(B*, std::size_t, Motion* by, float part);
    void (*hand_out)(const B*, std::size_t, Octet* results);
    // Impacts with restitution (impacts.h): which points meet within the substep, and whether any do; a sweep
    // that stops them; the impulses that are given back; speeds with which sums are made; friction.
    bool (*find_impacts)(B*, std::size_t, const Pass&);
    void (*compress)(B&, const Pass&);
    void (*give_back)(const B&, const Pass&);
    void (*measure)(const B&, const Motion*, NormalSpeeds&);
    void (*rub)(B&, const Pass&);
};

struct Kernel {
    ContactKernel<RoundBatch> round;
    ContactKernel<Batch<1>> one;
    ContactKernel<Batch<4>> four;
    const auto& of(const RoundBatch*) const { return round; }
    const auto& of(const Batch<1>*) const { return one; }
    const auto& of(const Batch<4>*) const { return four; }
    // v += v - start, start = v as it was: what the last substep changed, once more.
    void (*extrapolate)(Motion* motion, Motion* start, std::size_t count);
    void (*advance)(Motion* moved, const Motion* motion, std::size_t count, float h);
    RowKernel rows;
};

// For this processor.
const Kernel& kernel();
extern const Kernel kBaselineKernel;
// Not to be called where has_avx2() or has_avx512vl() is false.
extern const Kernel kAvx2Kernel, kAvx512vlKernel;
bool has_avx2();
bool has_avx512vl();

}  // namespace impuls::block
