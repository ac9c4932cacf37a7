// Writes recordings. The file is made complete (tables, scene, metadata) under a temporary name and renamed,
// so that whatever carries its name is a recording; then rows are added (transactions.h). Called by
// run() and by applications.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <optional>
#include <random>
#include <string_view>

#include "impuls/recording.h"
#include "io/files/input.h"
#include "io/files/output.h"
#include "io/recording/check_frame.h"
#include "io/recording/db.h"
#include "io/recording/format.h"
#include "io/recording/frame_codec.h"
#include "io/recording/quantise.h"
#include "io/recording/reopen.h"
#include "io/recording/transactions.h"
#include "io/recording/zstd.h"

namespace impuls {

namespace {

std::string now_utc() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                       parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

// An old recording that nobody has open: its log is merged and gone after this, or it is refused.
void release_old(const std::string& file) {
    try {
        Database old(file, SQLITE_OPEN_READWRITE, file);
        old.exec("PRAGMA journal_mode=DELETE");
    } catch (const DatabaseError& e) {
        const int kind = e.code() & 0xff;
        if (kind != SQLITE_CORRUPT && kind != SQLITE_NOTADB) throw;
    }
}

void check_target(const std::string& file, bool overwrite) {
    if (file.empty()) throw FileError("a recording needs a file name");
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    std::error_code ignored;
    if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) {
        throw FileError(fmt::format("{}: the folder {} does not exist", file, folder.string()));
    }
    const FileKind kind = file_kind(file);
    if (kind == FileKind::Missing) return;
    if (kind == FileKind::Unreadable) throw FileError(fmt::format("{}: {}", file, std::strerror(errno)));
    if (kind == FileKind::Directory) throw FileError(fmt::format("{}: is a folder", file));
    if (kind != FileKind::Recording) {
        throw FileError(fmt::format("{}: exists and is not an Impuls recording; it is left alone", file));
    }
    if (!overwrite) throw FileError(fmt::format("{}: exists already; only --overwrite replaces it", file));
    release_old(file);
}

// A log without its recording (or of a damaged one): SQLite would take it for that of the new file. What only
// bears the name of a log is not touched.
void remove_stale_log(const std::string& log, std::string_view magic) {
    const auto status = std::filesystem::symlink_status(log);
    if (!std::filesystem::exists(status)) return;
    const std::string head = read_file_head(log, magic.size());
    if (!std::filesystem::is_regular_file(status) || (!head.empty() && head != magic))
        throw FileError(fmt::format("{}: is in the way", log));
    std::remove(log.c_str());
}

void remove_stale_logs(const std::string& file) {
    remove_stale_log(file + "-wal", "\x37\x7f\x06");
    remove_stale_log(file + "-journal", "\xd9\xd5\x05\xf9");
}

void remove_with_logs(const std::string& file) {
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) std::remove((file + suffix).c_str());
}

std::span<const std::byte> bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text));
}

void create(const std::string& file, const std::string& name, const Scene& scene,
            const RecordOptions& options) {
    Database db(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, name);
    db.exec("PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; BEGIN");
    db.exec(fmt::format("PRAGMA application_id={}; PRAGMA user_version={}", kApplicationId, kFormatVersion)
                .c_str());
    for (const TableFormat& table : kTables) db.exec(table.sql);
    db.exec(kWarningTable.sql);
    db.exec(kLayoutTable.sql);
    db.exec(fmt::format("PRAGMA schema_version={}", std::random_device{}() >> 1 | 1).c_str());  // see log.h
    Statement(db, "INSERT INTO scene VALUES(1, ?, ?)")
        .bind(1, scene.file)
        .bind(2, self_contained_text(scene))
        .run();
    Statement meta(db, "INSERT INTO meta VALUES(?, ?)");
    auto entries = build_info();
    entries.emplace_back("created", now_utc());
    entries.emplace_back("title", scene.title);
    entries.emplace_back("frame_every", std::to_string(options.frame_every));
    entries.emplace_back("contacts", options.contacts ? "yes" : "no");
    entries.emplace_back("quantised", options.quantised ? "yes" : "no");
    entries.emplace_back("checkpoint_every", std::to_string(options.checkpoint_every));
    entries.insert(entries.end(), options.meta.begin(), options.meta.end());
    for (const auto& [key, value] : entries) meta.bind(1, key).bind(2, value).run();
    db.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
}

