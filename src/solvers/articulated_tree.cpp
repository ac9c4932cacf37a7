// Factor and solve of trees of joints (articulated_tree.h).
#include "solvers/articulated_tree.h"

#include <cmath>

#include "base/assert.h"

namespace impuls {

void ArticulatedTree::clear() {
    count_ = rows_count_ = 0;
    clear_loops();
}

void ArticulatedTree::clear_loops() {
    loops_.clear();
    loop_parts_.clear();
}

std::uint32_t ArticulatedTree::add(Kind kind, std::uint32_t parent) {
    IMPULS_ASSERT(parent == kNone || parent < count_);  // roots first
    if (links_.size() == count_) {
        links_.emplace_back();
        nodes_.emplace_back();
    }
    Link& link = links_[count_];
    link.parent = parent;
    link.kind = kind;
    link.rows = kNone;
    link.a = link.p = {};
    if (kind != Kind::Ball) {
        if (rows_.size() == rows_count_) {
            rows_.emplace_back();
            row_nodes_.emplace_back();
        }
        link.rows = static_cast<std::uint32_t>(rows_count_);
        rows_[rows_count_].link = static_cast<std::uint32_t>(count_);
        rows_[rows_count_].compliance = {};
        rows_[rows_count_++].count = 0;
    }
    return static_cast<std::uint32_t>(count_++);
}

void ArticulatedTree::add_loop_row() {
    const auto end = static_cast<std::uint32_t>(loop_parts_.size());
    loops_.push_back({.first_part = end, .end_part = end});
}

void ArticulatedTree::add_loop_part(const Part& part) {
    IMPULS_ASSERT(!loops_.empty());
    IMPULS_ASSERT_INDEX(part.link, count_);
    loop_parts_.push_back(part);
    ++loops_.back().end_part;
}

Vec3 ArticulatedTree::times(const Sym3& m, const Vec3& v) {
    return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
            m.xz * v.x + m.yz * v.y + m.zz * v.z};
}

// By cofactors.
ArticulatedTree::Sym3 ArticulatedTree::inverse_of(const Sym3& m) {
    const double cxx = m.yy * m.zz - m.yz * m.yz, cxy = m.xz * m.yz - m.xy * m.zz,
                 cxz = m.xy * m.yz - m.xz * m.yy;
    const double s = 1 / (m.xx * cxx + m.xy * cxy + m.xz * cxz);
    return {cxx * s, (m.xx * m.zz - m.xz * m.xz) * s, (m.xx * m.yy - m.xy * m.xy) * s, cxy * s,
            cxz * s, (m.xy * m.xz - m.xx * m.yz) * s};
}

// A link's velocity is that of its ball joint's point; else of its centre.
const Vec3& ArticulatedTree::reference(std::uint32_t link) const {
    return links_[link].a;
}

// lin . v + ang . w with v = u - w x a.
ArticulatedTree::Vec6 ArticulatedTree::at_reference(const Part& part) const {
    const Vec3 turn = part.angular - cross(reference(part.link), part.linear);
    return {part.linear.x, part.linear.y, part.linear.z, turn.x, turn.y, turn.z};
}

// The link alone.
void ArticulatedTree::begin_node(std::uint32_t k) {
    const Link& link = links_[k];
    Node& node = nodes_[k];
    const double m = link.mass;
    const Vec3& a = link.a;
    node.a = {m, m, m, 0, 0, 0};
    node.b = skew(a * m);
    const Mat3& i = link.inertia;
    node.d = {i.c0.x + m * (a.y * a.y + a.z * a.z),
              i.c1.y + m * (a.x * a.x + a.z * a.z),
              i.c2.z + m * (a.x * a.x + a.y * a.y),
              i.c1.x - m * a.x * a.y,
              i.c2.x - m * a.x * a.z,
              i.c2.y - m * a.y * a.z};
    node.arm = link.parent == kNone ? Vec3{} : link.p - reference(link.parent);
}

