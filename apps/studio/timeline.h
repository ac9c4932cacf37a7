// Everything that a world has gone through so far: its frames, in memory as far as they fit and all of them
// in a recording on disk, its commands, and checkpoints from which it can go on differently. Or a recording
// that was made elsewhere, to be looked at. Called by the session.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "impuls/recording.h"
#include "impuls/world.h"

namespace impuls::studio {

class Timeline {
  public:
    Timeline() = default;
    ~Timeline();
    Timeline(Timeline&&) = default;
    Timeline& operator=(Timeline&&) = default;

    // Steps are given up once this is true (World::interrupt_when); holds for all worlds from now on.
    void interrupt_when(std::function<bool()> is_wanted) { is_given_up_ = std::move(is_wanted); }

    // A world at its start, recorded into `file` (replaced); throws what World throws, and is then as before.
    void start(const Scene& scene, const std::string& file);
    // The same world as another timeline's at its k-th frame, bit for bit, with all frames before it.
    void start_from(Timeline& other, std::size_t k, const std::string& file);
    // Its own recording, which a kill may have ended: goes on from its last frame.
    void take_up(const std::string& file);
    // A finished recording.
    void show(const std::string& file);

    bool is_recording() const { return !world_; }
    std::size_t size() const { return steps_.size(); }
    double time(std::size_t k) const { return times_[k]; }
    double dt() const;
    // The frame shown k-th. Throws FileError when it has to be read and cannot.
    std::shared_ptr<const Frame> frame(std::size_t k);
    std::shared_ptr<const Scene> structure();

    // One frame more. Not ok: the world cannot go on.
    StepStatus step();
    // At the end of what there is; throws InputError when it is refused.
    void apply(const Command& command);
    const std::string& file() const { return file_; }
    // What is recorded so far survives a kill and can be read by others.
    void commit();
    const std::vector<Warning>& warnings() const;
    std::uint64_t state_hash() const;
    // 0 of what was recorded elsewhere.
    std::uint64_t state_hash(std::size_t k) const { return k < hashes_.size() ? hashes_[k] : 0; }
    void close();

  private:
    void forget();
    void set_world(World world);
    void record(bool is_first);
    void keep(std::shared_ptr<const Frame> frame);

    std::function<bool()> is_given_up_{};
    std::unique_ptr<World> world_{};
    std::unique_ptr<Scene> scene_{};
    std::unique_ptr<Recorder> recorder_{};
    std::unique_ptr<Recording> reading_{};
    std::string file_{};
    std::vector<std::int64_t> steps_{};
    std::vector<double> times_{};
    std::vector<std::uint64_t> hashes_{};
    std::vector<std::shared_ptr<const Frame>> frames_{};  // null: only on disk
    std::size_t bytes_ = 0, oldest_ = 0;                  // of frames in memory; none before it is in memory
    std::vector<std::pair<std::int64_t, Command>> commands_{};
    std::vector<std::pair<std::int64_t, std::vector<std::byte>>> checkpoints_{};
    std::vector<Warning> warnings_{};
    bool is_committed_ = false;
    std::chrono::steady_clock::time_point last_commit_{};
};

}  // namespace impuls::studio
