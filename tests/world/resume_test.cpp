// Recordings taken up again through the library: checkpoints by time, commands that wait, steps that are
// compared, and files that are written on.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "impuls/resume.h"
#include "impuls/run.h"
#include "mixed_scene.h"

namespace impuls {
namespace {

class Resume : public testing::Test {
  protected:
    Resume() {
        std::string pattern = (std::filesystem::temp_directory_path() / "impuls-resume-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
        file = folder_ + "/run.impuls";
    }
    ~Resume() override { std::filesystem::remove_all(folder_); }

    // Kicks a body at step 12, which has a checkpoint, and at 20; stops after `stop` steps.
    std::uint64_t record(std::int64_t stop, const RecordOptions& options, const std::string& to) const {
        const Scene scene = mixed_scene();
        World world(scene);
        Recorder recorder(to, scene, options, true);
        RunOptions run_options;
        run_options.steps = std::max<std::int64_t>(40, stop);
        run_options.recorder = &recorder;
        run_options.progress = [&](const World& w) {
            if (w.steps() == 12 || w.steps() == 20) {
                const Command kick = ApplyImpulse{"pile2", {3, 1, 0}, {}, {}};
                world.apply(kick);
                recorder.add_command(w.steps(), kick);
            }
            return w.steps() < stop;
        };
        const auto hash = run(world, run_options).state_hash;
        recorder.close();
        return hash;
    }

    std::string file{};

  private:
    std::string folder_{};
};

TEST_F(Resume, checkpoints_by_time_replace_each_other) {
    record(17, {.checkpoint_every = 5, .checkpoint_seconds = 0}, file);
    EXPECT_EQ(Recording(file).checkpoint_steps(), (std::vector<std::int64_t>{0, 5, 10, 15, 17}));
    record(17, {.checkpoint_every = 0, .checkpoint_seconds = 1e9}, file);
    EXPECT_EQ(Recording(file).checkpoint_steps(), (std::vector<std::int64_t>{0, 17})) << "where it stopped";
}

// A command that waited when the checkpoint was made is given once, and one recorded later is given again.
TEST_F(Resume, goes_on_with_the_recorded_commands) {
    const std::uint64_t whole = record(40, {.checkpoint_every = 6}, file);
    for (const std::int64_t stop : {5, 12, 13, 20, 25, 39}) {
        record(stop, {.checkpoint_every = 6}, file);
        Resumption there = resume(Recording(file));
        EXPECT_EQ(there.difference, "");
        EXPECT_EQ(there.world.steps(), stop);
        if (stop < 20) continue;  // the second kick was not recorded
        while (there.world.steps() < 40) {
            for (const auto& [step, command] : there.commands)
                if (step == there.world.steps()) there.world.apply(command);
            ASSERT_TRUE(there.world.step().ok);
        }
        EXPECT_EQ(there.world.state_hash(), whole) << stop;
    }
}

TEST_F(Resume, outputs_of_the_last_step_are_there_when_wanted) {
    record(66, {.checkpoint_every = 6}, file);
    const Recording recording(file);
    Resumption there = resume(recording, {.at = 0.66, .wants_outputs = true});
    const Frame recorded = recording.frame(66), &frame = there.world.frame();
    ASSERT_EQ(frame.contacts.size(), recorded.contacts.size());
    ASSERT_FALSE(frame.contacts.empty());
    for (std::size_t k = 0; k < frame.contacts.size(); ++k)
        EXPECT_EQ(frame.contacts[k].force, recorded.contacts[k].force);
    for (std::size_t k = 0; k < frame.joints.size(); ++k)
        EXPECT_EQ(frame.joints[k].force, recorded.joints[k].force);
}

TEST_F(Resume, times_between_steps_are_the_step_before) {
    record(24, {}, file);
    EXPECT_EQ(resume(Recording(file), {.at = 0.1099}).world.steps(), 10);
    EXPECT_EQ(resume(Recording(file), {.at = 0.11}).world.steps(), 11);
    EXPECT_THROW(resume(Recording(file), {.at = 0.25}), InputError);
    EXPECT_THROW(resume(Recording(file), {.at = -0.01}), InputError);
    EXPECT_THROW(resume(Recording(file), {.at = std::nan("")}), InputError);
}

TEST_F(Resume, a_file_is_written_on_and_holds_what_a_whole_run_holds) {
    const std::string other = file + ".whole";
    record(40, {.frame_every = 3}, other);
    record(25, {.frame_every = 3}, file);
    {
        Resumption there = resume(Recording(file));
        const auto recorder = Recorder::reopen(file);
        EXPECT_EQ(recorder->last_step(), 25);
        EXPECT_EQ(recorder->options().frame_every, 3);
        EXPECT_THROW(Recorder::reopen(file), FileError) << "it is open";
        RunOptions options;
        options.steps = 15;
        options.recorder = recorder.get();
        run(there.world, options);
        recorder->close();
    }
    const Recording whole(other), parts(file);
    EXPECT_EQ(parts.hashes(), whole.hashes());
    EXPECT_EQ(parts.frame_steps(), whole.frame_steps());
    EXPECT_EQ(parts.commands().size(), whole.commands().size());
    for (const std::int64_t step : whole.frame_steps()) {
        const Frame a = whole.frame(step), b = parts.frame(step);
        EXPECT_EQ(a.positions, b.positions);
        EXPECT_EQ(a.velocities, b.velocities);
        ASSERT_EQ(a.contacts.size(), b.contacts.size()) << step;
        for (std::size_t k = 0; k < a.contacts.size(); ++k)
            EXPECT_EQ(a.contacts[k].force, b.contacts[k].force) << step;
    }
    EXPECT_EQ(parts.meta("status"), "complete");
}

TEST_F(Resume, without_a_checkpoint_it_is_refused) {
    const Scene scene = mixed_scene();
    {
        Recorder recorder(file, scene);
        recorder.add_hash(0, 1);
        recorder.close();
    }
    EXPECT_THROW(resume(Recording(file)), InputError);
    {
        Recorder recorder(file, scene, {}, true);
        recorder.add_checkpoint(0, World(scene).checkpoint());
        recorder.add_hash(0, 1);
        recorder.close();
    }
    EXPECT_NE(resume(Recording(file)).difference.find("step 0 differs"), std::string::npos);
}

}  // namespace
}  // namespace impuls
