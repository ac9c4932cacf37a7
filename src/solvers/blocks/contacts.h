// Contacts of many bodies, solved in eight lanes of float: manifolds of up to four points whose normals are
// one 4 x 4 block, with friction and twist per manifold, in short substeps within which geometry is frozen (a
// pass).
//
// A substep of length h (block TGS):
//     v += what the last substep changed       forces and impulses alike; in the first one forces and guesses
//     a sweep over all manifolds               with bias: depth beyond the slop is worked off, softly
//     d += h v
//     a sweep without bias                     so that working depth off leaves no velocity behind
// After the substeps, depth that no load explains is taken away by displacements, which leave no stress
// behind. Rows of joints take part in every sweep, after the contacts (rows.h). Sweeps go colour by colour
// (colouring.h). Orders follow from the order in which bodies and manifolds were added alone.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "base/assert.h"
#include "base/raw_array.h"
#include "base/raw_vector.h"
#include "impuls/vec.h"
#include "solvers/blocks/colouring.h"
#include "solvers/blocks/impacts.h"
#include "solvers/blocks/kernel.h"
#include "solvers/blocks/rows.h"

namespace impuls {

class Executor;

class BlockContacts {
  public:
    static constexpr int kPoints = 4;

    struct Point {
        Vec3 ra{}, rb{};  // from the bodies' centres
        double separation = 0;
        double impulse = 0;  // of a substep: a guess
    };
    struct Manifold {
        Manifold() {}  // written out, so that the points are not zeroed

        Vec3 normal{};                    // from a to b
        RawArray<Point, kPoints> points;  // set up to the manifold's count
        double friction = 0, slop = 0;
        double cap = 0;  // depth that springs answer for, m; what is deeper goes by displacements
        double bounce = 0, threshold = 0;  // restitution, of approaches faster than the threshold
        // Velocity of b's surface relative to a's, apart from the bodies' motion. Its part along the normal
        // is the speed of approach that forces add in a substep, for restitution. Passing: the velocity,
        // along the normal, too, goes from -surface to surface in the pass.
        Vec3 surface{};
        bool is_passing = false;
        Vec3 impulse_t{};  // guesses: at the centre of the points, about the normal
        double twist = 0;
        bool are_balls = false;   // both, about their centres; of round ones
        bool is_of_disk = false;  // the points are on the rim of one
    };
    // What came of it: impulses of the last substep, and sums over all.
    struct Result {
        struct Point {
            double impulse, sum, separation;
        };
        std::array<Point, kPoints> points;
        Vec3 impulse_t, sum_t;
        double twist, sum_twist;
    };
    // Source of manifolds and sink of their results; called once for each, by any thread.
    class Exchange {
      public:
        virtual void give(std::size_t manifold, Manifold& m) const = 0;  // m is as new
        virtual void take(std::size_t manifold, const Result& result) = 0;
        virtual void begin_substep() const {}  // may throw to give up

      protected:
        ~Exchange() = default;
    };

    // Starts over with the world as body 0, then `bodies` and `manifolds` to be set, each by any thread.
    void clear(std::size_t bodies = 0, std::size_t manifolds = 0);
    // Root: of the inverse inertia tensor, W; w and its acceleration are in root coordinates, I^(1/2) w.
    // Velocities are those before forces.
    void set_body(std::uint32_t body, double inv_mass, const Mat3& inverse_root, const Vec3& v,
                  const Vec3& w_root, const Vec3& acceleration, const Vec3& acceleration_root);
    std::uint32_t add_body(double inv_mass, const Mat3& inverse_root, const Vec3& v, const Vec3& w_root,
                           const Vec3& acceleration, const Vec3& acceleration_root);
    // A manifold of `count` points between two bodies. Round: one point, with the lever of either body that
    // moves along the normal, and its inertia the same about all axes.
    void set_manifold(std::size_t manifold, std::uint32_t a, std::uint32_t b, std::uint32_t count,
                      bool is_round = false) {
        IMPULS_ASSERT_INDEX(manifold, ends_.size());
        IMPULS_ASSERT(0 < count && count <= kPoints && (count == 1 || !is_round));
        ends_[manifold] = {a, b, count, is_round ? Size::kRound : count > 1 ? Size::kFour : Size::kOne, 0};
    }
    // Joints, if any.
    BlockRows& rows() { return rows_; }

    // Advances bodies by dt. Colours with many manifolds are shared among the executor's threads.
    void solve(double dt, int substeps, const Exchange& exchange, Executor& executor);
    // Hands the results of manifolds out, after solve().
    void take(Exchange& exchange, Executor& executor);

    // After solve(): displacements alone, as shift() and turn(), that take the errors of the equations of
    // rows() away.
    void close(Executor& executor);

    // Results: velocities, displacements and turns; the latter two and w in root coordinates, as w_root
    // above.
    Vec3 velocity(std::uint32_t body) const { return linear(motion_[body]); }
    Vec3 spin(std::uint32_t body) const { return angular(motion_[body]); }
    Vec3 shift(std::uint32_t body) const { return linear(moved_[body]); }
    Vec3 turn(std::uint32_t body) const { return angular(moved_[body]); }
    int colours() const { return colouring_.used_colours(); }

  private:
    using Motion = block::Motion;
    using Size = BlockColouring::Size;
    using Ends = BlockColouring::Ends;
    static Vec3 linear(const Motion& m) { return {m.v[0], m.v[1], m.v[2]}; }
    static Vec3 angular(const Motion& m) { return {m.w[0], m.w[1], m.w[2]}; }
    void resize_bodies(std::size_t count);
    void colour();
    void give_octets(std::size_t number, const Exchange& exchange);
    void fill(const Exchange& exchange, Executor& executor);
    void strike(const block::Pass& pass, double row_phase, Executor& executor);
    bool has_excess();
    void correct(Executor& executor);
    template <class F>
    void with_batches(Size size, F&& f);
    template <class F>
    void for_batches_of(std::size_t segment, Executor& executor, F&& f);
    template <class F>
    void for_manifolds_of(std::size_t segment, Executor& executor, F&& f);
    template <class F>
    void for_batches(Executor& executor, F&& f);

    BlockRows rows_{};
    std::vector<block::Body> bodies_{};
    std::vector<Motion> motion_{}, start_{}, moved_{}, by_{};
    std::vector<Vec3> acceleration_{}, acceleration_root_{};
    RawVector<Ends> ends_{};            // of manifolds
    RawVector<block::Octet> octets_{};  // zeros, for empty lanes; then those of a segment's manifolds
    std::tuple<RawVector<block::RoundBatch>, RawVector<block::Batch<1>>, RawVector<block::Batch<4>>>
        batches_{};  // by Size
    BlockColouring colouring_{};
    BlockImpacts impacts_{};
};

}  // namespace impuls
