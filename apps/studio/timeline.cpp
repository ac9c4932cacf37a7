// What a world has gone through (timeline.h).
#include "studio/timeline.h"

#include <algorithm>
#include <filesystem>

#include "impuls/resume.h"

namespace impuls::studio {
namespace {

constexpr std::size_t kFrameMemory = std::size_t{1} << 30;    // bytes
constexpr std::int64_t kCheckpointEvery = 100;                // steps
constexpr auto kCommitTime = std::chrono::milliseconds(500);  // what a kill may take

RecordOptions options() {
    return {.frame_every = 1, .contacts = true, .checkpoint_every = kCheckpointEvery};
}

std::size_t bytes_of(const Frame& frame) {
    std::size_t columns = 0;
    for (const ColumnGroup& group : frame.groups)
        for (const ColumnDesc& column : group.desc().columns)
            columns += group.count() * column.size * sizeof(double);
    return sizeof(Frame) + frame.positions.size() * (sizeof(Vec3) * 3 + sizeof(Quat) + sizeof(BodyId) + 1) +
           frame.contacts.size() * sizeof(Contact) + frame.joints.size() * sizeof(JointReaction) +
           frame.axes.size() * sizeof(AxisState) + frame.outcomes.size() * sizeof(Outcome) +
           frame.particles.size() * sizeof(ParticleState) + frame.pressed.size() * sizeof(PressedTriangle) +
           columns;
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
    auto recorder = std::make_unique<Recorder>(file, scene, options(), true);
    forget();
    set_world(std::move(*world));
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
    if (recorder_ && !is_committed_) commit();
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
    is_committed_ = false;
    if (std::chrono::steady_clock::now() - last_commit_ > kCommitTime) commit();
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
void Timeline::start_from(Timeline& other, std::size_t k, const std::string& file) {
    if (!other.world_) throw InputError("a recording cannot be changed");
    if (k >= other.size()) throw InputError("there is no such frame");
    const std::int64_t goal = other.steps_[k];
    auto recorder = std::make_unique<Recorder>(file, *other.scene_, options(), true);
    Timeline next;
    next.is_given_up_ = is_given_up_;
    next.scene_ = std::make_unique<Scene>(*other.scene_);
    next.commands_ = other.commands_;
    next.checkpoints_ = other.checkpoints_;
    std::erase_if(next.commands_, [&](const auto& c) { return c.first >= goal; });
    std::erase_if(next.checkpoints_, [&](const auto& c) { return c.first > goal; });
    for (const auto& [step, command] : next.commands_) recorder->add_command(step, command);
    for (const auto& [step, bytes] : next.checkpoints_) recorder->add_checkpoint(step, bytes);
    for (std::size_t j = 0; j <= k; ++j) {
        std::shared_ptr<const Frame> frame = other.frame(j);
        recorder->add_frame(*frame);
        recorder->add_hash(other.steps_[j], other.hashes_[j]);
        next.steps_.push_back(other.steps_[j]);
        next.times_.push_back(other.times_[j]);
        next.hashes_.push_back(other.hashes_[j]);
        next.keep(std::move(frame));
    }
    World world(*next.scene_, std::make_shared<Executor>(1));
    world.restore(next.checkpoints_.back().second);
    world.interrupt_when(is_given_up_);
    auto command = std::find_if(next.commands_.begin(), next.commands_.end(),
                                [&](const auto& c) { return c.first >= world.steps(); });
    while (world.steps() < goal) {
        for (; command != next.commands_.end() && command->first == world.steps(); ++command)
            world.apply(command->second);
        if (const StepStatus status = world.step(); !status.ok) throw InputError(status.message);
    }
    next.file_ = file;
    next.recorder_ = std::move(recorder);
    next.set_world(std::move(world));
    next.recorder_->set_meta("dt", std::to_string(next.world_->dt()));
    next.recorder_->set_meta("status", "running");
    next.commit();
    close();
    *this = std::move(next);
}

void Timeline::take_up(const std::string& file) {
    Timeline next;
    next.is_given_up_ = is_given_up_;
    {
        const Recording recording(file);
        ResumeOptions how;
        how.executor = std::make_shared<Executor>(1);
        how.interrupt_when = is_given_up_;
        Resumption there = resume(recording, how);
        if (!there.difference.empty()) throw InputError(there.difference);
        const std::int64_t end = there.world.steps();
        next.scene_ = std::make_unique<Scene>(recording.scene());
        for (const auto& [step, hash] : recording.hashes()) {
            if (step > end) break;
            next.steps_.push_back(step);
            next.hashes_.push_back(hash);
        }
        if (next.steps_.empty() || next.steps_.back() != end ||
            recording.frame_steps().size() < next.steps_.size())
            throw InputError(file + ": frames are missing");
        for (const auto& command : recording.commands())
            if (command.first < end) next.commands_.push_back(command);
        for (const std::int64_t step : recording.checkpoint_steps())
            if (step <= end) next.checkpoints_.emplace_back(step, recording.checkpoint(step));
        const double dt = there.world.dt();
        for (const std::int64_t step : next.steps_) next.times_.push_back(static_cast<double>(step) * dt);
        next.frames_.resize(next.steps_.size());
        next.oldest_ = next.frames_.size();
        next.set_world(std::move(there.world));
    }
    next.file_ = file;
    next.recorder_ = Recorder::reopen(file);
    next.is_committed_ = true;
    close();
    *this = std::move(next);
}

void Timeline::set_world(World world) {
    world_ = std::make_unique<World>(std::move(world));
    world_->interrupt_when(is_given_up_);
}

void Timeline::commit() {
    if (!recorder_) return;
    recorder_->commit();
    reading_.reset();
    is_committed_ = true;
    last_commit_ = std::chrono::steady_clock::now();
}

const std::vector<Warning>& Timeline::warnings() const {
    return world_ ? world_->warnings() : warnings_;
}

std::uint64_t Timeline::state_hash() const {
    return world_ ? world_->state_hash() : 0;
}

}  // namespace impuls::studio
