// Recordings: scene, commands, frames, checkpoints, measurements and hashes in one SQLite file that survives
// a kill at any moment (docs/manual/recording.md has the tables).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "impuls/command.h"
#include "impuls/frame.h"
#include "impuls/scene.h"
#include "impuls/scene_file.h"
#include "impuls/warnings.h"

namespace impuls {

struct RecordOptions {
    std::int64_t frame_every = 1;
    bool contacts = true;                 // store contacts in frames
    bool quantised = false;               // columns to 1e-4 of their size (docs/manual/recording.md)
    std::int64_t checkpoint_every = 500;  // steps; 0: only the first and those by time
    double checkpoint_seconds = 10;       // wall time after which there is one in any case
    std::vector<std::pair<std::string, std::string>> meta{};  // there from the start, beside the usual
};

/// Writes a recording. All calls throw FileError (disk full, read-only, …); what was committed stays
/// readable.
class Recorder {
  public:
    /// Creates the file; an existing recording of that name is replaced only when `overwrite`.
    Recorder(const std::string& file, const Scene& scene, const RecordOptions& options = {},
             bool overwrite = false);
    /// Closes as well as it can; call close() to hear of errors.
    ~Recorder();
    /// Opens a recording to go on with it, also one whose writer was killed. Rows that are added replace
    /// those of the same step. Throws FileError when it cannot be written or is open elsewhere.
    static std::unique_ptr<Recorder> reopen(const std::string& file);
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    const RecordOptions& options() const;
    /// The last step whose hash was in the file when it was reopened.
    std::optional<std::int64_t> last_step() const;
    void add_hash(std::int64_t step, std::uint64_t hash);
    void add_frame(const Frame& frame);
    void add_command(std::int64_t step, const Command& command);  // the step at whose start it is applied
    void add_checkpoint(std::int64_t step, std::span<const std::byte> bytes);
    void remove_checkpoint(std::int64_t step);
    void add_sample(const std::string& name, std::int64_t step, double time, double value);
    void set_meta(const std::string& key, const std::string& value);
    /// The world's warnings so far, in place of those given before (by this recorder).
    void set_warnings(std::span<const Warning> warnings);
    /// Commits everything so far.
    void commit();
    /// Commits and leaves one single file.
    void close();

  private:
    struct State;
    explicit Recorder(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// Reads a recording, also one whose writer was killed. Throws FileError (no such file: InputError).
class Recording {
  public:
    explicit Recording(const std::string& file);
    ~Recording();
    Recording(Recording&&) noexcept;

    /// What is amiss with the file, though it can be read: its log is missing or belongs to another
    /// recording.
    const std::vector<std::string>& file_warnings() const;
    std::string meta(const std::string& key) const;  // "" when absent
    std::vector<std::pair<std::string, std::string>> all_meta() const;
    /// The scene as it was given: text with includes inlined (expanded when the scene had includes).
    Scene scene() const;
    /// The same with changes, as load_scene makes them; throws InputError where they are wrong.
    Scene scene(const Overrides& changes) const;
    std::vector<std::int64_t> frame_steps() const;
    /// The frame of exactly that step.
    Frame frame(std::int64_t step) const;
    /// Bytes of each column ("bodies.position") before compression, summed over all frames.
    std::vector<std::pair<std::string, std::uint64_t>> column_bytes() const;
    std::vector<std::pair<std::int64_t, std::uint64_t>> hashes() const;
    std::vector<std::pair<std::int64_t, Command>> commands() const;
    /// As they were at the last checkpoint or at the end; none in files of earlier programs.
    std::vector<Warning> warnings() const;
    std::vector<std::int64_t> checkpoint_steps() const;
    std::vector<std::byte> checkpoint(std::int64_t step) const;
    std::vector<std::string> sample_names() const;
    struct Sample {
        std::int64_t step;
        double time;
        double value;
    };
    std::vector<Sample> samples(const std::string& name) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Engine version, compiler, build type and CPU, as stored in recordings ("build", "cpu", "engine").
std::vector<std::pair<std::string, std::string>> build_info();

}  // namespace impuls