void create_in_place(const std::string& file, const Scene& scene, const RecordOptions& options,
                     bool overwrite) {
    check_target(file, overwrite);
    const std::string temporary = fmt::format("{}.{}.new", file, getpid());
    remove_leftovers(file, "new");
    try {
        remove_stale_logs(file);
        remove_with_logs(temporary);
        create(temporary, file, scene, options);
        if (std::rename(temporary.c_str(), file.c_str()) != 0) {
            throw FileError(fmt::format("{}: {}", file, std::strerror(errno)));
        }
    } catch (...) {
        remove_with_logs(temporary);
        throw;
    }
}

}  // namespace

struct Recorder::State {
    // One statement for each table that grows.
    struct Inserts {
        explicit Inserts(Database& db)
            : hash(db, "INSERT OR REPLACE INTO hashes VALUES(?, ?)"),
              frame(db, "INSERT OR REPLACE INTO frames VALUES(?, ?, ?, ?)"),
              structure(db, "INSERT INTO structures VALUES(?, ?, ?)"),
              layout(db, "INSERT INTO layouts VALUES(?, ?)"),
              command(db, "INSERT INTO commands VALUES(?, ?, ?)"),
              checkpoint(db, "INSERT OR REPLACE INTO checkpoints VALUES(?, ?)"),
              remove_checkpoint(db, "DELETE FROM checkpoints WHERE step = ?"),
              sample(db, "INSERT OR REPLACE INTO measurements VALUES(?, ?, ?, ?)"),
              meta(db, "INSERT OR REPLACE INTO meta VALUES(?, ?)"),
              warning(db, "INSERT OR REPLACE INTO warnings VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)") {}

        Statement hash, frame, structure, layout, command, checkpoint, remove_checkpoint, sample, meta,
            warning;
    };

    State(const std::string& file, const Reopened& before)
        : options(before.options),
          last_step(before.last_step),
          transactions(file),
          inserts(std::in_place, transactions.database()),
          layout{static_cast<std::uint32_t>(before.layouts), {}},
          structures(before.structures),
          commands(before.commands),
          earlier_warnings(before.warnings) {}
    ~State() { transactions.stop(); }  // before the statements go

    template <class Insert>
    void write(std::size_t bytes, Insert&& insert) {
        transactions.write(bytes, [&] { insert(*inserts); });
    }
    void close() {
        transactions.close([this] { inserts.reset(); });
    }
    std::int64_t structure_id(const Frame& frame);
    const FrameLayout& layout_for(const Frame& frame);

    RecordOptions options;
    std::optional<std::int64_t> last_step;  // when it was reopened
    RecordingTransactions transactions;
    std::optional<Inserts> inserts;
    Compressor compressor{};
    std::vector<std::byte> encoded{};
    FrameLayout layout;  // of the last frame; empty before the first
    std::shared_ptr<const Scene> last_structure{};
    double smallest = 0;  // m, size of a body in it
    std::string last_structure_text{};
    std::int64_t structures;
    std::int64_t commands;
    std::int64_t earlier_warnings;
};

// Bodies come and go rarely: the scene is written again only when its text has changed.
std::int64_t Recorder::State::structure_id(const Frame& f) {
    if (f.structure == last_structure) return structures;
    // The plan for the run is in the scene; here, bodies it has added already would clash with it.
    Scene bare = *f.structure;
    bare.timeline.clear();
    bare.measure.clear();
    std::string text = self_contained_text(bare);
    last_structure = f.structure;
    if (options.quantised) smallest = smallest_size(bare);
    if (text == last_structure_text) return structures;
    const auto blob = compressor.compress(bytes_of(text), kTextLimit);
    write(blob.size(),
          [&](auto& to) { to.structure.bind(1, structures + 1).bind(2, f.step).bind(3, blob).run(); });
    last_structure_text = std::move(text);
    return ++structures;
}

