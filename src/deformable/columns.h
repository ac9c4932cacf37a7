// Columns of particles: places, velocities and displacements as three arrays of doubles, so that inner loops
// run in lanes. All solvers of this room stand on them; nothing here knows a world.
// Numbers of particles are those of the columns: a sheet pads its rows (grid/grid.h), a solid does not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/assert.h"
#include "impuls/vec.h"

namespace impuls::deformable {

struct Columns {
    std::vector<double> x{}, y{}, z{};

    explicit Columns(std::size_t n = 0) : x(n), y(n), z(n) {}
    std::size_t size() const { return x.size(); }
    Vec3 at(std::size_t i) const {
        IMPULS_ASSERT_INDEX(i, x.size());
        return {x[i], y[i], z[i]};
    }
    void set(std::size_t i, const Vec3& p) {
        IMPULS_ASSERT_INDEX(i, x.size());
        x[i] = p.x;
        y[i] = p.y;
        z[i] = p.z;
    }
    void add(std::size_t i, const Vec3& d) {
        IMPULS_ASSERT_INDEX(i, x.size());
        x[i] += d.x;
        y[i] += d.y;
        z[i] += d.z;
    }
};

// What moves: places and velocities, and one over the mass of each (0: does not move).
struct Particles {
    Columns x{}, v{};
    std::vector<double> k{};

    explicit Particles(std::size_t n = 0) : x(n), v(n), k(n) {}
    std::size_t size() const { return k.size(); }
};

// What others see of a body made of particles: those that exist, and the triangles of its surface.
using Triangle = std::array<std::uint32_t, 3>;
struct Surface {
    std::vector<std::uint32_t> nodes{};
    std::vector<Triangle> triangles{};
};

}  // namespace impuls::deformable
