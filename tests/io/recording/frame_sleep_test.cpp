// Who sleeps, in stored frames; here of version 1, which is still read.
#include <gtest/gtest.h>

#include "impuls/errors.h"
#include "impuls/scene.h"
#include "io/recording/encode_v1.h"
#include "io/recording/frame_v1.h"

namespace impuls {
namespace {

Frame frame_of(std::vector<std::uint8_t> asleep) {
    auto scene = std::make_shared<Scene>();
    scene->bodies.resize(3);
    Frame frame;
    frame.structure = scene;
    frame.bodies.resize(3), frame.positions.resize(3), frame.orientations.resize(3);
    frame.velocities.resize(3), frame.angular_velocities.resize(3);
    frame.asleep = std::move(asleep);
    return frame;
}

TEST(FrameSleep, comes_back) {
    for (const auto& asleep : {std::vector<std::uint8_t>{0, 1, 1}, {0, 0, 0}}) {
        const Frame frame = frame_of(asleep);
        std::vector<std::byte> bytes;
        test::v1::encode_frame(frame, true, bytes);
        EXPECT_EQ(decode_frame_v1(bytes, frame.structure).asleep, asleep);
    }
}

TEST(FrameSleep, takes_no_room_when_all_are_awake) {
    std::vector<std::byte> awake, asleep, unknown;
    test::v1::encode_frame(frame_of({0, 0, 0}), true, awake);
    test::v1::encode_frame(frame_of({0, 1, 0}), true, asleep);
    test::v1::encode_frame(frame_of({}), true, unknown);
    EXPECT_EQ(asleep.size(), awake.size() + 3);
    EXPECT_EQ(unknown, awake);
}

TEST(FrameSleep, damage_is_found) {
    const Frame frame = frame_of({1, 0, 0});
    std::vector<std::byte> bytes;
    test::v1::encode_frame(frame, true, bytes);
    bytes.back() = std::byte{2};
    EXPECT_THROW(decode_frame_v1(bytes, frame.structure), FileError);
    bytes.pop_back();
    EXPECT_THROW(decode_frame_v1(bytes, frame.structure), FileError);
}

}  // namespace
}  // namespace impuls