void ArticulatedTree::eliminate_ball(std::uint32_t k) {
    const Link& link = links_[k];
    Node& node = nodes_[k];
    node.inverse_d = inverse_of(node.d);
    const Mat3& b = node.b;
    // Columns of W = D^-1 B^T: row j of B.
    node.w.c0 = times(node.inverse_d, {b.c0.x, b.c1.x, b.c2.x});
    node.w.c1 = times(node.inverse_d, {b.c0.y, b.c1.y, b.c2.y});
    node.w.c2 = times(node.inverse_d, {b.c0.z, b.c1.z, b.c2.z});
    const Vec3 l0 = b * node.w.c0, l1 = b * node.w.c1, l2 = b * node.w.c2;
    node.l = {node.a.xx - l0.x, node.a.yy - l1.y, node.a.zz - l2.z,
              node.a.xy - l1.x, node.a.xz - l2.x, node.a.yz - l2.y};
    if (link.parent == kNone) return;
    Node& parent = nodes_[link.parent];
    const Sym3& l = node.l;
    parent.a.xx += l.xx;
    parent.a.yy += l.yy;
    parent.a.zz += l.zz;
    parent.a.xy += l.xy;
    parent.a.xz += l.xz;
    parent.a.yz += l.yz;
    const Vec3& d = node.arm;
    // L [d] by columns, then [d] L [d].
    const Vec3 s0 = times(l, {0, d.z, -d.y}), s1 = times(l, {-d.z, 0, d.x}), s2 = times(l, {d.y, -d.x, 0});
    parent.b.c0 -= s0;
    parent.b.c1 -= s1;
    parent.b.c2 -= s2;
    parent.d.xx -= d.y * s0.z - d.z * s0.y;
    parent.d.yy -= d.z * s1.x - d.x * s1.z;
    parent.d.zz -= d.x * s2.y - d.y * s2.x;
    parent.d.xy -= d.y * s1.z - d.z * s1.y;
    parent.d.xz -= d.y * s2.z - d.z * s2.y;
    parent.d.yz -= d.z * s2.x - d.x * s2.z;
}

// The 6 x 6 matrix of a link that is held by rows or not at all.
void ArticulatedTree::factor_free(std::uint32_t k) {
    const Node& node = nodes_[k];
    SmallLdlt::Matrix m{};
    m[0][0] = node.a.xx;
    m[1][1] = node.a.yy;
    m[2][2] = node.a.zz;
    m[1][0] = node.a.xy;
    m[2][0] = node.a.xz;
    m[2][1] = node.a.yz;
    m[3][3] = node.d.xx;
    m[4][4] = node.d.yy;
    m[5][5] = node.d.zz;
    m[4][3] = node.d.xy;
    m[5][3] = node.d.xz;
    m[5][4] = node.d.yz;
    for (int j = 0; j < 3; ++j) {  // B^T
        m[3][j] = node.b.c0[j];
        m[4][j] = node.b.c1[j];
        m[5][j] = node.b.c2[j];
    }
    row_nodes_[links_[k].rows].inertia.factor(m, 6, {});  // regular, however different its pivots
}

void ArticulatedTree::eliminate_rows(std::uint32_t k) {
    factor_free(k);
    const Link& link = links_[k];
    const JointRows& joint = rows_[link.rows];
    RowsNode& node = row_nodes_[link.rows];
    const auto n = static_cast<std::size_t>(joint.count);
    IMPULS_ASSERT(joint.link == k && n <= joint.child.size());
    for (std::size_t r = 0; r < n; ++r) {
        IMPULS_ASSERT(joint.child[r].link == k);
        node.jc[r] = at_reference(joint.child[r]);
        node.x[r] = node.jc[r];
        node.inertia.solve_largest(node.x[r]);
    }
    SmallLdlt::Matrix m{};
    for (std::size_t r = 0; r < n; ++r) {
        for (std::size_t q = 0; q <= r; ++q)
            for (std::size_t i = 0; i < 6; ++i) m[r][q] += node.jc[r][i] * node.x[q][i];
        m[r][r] += joint.compliance[r];
    }
    node.matrix.factor(m, joint.count);
    if (link.parent == kNone) return;
    for (std::size_t r = 0; r < n; ++r) {
        IMPULS_ASSERT(joint.parent[r].link == link.parent);
        node.jp[r] = at_reference(joint.parent[r]);
        node.y[r] = node.jp[r];
    }
    node.matrix.solve(node.y);  // Y = S^-1 Jp
    double sum[6][6] = {};
    for (std::size_t r = 0; r < n; ++r)
        for (std::size_t i = 0; i < 6; ++i)
            for (std::size_t j = 0; j < 6; ++j) sum[i][j] += node.jp[r][i] * node.y[r][j];
    Node& parent = nodes_[link.parent];
    parent.a.xx += sum[0][0];
    parent.a.yy += sum[1][1];
    parent.a.zz += sum[2][2];
    parent.a.xy += sum[0][1];
    parent.a.xz += sum[0][2];
    parent.a.yz += sum[1][2];
    parent.d.xx += sum[3][3];
    parent.d.yy += sum[4][4];
    parent.d.zz += sum[5][5];
    parent.d.xy += sum[3][4];
    parent.d.xz += sum[3][5];
    parent.d.yz += sum[4][5];
    for (int i = 0; i < 3; ++i) {
        parent.b.c0[i] += sum[i][3];
        parent.b.c1[i] += sum[i][4];
        parent.b.c2[i] += sum[i][5];
    }
}

