// Filling a problem: contact points with a tangent basis for each normal, rows part by part.
#include "constraints/problem.h"

#include <array>
#include <cmath>

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
    for (auto* list : {&a, &b}) list->clear();
    for (auto* list : {&n, &t1, &t2, &ra, &rb, &torque_impulse, &torque_guess}) list->clear();
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

std::size_t ContactRows::add(std::uint32_t node_a, std::uint32_t node_b, const Vec3& normal,
                             const Vec3& arm_a, const Vec3& arm_b) {
    a.push_back(node_a);
    b.push_back(node_b);
    n.push_back(normal);
    t1.push_back(tangent_of(normal));
    t2.push_back(cross(normal, t1.back()));
    ra.push_back(arm_a);
    rb.push_back(arm_b);
    for (auto* list : {&torque_impulse, &torque_guess}) list->push_back({});
    for (auto* list : numbers_of(*this)) list->push_back(0);
    is_given.push_back(0);
    return size() - 1;
}

void ContactRows::add(const ContactRows& from, std::size_t k) {
    const std::size_t r = add(from.a[k], from.b[k], from.n[k], from.ra[k], from.rb[k]);
    const auto to = numbers_of(*this);
    for (std::size_t i = 0; const auto* list : numbers_of(from)) (*to[i++])[r] = (*list)[k];
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
    Row row;
    row.first_part = static_cast<std::uint32_t>(parts.size());
    rows.push_back(row);
    ++blocks.back().row_count;
    return rows.back();
}

void Rows::add_part(std::uint32_t node, const Vec3& linear, const Vec3& angular) {
    parts.push_back({node, linear, angular});
    Row& row = rows.back();
    ++row.part_count;
    row.is_linear = row.is_linear || linear != Vec3{};
}

void Rows::add(const Rows& from, std::size_t b) {
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

double velocity_of(const Problem& problem, const Row& row) {
    double sum = 0;
    for (const RowPart& part : problem.rows.parts_of(row))
        sum += dot(part.linear, problem.nodes.v[part.node]) + dot(part.angular, problem.nodes.w[part.node]);
    return sum;
}

}  // namespace impuls
