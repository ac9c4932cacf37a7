// Random mechanisms (random_mechanism.h).
#include "spec/random_mechanism.h"

#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/rng.h"
#include "dynamics/joint_rows.h"

namespace impuls {
namespace {

class Maker {
  public:
    Maker(std::uint64_t seed, const MechanismKind& kind) : rng_(seed, 0), kind_(kind) {}

    Scene make() {
        size_ = std::exp2(between(-7, 7));
        count_ = 2 + static_cast<int>(between(0, 9));
        scene_.settings.dt = 1.0 / 60;
        scene_.settings.gravity = kind_.has_floor ? Vec3{0, -10 * size_, 0} : Vec3{};
        for (const double friction : {0.0, 0.3, 0.9}) {
            MaterialDesc material;
            material.name = "m" + std::to_string(scene_.materials.size());
            material.friction = friction;
            material.restitution = between(0, 0.9);
            scene_.materials.push_back(material);
        }
        for (int k = 0; k < count_; ++k) add_body(k);
        if (kind_.has_floor) add_floor();
        for (int k = 1; k < count_; ++k) add_joint(static_cast<int>(between(0, k)), k);
        if (kind_.has_loops)
            for (int loop = 0; loop < 1 + count_ / 4; ++loop) {
                const int a = static_cast<int>(between(0, count_));
                const int b = static_cast<int>(between(0, count_));
                if (a != b) add_joint(a, b);
            }
        if (kind_.has_floor && between(0, 1) < 0.3) add_joint(-1, 0);
        return scene_;
    }

  private:
    double between(double low, double high) { return rng_.uniform(low, high); }
    Vec3 vector(double size) {
        Vec3 v;
        for (int axis = 0; axis < 3; ++axis) v[axis] = between(-size, size);
        return v;
    }
    Vec3 direction() {
        for (;;)
            if (const Vec3 v = vector(1); length_squared(v) > 0.01 && length_squared(v) < 1)
                return normalized(v);
    }

    Shape shape() {
        const double r = size_ * between(0.2, 0.6), l = size_ * between(0.2, 0.8);
        switch (static_cast<int>(between(0, 5))) {
            case 0:
                return Sphere{r};
            case 1:
                return Capsule{0.5 * r, l};
            case 2:
                return Cylinder{r, l};
            case 3: {
                Convex hull;
                for (int k = 0; k < 12; ++k) hull.points.push_back(direction() * r);
                return hull;
            }
            default: {
                Box box;
                box.size = {2 * r, l, size_ * between(0.2, 1)};
                return box;
            }
        }
    }

    void add_body(int k) {
        BodyDesc body;
        body.name = "b" + std::to_string(k);
        body.shape = shape();
        body.material = "m" + std::to_string(static_cast<int>(between(0, 3)));
        body.density = std::pow(10.0, between(-2, 2));
        const Vec3 place{static_cast<double>(k % 2), static_cast<double>(k / 4),
                         static_cast<double>(k / 2 % 2)};
        body.position = size_ * (2 * place + Vec3{0, 2, 0}) + vector(0.2 * size_);
        body.orientation = rng_.rotation();
        body.velocity = vector(2 * size_);
        body.angular_velocity = vector(3);
        scene_.bodies.push_back(body);
    }

    void add_floor() {
        BodyDesc floor;
        floor.name = "floor";
        floor.kind = BodyKind::Static;
        floor.shape = Plane{};
        floor.material = "m1";
        scene_.bodies.push_back(floor);
    }

    // Between two bodies, not too near to the joint's other points (a rod has some length).
    Vec3 new_point(const Vec3& from, const Vec3& to, std::vector<Vec3>& others) {
        for (;;) {
            const double share = between(0, 1);
            const Vec3 point = from + (to - from) * share + vector(0.3 * size_);
            bool is_near = false;
            for (const Vec3& other : others) is_near |= length(point - other) < 0.4 * size_;
            if (is_near) continue;
            others.push_back(point);
            return point;
        }
    }

    static bool is_guide(const Joint& joint) {
        return std::holds_alternative<FollowerJoint>(joint) || std::holds_alternative<DragJoint>(joint);
    }

    // What a joint needs beside points and directions: curves and surfaces, larger than the bodies, go
    // through its point.
    template <class Desc>
    void fit(Desc&) {}
    void fit(RailJoint& desc) {
        const Vec3 along = direction();
        desc.points.clear();
        for (int k = -2; k <= 2; ++k)
            desc.points.push_back(desc.anchor + 2 * size_ * k * along + (k ? 1 : 0) * vector(0.7 * size_));
    }
    void fit(PointOnEllipsoidJoint& desc) {
        const double away = size_ * between(1.5, 3);
        desc.center = desc.anchor + direction() * away;
        const Vec3 d = rotate_inverse(along_xy(desc.x_axis, desc.y_axis), desc.anchor - desc.center);
        Vec3 radii;
        for (int axis = 0; axis < 3; ++axis) radii[axis] = between(0.7, 1.4);
        const double size = length(Vec3{d.x / radii.x, d.y / radii.y, d.z / radii.z});
        desc.radius_x = radii.x * size, desc.radius_y = radii.y * size, desc.radius_z = radii.z * size;
    }
    void fit(PointOnTorusJoint& desc) {
        desc.radius = 3 * size_, desc.tube = 1.5 * size_;
        const Vec3 out = normalized(cross(desc.axis, desc.center - desc.anchor));
        desc.center = desc.anchor - out * (desc.radius + 0.6 * desc.tube) - desc.axis * (0.8 * desc.tube);
    }
    // A joint of a random kind; its points lie between the two bodies, its directions are random.
    void add_joint(int a, int b) {
        JointDesc joint;
        const Vec3& to = scene_.bodies[static_cast<std::size_t>(b)].position;
        const Vec3 from = a < 0 ? to + vector(size_) : scene_.bodies[static_cast<std::size_t>(a)].position;
        if (a >= 0) joint.a = "b" + std::to_string(a);
        joint.b = "b" + std::to_string(b);
        joint.name = "j" + std::to_string(scene_.joints.size());
        do {
            const auto any = static_cast<std::size_t>(between(0, std::variant_size_v<Joint>));
            const std::size_t chosen = kind_.only >= 0 ? static_cast<std::size_t>(kind_.only) : any;
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                ((I == chosen ? void(joint.joint = std::variant_alternative_t<I, Joint>{}) : void()), ...);
            }
            (std::make_index_sequence<std::variant_size_v<Joint>>{});
            // Gears and the like want bearings for their axes; what leads is a motor and may add energy.
        } while (kind_.only < 0 && (has_frame(joint.joint) || is_guide(joint.joint)));
        std::vector<Vec3> points;
        std::visit(
            [&]<class Desc>(Desc& desc) {
                Desc::visit_fields([&](const char*, auto member, const Field& field) {
                    auto& value = desc.*member;
                    if constexpr (std::is_same_v<std::remove_reference_t<decltype(value)>, Vec3>) {
                        if (std::string_view(field.unit) == "m")
                            value = new_point(from, to, points);
                        else
                            value = direction();
                    }
                });
                fit(desc);
            },
            joint.joint);
        scene_.joints.push_back(joint);
    }

    Rng rng_;
    MechanismKind kind_;
    Scene scene_{};
    double size_ = 1;
    int count_ = 2;
};

}  // namespace

Scene random_mechanism(std::uint64_t seed, const MechanismKind& kind) {
    return Maker(seed, kind).make();
}

}  // namespace impuls
