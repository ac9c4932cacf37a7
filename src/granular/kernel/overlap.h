// Overlap of two convex polyhedra by the edge formula, of near features alone: each directed edge p -> q
// between two faces of the overlap, with heights h of their planes over the origin and w = p x q, adds
//     (h1 n1.w - h2 n2.w) / 6                                 to the volume,
//     (h1 n1.w (h1 n1 + p + q) - h2 n2.w (h2 n2 + p + q)) / 24   to the first moment.
// Edges are those of a clipped by planes of b, those of b clipped by planes of a, and segments of face(a)
// with face(b), which alone give the area vector S_a = sum w / 2. Only pairs of faces that an edge end was
// cut by can have a segment. Ties: b counts as smaller by a rounding, so what lies on both surfaces belongs
// to b alone. One source for every scalar; sums in the order of the lists. Called by contact.cpp and tests.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "granular/kernel/near_features.h"

namespace impuls::granular {

// In the frame of the pair.
template <class T>
struct OverlapSums {
    T volume = 0;
    V3<T> moment{}, area{};  // first moment; area vector of a's part, outward: from a to b
    V3<T> turn{};            // integral of r x n over a's part, about the origin
};

template <class T>
class EdgeOverlap {
  public:
    NearFeatures<T> a, b;

    // The overlap is in the slab low < axis.x < high; `size`: of the bodies, for ties.
    OverlapSums<T> sum(const V3<T>& axis, T low, T high, T size) {
        sums_ = {}, origin_ = {}, has_origin_ = false;
        axis_ = axis, low_ = low, high_ = high;
        tie_ = size * VectorOf<T>::tie;
        std::fill_n(candidates_.begin(), a.faces, std::uint64_t{0});
        find_heights(a, b, -tie_, height_a_, outside_a_);
        find_heights(b, a, tie_, height_b_, outside_b_);
        clip(a, b, height_a_, outside_a_, true);
        clip(b, a, height_b_, outside_b_, false);
        for (int i = 0; i < a.faces; ++i)
            for (std::uint64_t bits = candidates_[at(i)]; bits; bits &= bits - 1)
                add_segment(at(i), static_cast<std::size_t>(__builtin_ctzll(bits)));
        sums_.moment = sums_.moment + origin_ * sums_.volume;
        sums_.turn = sums_.turn + cross(origin_, sums_.area);
        return sums_;
    }

  private:
    static constexpr std::size_t kRow = kMostNearFaces + 1;  // heights over planes, and over the slab's end
    using Heights = std::array<T, kMostNearVertices * kRow>;
    using Outside = std::array<std::uint64_t, kMostNearVertices>;

    static std::size_t at(int k) { return static_cast<std::size_t>(k); }

    // Of each vertex over the other's planes; the last bit is the end of the slab.
    static void find_heights(const NearFeatures<T>& mine, const NearFeatures<T>& other, T tie,
                             Heights& height, Outside& outside) {
        const std::size_t faces = at(other.faces);
        for (std::size_t v = 0; v < at(mine.vertices); ++v) {
            T* row = height.data() + v * kRow;
            std::uint64_t bits = 0;
            for (std::size_t j = 0; j < faces; ++j) {
                row[j] = dot(other.normal[j], mine.place[v]) - other.offset[j];
                bits |= static_cast<std::uint64_t>(row[j] > tie) << j;
            }
            row[faces] = -mine.beyond[v];
            outside[v] = bits | static_cast<std::uint64_t>(!(mine.beyond[v] > 0)) << faces;
        }
    }

