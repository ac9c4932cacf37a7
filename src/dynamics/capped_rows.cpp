// Motors along three directions with one largest force F between them. Rows have bounds of their own, so the
// ball |p| <= P, P = F times the time of this solve, is replaced by the box |p_i| <= b_i inside it that
// suits the impulse p* that is to be expected: what the last substep gave, and K^-1 (wanted - J v) for what
// it left at the start of this one, as if the two bodies were alone:
//     |p*| >= P:  b = P p* / |p*|, whose corner is p* clipped to length P (Bender 2014, 3.2.3)
//     |p*| <  P:  b_i^2 = p*_i^2 + (P^2 - |p*|^2) / 3, what is left goes to all directions alike
// sum b_i^2 = P^2 in both. What acts stays within F, also where other joints and contacts want something
// else.
#include <cmath>

#include "dynamics/joint_rows.h"
#include "math/small_ldlt.h"

namespace impuls {
namespace {

double coupling(const Rate& i, const Rate& j, const Nodes& nodes) {
    double sum = 0;
    for (std::uint32_t x = 0; x < i.count; ++x)
        for (std::uint32_t y = 0; y < j.count; ++y)
            if (i.parts[x].node == j.parts[y].node) sum += coupling_of(nodes, i.parts[x], j.parts[y]);
    return sum;
}

// With the velocities at the start of the substep, where they are known: what forces have added since then,
// floors and other joints may take.
double start_velocity(const JointRows& out, const Rate& rate) {
    double sum = 0;
    for (std::uint32_t k = 0; k < rate.count; ++k) {
        const RowPart& part = rate.parts[k];
        const bool is_known = part.node < out.start.size();
        const Vec3 &v = is_known ? out.start[part.node].v : out.nodes->v[part.node],
                   &w = is_known ? out.start[part.node].w : out.nodes->w[part.node];
        sum += dot(part.linear, v) + dot(part.angular, w);
    }
    return sum;
}

// p* as above.
Vec3 expected_impulse(const JointRows& out, const std::array<Rate, 3>& rates, const Vec3& wanted) {
    if (!out.nodes) return {};
    SmallLdlt::Matrix m{};
    std::array<double, SmallLdlt::kMax> p{};
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t s = 0; s <= r; ++s) m[r][s] = coupling(rates[r], rates[s], *out.nodes);
        p[r] = wanted[static_cast<int>(r)] - start_velocity(out, rates[r]);
    }
    SmallLdlt matrix;
    matrix.factor(m, 3);
    matrix.solve(p);
    for (std::size_t r = 0; r < 3; ++r) {
        const std::size_t number = out.rows.rows.size() + r;
        if (number < out.history.previous.size())
            p[r] += out.history.previous_share * out.history.previous[number];
    }
    return {p[0], p[1], p[2]};
}

Vec3 box_for(const Vec3& p, double most) {
    const double n = length(p);
    if (n >= most && n > 0) return Vec3{std::abs(p.x), std::abs(p.y), std::abs(p.z)} * (most / n);
    const double rest = (most * most - n * n) / 3;
    return {std::sqrt(p.x * p.x + rest), std::sqrt(p.y * p.y + rest), std::sqrt(p.z * p.z + rest)};
}

}  // namespace

double velocity_per_impulse(const Rate& rate, const Nodes& nodes) {
    return coupling(rate, rate, nodes);
}

void add_capped_rows(JointRows& out, const std::array<Rate, 3>& rates, const Vec3& wanted, double max_force) {
    const double most = max_force * (out.when.share * out.h);
    const Vec3 box = box_for(expected_impulse(out, rates, wanted), most);
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t number = out.rows.rows.size();
        const double before = number < out.history.carried.size() ? out.history.carried[number] : 0;
        const double bound = box[static_cast<int>(k)];
        out.rows.begin_block();
        Row& row = out.rows.add();
        row.bias = -wanted[static_cast<int>(k)];
        row.lower = before - bound;
        row.upper = before + bound;
        for (std::uint32_t n = 0; n < rates[k].count; ++n)
            out.rows.add_part(rates[k].parts[n].node, rates[k].parts[n].linear, rates[k].parts[n].angular);
        if (out.log) out.log->row_axis.push_back(0);
    }
}

}  // namespace impuls
