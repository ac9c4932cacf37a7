// Filling contact rows: arrays by point, and a tangent basis for each normal.
#include "constraints/problem.h"

namespace impuls {

void ContactRows::clear() {
    for (auto* list : {&a, &b}) list->clear();
    for (auto* list : {&n, &t1, &t2, &ra, &rb}) list->clear();
    for (auto* list : {&bias, &friction, &impulse_n, &impulse_1, &impulse_2, &guess_n, &guess_1, &guess_2})
        list->clear();
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
    for (auto* list : {&bias, &friction, &impulse_n, &impulse_1, &impulse_2, &guess_n, &guess_1, &guess_2})
        list->push_back(0);
    return size() - 1;
}

}  // namespace impuls
