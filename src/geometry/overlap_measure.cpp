// Integrals over the overlap polyhedron and its intersection line (overlap.h). With a the area vector of a
// triangle with corners p, q, r seen from a corner of the overlap (so that small overlaps keep their digits):
// volume += p.a/3, first moment += (p.a/3)(p+q+r)/4, area vector += a, its moment += (p+q+r)/3 x a.
#include <cmath>

#include "geometry/overlap.h"

namespace impuls {

void OverlapFinder::measure(const Vec3& origin, Overlap& out) {
    const Vec3 o = vertices_[0];
    Vec3 first_moment;
    owners_.assign(crossings_.size(), 0);
    for (std::size_t f = 0; f < face_count(); ++f) {
        const bool of_b = now_.source[f].of_b;
        const Corner* corner = now_.corners.data() + now_.first[f];
        const std::size_t n = corner_count(f);
        const Vec3 p = vertices_[corner[0].vertex] - o;
        Vec3 area, moment;
        for (std::size_t k = 2; k < n; ++k) {
            const Vec3 q = vertices_[corner[k - 1].vertex] - o, r = vertices_[corner[k].vertex] - o;
            const Vec3 a = 0.5 * cross(q - p, r - p), sum = p + q + r;
            const double volume = dot(p, a) / 3;
            out.volume += volume;
            first_moment += sum * (volume / 4);
            area += a;
            moment += cross(sum, a) / 3;
        }
        (of_b ? out.area_b : out.area_a) += area;
        (of_b ? out.moment_b : out.moment_a) += moment;
        (of_b ? out.patch_b : out.patch_a) += length(area);
        for (std::size_t k = 0; k < n; ++k) {
            const std::uint32_t e = corner[k].edge;
            owners_[e] = static_cast<unsigned char>(owners_[e] | (of_b ? 2 : 1));
            if (owners_[e] == 3)
                out.line_length +=
                    length(vertices_[corner[(k + 1) % n].vertex] - vertices_[corner[k].vertex]);
        }
    }
    const Vec3 center = out.volume > 0 ? first_moment / out.volume : Vec3{};
    out.volume = out.volume > 0 ? out.volume : 0;
    out.moment_a -= cross(center, out.area_a);
    out.moment_b -= cross(center, out.area_b);
    out.center = origin + (o + center);
    for (Vec3& v : vertices_) v += origin;
}

// Steps of the line along a's faces, linked where one ends and another begins. A corner may be passed twice
// (two parts of the line touch there): any link closes up, as each corner is left as often as entered.
void OverlapFinder::trace_line() {
    line_.clear(), loops_.assign(1, 0), steps_.clear();
    for (std::size_t f = 0; f < face_count(); ++f) {
        if (now_.source[f].of_b) continue;
        const Corner* corner = now_.corners.data() + now_.first[f];
        const std::size_t n = corner_count(f);
        for (std::size_t k = 0; k < n; ++k)
            if (owners_[corner[k].edge] == 3)
                steps_.push_back({corner[k].vertex, corner[(k + 1) % n].vertex, false});
    }
    for (LineStep& start : steps_) {
        for (LineStep* step = &start; step && !step->done;) {
            step->done = true;
            line_.push_back(vertices_[step->from]);
            const std::uint32_t at = step->to;
            step = nullptr;
            for (LineStep& s : steps_)
                if (!s.done && s.from == at) step = &s;
        }
        if (line_.size() > loops_.back()) loops_.push_back(static_cast<std::uint32_t>(line_.size()));
    }
}

}  // namespace impuls