    void clip(const NearFeatures<T>& mine, const NearFeatures<T>& other, const Heights& height,
              const Outside& outside, bool is_a) {
        for (int e = 0; e < mine.edges; ++e) {
            const auto& edge = mine.ends[at(e)];
            const std::uint64_t out_p = outside[edge.from], out_q = outside[edge.to];
            if (out_p & out_q) continue;
            const T *row_p = height.data() + edge.from * kRow, *row_q = height.data() + edge.to * kRow;
            T begin = -std::numeric_limits<T>::infinity(), end = std::numeric_limits<T>::infinity();
            int cut_p = -1, cut_q = -1;
            const auto crossing = [&](int j) { return row_p[j] / (row_p[j] - row_q[j]); };
            const std::uint64_t planes = (std::uint64_t{1} << other.faces) - 1;
            for (std::uint64_t bits = out_p & planes; bits; bits &= bits - 1) {
                const int j = __builtin_ctzll(bits);
                if (const T t = crossing(j); t >= begin) begin = t, cut_p = j;
            }
            for (std::uint64_t bits = out_q & planes; bits; bits &= bits - 1) {
                const int j = __builtin_ctzll(bits);
                if (const T t = crossing(j); t <= end) end = t, cut_q = j;
            }
            // The slab cuts only what is no overlap; where it goes with a face, that counts.
            constexpr T kSame = VectorOf<T>::same;
            if (out_p & ~planes)
                if (const T t = crossing(other.faces); t > begin + kSame) begin = t, cut_p = -1;
            if (out_q & ~planes)
                if (const T t = crossing(other.faces); t < end - kSame) end = t, cut_q = -1;
            begin = std::max(begin, T(0)), end = std::min(end, T(1));
            if (!(begin < end)) continue;
            const V3<T> from = mine.place[edge.from], along = mine.place[edge.to] - from;
            add_edge(from + along * begin, from + along * end, mine.normal[edge.left], mine.offset[edge.left],
                     mine.normal[edge.right], mine.offset[edge.right]);
            for (const int j : {cut_p, cut_q}) {
                if (j < 0) continue;
                for (const auto f : {edge.left, edge.right}) {
                    if (is_a)
                        candidates_[f] |= std::uint64_t{1} << j;
                    else
                        candidates_[at(j)] |= std::uint64_t{1} << f;
                }
            }
        }
    }

    // About the first point of all, so that small overlaps keep their digits. Returns w.
    V3<T> add_edge(V3<T> p, V3<T> q, const V3<T>& n1, T h1, const V3<T>& n2, T h2) {
        if (!has_origin_) has_origin_ = true, origin_ = p;
        p = p - origin_, q = q - origin_, h1 = h1 - dot(n1, origin_), h2 = h2 - dot(n2, origin_);
        const V3<T> w = cross(p, q);
        const T one = h1 * dot(n1, w), two = h2 * dot(n2, w);
        sums_.volume = sums_.volume + (one - two) / 6;
        sums_.moment =
            sums_.moment + (n1 * (one * h1) - n2 * (two * h2) + (p + q) * (one - two)) * (T(1) / 24);
        return w;
    }

    // The line of two planes, clipped by all others and by the slab.
    void add_segment(std::size_t i, std::size_t j) {
        const V3<T>&n1 = a.normal[i], &n2 = b.normal[j];
        const V3<T> d = cross(n1, n2);
        const T square = dot(d, d);
        constexpr T kParallel = VectorOf<T>::tie * VectorOf<T>::tie;
        if (!(square > kParallel)) return;
        const V3<T> x = (cross(n2, d) * a.offset[i] + cross(d, n1) * b.offset[j]) * (1 / square);
        begin_ = -std::numeric_limits<T>::infinity(), end_ = std::numeric_limits<T>::infinity();
        const T parallel = kParallel * square;
        for (std::size_t k = 0; k < at(a.faces); ++k)
            if (k != i && !cut(dot(a.normal[k], x) - a.offset[k], dot(a.normal[k], d), parallel, tie_))
                return;
        for (std::size_t k = 0; k < at(b.faces); ++k)
            if (k != j && !cut(dot(b.normal[k], x) - b.offset[k], dot(b.normal[k], d), parallel, -tie_))
                return;
        const T height = dot(axis_, x), slope = dot(axis_, d);
        if (!cut(height - high_, slope, parallel, tie_) || !cut(low_ - height, -slope, parallel, tie_))
            return;
        if (!(begin_ < end_) || !std::isfinite(begin_) || !std::isfinite(end_)) return;
        const V3<T> p = x + d * begin_, q = x + d * end_;
        const V3<T> w = add_edge(p, q, n1, a.offset[i], n2, b.offset[j]);
        sums_.area = sums_.area + w * T(0.5);
        const V3<T> from = p - origin_, to = q - origin_;
        sums_.turn =
            sums_.turn - (to - from) * ((dot(from, from) + dot(from, to) + dot(to, to)) * T(1.0 / 6));
    }

    // False: all of the line is outside.
    bool cut(T height, T slope, T parallel, T tie) {
        if (slope * slope <= parallel) return height <= tie;
        const T t = -height / slope;
        if (slope > 0)
            end_ = std::min(end_, t);
        else
            begin_ = std::max(begin_, t);
        return begin_ < end_;
    }

    OverlapSums<T> sums_{};
    V3<T> axis_{}, origin_{};
    bool has_origin_ = false;
    T low_ = 0, high_ = 0, tie_ = 0, begin_ = 0, end_ = 0;
    std::array<std::uint64_t, kMostNearFaces> candidates_{};
    Heights height_a_, height_b_;
    Outside outside_a_, outside_b_;
};

}  // namespace impuls::granular
