// Filling a problem: contact points with a tangent basis for each normal, rows part by part.
#include "constraints/problem.h"

#include <array>
#include <cmath>

#include "base/assert.h"

namespace impuls {

namespace {
template <class Contacts>  // ContactRows, or constant
auto numbers_of(Contacts& c) {
    return std::array{&c.bias,      &c.bias_1,  &c.bias_2,     &c.friction,  &c.rolling,
                      &c.torsion,   &c.least,   &c.compliance, &c.impulse_n, &c.impulse_1,
                      &c.impulse_2, &c.guess_n, &c.guess_1,    &c.guess_2};
}
}  // namespace

void ContactRows::clear() {
    for (auto* list : {&a, &b, &side_end}) list->clear();
    side_parts.clear();
    for (auto* list : {&n, &t1, &t2, &ra, &rb, &shift, &torque_impulse, &torque_guess}) list->clear();
    for (auto* list : numbers_of(*this)) list->clear();
    is_given.clear();
}

namespace {
// A tangent of n: the cross product with the axis that n is least along.
Vec3 tangent_of(const Vec3& n) {
    const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
    const Vec3 axis = x <= y && x <= z ? Vec3{1, 0, 0} : y <= z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    return normalized(cross(n, axis));
}
}  // namespace

std::size_t ContactRows::add(std::uint32_t side_a, std::uint32_t side_b, const Vec3& normal,
                             const Vec3& arm_a, const Vec3& arm_b) {
    IMPULS_ASSERT(side_a != side_b);
    a.push_back(side_a);
    b.push_back(side_b);
    n.push_back(normal);
    t1.push_back(tangent_of(normal));
    t2.push_back(cross(normal, t1.back()));
    ra.push_back(arm_a);
    rb.push_back(arm_b);
    for (auto* list : {&shift, &torque_impulse, &torque_guess}) list->push_back({});
    for (auto* list : numbers_of(*this)) list->push_back(0);
    is_given.push_back(0);
    return size() - 1;
}

void ContactRows::add(const ContactRows& from, std::size_t k) {
    IMPULS_ASSERT(&from != this);
    IMPULS_ASSERT_INDEX(k, from.size());
    const auto side = [&](std::uint32_t s) { return s < kMixedSide ? s : add_side(from.parts_of(s)); };
    const std::uint32_t side_a = side(from.a[k]), side_b = side(from.b[k]);
    const std::size_t r = add(side_a, side_b, from.n[k], from.ra[k], from.rb[k]);
    const auto to = numbers_of(*this);
    for (std::size_t i = 0; const auto* list : numbers_of(from)) (*to[i++])[r] = (*list)[k];
    shift[r] = from.shift[k];
    torque_impulse[r] = from.torque_impulse[k];
    is_given[r] = from.is_given[k];
    guess_n[r] = guess_1[r] = guess_2[r] = 0;
}

void Rows::clear() {
    parts.clear(), rows.clear(), blocks.clear();
}

void Rows::begin_block() {
    blocks.push_back({static_cast<std::uint32_t>(rows.size()), 0});
}

Row& Rows::add() {
    IMPULS_ASSERT(!blocks.empty());
    Row row;
    row.first_part = static_cast<std::uint32_t>(parts.size());
    rows.push_back(row);
    ++blocks.back().row_count;
    return rows.back();
}

void Rows::add_part(std::uint32_t node, const Vec3& linear, const Vec3& angular) {
    IMPULS_ASSERT(!rows.empty());
    IMPULS_ASSERT(rows.back().first_part + rows.back().part_count == parts.size());
    parts.push_back({node, linear, angular});
    Row& row = rows.back();
    ++row.part_count;
    row.is_linear = row.is_linear || linear != Vec3{};
}

void Rows::add(const Rows& from, std::size_t b) {
    IMPULS_ASSERT(&from != this);
    IMPULS_ASSERT_INDEX(b, from.blocks.size());
    begin_block();
    const Block& block = from.blocks[b];
    for (std::uint32_t r = block.first_row; r < block.first_row + block.row_count; ++r) {
        Row row = from.rows[r];
        for (const RowPart& part : from.parts_of(row)) parts.push_back(part);
        row.first_part = static_cast<std::uint32_t>(parts.size()) - row.part_count;
        row.guess = 0;
        rows.push_back(row);
        ++blocks.back().row_count;
    }
}

void assert_whole([[maybe_unused]] const Problem& problem) {
#ifdef IMPULS_ASSERTS
    const Nodes& nodes = problem.nodes;
    const ContactRows& c = problem.contacts;
    IMPULS_ASSERT(nodes.inv_mass.size() == nodes.size() && nodes.bodies() <= nodes.size() &&
                  nodes.inv_inertia.size() == nodes.bodies());
    for (const auto* list : numbers_of(c)) IMPULS_ASSERT(list->size() == c.size());
    for (const auto* list : {&c.n, &c.t1, &c.t2, &c.ra, &c.rb, &c.shift, &c.torque_impulse, &c.torque_guess})
        IMPULS_ASSERT(list->size() == c.size());
    IMPULS_ASSERT(c.b.size() == c.size() && c.is_given.size() == c.size());
    for (std::size_t k = 0; k < c.size(); ++k) {
        for_each_part(c, k, [&](std::uint32_t node, double, const Vec3& arm) {
            IMPULS_ASSERT_INDEX(node, nodes.size());
            IMPULS_ASSERT(nodes.is_body(node) || arm == Vec3{});
        });
        IMPULS_ASSERT(is_rigid(nodes, c, k) || (!c.resists_turning(k) && c.shift[k] == Vec3{}));
    }
    std::uint32_t row_end = 0, part_end = 0;
    for (const Block& block : problem.rows.blocks) {
        IMPULS_ASSERT(block.first_row == row_end);
        row_end += block.row_count;
    }
    for (const Row& row : problem.rows.rows) {
        IMPULS_ASSERT(row.first_part == part_end);
        IMPULS_ASSERT(row.lower <= row.upper);
        part_end += row.part_count;
    }
    IMPULS_ASSERT(row_end == problem.rows.rows.size() && part_end == problem.rows.parts.size());
    for (const RowPart& part : problem.rows.parts) IMPULS_ASSERT_INDEX(part.node, nodes.size());
#endif
}

double velocity_of(const Problem& problem, const Row& row) {
    double sum = 0;
    for (const RowPart& part : problem.rows.parts_of(row)) sum += velocity_of(problem.nodes, part);
    return sum;
}

}  // namespace impuls