void ArticulatedTree::factor() {
    for (std::uint32_t k = 0; k < count_; ++k) begin_node(k);
    for (auto k = static_cast<std::uint32_t>(count_); k-- > 0;) {
        switch (links_[k].kind) {
            case Kind::Ball:
                eliminate_ball(k);
                break;
            case Kind::Rows:
                eliminate_rows(k);
                break;
            case Kind::Free:
                factor_free(k);
        }
    }
    factor_loops();
}

// Impulses given at the centres, seen from the reference points.
void ArticulatedTree::set_forces(bool has_forces) {
    for (std::size_t k = 0; k < count_; ++k) {
        const Link& link = links_[k];
        nodes_[k].f = has_forces ? link.f : Vec3{};
        nodes_[k].t = has_forces ? link.t - cross(link.a, link.f) : Vec3{};
    }
}

void ArticulatedTree::pass_up() {
    for (auto k = static_cast<std::uint32_t>(count_); k-- > 0;) {
        const Link& link = links_[k];
        Node& node = nodes_[k];
        if (link.kind == Kind::Ball) {
            node.f -= Vec3{dot(node.w.c0, node.t), dot(node.w.c1, node.t), dot(node.w.c2, node.t)};
            if (link.parent == kNone) continue;
            const Vec3 g = node.f - times(node.l, link.c);
            Node& parent = nodes_[link.parent];
            parent.f += g;
            parent.t += cross(node.arm, g);
        } else if (link.kind == Kind::Rows) {
            const JointRows& joint = rows_[link.rows];
            RowsNode& rows = row_nodes_[link.rows];
            const auto n = static_cast<std::size_t>(joint.count);
            const Vec6 b{node.f.x, node.f.y, node.f.z, node.t.x, node.t.y, node.t.z};
            for (std::size_t r = 0; r < n; ++r) {
                rows.s[r] = joint.c[r];
                for (std::size_t i = 0; i < 6; ++i) rows.s[r] -= rows.x[r][i] * b[i];
            }
            rows.matrix.solve(rows.s);
            if (link.parent == kNone) continue;
            Node& parent = nodes_[link.parent];
            for (std::size_t r = 0; r < n; ++r) {
                const Vec6& j = rows.jp[r];
                parent.f += Vec3{j[0], j[1], j[2]} * rows.s[r];
                parent.t += Vec3{j[3], j[4], j[5]} * rows.s[r];
            }
        }
    }
}

void ArticulatedTree::pass_down() {
    for (std::uint32_t k = 0; k < count_; ++k) {
        Link& link = links_[k];
        Node& node = nodes_[k];
        const Node* parent = link.parent == kNone ? nullptr : &nodes_[link.parent];
        if (link.kind == Kind::Ball) {
            Vec3 u = link.c;
            if (parent) u += parent->u + cross(parent->dw, node.arm);
            node.u = u;
            node.dw = times(node.inverse_d, node.t) - node.w * u;
            link.impulse = times(node.l, u) - node.f;
        } else {
            JointRows& joint = rows_[link.rows];
            RowsNode& rows = row_nodes_[link.rows];
            const auto n = static_cast<std::size_t>(joint.count);
            Vec6 dv{node.f.x, node.f.y, node.f.z, node.t.x, node.t.y, node.t.z};
            rows.inertia.solve_largest(dv);
            for (std::size_t r = 0; r < n; ++r) {
                double p = rows.s[r];
                if (parent) {
                    const Vec6& y = rows.y[r];
                    p -= y[0] * parent->u.x + y[1] * parent->u.y + y[2] * parent->u.z + y[3] * parent->dw.x +
                         y[4] * parent->dw.y + y[5] * parent->dw.z;
                }
                joint.impulse[r] = p;
                for (std::size_t i = 0; i < 6; ++i) dv[i] += rows.x[r][i] * p;
            }
            node.u = {dv[0], dv[1], dv[2]}, node.dw = {dv[3], dv[4], dv[5]};
        }
        link.dw = node.dw;
        link.dv = node.u - cross(node.dw, link.a);
    }
}

