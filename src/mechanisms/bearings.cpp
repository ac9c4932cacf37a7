// Wheels without bearings (bearings.h). With the rows J of all other joints of the mechanism, and velocities
// u that keep them (J u = 0), the axis s of a wheel cannot tilt against the frame c when for both t across s
//     t . (w_wheel - w_c) = 0   for all such u,
// that is when these two functionals lie in the space that J's rows span. An orthonormal basis of it is made
// by Gram and Schmidt's method, each row twice, so that rounding does not count as motion.
#include "mechanisms/bearings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/id_table.h"
#include "dynamics/body_set.h"
#include "dynamics/first_order.h"
#include "dynamics/joint.h"

namespace impuls {
namespace {

constexpr std::size_t kMostParts = 64;  // bodies of a mechanism: larger ones are taken as they are
constexpr double kDependent = 1e-9;     // of a row's length: what is left of one that adds nothing
constexpr double kTilts = 1e-6;         // the same of a functional

class Mobility {
  public:
    Mobility(const BodySet& bodies, const JointSet& joints, std::uint32_t wheel, std::uint32_t frame)
        : bodies_(bodies), joints_(joints) {
        add_body(wheel);
        add_body(frame);
        for (std::size_t k = 0; k < parts_.size() && !is_too_large(); ++k) add_neighbours(parts_[k]);
        if (is_too_large()) return;
        for (const std::uint32_t body : parts_)
            size_ = std::max(size_, gyration_radius(bodies_.mass[body], bodies_.inertia[body]));
        for (const std::uint32_t joint : links_) add_rows_of(joint);
    }

    bool is_too_large() const { return parts_.size() > kMostParts; }
    bool can_tilt(std::uint32_t wheel, std::uint32_t frame, const Pose& X_WC) const {
        for (const Vec3& t : {y_of(X_WC), z_of(X_WC)}) {
            std::vector<double> row(6 * parts_.size(), 0.0);
            add_part(row, wheel, {}, t);
            add_part(row, frame, {}, -t);
            if (remainder(row) > kTilts) return true;
        }
        return false;
    }

  private:
    bool can_move(std::uint32_t body) const { return body != kNoBody && bodies_.is_dynamic(body); }
    void add_body(std::uint32_t body) {
        if (can_move(body) && std::find(parts_.begin(), parts_.end(), body) == parts_.end())
            parts_.push_back(body);
    }
    void add_neighbours(std::uint32_t body) {
        for (std::uint32_t j = 0; j < joints_.size(); ++j) {
            if (!joints_.holds(j) || has_frame(joints_.joint[j])) continue;
            if (joints_.a[j] != body && joints_.b[j] != body) continue;
            if (std::find(links_.begin(), links_.end(), j) == links_.end()) links_.push_back(j);
            add_body(joints_.a[j]);
            add_body(joints_.b[j]);
        }
    }

    // Ways in units of the mechanism's size, so that they weigh as much as angles.
    void add_part(std::vector<double>& row, std::uint32_t body, const Vec3& linear,
                  const Vec3& angular) const {
        const auto at = std::find(parts_.begin(), parts_.end(), body);
        if (at == parts_.end()) return;
        const auto first = static_cast<std::size_t>(at - parts_.begin()) * 6;
        for (int i = 0; i < 3; ++i) {
            row[first + static_cast<std::size_t>(i)] += linear[i] * size_;
            row[first + 3 + static_cast<std::size_t>(i)] += angular[i];
        }
    }
    void add_rows_of(std::uint32_t j) {
        Rows rows;
        JointRows out{rows, 0, 1, 2};
        make_rows(joints_, j, poses_of(joints_, j, bodies_), out);
        const std::uint32_t ends[] = {joints_.a[j], joints_.b[j], joints_.c[j]};
        for (const Row& equation : rows.rows) {
            if (!equation.is_equation()) continue;
            std::vector<double> row(6 * parts_.size(), 0.0);
            for (const RowPart& part : rows.parts_of(equation))
                add_part(row, ends[part.node], part.linear, part.angular);
            if (remainder(row) > kDependent) basis_.push_back(row);
        }
    }

    // What is left of the row beside the basis, made unit; returns how much that was of it.
    double remainder(std::vector<double>& row) const {
        const auto length_of = [&] {
            double sum = 0;
            for (const double x : row) sum += x * x;
            return std::sqrt(sum);
        };
        const auto scale_by = [&](double factor) {
            for (double& x : row) x *= factor;
        };
        double left = length_of();
        if (!(left > 0)) return 0;
        scale_by(1 / left);
        left = 1;
        for (int round = 0; round < 2; ++round) {
            for (const std::vector<double>& unit : basis_) {
                double share = 0;
                for (std::size_t k = 0; k < row.size(); ++k) share += unit[k] * row[k];
                for (std::size_t k = 0; k < row.size(); ++k) row[k] -= share * unit[k];
            }
            const double now = length_of();
            left *= now;
            if (!(left > kDependent)) return 0;
            scale_by(1 / now);
        }
        return left;
    }

    const BodySet& bodies_;
    const JointSet& joints_;
    std::vector<std::uint32_t> parts_{}, links_{};
    std::vector<std::vector<double>> basis_{};
    double size_ = 0;
};

std::string name_of_part(const WorldIds& ids, std::uint32_t body) {
    return body == kNoBody ? "the world" : fmt::format("'{}'", ids.body_ids.name(body));
}

// Whether the wheel may tilt against the frame.
bool is_loose(const BodySet& bodies, const JointSet& joints, std::uint32_t wheel, std::uint32_t frame,
              const Pose& X_WC) {
    const auto can_move = [&](std::uint32_t k) { return k != kNoBody && bodies.is_dynamic(k); };
    if (wheel == frame || (!can_move(wheel) && !can_move(frame))) return false;
    const Mobility mobility(bodies, joints, wheel, frame);
    return !mobility.is_too_large() && mobility.can_tilt(wheel, frame, X_WC);
}

}  // namespace

void require_bearings(const std::string& file, const WorldIds& ids, const BodySet& bodies,
                      const JointSet& joints) {
    std::vector<Issue> issues;
    const auto check = [&](std::uint32_t j, std::uint32_t wheel, const Pose& X_WC) {
        if (!is_loose(bodies, joints, wheel, joints.c[j], X_WC)) return;
        issues.push_back(
            {file, 0, 0, "/joints/" + ids.joint_ids.name(j),
             fmt::format(
                 "its wheel ({}) has no bearing in its frame ({}): the axis can tilt, and then it is not "
                 "defined how far the wheel has turned; join the two by a hinge",
                 name_of_part(ids, wheel), name_of_part(ids, joints.c[j]))});
    };
    for (std::uint32_t j = 0; j < joints.size(); ++j) {
        const bool is_gear = std::holds_alternative<GearJoint>(joints.joint[j]);
        if (!is_gear && !std::holds_alternative<RackAndPinionJoint>(joints.joint[j])) continue;
        if (!joints.holds(j)) continue;
        const JointGeometry g = geometry_of(joints, j, poses_of(joints, j, bodies));
        check(j, joints.a[j], g.X_WCa);
        if (is_gear) check(j, joints.b[j], g.X_WCb);
    }
    if (!issues.empty()) throw InputError(issues);
}

}  // namespace impuls
