// Builds distance fields: exact distances by the triangle tree, searched only as far as the neighbouring node
// allows; signs by pseudo-normals, or by winding numbers where the mesh touches or crosses itself.
// Neighbouring nodes farther from the surface than they are from each other have the same sign. Called when
// bodies with distance fields are built.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "geometry/closed_mesh.h"
#include "geometry/distance_field.h"
#include "geometry/polyhedron_mass.h"
#include "geometry/winding_number.h"

namespace impuls {

class DistanceFieldBuilder {
  public:
    DistanceFieldBuilder(DistanceField& field, const TriangleSurface& surface, bool by_winding)
        : f_(field), s_(surface), winding_(surface.tree), by_winding_(by_winding) {}

    void run(int resolution, Executor& executor) {
        place_grid(resolution);
        find_bricks(executor);
        fill_coarse(executor);
        fill_bricks(executor);
        f_.lipschitz_ = steepest();
    }

  private:
    using Field = DistanceField;
    static constexpr int kBrick = Field::kBrick, kSide = Field::kSide;

    void place_grid(int resolution) {
        f_.box_ = s_.tree.bounds();
        f_.cell_ = s_.size / resolution;
        f_.inverse_cell_ = 1 / f_.cell_;
        const Vec3 side = f_.box_.max - f_.box_.min;
        for (int i = 0; i < 3; ++i) {
            const double cells = side[i] / f_.cell_ + 2 * kPad;
            const int bricks = static_cast<int>(std::ceil(cells / kBrick));
            f_.bricks_[static_cast<std::size_t>(i)] = bricks;
            f_.origin_[i] = 0.5 * (f_.box_.min[i] + f_.box_.max[i]) - 0.5 * bricks * kBrick * f_.cell_;
        }
    }

    struct Node {
        double distance = 0;  // cells
        Vec3 nearest{};       // point of the surface
    };
    // At u (cells from the origin), searched from the result of a neighbouring node, if there is one: its
    // nearest point bounds the distance, and farther from the surface than that it has the same sign.
    Node distance(const Vec3& u, const Node* neighbour, double apart) const {
        const Vec3 p = f_.origin_ + u * f_.cell_;
        const double limit = neighbour ? length(p - neighbour->nearest) * (1 + 1e-9) + 1e-9 * f_.cell_
                                       : everything() * f_.cell_;
        const SurfaceDistance d = signed_distance(s_, p, limit);
        const double cells = std::abs(d.distance) * f_.inverse_cell_;
        if (neighbour && std::abs(neighbour->distance) > 1.001 * apart)
            return {std::copysign(cells, neighbour->distance), d.point};
        const bool inside = by_winding_ ? winding_.at(p) > 0.5 : d.distance < 0;
        return {inside ? -cells : cells, d.point};
    }

    // The whole grid is not wider than this.
    double everything() const { return 2.0 * kBrick * (f_.bricks_[0] + f_.bricks_[1] + f_.bricks_[2]); }

