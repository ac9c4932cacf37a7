// Substeps of bodies of tetrahedra (tet_body.h). The text scales with |V|, which keeps an inverted
// tetrahedron inverted; here volumes have signs, so that it is turned out again. Called by tests.
#include "deformable/solid/tet_body.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "deformable/solid/hexahedron.h"
#include "deformable/solid/polar.h"
#include "impuls/errors.h"
#include "math/functions.h"

namespace impuls::deformable {

TetMesh tets_of(const CellMesh& cells) {
    TetMesh mesh{cells.nodes, {}};
    for (std::size_t c = 0; c < cells.cells.size(); ++c)
        for (const Tetrahedron& t : split_cell(cells.cells[c], cells.is_odd[c])) mesh.tets.push_back(t);
    return mesh;
}

void restore_volume(std::array<Vec3, 4>& p, const std::array<double, 4>& k, double rest) {
    const double now = tet_volume(p[0], p[1], p[2], p[3]);
    if (std::all_of(k.begin(), k.end(), [](double each) { return each > 0; }) && now != 0) {
        const double ratio = rest / now,
                     scale = (ratio < 0 ? -1 : 1) * functions::pow(std::fabs(ratio), 1.0 / 3);
        Vec3 center{};
        double mass = 0;
        for (std::size_t i = 0; i < 4; ++i) center += p[i] * (1 / k[i]), mass += 1 / k[i];
        center *= 1 / mass;
        for (Vec3& at : p) at = center + (at - center) * scale;
        return;
    }
    for (int round = 0; round < 20; ++round) {  // Newton along the gradient
        const std::array<Vec3, 4> g{
            cross(p[3] - p[1], p[2] - p[1]) * (1.0 / 6), cross(p[2] - p[0], p[3] - p[0]) * (1.0 / 6),
            cross(p[3] - p[0], p[1] - p[0]) * (1.0 / 6), cross(p[1] - p[0], p[2] - p[0]) * (1.0 / 6)};
        double sum = 0;
        for (std::size_t i = 0; i < 4; ++i) sum += k[i] * length_squared(g[i]);
        const double error = tet_volume(p[0], p[1], p[2], p[3]) - rest;
        if (!(sum > 0) || std::fabs(error) <= 1e-14 * std::fabs(rest)) return;
        for (std::size_t i = 0; i < 4; ++i) p[i] -= g[i] * (k[i] * error / sum);
    }
}

TetBody::TetBody(TetMesh mesh, const TetMaterial& material, std::span<const std::uint32_t> pinned)
    : mesh_(std::move(mesh)), state_(mesh_.nodes.size()), p_(mesh_.nodes.size()), f_(mesh_.nodes.size()) {
    if (mesh_.tets.empty() || !(material.density > 0) || !(material.poisson < 0.5 && material.poisson > -1) ||
        !(material.young > 0))
        throw InputError(
            "a body of tetrahedra needs tetrahedra, a positive density and modulus, and -1 < nu < 0.5");
    std::vector<double> mass(mesh_.nodes.size(), 0.0);
    std::map<std::array<std::uint32_t, 3>, std::pair<int, Triangle>> faces;
    for (const Tetrahedron& t : mesh_.tets) {
        const std::array<Vec3, 4> x{mesh_.nodes[t[0]], mesh_.nodes[t[1]], mesh_.nodes[t[2]],
                                    mesh_.nodes[t[3]]};
        volume_.push_back(tet_volume(x[0], x[1], x[2], x[3]));
        if (!(volume_.back() > 0)) throw InputError("a tetrahedron is flat or inside out");
        gradient_.push_back(inverse(Mat3{x[1] - x[0], x[2] - x[0], x[3] - x[0]}));
        for (const std::uint32_t i : t) mass[i] += material.density * volume_.back() / 4;
        for (const Triangle& f : {Triangle{t[0], t[2], t[1]}, Triangle{t[0], t[1], t[3]},
                                  Triangle{t[1], t[2], t[3]}, Triangle{t[0], t[3], t[2]}}) {
            Triangle key = f;
            std::sort(key.begin(), key.end());
            auto& [count, face] = faces[key];
            ++count, face = f;
        }
    }
    for (const auto& [key, of] : faces)
        if (of.first == 1) surface_.triangles.push_back(of.second);
    for (std::uint32_t i = 0; i < mesh_.nodes.size(); ++i) {
        surface_.nodes.push_back(i);
        state_.x.set(i, mesh_.nodes[i]);
        state_.k[i] = mass[i] > 0 ? 1 / mass[i] : 0;
    }
    for (const std::uint32_t i : pinned) {
        if (i >= mesh_.nodes.size())
            throw InputError("a pin of a body of tetrahedra names a node that it does not have");
        state_.k[i] = 0;
    }
    double rate = 0;  // omega^2 at most
    for (std::size_t e = 0; e < mesh_.tets.size(); ++e) {
        const Tetrahedron& t = mesh_.tets[e];
        stiffness_.push_back(tetrahedron_stiffness(
            {mesh_.nodes[t[0]], mesh_.nodes[t[1]], mesh_.nodes[t[2]], mesh_.nodes[t[3]]}, material.young,
            material.poisson));
        rate = std::max(
            rate, largest_eigenvalue(stiffness_.back().data(), 12) / (material.density * volume_[e] / 4));
    }
    longest_substep_ = 2 / std::sqrt(rate);
}

void TetBody::add_elements() {
    for (std::size_t e = 0; e < mesh_.tets.size(); ++e) {
        const Tetrahedron& t = mesh_.tets[e];
        const Vec3 a = state_.x.at(t[0]);
        const Mat3 R = nearest_rotation(
            Mat3{state_.x.at(t[1]) - a, state_.x.at(t[2]) - a, state_.x.at(t[3]) - a} * gradient_[e]);
        std::array<double, 12> u;
        for (std::size_t i = 0; i < 4; ++i) {
            const Vec3 d = transpose(R) * (state_.x.at(t[i]) - a) - (mesh_.nodes[t[i]] - mesh_.nodes[t[0]]);
            u[3 * i] = d.x, u[3 * i + 1] = d.y, u[3 * i + 2] = d.z;
        }
        for (std::size_t i = 0; i < 4; ++i) {
            Vec3 force{};
            for (int axis = 0; axis < 3; ++axis)
                for (std::size_t j = 0; j < 12; ++j)
                    force[axis] -= stiffness_[e][(3 * i + static_cast<std::size_t>(axis)) * 12 + j] * u[j];
            f_.add(t[i], R * force);
        }
    }
}

void TetBody::advance(double h, const Vec3& gravity, std::span<Contacts* const> contacts) {
    for (std::vector<double>* column : {&f_.x, &f_.y, &f_.z}) std::fill(column->begin(), column->end(), 0.0);
    add_elements();
    for (std::size_t i = 0; i < state_.size(); ++i) {
        if (state_.k[i] > 0) state_.v.set(i, state_.v.at(i) + h * (gravity + state_.k[i] * f_.at(i)));
        p_.set(i, state_.x.at(i) + h * state_.v.at(i));
    }
    for (Contacts* c : contacts) {
        c->begin(h);
        c->solve({state_.x, p_, state_.k, h});
        c->end(h);
    }
    for (std::size_t i = 0; i < state_.size(); ++i) state_.v.set(i, (p_.at(i) - state_.x.at(i)) * (1 / h));
    std::swap(state_.x, p_);
}

double TetBody::volume() const {
    double sum = 0;
    for (const Tetrahedron& t : mesh_.tets)
        sum += tet_volume(state_.x.at(t[0]), state_.x.at(t[1]), state_.x.at(t[2]), state_.x.at(t[3]));
    return sum;
}

}  // namespace impuls::deformable