void ArticulatedTree::push(const LoopRow& row, double impulse) {
    for (auto p = row.first_part; p < row.end_part; ++p) {
        const Vec6 j = at_reference(loop_parts_[p]);
        Node& node = nodes_[loop_parts_[p].link];
        node.f += Vec3{j[0], j[1], j[2]} * impulse;
        node.t += Vec3{j[3], j[4], j[5]} * impulse;
    }
}

double ArticulatedTree::loop_velocity(const LoopRow& row) const {
    double sum = 0;
    for (auto p = row.first_part; p < row.end_part; ++p) {
        const Part& part = loop_parts_[p];
        sum += dot(part.linear, links_[part.link].dv) + dot(part.angular, links_[part.link].dw);
    }
    return sum;
}

// With Phi the tree's response to impulses, J the rows that close loops and C their compliance, their
// impulses are (J Phi J^T + C)^+ (c - J dv_tree). One column of the matrix is one solve of the tree. Rows of
// lengths and of angles meet here, so the matrix is scaled before its small eigenvalues are dropped: to a
// diagonal of J M^-1 J^T + C near 1, by powers of two, so that scaled scenes stay equal bit by bit. (Its own
// diagonal is 0 where the tree leaves a row nothing to do.)
void ArticulatedTree::factor_loops() {
    const std::size_t n = loops_.size();
    if (n == 0) return;
    loop_scale_.resize(n);
    double mean = 0;
    int reference_exponent = 0;
    for (std::size_t l = 0; l < n; ++l) {
        double diagonal = loops_[l].compliance;
        for (const Part& part : parts_of(loops_[l])) {
            const Link& link = links_[part.link];
            diagonal += dot(part.linear, part.linear) / link.mass +
                        dot(part.angular, inverse(link.inertia) * part.angular);
        }
        int exponent = 0;
        std::frexp(diagonal, &exponent);
        if (l == 0) reference_exponent = exponent;
        loop_scale_[l] = std::ldexp(1.0, -((exponent - reference_exponent) >> 1));
        mean += diagonal * loop_scale_[l] * loop_scale_[l] / static_cast<double>(n);
    }
    // A solve for the loops wants velocity 0 at the joints.
    for (std::size_t k = 0; k < count_; ++k) links_[k].c = {};
    for (std::size_t k = 0; k < rows_count_; ++k) rows_[k].c = {};
    loop_matrix_.resize(n * n);
    for (std::size_t l = 0; l < n; ++l) {
        set_forces(false);
        push(loops_[l], loop_scale_[l]);
        pass_up();
        pass_down();
        for (std::size_t m = 0; m <= l; ++m)
            loop_matrix_[l * n + m] = loop_matrix_[m * n + l] = loop_velocity(loops_[m]) * loop_scale_[m];
        loop_matrix_[l * n + l] += loops_[l].compliance * loop_scale_[l] * loop_scale_[l];
    }
    loop_inverse_.factor(loop_matrix_, static_cast<int>(n), loop_cut_ * mean);
}

void ArticulatedTree::solve(bool has_forces) {
    set_forces(has_forces);
    pass_up();
    pass_down();
    if (loops_.empty()) return;
    loop_right_.resize(loops_.size());
    for (std::size_t l = 0; l < loops_.size(); ++l)
        loop_right_[l] = (loops_[l].c - loop_velocity(loops_[l])) * loop_scale_[l];
    loop_inverse_.solve(loop_right_);
    set_forces(has_forces);
    for (std::size_t l = 0; l < loops_.size(); ++l) {
        loops_[l].impulse = loop_right_[l] * loop_scale_[l];
        push(loops_[l], loops_[l].impulse);
    }
    pass_up();
    pass_down();
}

}  // namespace impuls