    void find_bricks(Executor& executor) {
        const auto [nx, ny, nz] = f_.bricks_;
        const std::size_t n =
            static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) * static_cast<std::size_t>(nz);
        std::vector<char> near(n);
        const double limit = Field::kBand + kBrick * Field::kError;
        const int mx = nx, my = ny;
        executor.parallel_for(n, 16, [&, mx, my](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const auto k = static_cast<int>(i);
                const Vec3 u{k % mx + 0.5, k / mx % my + 0.5, k / (mx * my) + 0.5};
                const Vec3 p = f_.origin_ + u * (kBrick * f_.cell_);
                const double r = limit * f_.cell_;
                near[i] = s_.tree.closest(p, r * r).triangle != kNoTriangle;
            }
        });
        f_.brick_of_.assign(n, -1);
        for (std::size_t i = 0; i < n; ++i)
            if (near[i]) f_.brick_of_[i] = static_cast<std::int32_t>(places_.size()), places_.push_back(i);
    }

    void fill_coarse(Executor& executor) {
        constexpr int step = Field::kCoarse;
        const int nx = f_.bricks_[0] * kBrick / step + 1, ny = f_.bricks_[1] * kBrick / step + 1;
        const int nz = f_.bricks_[2] * kBrick / step + 1;
        const auto rows = static_cast<std::size_t>(ny) * static_cast<std::size_t>(nz);
        f_.coarse_.resize(rows * static_cast<std::size_t>(nx));
        executor.parallel_for(rows, 4, [&](std::size_t begin, std::size_t end) {
            for (std::size_t row = begin; row < end; ++row) {
                const auto k = static_cast<int>(row);
                Node last;
                for (int x = 0; x < nx; ++x) {
                    const Vec3 u = Vec3{double(x), double(k % ny), double(k / ny)} * double(step);
                    last = distance(u, x > 0 ? &last : nullptr, step);
                    f_.coarse_[row * static_cast<std::size_t>(nx) + static_cast<std::size_t>(x)] =
                        static_cast<float>(last.distance);
                }
            }
        });
    }

    void fill_bricks(Executor& executor) {
        f_.values_.resize(places_.size() * Field::kNodes);
        executor.parallel_for(places_.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t b = begin; b < end; ++b) fill_brick(b);
        });
    }

    void fill_brick(std::size_t b) {
        const auto place = static_cast<int>(places_[b]);
        const int nx = f_.bricks_[0], ny = f_.bricks_[1];
        const Vec3 corner = Vec3{double(place % nx), double(place / nx % ny), double(place / (nx * ny))} *
                            static_cast<double>(kBrick);
        float* v = f_.values_.data() + b * Field::kNodes;
        // Along a row from the node before; a new row from the first one of the row before.
        Node last, row, layer;
        for (int z = 0; z < kSide; ++z)
            for (int y = 0; y < kSide; ++y)
                for (int x = 0; x < kSide; ++x) {
                    const Node* from = x > 0 ? &last : y > 0 ? &row : z > 0 ? &layer : nullptr;
                    last = distance(corner + Vec3{double(x), double(y), double(z)}, from, 1);
                    if (x == 0) row = last;
                    if (x == 0 && y == 0) layer = last;
                    v[(z * kSide + y) * kSide + x] = static_cast<float>(last.distance);
                }
    }

    // Bound of the gradient: per axis the largest difference along the four edges of a cell.
    double steepest() const {
        double most = 0;
        const int step[3] = {1, kSide, kSide * kSide};
        for (std::size_t b = 0; b < places_.size(); ++b)
            for (int z = 0; z < kBrick; ++z)
                for (int y = 0; y < kBrick; ++y)
                    for (int x = 0; x < kBrick; ++x) {
                        const float* v = f_.values_.data() + b * Field::kNodes + (z * kSide + y) * kSide + x;
                        Vec3 largest;
                        for (int i = 0; i < 3; ++i)
                            for (int k = 0; k < 4; ++k) {
                                const float* e =
                                    v + (k & 1) * step[(i + 1) % 3] + (k >> 1) * step[(i + 2) % 3];
                                largest[i] =
                                    std::max(largest[i], std::abs(double(e[step[i]]) - double(e[0])));
                            }
                        most = std::max(most, length_squared(largest));
                    }
        return std::sqrt(most);
    }

    static constexpr double kPad = 3;  // cells around the surface, more than the band

    DistanceField& f_;
    const TriangleSurface& s_;
    WindingNumber winding_;
    bool by_winding_;
    std::vector<std::size_t> places_;  // of the bricks in the grid
};

DistanceField DistanceField::build(const TriangleMesh& mesh, const DistanceFieldOptions& options,
                                   DistanceFieldReport& report, Executor* executor) {
    report = {};
    DistanceField field;
    const ClosedMesh closed = close_mesh(mesh);
    report.closed_loops = closed.loops;
    report.cap_fraction = closed.cap_fraction;
    const TriangleSurface surface = make_surface(closed.mesh);
    if (options.resolution < 4 || options.resolution > 1024) {
        report.error = fmt::format("resolution {} is not between 4 and 1024", options.resolution);
    } else if (!(surface.size > 0) || !std::isfinite(surface.size)) {
        report.error = "the mesh has no extent";
    } else if (closed.cap_fraction > kMaxCapFraction) {
        report.error =
            fmt::format("the mesh is open: closing it would add {:.0f} % of its surface (limit {:.0f} %)",
                        100 * closed.cap_fraction, 100 * kMaxCapFraction);
    }
    if (report.error.empty() && !(solid_moments(closed.mesh).volume > 0)) {
        report.error = "the mesh encloses no volume, or is inside out";
    }
    if (!report.error.empty()) return field;
    report.by_winding = !surface.is_manifold || crosses_itself(surface);
    Executor serial(1);
    DistanceFieldBuilder(field, surface, report.by_winding)
        .run(options.resolution, executor ? *executor : serial);
    return field;
}

}  // namespace impuls
