// Quantised columns: how far they are off, and what stays exact.
#include "io/recording/quantise.h"

#include <gtest/gtest.h>

#include <random>

#include "io/recording/fixture.h"

namespace impuls::test {
namespace {

constexpr double kSize = 0.05;  // m, of the smallest ball

Frame random_frame(const std::shared_ptr<const Scene>& structure, std::int64_t step) {
    std::mt19937_64 random(static_cast<std::uint64_t>(step));
    std::normal_distribution<double> normal;
    const auto vector = [&](double scale) {
        return Vec3{scale * normal(random), normal(random), normal(random)};
    };
    Frame frame = tame_frame(structure, step);
    for (std::size_t k = 0; k < frame.bodies.size(); ++k) {
        frame.positions[k] = vector(40);
        frame.orientations[k] =
            normalized(Quat{normal(random), normal(random), normal(random), normal(random)});
        frame.velocities[k] = vector(7);
        frame.angular_velocities[k] = vector(100);
    }
    for (int k = 0; k < 60; ++k)
        frame.contacts.push_back({0, 1, static_cast<std::uint32_t>(k), vector(40), normalized(vector(1)),
                                  1e-3 * normal(random), vector(1e4)});
    return frame;
}

template <class List, class Value>
double largest(const List& list, Value&& value) {
    double most = 0;
    for (std::size_t k = 0; k < list.size(); ++k) most = std::max(most, value(k));
    return most;
}

double largest_number(const Vec3& v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

TEST(Quantised, ErrorsAreBelowOneInTenThousandOfSizes) {
    const TempFolder folder;
    Scene scene = make_scene(200);
    scene.bodies[7].shape = Sphere{kSize};
    const auto structure = std::make_shared<const Scene>(scene);
    std::array<std::uintmax_t, 2> bytes{};
    for (const bool quantised : {false, true}) {
        const std::string file = folder / (quantised ? "small.impuls" : "exact.impuls");
        Recorder recorder(file, scene, {.quantised = quantised});
        for (std::int64_t step = 0; step < 20; ++step) recorder.add_frame(random_frame(structure, step));
        recorder.close();
        bytes[quantised] = std::filesystem::file_size(file);
    }
    EXPECT_LT(bytes[1], 0.5 * static_cast<double>(bytes[0]));
    EXPECT_EQ(smallest_size(scene), kSize);
    const Recording recording(folder / "small.impuls");
    for (const std::int64_t step : {0, 11}) {
        const Frame a = random_frame(structure, step), b = recording.frame(step);
        EXPECT_LE(
            largest(a.positions, [&](auto k) { return largest_number(a.positions[k] - b.positions[k]); }),
            1e-4 * kSize);
        EXPECT_LE(largest(a.contacts,
                          [&](auto k) { return largest_number(a.contacts[k].point - b.contacts[k].point); }),
                  1e-4 * kSize);
        EXPECT_LE(
            largest(a.contacts, [&](auto k) { return std::abs(a.contacts[k].depth - b.contacts[k].depth); }),
            1e-4 * kSize);
        const double fastest = largest(a.velocities, [&](auto k) { return largest_number(a.velocities[k]); });
        EXPECT_LE(
            largest(a.velocities, [&](auto k) { return largest_number(a.velocities[k] - b.velocities[k]); }),
            1e-4 * fastest);
        const double strongest =
            largest(a.contacts, [&](auto k) { return largest_number(a.contacts[k].force); });
        EXPECT_LE(largest(a.contacts,
                          [&](auto k) { return largest_number(a.contacts[k].force - b.contacts[k].force); }),
                  1e-4 * strongest);
        // The angle between two rotations, rad.
        EXPECT_LE(largest(a.orientations,
                          [&](auto k) {
                              const Quat d = conjugate(a.orientations[k]) * normalized(b.orientations[k]);
                              return 2 * std::hypot(d.x, d.y, d.z);
                          }),
                  1e-4);
        EXPECT_EQ(a.time, b.time);
        EXPECT_EQ(a.energy.total, b.energy.total) << "a single number stays as it is";
        for (std::size_t k = 0; k < a.contacts.size(); ++k) {
            EXPECT_EQ(a.contacts[k].feature, b.contacts[k].feature);
            EXPECT_EQ(a.contacts[k].b, b.contacts[k].b);
        }
    }
}

TEST(Quantised, WhatIsNotFiniteStaysAsItIs) {
    const TempFolder folder;
    const auto structure = std::make_shared<const Scene>(make_scene(20));
    Frame frame = random_frame(structure, 1);
    frame.positions[3].x = std::numeric_limits<double>::infinity();
    frame.velocities[4].y = std::numeric_limits<double>::quiet_NaN();
    frame.angular_velocities.assign(21, Vec3{1e300, -1e300, 0});
    Recorder recorder(folder / "a.impuls", *structure, {.quantised = true});
    recorder.add_frame(frame);
    recorder.close();
    const Frame back = Recording(folder / "a.impuls").frame(1);
    for (std::size_t k = 0; k < 21; ++k) {
        expect_same_bits(back.positions[k], frame.positions[k]);
        expect_same_bits(back.velocities[k], frame.velocities[k]);
        EXPECT_NEAR(back.angular_velocities[k].x / 1e300, 1, 1e-4);
    }
}

TEST(Quantised, SizesOfShapes) {
    Scene scene;
    EXPECT_EQ(smallest_size(scene), 0);
    const auto add = [&](const Shape& shape, BodyKind kind = BodyKind::Dynamic) {
        BodyDesc body;
        body.shape = shape;
        body.kind = kind;
        scene.bodies.push_back(body);
        return smallest_size(scene);
    };
    EXPECT_EQ(add(Sphere{0.001}, BodyKind::Static), 0);
    EXPECT_EQ(add(Box{{3, 0.5, 2}}), 0.5);
    EXPECT_EQ(add(Capsule{0.4, 7}), 0.4);
    EXPECT_EQ(add(Compound{{{Vec3{1e-9, 0, 0}, {}, Sphere{0.3}}}}), 0.3);
    EXPECT_EQ(add(Rope{.from = {}, .to = {0, 1, 0}, .radius = 0.02}), 0.02);
    GrainsDesc sand;
    sand.shape = EllipsoidGrain{{0.004, 0.003, 0.005}};
    sand.sizes = UniformSizes{0.5, 2};
    scene.grains = {sand};
    EXPECT_EQ(smallest_size(scene), 0.5 * 0.003);
}

}  // namespace
}  // namespace impuls::test