// Nearly always the same as before.
const FrameLayout& Recorder::State::layout_for(const Frame& frame) {
    if (!layout.groups.empty() && fits(layout, frame)) return layout;
    layout = layout_of(frame, options.contacts, layout.id + 1);
    const std::string text = layout_text(layout);
    write(text.size(), [&](auto& to) { to.layout.bind(1, std::int64_t{layout.id}).bind(2, text).run(); });
    return layout;
}

// A symbolic link stays one: the file behind it is made.
Recorder::Recorder(const std::string& name, const Scene& scene, const RecordOptions& options,
                   bool overwrite) {
    const std::string file = name.empty() ? name : behind_links(name);
    create_in_place(file, scene, options, overwrite);
    state_ = std::make_unique<State>(file, Reopened{.options = options});
}

Recorder::Recorder(std::unique_ptr<State> state) : state_(std::move(state)) {}

std::unique_ptr<Recorder> Recorder::reopen(const std::string& name) {
    const std::string file = behind_links(name);
    return std::unique_ptr<Recorder>(new Recorder(std::make_unique<State>(file, reopen_recording(file))));
}

Recorder::~Recorder() {
    try {
        state_->close();
    } catch (const std::exception&) {
        return;  // close() is there for those who want to hear of it
    }
}

const RecordOptions& Recorder::options() const {
    return state_->options;
}

std::optional<std::int64_t> Recorder::last_step() const {
    return state_->last_step;
}

void Recorder::add_hash(std::int64_t step, std::uint64_t hash) {
    state_->write(16,
                  [&](auto& to) { to.hash.bind(1, step).bind(2, static_cast<std::int64_t>(hash)).run(); });
}

void Recorder::add_frame(const Frame& frame) {
    check_sizes(frame);
    const std::int64_t structure = state_->structure_id(frame);
    encode_frame(frame, state_->layout_for(frame), state_->encoded, state_->options.quantised,
                 state_->smallest);
    const auto blob = state_->compressor.compress(state_->encoded, kDataLimit);
    state_->write(blob.size(), [&](auto& to) {
        to.frame.bind(1, frame.step).bind(2, frame.time).bind(3, structure).bind(4, blob).run();
    });
}

void Recorder::add_command(std::int64_t step, const Command& command) {
    const std::string json = self_contained_text(command);
    state_->write(json.size(), [&](auto& to) {
        to.command.bind(1, ++state_->commands).bind(2, step).bind(3, json).run();
    });
}

void Recorder::add_checkpoint(std::int64_t step, std::span<const std::byte> bytes) {
    const auto blob = state_->compressor.compress(bytes, kDataLimit);
    state_->write(blob.size(), [&](auto& to) { to.checkpoint.bind(1, step).bind(2, blob).run(); });
}

void Recorder::remove_checkpoint(std::int64_t step) {
    state_->write(16, [&](auto& to) { to.remove_checkpoint.bind(1, step).run(); });
}

void Recorder::add_sample(const std::string& name, std::int64_t step, double time, double value) {
    state_->write(name.size() + 24, [&](auto& to) {
        to.sample.bind(1, name).bind(2, step).bind(3, time).bind(4, value).run();
    });
}

void Recorder::set_meta(const std::string& key, const std::string& value) {
    state_->write(key.size() + value.size(), [&](auto& to) { to.meta.bind(1, key).bind(2, value).run(); });
}

// Warnings keep their places in the list, behind those of earlier runs, and none leaves it.
void Recorder::set_warnings(std::span<const Warning> warnings) {
    std::int64_t id = state_->earlier_warnings;
    for (const Warning& w : warnings) {
        ++id;
        state_->write(96 + w.text.size(), [&](auto& to) {
            to.warning.bind(1, id)
                .bind(2, std::string_view(EnumNames<WarningKind>::names[static_cast<std::size_t>(w.kind)]))
                .bind(3, w.subject)
                .bind(4, w.other)
                .bind(5, w.time)
                .bind(6, w.value)
                .bind(7, w.worst_time)
                .bind(8, w.worst)
                .bind(9, w.total)
                .bind(10, w.allowed)
                .bind(11, w.unit)
                .bind(12, w.count)
                .bind(13, w.text)
                .run();
        });
    }
}

void Recorder::commit() {
    state_->transactions.commit();
}

void Recorder::close() {
    state_->close();
}

}  // namespace impuls
