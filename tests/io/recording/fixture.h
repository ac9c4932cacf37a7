// Scenes and frames for the tests of recordings, exporters, plots and quantities; no World is needed.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "impuls/recording.h"
#include "impuls/scene.h"

namespace impuls::test {

// A folder that goes away with the test.
class TempFolder {
  public:
    TempFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "impuls-test-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    ~TempFolder() {
        std::error_code ignored;
        std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
        std::filesystem::remove_all(path_, ignored);
    }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;
    std::string operator/(const std::string& name) const { return path_ + "/" + name; }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

// A floor and `balls` balls ball[0], …; ball k hangs on joint rope[k] when `joints`.
inline Scene make_scene(int balls, bool joints = false) {
    Scene scene;
    scene.title = "balls, \"quoted\" & <more>";
    scene.materials.push_back({.name = "default", .color = {0.6, 0.6, 0.6}});
    BodyDesc floor;
    floor.name = "floor", floor.kind = BodyKind::Static, floor.shape = Plane{}, floor.material = "default";
    scene.bodies.push_back(floor);
    for (int k = 0; k < balls; ++k) {
        BodyDesc ball;
        ball.name = "ball[" + std::to_string(k) + "]";
        ball.shape = Sphere{0.5};
        ball.material = "default";
        ball.position = {2.0 * k, 3, 0};
        scene.bodies.push_back(ball);
        if (!joints) continue;
        JointDesc joint;
        joint.name = "rope[" + std::to_string(k) + "]", joint.b = ball.name;
        joint.joint = BallJoint{{2.0 * k, 5, 0}};
        scene.joints.push_back(joint);
    }
    return scene;
}

// Arbitrary bits as a double: denormals, infinities, NaN payloads and all.
class AnyDouble {
  public:
    explicit AnyDouble(std::uint64_t seed) : random_(seed) {}
    double operator()() {
        switch (random_() % 8) {
            case 0:
                return -0.0;
            case 1:
                return std::bit_cast<double>(random_() >> 13);  // denormal
            case 2:
                return std::numeric_limits<double>::infinity();
            case 3:
                return std::bit_cast<double>(random_());
            default:
                return static_cast<double>(static_cast<std::int64_t>(random_())) * 1e-18;
        }
    }
    Vec3 vector() { return {(*this)(), (*this)(), (*this)()}; }

  private:
    std::mt19937_64 random_;
};

// A frame of the right shape whose numbers are arbitrary bits.
inline Frame wild_frame(std::shared_ptr<const Scene> structure, std::int64_t step, std::size_t contacts) {
    AnyDouble any(static_cast<std::uint64_t>(step) + 17);
    Frame frame;
    frame.step = step, frame.time = any();
    const std::size_t n = structure->bodies.size();
    for (std::size_t k = 0; k < n; ++k) {
        frame.bodies.push_back({static_cast<std::uint32_t>(k), 3});
        frame.positions.push_back(any.vector());
        frame.orientations.push_back({any(), any(), any(), any()});
        frame.velocities.push_back(any.vector());
        frame.angular_velocities.push_back(any.vector());
    }
    for (std::size_t k = 0; k < structure->joints.size(); ++k) {
        frame.joints.push_back({any.vector(), any.vector(), any()});
    }
    for (std::size_t k = 0; k < contacts; ++k) {
        frame.contacts.push_back({static_cast<std::uint32_t>(k % n), kNoBody,
                                  static_cast<std::uint32_t>(7 * k), any.vector(), any.vector(), any(),
                                  any.vector()});
    }
    frame.energy = {any(), any(), any(), any(), any()};
    frame.linear_momentum = any.vector(), frame.angular_momentum = any.vector();
    frame.max_penetration = any(), frame.max_joint_error = any();
    for (double& s : frame.stage_seconds) s = any();
    frame.outcomes.resize(static_cast<std::size_t>(step % 3));
    for (Outcome& o : frame.outcomes) {
        o.bodies = static_cast<std::uint32_t>(n), o.substeps = 5, o.iterations = 40;
        o.residual = 1e-3, o.refused[0] = Refusal::HasPairs;
    }
    frame.structure = std::move(structure);
    return frame;
}

// A tame frame: ball k at (2k, 3 + sin t, step), moving.
inline Frame tame_frame(std::shared_ptr<const Scene> structure, std::int64_t step, double dt = 0.1) {
    Frame frame;
    frame.step = step, frame.time = dt * static_cast<double>(step);
    for (std::size_t k = 0; k < structure->bodies.size(); ++k) {
        const bool floor = k == 0;
        frame.bodies.push_back({static_cast<std::uint32_t>(k), 0});
        frame.positions.push_back(floor ? Vec3{}
                                        : Vec3{2.0 * static_cast<double>(k - 1), 3 + std::sin(frame.time),
                                               0.01 * static_cast<double>(step)});
        frame.orientations.push_back(from_axis_angle({1, 2, 3}, floor ? 0 : frame.time));
        frame.velocities.push_back(floor ? Vec3{} : Vec3{0, std::cos(frame.time), 0.1});
        frame.angular_velocities.push_back(floor ? Vec3{} : normalized(Vec3{1, 2, 3}));
    }
    frame.joints.resize(structure->joints.size());
    frame.energy = {2, 3, 5};
    frame.structure = std::move(structure);
    return frame;
}

inline std::uint64_t bits(double x) {
    return std::bit_cast<std::uint64_t>(x);
}
inline void expect_same_bits(const Vec3& a, const Vec3& b) {
    EXPECT_EQ(bits(a.x), bits(b.x));
    EXPECT_EQ(bits(a.y), bits(b.y));
    EXPECT_EQ(bits(a.z), bits(b.z));
}

}  // namespace impuls::test
