// What a world has gone through (timeline.h).
#include "studio/timeline.h"

#include <algorithm>
#include <filesystem>

namespace impuls::studio {
namespace {

constexpr std::size_t kFrameMemory = std::size_t{1} << 30;  // bytes
constexpr std::int64_t kCheckpointEvery = 100;              // steps
constexpr std::int64_t kCommitEvery = 50;                   // steps: what a kill may take

std::size_t bytes_of(const Frame& frame) {
    return sizeof(Frame) + frame.positions.size() * (sizeof(Vec3) * 3 + sizeof(Quat) + sizeof(BodyId) + 1) +
           frame.contacts.size() * sizeof(Contact) + frame.joints.size() * sizeof(JointReaction) +
           frame.axes.size() * sizeof(AxisState) + frame.outcomes.size() * sizeof(Outcome);
}

}  // namespace

Timeline::~Timeline() {
    close();
}

void Timeline::close() {
    try {
        if (recorder_) recorder_->close();
    } catch (const std::exception&) {
        // The disk is full or gone: what was committed stays readable.
    }
    recorder_.reset();
    reading_.reset();
}

void Timeline::forget() {
    Timeline empty;
    empty.is_given_up_ = is_given_up_;
    *this = std::move(empty);
}

void Timeline::start(const Scene& scene, const std::string& file) {
    auto world = std::make_unique<World>(scene, std::make_shared<Executor>(1));
    auto kept = std::make_unique<Scene>(scene);
    close();
    auto recorder = std::make_unique<Recorder>(
        file, scene, RecordOptions{.frame_every = 1, .contacts = true, .checkpoint_every = kCheckpointEvery},
        true);
    forget();
    world_ = std::move(world);
    world_->interrupt_when(is_given_up_);
    scene_ = std::move(kept);
    recorder_ = std::move(recorder);
    file_ = file;
    recorder_->set_meta("dt", std::to_string(world_->dt()));
    recorder_->set_meta("status", "running");
    record(true);
}

void Timeline::show(const std::string& file) {
    auto reading = std::make_unique<Recording>(file);
    std::vector<std::int64_t> steps = reading->frame_steps();
    if (steps.empty()) throw FileError(file + ": holds no frames");
    const double dt = reading->scene().settings.dt;
    close();
    forget();
    reading_ = std::move(reading);
    file_ = file;
    steps_ = std::move(steps);
    for (const std::int64_t step : steps_) times_.push_back(static_cast<double>(step) * dt);
    frames_.resize(steps_.size());
    oldest_ = 0;
    warnings_ = reading_->warnings();
}

double Timeline::dt() const {
    if (world_) return world_->dt();
    return times_.size() > 1 ? (times_.back() - times_.front()) / static_cast<double>(times_.size() - 1) : 0;
}

std::shared_ptr<const Scene> Timeline::structure() {
    return frame(size() - 1)->structure;
}

void Timeline::keep(std::shared_ptr<const Frame> frame) {
    bytes_ += bytes_of(*frame);
    frames_.push_back(std::move(frame));
    while (bytes_ > kFrameMemory && oldest_ + 1 < frames_.size()) {
        if (frames_[oldest_]) bytes_ -= bytes_of(*frames_[oldest_]);
        frames_[oldest_++].reset();
    }
}

std::shared_ptr<const Frame> Timeline::frame(std::size_t k) {
    if (k >= frames_.size()) throw InputError("there is no such frame");
    if (frames_[k]) return frames_[k];
    if (recorder_ && !is_committed_) {
        recorder_->commit();
        reading_.reset();
        is_committed_ = true;
    }
    if (!reading_) reading_ = std::make_unique<Recording>(file_);
    const auto frame = std::make_shared<const Frame>(reading_->frame(steps_[k]));
    if (!world_) {  // of a recording whatever was looked at is kept, as far as there is room
        const std::size_t bytes = bytes_of(*frame);
        if (bytes_ + bytes < kFrameMemory) {
            frames_[k] = frame;
            bytes_ += bytes;
        }
        times_[k] = frame->time;
    }
    return frame;
}

void Timeline::record(bool is_first) {
    const std::int64_t step = world_->steps();
    auto frame = std::make_shared<const Frame>(world_->frame());
    recorder_->add_frame(*frame);
    hashes_.push_back(world_->state_hash());
    recorder_->add_hash(step, hashes_.back());
    if (is_first || step % kCheckpointEvery == 0) {
        checkpoints_.emplace_back(step, world_->checkpoint());
        recorder_->add_checkpoint(step, checkpoints_.back().second);
        recorder_->set_warnings(world_->warnings());
    }
    if (step % kCommitEvery == 0) recorder_->commit();
    is_committed_ = false;
    steps_.push_back(step);
    times_.push_back(frame->time);
    keep(std::move(frame));
}

StepStatus Timeline::step() {
    if (!world_) return {false, "a recording cannot be run on; open its scene", false};
    const StepStatus status = world_->step();
    if (status.ok) record(false);
    return status;
}

void Timeline::apply(const Command& command) {
    if (!world_) throw InputError("a recording cannot be changed");
    world_->apply(command);
    commands_.emplace_back(world_->steps(), command);
    recorder_->add_command(world_->steps(), command);
}

// From the last checkpoint before it; the frames up to it go into the new file, so that it is a whole
// recording.
void Timeline::cut(std::size_t k, const std::string& file) {
    if (!world_) throw InputError("a recording cannot be changed");
    if (k >= size()) throw InputError("there is no such frame");
    const std::int64_t goal = steps_[k];
    auto recorder = std::make_unique<Recorder>(
        file, *scene_,
        RecordOptions{.frame_every = 1, .contacts = true, .checkpoint_every = kCheckpointEvery}, true);
    for (std::size_t j = 0; j <= k; ++j) {
        recorder->add_frame(*frame(j));
        recorder->add_hash(steps_[j], hashes_[j]);
    }
    std::erase_if(commands_, [&](const auto& c) { return c.first >= goal; });
    std::erase_if(checkpoints_, [&](const auto& c) { return c.first > goal; });
    for (const auto& [step, command] : commands_) recorder->add_command(step, command);
    for (const auto& [step, bytes] : checkpoints_) recorder->add_checkpoint(step, bytes);

    world_ = std::make_unique<World>(*scene_, std::make_shared<Executor>(1));
    world_->interrupt_when(is_given_up_);
    world_->restore(checkpoints_.back().second);
    auto next = std::find_if(commands_.begin(), commands_.end(),
                             [&](const auto& c) { return c.first >= checkpoints_.back().first; });
    while (world_->steps() < goal) {
        for (; next != commands_.end() && next->first == world_->steps(); ++next) world_->apply(next->second);
        if (const StepStatus status = world_->step(); !status.ok) throw InputError(status.message);
    }
    close();
    recorder_ = std::move(recorder);
    recorder_->commit();
    file_ = file;
    is_committed_ = true;
    for (std::size_t j = k + 1; j < frames_.size(); ++j)
        if (frames_[j]) bytes_ -= bytes_of(*frames_[j]);
    steps_.resize(k + 1);
    times_.resize(k + 1);
    hashes_.resize(k + 1);
    frames_.resize(k + 1);
    oldest_ = std::min(oldest_, k);
}

const std::vector<Warning>& Timeline::warnings() const {
    return world_ ? world_->warnings() : warnings_;
}

std::uint64_t Timeline::state_hash() const {
    return world_ ? world_->state_hash() : 0;
}

}  // namespace impuls::studio
