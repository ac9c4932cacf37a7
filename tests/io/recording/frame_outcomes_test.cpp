// Outcomes of islands in stored frames; here of version 1, which is still read.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "impuls/errors.h"
#include "impuls/scene.h"
#include "io/recording/encode_v1.h"
#include "io/recording/frame_v1.h"

namespace impuls {
namespace {

constexpr std::size_t kHeaderBytes = 128, kOutcomeBytes = 48;

Frame frame_with_outcomes(std::size_t count) {
    auto scene = std::make_shared<Scene>();
    scene->bodies.resize(3);
    Frame frame;
    frame.structure = scene;
    frame.bodies.resize(3), frame.positions.resize(3), frame.orientations.resize(3);
    frame.velocities.resize(3), frame.angular_velocities.resize(3);
    for (std::uint32_t k = 0; k < count; ++k) {
        Outcome o;
        o.first_body = k, o.bodies = 3 - k;
        o.stepper = static_cast<IslandStepper>(k % kIslandSteppers);
        o.refused = {Refusal::HasPairs, Refusal::GainedEnergy, Refusal::NotSelected, Refusal::None};
        o.substeps = 7 + k, o.iterations = 90 + k, o.retries = k;
        o.residual = 1e-300 * (k + 1), o.energy_removed = 0.1 * k;
        frame.outcomes.push_back(o);
    }
    return frame;
}

TEST(FrameOutcomes, come_back_with_and_without_contacts) {
    const Frame frame = frame_with_outcomes(3);
    for (const bool contacts : {true, false}) {
        std::vector<std::byte> bytes;
        test::v1::encode_frame(frame, contacts, bytes);
        EXPECT_EQ(decode_frame_v1(bytes, frame.structure).outcomes, frame.outcomes);
    }
}

TEST(FrameOutcomes, a_residual_that_was_not_measured_stays_so) {
    Frame frame = frame_with_outcomes(1);
    frame.outcomes[0].residual = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::byte> bytes;
    test::v1::encode_frame(frame, true, bytes);
    EXPECT_TRUE(std::isnan(decode_frame_v1(bytes, frame.structure).outcomes.at(0).residual));
}

// As frames of earlier versions are: they can still be read.
TEST(FrameOutcomes, take_no_room_when_there_are_none) {
    std::vector<std::byte> none, two;
    test::v1::encode_frame(frame_with_outcomes(0), true, none);
    test::v1::encode_frame(frame_with_outcomes(2), true, two);
    EXPECT_EQ(two.size(), none.size() + 8 + 2 * kOutcomeBytes);
    EXPECT_EQ(none[1], std::byte{1}) << "no flag but that of contacts";
    EXPECT_TRUE(decode_frame_v1(none, frame_with_outcomes(0).structure).outcomes.empty());
}

TEST(FrameOutcomes, damage_is_found) {
    const Frame frame = frame_with_outcomes(2);
    std::vector<std::byte> good;
    test::v1::encode_frame(frame, true, good);
    const std::size_t first = good.size() - 2 * kOutcomeBytes;
    const auto expect_refused = [&](std::size_t at, std::uint8_t value) {
        std::vector<std::byte> bad = good;
        bad[at] = std::byte{value};
        EXPECT_THROW(decode_frame_v1(bad, frame.structure), FileError) << at;
    };
    expect_refused(kHeaderBytes, 3);             // number of outcomes
    expect_refused(kHeaderBytes + 3, 255);       // far too many
    expect_refused(kHeaderBytes + 4, 1);         // what is zero
    expect_refused(first, 3);                    // first body
    expect_refused(first + 4, 4);                // bodies
    expect_refused(first + 8, kIslandSteppers);  // stepper
    expect_refused(first + 9, kRefusals);        // refusal
    expect_refused(first + 15, 1);               // what is zero
    expect_refused(first + 28, 1);
    std::vector<std::byte> flag_only(good.begin(), good.begin() + kHeaderBytes + 4);
    EXPECT_THROW(decode_frame_v1(flag_only, frame.structure), FileError);
    good.pop_back();
    EXPECT_THROW(decode_frame_v1(good, frame.structure), FileError);
}

}  // namespace
}  // namespace impuls
