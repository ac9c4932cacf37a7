// Events in encoded frames, and the scene fields behind them; here of version 1, which is still read.
#include <gtest/gtest.h>

#include "impuls/errors.h"
#include "impuls/scene_file.h"
#include "io/recording/encode_v1.h"
#include "io/recording/frame_v1.h"

namespace impuls {
namespace {

Frame frame_with_events() {
    auto scene = std::make_shared<Scene>();
    scene->bodies.resize(3);
    scene->timers.push_back({"clock", 1, 0});
    Frame frame;
    frame.structure = scene;
    frame.bodies.resize(3), frame.positions.resize(3), frame.orientations.resize(3);
    frame.velocities.resize(3), frame.angular_velocities.resize(3);
    frame.events = {{EventKind::TouchBegin, 0, 2, kNoTimer},
                    {EventKind::TriggerOut, 1, kNoBody, kNoTimer},
                    {EventKind::TimerTick, kNoBody, kNoBody, 0}};
    return frame;
}

TEST(FrameEvents, survive_encoding) {
    const Frame frame = frame_with_events();
    std::vector<std::byte> with, without;
    test::v1::encode_frame(frame, true, with);
    EXPECT_EQ(decode_frame_v1(with, frame.structure).events, frame.events);
    test::v1::encode_frame(frame, false, without);
    EXPECT_TRUE(decode_frame_v1(without, frame.structure).events.empty());
    EXPECT_EQ(with.size() - without.size(), 3u * 16);
}

TEST(FrameEvents, impossible_ones_are_refused) {
    const Frame good = frame_with_events();
    std::vector<std::byte> bytes;
    for (const Event& bad :
         {Event{static_cast<EventKind>(kEventKinds), 0, 1, kNoTimer},
          Event{EventKind::TouchBegin, 0, 3, kNoTimer}, Event{EventKind::TimerTick, 0, 1, 1}}) {
        Frame frame = good;
        frame.events.push_back(bad);
        test::v1::encode_frame(frame, true, bytes);
        EXPECT_THROW(decode_frame_v1(bytes, frame.structure), FileError);
    }
    test::v1::encode_frame(good, true, bytes);
    bytes.pop_back();
    EXPECT_THROW(decode_frame_v1(bytes, good.structure), FileError);
}

std::string scene_text(const std::string& body, const std::string& rest) {
    return R"({"impuls": 1, "bodies": [{"name": "a", "shape": {"type": "sphere"})" + body + "}]" + rest + "}";
}

TEST(FrameEvents, fields_survive_load_and_save) {
    const Scene scene = parse_scene(
        scene_text(
            R"(, "layer": 3, "ignores": [0, 31], "sensor": true, "active": false)",
            R"(, "settings": {"events": ["touch_begin", "proximity_end"]}, "timers": [{"name": "t", "period": 0.5}])"),
        "");
    const Scene again = parse_scene(to_json(scene), "");
    for (const Scene* s : {&scene, &again}) {
        EXPECT_EQ(s->bodies[0].layer, 3);
        EXPECT_EQ(s->bodies[0].ignores, (std::vector<std::int64_t>{0, 31}));
        EXPECT_TRUE(s->bodies[0].sensor);
        EXPECT_FALSE(s->bodies[0].active);
        EXPECT_EQ(s->settings.events,
                  (std::vector<EventKind>{EventKind::TouchBegin, EventKind::ProximityEnd}));
        ASSERT_EQ(s->timers.size(), 1u);
        EXPECT_EQ(s->timers[0].period, 0.5);
    }
}

TEST(FrameEvents, wrong_fields_are_told) {
    for (const auto& [text, path] :
         {std::pair{scene_text(R"(, "layer": 32)", ""), "/bodies/0/layer"},
          std::pair{scene_text(R"(, "ignores": [-1])", ""), "/bodies/0/ignores/0"},
          std::pair{scene_text("", R"(, "settings": {"events": ["touch"]})"), "/settings/events/0"},
          std::pair{scene_text("", R"(, "timers": [{"name": "t", "period": 0.001}])"), "/timers/0/period"},
          std::pair{scene_text("", R"(, "timers": [{"name": "t"}, {"name": "t"}])"), "/timers/1/name"}}) {
        try {
            parse_scene(text, "");
            ADD_FAILURE() << text;
        } catch (const InputError& error) {
            ASSERT_EQ(error.issues().size(), 1u) << text;
            EXPECT_EQ(error.issues()[0].path, path);
        }
    }
}

}  // namespace
}  // namespace impuls
